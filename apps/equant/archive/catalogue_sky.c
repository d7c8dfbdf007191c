#include "archive/catalogue_sky.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"

static const struct ecsv_column columns[] = {
    {"source_id", ECSV_INTEGER, NULL, NULL},
    {"n_transits", ECSV_INTEGER, NULL, NULL},
    {"verdict", ECSV_TEXT, NULL, "5p, 7p, 9p, orbit or scan_angle"},
    {"parallax_mas", ECSV_NUMBER, "mas", NULL},
    {"parallax_mas_err", ECSV_NUMBER, "mas", NULL},
    {"pm_ra_mas_yr", ECSV_NUMBER, "mas / yr", NULL},
    {"pm_ra_mas_yr_err", ECSV_NUMBER, "mas / yr", NULL},
    {"pm_dec_mas_yr", ECSV_NUMBER, "mas / yr", NULL},
    {"pm_dec_mas_yr_err", ECSV_NUMBER, "mas / yr", NULL},
    {"chi2_5p", ECSV_NUMBER, NULL, NULL},
    {"chi2_orbit", ECSV_NUMBER, NULL, NULL},
    {"chi2_scan_angle", ECSV_NUMBER, NULL, NULL},
    {"gain", ECSV_NUMBER, NULL, "in ln L of the best orbit"},
    {"fap", ECSV_NUMBER, NULL, "that noise gains as much"},
    {"period_days", ECSV_NUMBER, "d", NULL},
    {"eccentricity", ECSV_NUMBER, NULL, NULL},
    {"a0_mas", ECSV_NUMBER, "mas", NULL},
    {"a0_mas_err", ECSV_NUMBER, "mas", NULL},
    {"flags", ECSV_TEXT, NULL, NULL},
};

enum { N_VERDICTS = 5, ID_SIZE = 24, N_COLUMNS = sizeof columns / sizeof columns[0] };

struct sky_sources {
    equant_sky_catalogue *catalogue;
    equant_sky_stream *stream;
    equant_astrometry **sources; /* [n_batch], of which n_waiting are there */
    int64_t *ids;
    equant_sky_catalogue_row *rows;
    struct catalogue_joint *joint;
    equant_sky_star *stars; /* [n_batch], as the next */
    equant_dataset **velocities;
    equant_sky_joint_row *joint_rows;
    bool is_rest;     /* the stars that have velocities alone, behind all files */
    char id[ID_SIZE]; /* of the last one read */
    size_t n_waiting, n_left_out, n_other_files, n_verdicts[N_VERDICTS], n_unsolved;
};

static int open_file(void *self, const char *path)
{
    struct sky_sources *own = self;
    own->is_rest = path == NULL;
    return own->is_rest ? EXIT_CODE_OK
                        : messages_status(equant_sky_stream_open(path, NULL, &own->stream));
}

/* Puts a source, or with NULL a star that has velocities alone, into the batch. */
static int add(struct sky_sources *own, int64_t source_id, equant_astrometry *source)
{
    size_t place = own->n_waiting++;
    own->sources[place] = source;
    own->ids[place] = source_id;
    return own->joint->is_there ? catalogue_joint_star(own->joint, source_id,
                                                       &own->velocities[place], &own->stars[place])
                                : EXIT_CODE_OK;
}

static int next_of_rest(struct sky_sources *own, bool is_wanted, const char **name)
{
    int64_t source_id = catalogue_joint_next_star(own->joint);
    *name = NULL;
    if (source_id == 0)
        return EXIT_CODE_OK;
    snprintf(own->id, sizeof own->id, "%" PRId64, source_id);
    *name = own->id;
    return is_wanted ? add(own, source_id, NULL) : EXIT_CODE_OK;
}

static int next(void *self, bool is_wanted, const char **name)
{
    struct sky_sources *own = self;
    equant_astrometry *source = NULL;
    if (own->is_rest)
        return next_of_rest(own, is_wanted, name);
    int code = messages_status(equant_sky_stream_next(own->stream, &source));
    *name = NULL;
    if (code != EXIT_CODE_OK || source == NULL)
        return code;
    int64_t source_id = equant_astrometry_source_id(source);
    snprintf(own->id, sizeof own->id, "%" PRId64, source_id);
    *name = own->id;
    catalogue_joint_note(own->joint, source_id);
    if (is_wanted)
        return add(own, source_id, source);
    equant_astrometry_free(source);
    return EXIT_CODE_OK;
}

static void close_file(void *self)
{
    struct sky_sources *own = self;
    own->n_left_out += equant_sky_stream_n_left_out(own->stream);
    own->n_other_files += equant_sky_stream_n_other_files(own->stream);
    equant_sky_stream_free(own->stream);
    own->stream = NULL;
}

static void write_row(struct catalogue_table *table, int64_t source_id,
                      const equant_sky_catalogue_row *row)
{
    const double numbers[] = {row->parallax_mas,
                              row->parallax_mas_err,
                              row->pm_ra_mas_yr,
                              row->pm_ra_mas_yr_err,
                              row->pm_dec_mas_yr,
                              row->pm_dec_mas_yr_err,
                              row->chi_square_5p,
                              row->chi_square_orbit,
                              row->chi_square_scan_angle,
                              row->gain,
                              row->false_alarm,
                              row->period_days,
                              row->eccentricity,
                              row->a0_mas,
                              row->a0_mas_err};
    char id[ID_SIZE];
    snprintf(id, sizeof id, "%" PRId64, source_id);
    catalogue_table_start_row(table, id);
    catalogue_table_count(table, row->n_transits);
    catalogue_table_text(table, row->is_solved ? equant_sky_verdict_name(row->verdict) : "");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        catalogue_table_number(table, numbers[i]);
    catalogue_table_words(table, row->flags);
}

