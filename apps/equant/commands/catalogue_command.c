/* equant catalogue: many sources of astrometry, or many stars with velocities, one row for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalogue_sky.h"
#include "archive/catalogue_stars.h"
#include "commands/commands.h"
#include "files/input_file.h"
#include "options/data_source.h"
#include "options/engine_options.h"
#include "options/sky_request.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"

enum { USUAL_BATCH_OF_SOURCES = 2048, USUAL_BATCH_OF_STARS = 256 };
#define USUAL_NOISE "white"

struct catalogue_request {
    struct catalogue_work work;
    bool fits_all, has_no_colour, skips_bad_rows;
    int max_planets;
    const char *noise;
    struct text_list lists;
    equant_unit unit;
    double period_min_days, period_max_days, eccentricity_max, false_alarm_max;
    equant_engine_options engine;
};

static int take_shard(const char *command, char *argument, void *into)
{
    return shard_take(command, argument, &((struct catalogue_request *)into)->work.shard);
}

#define OPTIONS_OF struct catalogue_request
static const struct option_row option_rows[] = {
    {"out", "TABLE", OPTION_TEXT(work.out), "the table that is written, .csv or .ecsv"},
    {"resume", NULL, OPTION_FLAG(work.goes_on), "continues an existing table"},
    {"shard", "I/N", OPTION_CALL(take_shard),
     "processes every Nth source, starting with the Ith, to share\n"
     "the work among N machines"},
    {"batch", "N", OPTION_COUNT(work.n_batch, 1, 1000000),
     "number of sources that are computed and written together;\n"
     "default: 2048, for stars with velocities 256"},
    {0}};

static const struct option_row search_rows[] = {
    {"period-min", "P", OPTION_POSITIVE(period_min_days),
     "shortest period in days; default: 10, for velocities 0.5"},
    {"period-max", "P", OPTION_POSITIVE(period_max_days),
     "longest period in days; default: 20 time spans of the\n"
     "source, for velocities 2"},
    {"max-eccentricity", "E", OPTION_POSITIVE(eccentricity_max),
     "highest eccentricity; default: 0.95, for velocities 0.9"},
    {"fap", "P", OPTION_POSITIVE(false_alarm_max),
     "highest false-alarm probability of an orbit; default: 0.001"},
    {0}};

static const struct option_row sky_rows[] = {
    {"no-colour", NULL, OPTION_FLAG(has_no_colour), "does not fit the pseudo-colour"},
    {"fit-all", NULL, OPTION_FLAG(fits_all),
     "fits every source, not only those with a significant scan"},
    {"sources", "TABLE", OPTION_LIST(lists),
     "what is known of sources, by source_id: star_mass or m1,\n"
     "ks_mag, tentative_parallax_bias, name, dr3_source_id; may be\n"
     "repeated"},
    {0}};

static const struct option_row velocity_rows[] = {
    {"max-planets", "N", OPTION_COUNT(max_planets, 1, 10),
     "largest number of planets of a star; the row has the one\n"
     "with the largest gain in ln L. Default: 1"},
    {"noise", "TERMS", OPTION_TEXT(noise),
     "noise besides jitters, as in `equant fit --help`; default:\n"
     "white"},
    {"unit", "U", OPTION_CHOICE(unit, data_source_units),
     "unit of the velocities in the files, m/s or km/s; default:\n"
     "as stated in the file"},
    {"skip-bad-rows", NULL, OPTION_FLAG(skips_bad_rows), "skips unusable rows"},
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE... --out TABLE [OPTIONS]"},
    .about = "Searches many sources for an orbit and writes one row for each. Astrometry: the\n"
             "solution of the source, the gain of an orbit and its false-alarm probability.\n"
             "With velocities beside it, of Gaia or others, sources are joined by source_id: the\n"
             "row then has the orbit from both, from either or from none.\n"
             "Velocities, in tables with a column `star`: the planet of each star, as found by\n"
             "`equant fit`. Files are streamed, and rows are written as they are computed.\n"
             "--resume continues an interrupted table, which is then identical to that of an\n"
             "uninterrupted run.",
    .sections = {{"The table", option_rows, 0},
                 {"Search range", search_rows, 0},
                 {"Astrometry", sky_rows, 0},
                 {"Velocities", velocity_rows, 0},
                 {"Computation", engine_options_scan_rows,
                  offsetof(struct catalogue_request, engine)},
                 {"", option_table_help_rows, 0}},
    .example =
        "equant catalogue epochs_*.csv --out orbits.csv --shard 1/16\n"
        "equant catalogue epochs.zip velocities.zip harps.csv --sources stars.csv --out t.csv\n"
        "equant catalogue survey.csv --out planets.csv --period-min 2",
};

static void list_number(struct text_list *list, const char *name, double value)
{
    if (value > 0.0)
        text_list_add(list, "%s=%.15g", name, value);
    else
        text_list_add(list, "%s=default", name);
}

/* What rows depend on. */
static int list_options(struct catalogue_request *request, bool is_sky)
{
    struct text_list *list = &request->work.options;
    const struct shard *shard = &request->work.shard;
    text_list_add(list, "shard=%zu/%zu", shard->n > 0 ? shard->number : 1,
                  shard->n > 0 ? shard->n : 1);
    list_number(list, "period-min", request->period_min_days);
    list_number(list, "period-max", request->period_max_days);
    list_number(list, "max-eccentricity", request->eccentricity_max);
    list_number(list, "fap", request->false_alarm_max);
    text_list_add(list, "precision=%s", engine_options_precision_name(request->engine.precision));
    text_list_add(list, "backend=%s",
                  request->engine.backend != NULL ? request->engine.backend : "auto");
    if (is_sky) {
        text_list_add(list, "no-colour=%s", request->has_no_colour ? "yes" : "no");
        text_list_add(list, "fit-all=%s", request->fits_all ? "yes" : "no");
        for (size_t i = 0; i < request->lists.n; i++)
            text_list_add(list, "sources=%s", request->lists.texts[i]);
    } else {
        text_list_add(list, "max-planets=%d", request->max_planets);
        text_list_add(list, "noise=%s", request->noise);
        text_list_add(list, "unit=%s",
                      request->unit == EQUANT_UNIT_FROM_FILE
                          ? "from the file"
                          : data_source_unit_name(request->unit));
        text_list_add(list, "skip-bad-rows=%s", request->skips_bad_rows ? "yes" : "no");
    }
    return list->out_of_memory ? messages_out_of_memory() : EXIT_CODE_OK;
}

