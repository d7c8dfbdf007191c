#include "archive/catalogue_sky.h"

#include <inttypes.h>
#include <stdlib.h>

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

enum { N_VERDICTS = 5, ID_SIZE = 24 };

struct sky_sources {
    equant_sky_catalogue *catalogue;
    equant_sky_stream *stream;
    equant_astrometry **sources; /* [n_batch], of which n_waiting are there */
    equant_sky_catalogue_row *rows;
    char id[ID_SIZE]; /* of the last one read */
    size_t n_waiting, n_left_out, n_other_files, n_verdicts[N_VERDICTS], n_unsolved;
};

static int open_file(void *self, const char *path)
{
    return messages_status(
        equant_sky_stream_open(path, NULL, &((struct sky_sources *)self)->stream));
}

static int next(void *self, bool is_wanted, const char **name)
{
    struct sky_sources *own = self;
    equant_astrometry *source = NULL;
    int code = messages_status(equant_sky_stream_next(own->stream, &source));
    *name = NULL;
    if (code != EXIT_CODE_OK || source == NULL)
        return code;
    snprintf(own->id, sizeof own->id, "%" PRId64, equant_astrometry_source_id(source));
    *name = own->id;
    if (is_wanted)
        own->sources[own->n_waiting++] = source;
    else
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

static void write_row(struct catalogue_table *table, const equant_sky_catalogue_row *row)
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
    char id[ID_SIZE], flags[sizeof row->flags];
    size_t n = 0;
    snprintf(id, sizeof id, "%" PRId64, row->source_id);
    catalogue_table_start_row(table, id);
    catalogue_table_count(table, row->n_transits);
    catalogue_table_text(table, row->is_solved ? equant_sky_verdict_name(row->verdict) : "");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        catalogue_table_number(table, numbers[i]);
    for (const char *c = row->flags; *c != '\0'; c++) /* commas part cells */
        if (*c != ' ')
            flags[n++] = *c == ',' ? ';' : *c;
    flags[n] = '\0';
    catalogue_table_text(table, flags);
    catalogue_table_end_row(table);
}

static void forget(struct sky_sources *own)
{
    for (size_t i = 0; i < own->n_waiting; i++)
        equant_astrometry_free(own->sources[i]);
    own->n_waiting = 0;
}

static int write_batch(void *self, struct catalogue_table *table)
{
    struct sky_sources *own = self;
    own->rows[0].struct_size = sizeof *own->rows;
    int code = messages_status(equant_sky_catalogue_run(
        own->catalogue, own->n_waiting, (const equant_astrometry *const *)own->sources, own->rows));
    for (size_t i = 0; code == EXIT_CODE_OK && i < own->n_waiting; i++) {
        write_row(table, &own->rows[i]);
        if (own->rows[i].is_solved)
            own->n_verdicts[own->rows[i].verdict]++;
        else
            own->n_unsolved++;
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
    if (own->n_unsolved > 0)
        printf("%zu without a solution: their rows do not determine five parameters\n",
               own->n_unsolved);
    if (own->n_left_out > 0)
        printf("%zu without a row that can be used are left out\n", own->n_left_out);
    if (own->n_other_files > 0)
        printf("files that are no tables of astrometry: %zu, left out\n", own->n_other_files);
}

int catalogue_sky_run(const equant_sky_catalogue_options *options,
                      const struct catalogue_work *work, const struct file_list *files)
{
    struct sky_sources own = {.sources = calloc(work->n_batch, sizeof *own.sources),
                              .rows = calloc(work->n_batch, sizeof *own.rows)};
    const struct catalogue_kind kind = {.noun = "sources",
                                        .n_columns = sizeof columns / sizeof *columns,
                                        .columns = columns,
                                        .self = &own,
                                        .open = open_file,
                                        .next = next,
                                        .close = close_file,
                                        .write_batch = write_batch,
                                        .say = say};
    int code = own.sources == NULL || own.rows == NULL ? messages_out_of_memory() : EXIT_CODE_OK;
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_sky_catalogue_create(options, &own.catalogue));
    if (code == EXIT_CODE_OK)
        code = catalogue_run(&kind, work, files);
    forget(&own);
    equant_sky_catalogue_free(own.catalogue);
    free(own.sources);
    free(own.rows);
    return code;
}