static void forget(struct sky_sources *own)
{
    for (size_t i = 0; i < own->n_waiting; i++)
        equant_astrometry_free(own->sources[i]);
    for (size_t i = 0; i < own->n_waiting && own->velocities != NULL; i++) {
        equant_dataset_free(own->velocities[i]);
        own->velocities[i] = NULL;
    }
    own->n_waiting = 0;
}

static equant_status compute(struct sky_sources *own)
{
    const equant_astrometry *const *sources = (const equant_astrometry *const *)own->sources;
    own->rows[0].struct_size = sizeof *own->rows;
    if (!own->joint->is_there)
        return equant_sky_catalogue_run(own->catalogue, own->n_waiting, sources, own->rows);
    own->joint_rows[0].struct_size = sizeof *own->joint_rows;
    return equant_sky_catalogue_run_joint(own->catalogue, own->n_waiting, sources, own->stars,
                                          own->rows, own->joint_rows);
}

static int write_batch(void *self, struct catalogue_table *table)
{
    struct sky_sources *own = self;
    int code = messages_status(compute(own));
    for (size_t i = 0; code == EXIT_CODE_OK && i < own->n_waiting; i++) {
        write_row(table, own->ids[i], &own->rows[i]);
        if (own->joint->is_there)
            catalogue_joint_write(own->joint, table, own->ids[i], &own->joint_rows[i]);
        catalogue_table_end_row(table);
        if (own->rows[i].is_solved)
            own->n_verdicts[own->rows[i].verdict]++;
        else
            own->n_unsolved += own->sources[i] != NULL;
    }
    forget(own);
    return code;
}

static void say(const void *self)
{
    const struct sky_sources *own = self;
    for (int i = 0; i < N_VERDICTS; i++)
        printf("%zu %s%s", own->n_verdicts[i], equant_sky_verdict_name((equant_sky_verdict)i),
               i < N_VERDICTS - 1 ? ", " : "\n");
    if (own->joint->is_there)
        catalogue_joint_say(own->joint);
    if (own->n_unsolved > 0)
        printf("%zu without a solution: their rows do not determine five parameters\n",
               own->n_unsolved);
    if (own->n_left_out > 0)
        printf("%zu without a row that can be used are left out\n", own->n_left_out);
    if (own->n_other_files > 0)
        printf("files that are no tables of astrometry: %zu, left out\n", own->n_other_files);
}

static int allocate(struct sky_sources *own, size_t n)
{
    own->sources = calloc(n, sizeof *own->sources);
    own->ids = calloc(n, sizeof *own->ids);
    own->rows = calloc(n, sizeof *own->rows);
    if (own->joint->is_there) {
        own->stars = calloc(n, sizeof *own->stars);
        own->velocities = calloc(n, sizeof *own->velocities);
        own->joint_rows = calloc(n, sizeof *own->joint_rows);
    }
    bool has_joint = own->stars && own->velocities && own->joint_rows;
    return own->sources && own->ids && own->rows && (has_joint || !own->joint->is_there)
               ? EXIT_CODE_OK
               : messages_out_of_memory();
}

static void release(struct sky_sources *own)
{
    forget(own);
    equant_sky_catalogue_free(own->catalogue);
    free(own->sources);
    free(own->ids);
    free(own->rows);
    free(own->stars);
    free(own->velocities);
    free(own->joint_rows);
}

static int run(struct sky_sources *own, const struct catalogue_work *work,
               const struct file_list *files)
{
    struct ecsv_column all[N_COLUMNS + CATALOGUE_JOINT_COLUMNS];
    const char **paths = malloc((size_t)(files->n + 1) * sizeof *paths);
    if (paths == NULL)
        return messages_out_of_memory();
    memcpy(all, columns, sizeof columns);
    memcpy(all + N_COLUMNS, catalogue_joint_columns, sizeof catalogue_joint_columns);
    memcpy(paths, files->paths, (size_t)files->n * sizeof *paths);
    paths[files->n] = NULL; /* the rest */
    const struct file_list with_rest = {files->n + own->joint->is_there, paths};
    const struct catalogue_kind kind = {
        .noun = "sources",
        .n_columns = own->joint->is_there ? N_COLUMNS + CATALOGUE_JOINT_COLUMNS : N_COLUMNS,
        .columns = all,
        .self = own,
        .open = open_file,
        .next = next,
        .close = close_file,
        .write_batch = write_batch,
        .say = say};
    int code = catalogue_run(&kind, work, &with_rest);
    free((void *)paths);
    return code;
}

int catalogue_sky_run(const equant_sky_catalogue_options *options,
                      const struct catalogue_work *work, const struct file_list *files,
                      struct catalogue_joint *joint)
{
    struct sky_sources own = {.joint = joint};
    int code = allocate(&own, work->n_batch);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_sky_catalogue_create(options, &own.catalogue));
    if (code == EXIT_CODE_OK)
        code = run(&own, work, files);
    release(&own);
    return code;
}
