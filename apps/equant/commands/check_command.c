/* equant check: published orbits, each against the epochs of its own source. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalogue_run.h"
#include "commands/commands.h"
#include "files/input_file.h"
#include "options/engine_options.h"
#include "options/sky_request.h"
#include "sky/sky_check_report.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"

enum { USUAL_BATCH = 256, ID_SIZE = 24, N_JUDGEMENTS = 6 };

static const struct ecsv_column columns[] = {
    {"source_id", ECSV_INTEGER, NULL, NULL},
    {"solution_type", ECSV_TEXT, NULL, "as published"},
    {"judgement", ECSV_TEXT, NULL,
     "agrees, other_geometry, other_period, scan_angle, nothing or unchecked"},
    {"verdict", ECSV_TEXT, NULL, "of the epochs alone"},
    {"published_period_days", ECSV_NUMBER, "d", NULL},
    {"published_eccentricity", ECSV_NUMBER, NULL, NULL},
    {"has_correlations", ECSV_INTEGER, NULL, "0: by published errors alone"},
    {"ln_ratio", ECSV_NUMBER, NULL, "ln L of the best model less that of the published orbit"},
    {"published_gain", ECSV_NUMBER, NULL, "in ln L over five parameters"},
    {"chi2_5p", ECSV_NUMBER, NULL, NULL},
    {"chi2_published", ECSV_NUMBER, NULL, NULL},
    {"chi2_best", ECSV_NUMBER, NULL, NULL},
    {"distance2", ECSV_NUMBER, NULL, "of seven elements by both covariances"},
    {"distance_probability", ECSV_NUMBER, NULL, "that noise makes it as large"},
    {"period_days", ECSV_NUMBER, "d", "of the epochs' own orbit"},
    {"period_days_err", ECSV_NUMBER, "d", NULL},
    {"eccentricity", ECSV_NUMBER, NULL, NULL},
    {"a0_mas", ECSV_NUMBER, "mas", NULL},
    {"fap", ECSV_NUMBER, NULL, "that noise gains as much"},
};

struct check_request {
    struct catalogue_work work;
    struct text_list lists;
    int64_t source_id; /* that is printed; 0: a table of all */
    bool as_json;
    double period_min_days, period_max_days, false_alarm_max;
    equant_engine_options engine;
};

static int take_shard(const char *command, char *argument, void *into)
{
    return shard_take(command, argument, &((struct check_request *)into)->work.shard);
}

static int take_source(const char *command, char *argument, void *into)
{
    return sky_request_source(command, argument, &((struct check_request *)into)->source_id);
}

#define OPTIONS_OF struct check_request
static const struct option_row option_rows[] = {
    {"out", "TABLE", OPTION_TEXT(work.out), "the table that is written, .csv or .ecsv"},
    {"resume", NULL, OPTION_FLAG(work.goes_on), "continues an existing table"},
    {"shard", "I/N", OPTION_CALL(take_shard),
     "processes every Nth orbit, starting with the Ith, to share\n"
     "the work among N machines"},
    {"source", "ID", OPTION_CALL(take_source),
     "prints the check of one source, in place of a table"},
    {"json", NULL, OPTION_FLAG(as_json), "as JSON"},
    {"sources", "TABLE", OPTION_LIST(lists),
     "dr3_source_id of source_id, where orbits are of DR3 and\n"
     "epochs of DR4; may be repeated"},
    {"period-min", "P", OPTION_POSITIVE(period_min_days),
     "shortest period in days of the epochs' own orbit; default: 1"},
    {"period-max", "P", OPTION_POSITIVE(period_max_days),
     "longest period in days; default: 20 time spans"},
    {"fap", "P", OPTION_POSITIVE(false_alarm_max),
     "highest false-alarm probability of an orbit, and lowest\n"
     "probability of the distance between orbits that agree;\n"
     "default: 0.001"},
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, 65536), "default: all"},
    OPTION_HELP_ROW,
    {0}};

static const struct option_table command_options = {
    .usage = {"ORBITS EPOCHS... --out TABLE [OPTIONS]", "ORBITS EPOCHS... --source ID [OPTIONS]"},
    .about = "Checks published orbits, a table like nss_two_body_orbit, against the epoch\n"
             "astrometry of their sources, one row for each: it agrees, has another geometry at\n"
             "the same period, has another period, or the epochs show a scan-angle signal or no\n"
             "orbit at all. Solutions without constants of Thiele and Innes are unchecked.",
    .sections = {{"Options", option_rows, 0}},
    .example = "equant check nss_two_body_orbit.csv epochs.zip --out checks.csv",
};

