/* equant catalogue: many sources of astrometry, one row for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/shard.h"
#include "commands/commands.h"
#include "options/engine_options.h"
#include "results/catalogue_table.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress.h"

struct catalogue_request {
    const char *out;
    bool goes_on, fits_all, has_no_colour;
    size_t n_batch;
    struct shard shard;
    double period_min_days, period_max_days, eccentricity_max, false_alarm_max;
    equant_engine_options engine;
};

static int take_shard(const char *command, char *argument, void *into)
{
    return shard_take(command, argument, &((struct catalogue_request *)into)->shard);
}

#define OPTIONS_OF struct catalogue_request
static const struct option_row option_rows[] = {
    {"out", "TABLE", OPTION_TEXT(out), "the table, .csv or .ecsv"},
    {"resume", NULL, OPTION_FLAG(goes_on), "go on with a table that is there"},
    {"shard", "I/N", OPTION_CALL(take_shard),
     "every N-th source, beginning with the I-th: a share for\n"
     "each of N machines"},
    {"batch", "N", OPTION_COUNT(n_batch, 1, 1000000),
     "sources that are scanned and written together;\n"
     "default 2048"},
    {0}};

static const struct option_row search_rows[] = {
    {"period-min", "P", OPTION_POSITIVE(period_min_days), "days; default 10"},
    {"period-max", "P", OPTION_POSITIVE(period_max_days), "days; default 20 spans of the source"},
    {"max-eccentricity", "E", OPTION_POSITIVE(eccentricity_max), "default 0.95"},
    {"fap", "P", OPTION_POSITIVE(false_alarm_max),
     "an orbit must be less probable as noise; default 0.001"},
    {"no-colour", NULL, OPTION_FLAG(has_no_colour), "without the column of the colour"},
    {"fit-all", NULL, OPTION_FLAG(fits_all),
     "fit every source, and not only those for which the scan\n"
     "finds noise no explanation"},
    {0}};

static const struct option_row engine_rows[] = {
    {"precision", "P", OPTION_CHOICE(engine.precision, engine_options_precisions),
     "of the scans: mixed (default) or double"},
    {"backend", "B", OPTION_TEXT(engine.backend),
     "a name that `equant info` lists; default: the fastest"},
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),
     "default: all that the machine offers"},
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE... --out TABLE [OPTIONS]"},
    .about =
        "Reads files of astrometry, each of one source or of many, looks for an orbit in all\n"
        "of them, many at once, and writes one row for each: what it does on the sky, how much\n"
        "an orbit gains and how probable that is as noise. Files are read piece by piece and\n"
        "rows are written as they come; an interrupted table is gone on with by --resume, and\n"
        "is then the same as if nothing had happened.",
    .sections = {{"The table", option_rows, 0},
                 {"What is looked for", search_rows, 0},
                 {"How to compute", engine_rows, 0},
                 {"", option_table_help_rows, 0}},
    .example = "equant catalogue epochs_*.csv --out orbits.csv --shard 1/16",
};

/* What a run counts. */
struct run {
    const struct catalogue_request *request;
    equant_sky_catalogue *catalogue;
    struct catalogue_table table;
    struct progress progress;
    equant_astrometry **sources; /* [n_batch] */
    equant_sky_catalogue_row *rows;
    size_t n_waiting, n_seen, n_own; /* sources: of the batch, of all files, of this share */
    size_t n_left_out, n_verdicts[5], n_unsolved;
};

static int write_batch(struct run *run)
{
    if (run->n_waiting == 0)
        return EXIT_CODE_OK;
    run->rows[0].struct_size = sizeof *run->rows;
    int code = messages_status(equant_sky_catalogue_run(
        run->catalogue, run->n_waiting, (const equant_astrometry *const *)run->sources, run->rows));
    if (code == EXIT_CODE_OK)
        code = catalogue_table_add(&run->table, run->n_waiting, run->rows);
    for (size_t i = 0; i < run->n_waiting; i++) {
        equant_astrometry_free(run->sources[i]);
        if (code == EXIT_CODE_OK && run->rows[i].is_solved)
            run->n_verdicts[run->rows[i].verdict]++;
        else
            run->n_unsolved++;
    }
    run->n_waiting = 0;
    progress_update(&run->progress, (double)run->n_own, -1.0);
    return code;
}