/* Files of a catalogue of sources. */
struct sorted_files {
    const char **sky, **velocities, **mixed; /* mixed: of the first, with other files beside */
    int n_sky, n_velocities, n_mixed;
};

static void sorted_files_free(struct sorted_files *sorted)
{
    free((void *)sorted->sky);
}

static int sort_files(const struct file_list *files, struct sorted_files *sorted)
{
    size_t n = (size_t)files->n;
    *sorted = (struct sorted_files){.sky = calloc(3 * n, sizeof *sorted->sky)};
    if (sorted->sky == NULL)
        return messages_out_of_memory();
    sorted->velocities = sorted->sky + n;
    sorted->mixed = sorted->sky + 2 * n;
    for (int i = 0; i < files->n; i++) {
        const char *path = files->paths[i];
        char **others = NULL;
        size_t n_others = 0;
        if (!equant_astrometry_recognises(path)) {
            sorted->velocities[sorted->n_velocities++] = path;
            continue;
        }
        sorted->sky[sorted->n_sky++] = path;
        int code = messages_status(equant_other_files_list(path, &others, &n_others));
        equant_other_files_free(others, n_others);
        if (code != EXIT_CODE_OK)
            return code;
        if (n_others > 0)
            sorted->mixed[sorted->n_mixed++] = path;
    }
    return EXIT_CODE_OK;
}

/* What is joined to the sources. */
static int read_joint(const struct catalogue_request *request, const struct sorted_files *sorted,
                      struct catalogue_joint *joint)
{
    const equant_dataset_options reading = {.struct_size = sizeof reading,
                                            .velocity_unit = request->unit,
                                            .skip_bad_rows = request->skips_bad_rows};
    const struct file_list velocities = {sorted->n_velocities, sorted->velocities},
                           mixed = {sorted->n_mixed, sorted->mixed},
                           lists = {(int)request->lists.n,
                                    (const char *const *)request->lists.texts};
    return catalogue_joint_read(&velocities, &mixed, &lists, &reading, joint);
}