/* Orbits on their way; the orbits of one source stand one behind the other. */
struct orbit_sources {
    const equant_sky_fit_options *options;
    const equant_sky_orbits *orbits;
    equant_sky_stream *stream;
    equant_astrometry *source;   /* of the orbits that are taken now */
    size_t next, n_left;         /* of these */
    equant_astrometry **sources; /* [n_batch], as the next: a copy for each orbit */
    equant_sky_published *published;
    equant_sky_check *checks;
    char id[ID_SIZE];
    size_t n_waiting, n_judgements[N_JUDGEMENTS], n_without, n_opened;
    bool has_lists, *have_epochs; /* [orbits] */
};

static int open_file(void *self, const char *path)
{
    struct orbit_sources *own = self;
    if (own->n_opened++ == 1) /* the first file was tried before */
        own->n_without = 0;
    return messages_status(equant_sky_stream_open(path, NULL, &own->stream));
}

/* The next source that has an orbit; NULL behind the last one. */
static int next_source(struct orbit_sources *own)
{
    int code = EXIT_CODE_OK;
    equant_astrometry_free(own->source);
    own->source = NULL;
    while (code == EXIT_CODE_OK && own->n_left == 0) {
        equant_astrometry *source = NULL;
        code = messages_status(equant_sky_stream_next(own->stream, &source));
        if (code != EXIT_CODE_OK || source == NULL)
            return code;
        own->next =
            equant_sky_orbits_find(own->orbits, equant_astrometry_source_id(source), &own->n_left);
        if (own->n_left == 0) {
            own->n_without++;
            equant_astrometry_free(source);
        } else {
            memset(own->have_epochs + own->next, true, own->n_left);
            own->source = source;
        }
    }
    return code;
}

/* An orbit joins the batch, with a copy of its source: others of it may come in the next batch. */
static int add(struct orbit_sources *own, size_t index)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_sky_published *orbit = &own->published[own->n_waiting];
    *orbit = (equant_sky_published){.struct_size = sizeof *orbit};
    equant_status status = equant_sky_orbits_at(own->orbits, index, orbit);
    if (status == EQUANT_SUCCESS)
        status = equant_astrometry_rows(own->source, &rows);
    if (status == EQUANT_SUCCESS)
        status = equant_astrometry_create(&rows, equant_astrometry_reference_jd(own->source), NULL,
                                          &own->sources[own->n_waiting]);
    own->n_waiting += status == EQUANT_SUCCESS;
    return messages_status(status);
}

static int next(void *self, bool is_wanted, const char **name)
{
    struct orbit_sources *own = self;
    int code = own->n_left == 0 ? next_source(own) : EXIT_CODE_OK;
    *name = NULL;
    if (code != EXIT_CODE_OK || own->source == NULL)
        return code;
    snprintf(own->id, sizeof own->id, "%" PRId64, equant_astrometry_source_id(own->source));
    *name = own->id;
    size_t index = own->next++;
    own->n_left--;
    return is_wanted ? add(own, index) : EXIT_CODE_OK;
}

static void close_file(void *self)
{
    struct orbit_sources *own = self;
    equant_astrometry_free(own->source);
    equant_sky_stream_free(own->stream);
    own->source = NULL;
    own->stream = NULL;
    own->n_left = 0;
}

static void write_row(struct catalogue_table *table, const equant_sky_published *orbit,
                      const equant_sky_check *check)
{
    const double numbers[] = {check->log_ratio,       check->gain_published,
                              check->chi_square_5p,   check->chi_square_published,
                              check->chi_square_best, check->distance_square,
                              check->chance,          check->period_days,
                              check->period_days_err, check->eccentricity,
                              check->a0_mas,          check->false_alarm};
    char id[ID_SIZE];
    bool is_checked = check->judgement != EQUANT_SKY_UNCHECKED;
    snprintf(id, sizeof id, "%" PRId64, orbit->source_id);
    catalogue_table_start_row(table, id);
    catalogue_table_text(table, orbit->solution_type);
    catalogue_table_text(table, equant_sky_judgement_name(check->judgement));
    catalogue_table_text(table, is_checked ? equant_sky_verdict_name(check->verdict) : "");
    catalogue_table_number(table, orbit->period_days);
    catalogue_table_number(table, orbit->eccentricity);
    catalogue_table_count(table, (size_t)orbit->has_correlations);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        catalogue_table_number(table, numbers[i]);
    catalogue_table_end_row(table);
}

static void forget(struct orbit_sources *own)
{
    for (size_t i = 0; i < own->n_waiting; i++)
        equant_astrometry_free(own->sources[i]);
    own->n_waiting = 0;
}