/* A source of this share joins the batch, unless its row is there. Takes it over. */
static int take_source(struct run *run, equant_astrometry *source)
{
    bool is_own = shard_has(&run->request->shard, run->n_seen++);
    size_t number = run->n_own;
    run->n_own += is_own;
    if (is_own && number >= run->table.n_done) {
        run->sources[run->n_waiting++] = source;
        return run->n_waiting == run->request->n_batch ? write_batch(run) : EXIT_CODE_OK;
    }
    bool fits = !is_own || catalogue_table_has(&run->table, number, source);
    equant_astrometry_free(source);
    return fits ? EXIT_CODE_OK
                : messages_failure("%s: row %zu is not of the source that these files have there; "
                                   "name the same files, in the same order, and the same share",
                                   run->table.path, number + 1);
}

static int read_file(struct run *run, const char *path)
{
    equant_sky_stream *stream = NULL;
    int code = messages_status(equant_sky_stream_open(path, NULL, &stream));
    while (code == EXIT_CODE_OK && !interrupt_requested()) {
        equant_astrometry *source = NULL;
        code = messages_status(equant_sky_stream_next(stream, &source));
        if (code != EXIT_CODE_OK || source == NULL)
            break;
        code = take_source(run, source);
    }
    run->n_left_out += equant_sky_stream_n_left_out(stream);
    equant_sky_stream_free(stream);
    return code;
}

static void say(const struct run *run)
{
    size_t n = run->n_unsolved;
    for (int i = 0; i < 5; i++)
        n += run->n_verdicts[i];
    printf("%zu sources in %s", n, run->table.path);
    if (run->table.n_done > 0)
        printf(", beside %zu that were there", run->table.n_done);
    printf(": ");
    for (int i = 0; i < 5; i++)
        printf("%zu %s%s", run->n_verdicts[i], equant_sky_verdict_name((equant_sky_verdict)i),
               i < 4 ? ", " : "\n");
    if (run->n_unsolved > 0)
        printf("%zu without a solution: their rows do not determine five parameters\n",
               run->n_unsolved);
    if (run->n_left_out > 0)
        printf("%zu without a row that can be used are left out\n", run->n_left_out);
}

static int work_through(struct run *run, const struct file_list *files)
{
    int code = EXIT_CODE_OK;
    run->progress = progress_start("sources");
    for (int i = 0; code == EXIT_CODE_OK && i < files->n && !interrupt_requested(); i++)
        code = read_file(run, files->paths[i]);
    if (code == EXIT_CODE_OK && !interrupt_requested())
        code = write_batch(run);
    for (size_t i = 0; i < run->n_waiting; i++)
        equant_astrometry_free(run->sources[i]);
    progress_clear(&run->progress);
    if (code == EXIT_CODE_OK && interrupt_requested()) {
        messages_note("interrupted; go on with: equant catalogue ... --out %s --resume",
                      run->table.path);
        return EXIT_CODE_INTERRUPTED;
    }
    if (code == EXIT_CODE_OK)
        say(run);
    return code;
}

/* Files that are none are told of before a table is begun. */
static int try_file(const char *path)
{
    equant_sky_stream *stream = NULL;
    equant_astrometry *source = NULL;
    int code = messages_status(equant_sky_stream_open(path, NULL, &stream));
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_sky_stream_next(stream, &source));
    equant_astrometry_free(source);
    equant_sky_stream_free(stream);
    return code;
}

static int run_all(const struct catalogue_request *request, const struct file_list *files)
{
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
    struct run run = {.request = request,
                      .sources = calloc(request->n_batch, sizeof *run.sources),
                      .rows = calloc(request->n_batch, sizeof *run.rows)};
    int code = run.sources == NULL || run.rows == NULL ? messages_out_of_memory() : EXIT_CODE_OK;
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_sky_catalogue_create(&options, &run.catalogue));
    if (code == EXIT_CODE_OK)
        code = try_file(files->paths[0]);
    if (code == EXIT_CODE_OK)
        code = catalogue_table_open(&run.table, request->out, request->goes_on);
    if (code == EXIT_CODE_OK)
        code = catalogue_table_close(&run.table, work_through(&run, files));
    equant_sky_catalogue_free(run.catalogue);
    free(run.sources);
    free(run.rows);
    return code;
}

int command_catalogue(int argc, char **argv)
{
    struct catalogue_request request = {.n_batch = 2048, .engine = engine_options_default()};
    struct file_list files;
    request.engine.precision = EQUANT_PRECISION_MIXED;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    if (files.n == 0)
        return messages_usage(argv[0], "no files; name those with the sources");
    if (request.out == NULL)
        return messages_usage(argv[0], "no table; name it with --out");
    code = engine_options_check(argv[0], &request.engine);
    if (code != EXIT_CODE_OK)
        return code;
    interrupt_watch();
    return run_all(&request, &files);
}