static int run_sky(const struct catalogue_request *request, const struct file_list *files)
{
    struct sorted_files sorted;
    struct catalogue_joint joint = {0};
    const equant_sky_catalogue_options options = {
        .struct_size = sizeof options,
        .engine = &request->engine,
        .false_alarm_max = request->false_alarm_max,
        .period_min_days = request->period_min_days,
        .period_max_days = request->period_max_days,
        .eccentricity_max = request->eccentricity_max,
        .no_colour = request->has_no_colour,
        .fit_all = request->fits_all,
    };
    struct catalogue_work work = request->work;
    if (work.n_batch == 0)
        work.n_batch = USUAL_BATCH_OF_SOURCES;
    int code = sort_files(files, &sorted);
    if (code == EXIT_CODE_OK)
        code = read_joint(request, &sorted, &joint);
    const struct file_list sky = {sorted.n_sky, sorted.sky};
    if (code == EXIT_CODE_OK)
        code = catalogue_sky_run(&options, &work, &sky, &joint);
    catalogue_joint_free(&joint);
    sorted_files_free(&sorted);
    return code;
}

static int run_stars(const struct catalogue_request *request, const struct file_list *files)
{
    const equant_fit_options options = {
        .struct_size = sizeof options,
        .engine = &request->engine,
        .exact_precision = 1,
        .max_planets = request->max_planets,
        .false_alarm_max = request->false_alarm_max,
        .period_min_days = request->period_min_days,
        .period_max_days = request->period_max_days,
        .eccentricity_max = request->eccentricity_max,
        .noise = request->noise,
        .seed = 1,
    };
    const equant_dataset_options reading = {.struct_size = sizeof reading,
                                            .velocity_unit = request->unit,
                                            .skip_bad_rows = request->skips_bad_rows};
    struct catalogue_work work = request->work;
    if (work.n_batch == 0)
        work.n_batch = USUAL_BATCH_OF_STARS;
    return catalogue_stars_run(&options, &reading, &work, files);
}

/* Options that the other kind of sources has. */
static int check_kind(const char *command, const struct catalogue_request *request, bool is_sky)
{
    if (is_sky && (request->max_planets > 0 || strcmp(request->noise, USUAL_NOISE) != 0))
        return messages_usage(command, "--max-planets and --noise are about velocities alone, and "
                                       "these files are astrometry");
    if (!is_sky && (request->fits_all || request->has_no_colour || request->lists.n > 0))
        return messages_usage(command, "--fit-all, --no-colour and --sources are about "
                                       "astrometry, and these files are velocities");
    if (!is_sky && equant_fit_check_noise(request->noise) != EQUANT_SUCCESS)
        return messages_usage(command, "--noise: %s", equant_last_error());
    return EXIT_CODE_OK;
}

/* Whether the request is whole; then runs it. */
static int check_and_run(const char *command, struct catalogue_request *request,
                         const struct file_list *files)
{
    for (size_t i = 0; i < request->lists.n; i++)
        input_file_note(request->lists.texts[i]);
    if (files->n == 0)
        return messages_usage(command, "no files; name those with the sources");
    if (request->work.out == NULL)
        return messages_usage(command, "the output table is missing; name it with --out");
    int code = engine_options_check(command, &request->engine);
    bool is_sky = code == EXIT_CODE_OK && sky_request_is_meant(files);
    if (code == EXIT_CODE_OK)
        code = check_kind(command, request, is_sky);
    if (code != EXIT_CODE_OK)
        return code;
    if (request->max_planets == 0)
        request->max_planets = 1;
    code = list_options(request, is_sky);
    interrupt_watch();
    if (code == EXIT_CODE_OK)
        code = is_sky ? run_sky(request, files) : run_stars(request, files);
    return code;
}

int command_catalogue(int argc, char **argv)
{
    struct catalogue_request request = {.noise = USUAL_NOISE, .engine = engine_options_default()};
    struct file_list files;
    request.engine.precision = EQUANT_PRECISION_MIXED;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    if (code == EXIT_CODE_OK)
        code = check_and_run(argv[0], &request, &files);
    text_list_free(&request.work.options);
    text_list_free(&request.lists);
    return code;
}