static int write_batch(void *self, struct catalogue_table *table)
{
    struct orbit_sources *own = self;
    own->checks[0].struct_size = sizeof *own->checks;
    int code = messages_status(
        equant_sky_orbits_check(own->n_waiting, (const equant_astrometry *const *)own->sources,
                                own->published, own->options, own->checks));
    for (size_t i = 0; code == EXIT_CODE_OK && i < own->n_waiting; i++) {
        write_row(table, &own->published[i], &own->checks[i]);
        own->n_judgements[own->checks[i].judgement]++;
    }
    forget(own);
    return code;
}

static void say(const void *self)
{
    static const char *const words[N_JUDGEMENTS] = {"unchecked",
                                                    "agree",
                                                    "with another geometry",
                                                    "of other periods",
                                                    "of the scan angle",
                                                    "of which the epochs show nothing"};
    const struct orbit_sources *own = self;
    for (int i = 1; i <= N_JUDGEMENTS; i++)
        printf("%zu %s%s", own->n_judgements[i % N_JUDGEMENTS], words[i % N_JUDGEMENTS],
               i < N_JUDGEMENTS ? ", " : "\n");
    if (own->n_without > 0)
        printf("%zu sources without a published orbit are left out\n", own->n_without);
    size_t n = equant_sky_orbits_n(own->orbits), n_missing = 0;
    for (size_t i = 0; i < n; i++)
        n_missing += !own->have_epochs[i];
    if (n_missing > 0)
        messages_warning("%zu of %zu orbits have no epochs in these files%s", n_missing, n,
                         own->has_lists ? ""
                                        : "; where orbits and epochs are of different releases, a "
                                          "table of dr3_neighbourhood (--sources) says which "
                                          "numbers belong together");
}

static equant_sky_fit_options options_of(const struct check_request *request)
{
    return (equant_sky_fit_options){.struct_size = sizeof(equant_sky_fit_options),
                                    .engine = &request->engine,
                                    .false_alarm_max = request->false_alarm_max,
                                    .period_min_days = request->period_min_days,
                                    .period_max_days = request->period_max_days};
}

/* ---- one source --------------------------------------------------------------------------- */

/* The epochs of a source, in the first file that has them; *source stays NULL where none has. */
static int find_epochs(const struct file_list *epochs, int64_t source_id,
                       equant_astrometry **source)
{
    int code = EXIT_CODE_OK;
    *source = NULL;
    for (int i = 0; i < epochs->n && code == EXIT_CODE_OK && *source == NULL; i++) {
        equant_sky_stream *stream = NULL;
        code = messages_status(equant_sky_stream_open(epochs->paths[i], NULL, &stream));
        while (code == EXIT_CODE_OK) {
            code = messages_status(equant_sky_stream_next(stream, source));
            if (*source == NULL || equant_astrometry_source_id(*source) == source_id)
                break;
            equant_astrometry_free(*source);
            *source = NULL;
        }
        equant_sky_stream_free(stream);
    }
    return code;
}

static int check_orbit(const struct check_request *request, const equant_astrometry *source,
                       const equant_sky_orbits *orbits, size_t index, json_writer *json)
{
    const equant_sky_fit_options options = options_of(request);
    equant_sky_published orbit = {.struct_size = sizeof orbit};
    equant_sky_check found = {.struct_size = sizeof found};
    equant_status status = equant_sky_orbits_at(orbits, index, &orbit);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_orbits_check(1, &source, &orbit, &options, &found);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    if (!request->as_json)
        return sky_check_report_print(&orbit, &found);
    sky_check_report_write(json, &orbit, &found);
    return EXIT_CODE_OK;
}

static int print_checks(const struct check_request *request, const equant_astrometry *source,
                        const equant_sky_orbits *orbits, size_t first, size_t n)
{
    char id[ID_SIZE];
    int code = EXIT_CODE_OK;
    json_writer json = json_start(stdout);
    snprintf(id, sizeof id, "%" PRId64, request->source_id);
    if (request->as_json) {
        json_object_begin(&json);
        json_key_string(&json, "source_id", id);
        json_key(&json, "orbits");
        json_array_begin(&json);
    }
    for (size_t i = 0; i < n && code == EXIT_CODE_OK; i++) {
        if (i > 0 && !request->as_json)
            putchar('\n');
        code = check_orbit(request, source, orbits, first + i, &json);
    }
    if (request->as_json && code == EXIT_CODE_OK) {
        json_array_end(&json);
        json_object_end(&json);
        json_finish(&json);
    }
    return code;
}

static int run_one(const struct check_request *request, const struct file_list *epochs,
                   const equant_sky_orbits *orbits)
{
    equant_astrometry *source = NULL;
    size_t n, first = equant_sky_orbits_find(orbits, request->source_id, &n);
    if (n == 0)
        return messages_failure("there is no published orbit of source %" PRId64,
                                request->source_id);
    int code = find_epochs(epochs, request->source_id, &source);
    if (code == EXIT_CODE_OK && source == NULL)
        code =
            messages_failure("these files have no epochs of source %" PRId64, request->source_id);
    if (code == EXIT_CODE_OK)
        code = print_checks(request, source, orbits, first, n);
    equant_astrometry_free(source);
    return code;
}

/* ---- a table ------------------------------------------------------------------------------ */

static int run(const struct check_request *request, const struct file_list *epochs,
               const equant_sky_orbits *orbits)
{
    const equant_sky_fit_options options = options_of(request);
    struct catalogue_work work = request->work;
    work.n_batch = USUAL_BATCH;
    struct orbit_sources own = {.options = &options,
                                .orbits = orbits,
                                .has_lists = request->lists.n > 0,
                                .have_epochs = calloc(equant_sky_orbits_n(orbits), sizeof(bool)),
                                .sources = calloc(USUAL_BATCH, sizeof *own.sources),
                                .published = calloc(USUAL_BATCH, sizeof *own.published),
                                .checks = calloc(USUAL_BATCH, sizeof *own.checks)};
    const struct catalogue_kind kind = {.noun = "orbits",
                                        .n_columns = sizeof columns / sizeof *columns,
                                        .columns = columns,
                                        .self = &own,
                                        .open = open_file,
                                        .next = next,
                                        .close = close_file,
                                        .write_batch = write_batch,
                                        .say = say};
    int code = own.sources && own.published && own.checks && own.have_epochs
                   ? catalogue_run(&kind, &work, epochs)
                   : messages_out_of_memory();
    if (own.sources != NULL)
        forget(&own);
    free(own.sources);
    free(own.published);
    free(own.checks);
    free(own.have_epochs);
    return code;
}

static int list_options(struct check_request *request, const char *orbits)
{
    struct text_list *list = &request->work.options;
    const struct shard *shard = &request->work.shard;
    text_list_add(list, "orbits=%s", orbits);
    text_list_add(list, "shard=%zu/%zu", shard->n > 0 ? shard->number : 1,
                  shard->n > 0 ? shard->n : 1);
    text_list_add(list, "period-min=%.15g", request->period_min_days);
    text_list_add(list, "period-max=%.15g", request->period_max_days);
    text_list_add(list, "fap=%.15g", request->false_alarm_max);
    for (size_t i = 0; i < request->lists.n; i++)
        text_list_add(list, "sources=%s", request->lists.texts[i]);
    return list->out_of_memory ? messages_out_of_memory() : EXIT_CODE_OK;
}

static int check(struct check_request *request, const struct file_list *files)
{
    equant_sky_sources *list = NULL;
    equant_sky_orbits *orbits = NULL;
    const struct file_list epochs = {files->n - 1, files->paths + 1};
    int code = list_options(request, files->paths[0]);
    if (code == EXIT_CODE_OK && request->lists.n > 0)
        code = messages_status(equant_sky_sources_read(
            request->lists.n, (const char *const *)request->lists.texts, &list));
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_sky_orbits_read(files->paths[0], list, &orbits));
    interrupt_watch();
    if (code == EXIT_CODE_OK)
        code = request->source_id != 0 ? run_one(request, &epochs, orbits)
                                       : run(request, &epochs, orbits);
    equant_sky_orbits_free(orbits);
    equant_sky_sources_free(list);
    return code;
}

int command_check(int argc, char **argv)
{
    struct check_request request = {.engine = engine_options_default()};
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t i = 0; i < request.lists.n; i++)
        input_file_note(request.lists.texts[i]);
    if (files.n < 2)
        code = messages_usage(argv[0], "name the table of published orbits, then files of epochs");
    else if (request.as_json && request.source_id == 0)
        code = messages_usage(argv[0], "--json is of one source; name it with --source");
    else if (request.work.out != NULL && request.source_id != 0)
        code = messages_usage(argv[0], "--out is the table of all, and --source prints one");
    else if (request.work.out == NULL && request.source_id == 0)
        code = messages_usage(argv[0], "the output table is missing; name it with --out");
    else
        code = check(&request, &files);
    text_list_free(&request.work.options);
    text_list_free(&request.lists);
    return code;
}
