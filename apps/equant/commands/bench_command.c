/* equant bench: the benchmark of Ford (2008) on this machine. */
#include <stdbool.h>
#include <stdio.h>

#include "bench/bench_batch.h"
#include "bench/bench_problem.h"
#include "bench/bench_report.h"
#include "bench/bench_rows.h"
#include "bench/bench_scaling.h"
#include "bench/bench_sweep.h"
#include "bench/bench_tables.h"
#include "commands/commands.h"
#include "files/output_check.h"
#include "files/output_file.h"
#include "options/engine_options.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"

enum bench_kind { BENCH_ENGINES, BENCH_SCALING, BENCH_SWEEP, BENCH_PAPER };

typedef struct bench_request {
    bool as_json, quick;
    enum bench_kind kind;
    equant_engine_options engine; /* threads and backend */
    const char *out_path;
} bench_request;

#define OPTIONS_OF bench_request
static const struct option_row option_rows[] = {
    {"quick", NULL, OPTION_FLAG(quick), "fewer systems and rounds: less than twenty seconds"},
    {"scaling", NULL, OPTION_VALUE(kind, BENCH_SCALING),
     "measures systems/s on 1, 2, 4, ... threads instead"},
    {"sweep", NULL, OPTION_VALUE(kind, BENCH_SWEEP),
     "measures systems/s against the numbers of systems, planets\n"
     "and observations instead, on the GPU if there is one"},
    {"paper", NULL, OPTION_VALUE(kind, BENCH_PAPER),
     "measures Tables 1 and 2 of the paper instead, on the GPU if\n"
     "there is one, and on one CPU thread"},
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),
     "largest number of CPU threads; default: all of the machine"},
    {"backend", "B", OPTION_TEXT(engine.backend),
     "measures one of the backends of `equant info` only; with\n"
     "--paper, the GPU"},
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "FILE", OPTION_TEXT(out_path), "writes the JSON object to FILE, too"},
    OPTION_HELP_ROW,
    {0}};

static const struct option_table command_options = {
    .usage = {"[OPTIONS]"},
    .about =
        "Measures speed and error of every precision, solver and instruction set of this\n"
        "machine, on the problem of Ford (2008), Table 2: 256 observations and random systems\n"
        "of 4 planets. The same run measures a plain C implementation of the paper's\n"
        "algorithm; the figures of the paper are printed for comparison. It takes about a\n"
        "minute, on an otherwise idle machine.",
    .sections = {{"Options", option_rows, 0}},
    .example = "equant bench --quick --out results.json",
};

/* The paper judged accuracy by 30,720 systems and speed by 122,880. */
static const bench_effort full_effort = {.n_systems = 30720, .n_rounds = 5, .seconds = 0.06};
static const bench_effort quick_effort = {.n_systems = 3072, .n_rounds = 2, .seconds = 0.03};
/* One thread of the processor, beside a GPU. */
static const bench_effort paper_effort = {.n_systems = 30720, .n_rounds = 3, .seconds = 0.06};
static const bench_effort scaling_effort = {.n_systems = 122880, .n_rounds = 7, .seconds = 0.2};

static int bench_engines(const bench_request *request, FILE *out)
{
    const bench_effort *effort = request->quick ? &quick_effort : &full_effort;
    int n_threads = request->engine.n_threads;
    bench_problem problem;
    bench_rows rows = {.row = NULL};
    int code = bench_problem_create(effort->n_systems, n_threads, &problem);
    if (code == EXIT_CODE_OK) {
        bench_problem_set_truth(&problem, n_threads);
        code = bench_rows_create(&problem, request->engine.backend, n_threads, &rows);
    }
    if (code == EXIT_CODE_OK)
        code = bench_rows_measure(&rows, &problem, effort);
    if (code == EXIT_CODE_OK && out != NULL)
        bench_report_json(out, &rows, effort, n_threads);
    if (code == EXIT_CODE_OK && request->as_json)
        bench_report_json(stdout, &rows, effort, n_threads);
    else if (code == EXIT_CODE_OK)
        code = bench_report_text(stdout, &rows, effort);
    bench_rows_free(&rows);
    bench_problem_free(&problem);
    return code;
}

static int bench_threads(const bench_request *request, FILE *out)
{
    bench_effort effort = scaling_effort;
    if (request->quick)
        effort.n_rounds = quick_effort.n_rounds;
    bench_problem problem;
    bench_scaling scaling = {.n_steps = 0};
    int code = bench_problem_create(effort.n_systems, 1, &problem);
    if (code == EXIT_CODE_OK)
        code = bench_scaling_measure(&problem, request->engine.backend, request->engine.n_threads,
                                     &effort, &scaling);
    if (code == EXIT_CODE_OK && out != NULL)
        bench_scaling_json(out, &scaling, &effort);
    if (code == EXIT_CODE_OK && request->as_json)
        bench_scaling_json(stdout, &scaling, &effort);
    else if (code == EXIT_CODE_OK)
        code = bench_scaling_text(stdout, &scaling, &effort);
    bench_scaling_free(&scaling);
    bench_problem_free(&problem);
    return code;
}

/* Seconds for a point of a sweep, or for one of the speeds of a GPU. */
static double limit_of(const bench_request *request)
{
    return request->quick ? 0.05 : 0.5;
}

static const char *backend_or_gpu(const bench_request *request)
{
    return request->engine.backend != NULL ? request->engine.backend : engine_options_gpu();
}

static int bench_sizes(const bench_request *request, FILE *out)
{
    int n_threads = request->engine.n_threads;
    bench_sweep sweep;
    int code = bench_sweep_measure(backend_or_gpu(request), n_threads, limit_of(request), &sweep);
    if (code == EXIT_CODE_OK && out != NULL)
        bench_sweep_json(out, &sweep, n_threads);
    if (code == EXIT_CODE_OK && request->as_json)
        bench_sweep_json(stdout, &sweep, n_threads);
    else if (code == EXIT_CODE_OK)
        code = bench_sweep_text(stdout, &sweep);
    return code;
}

static int bench_both_tables(const bench_request *request, FILE *out)
{
    const bench_effort *effort = request->quick ? &quick_effort : &paper_effort;
    int n_threads = request->engine.n_threads;
    const char *device = backend_or_gpu(request);
    bench_problem problem;
    bench_tables tables = {.device = NULL};
    int code = bench_problem_create(effort->n_systems, 1, &problem);
    if (code == EXIT_CODE_OK) {
        bench_problem_set_truth(&problem, n_threads);
        code =
            bench_tables_measure(&problem, device, effort, limit_of(request), n_threads, &tables);
    }
    if (code == EXIT_CODE_OK && out != NULL)
        bench_tables_json(out, &tables, effort, n_threads);
    if (code == EXIT_CODE_OK && request->as_json)
        bench_tables_json(stdout, &tables, effort, n_threads);
    else if (code == EXIT_CODE_OK)
        code = bench_tables_text(stdout, &tables, effort);
    bench_tables_free(&tables);
    bench_problem_free(&problem);
    return code;
}

static int run_kind(const bench_request *request, FILE *out)
{
    switch (request->kind) {
    case BENCH_SCALING:
        return bench_threads(request, out);
    case BENCH_SWEEP:
        return bench_sizes(request, out);
    case BENCH_PAPER:
        return bench_both_tables(request, out);
    default:
        return bench_engines(request, out);
    }
}

static const struct output_kind results_kind =
    OUTPUT_KIND("JSON of `equant bench`", "{\"machine\":");

static int check(const bench_request *request)
{
    int code = engine_options_check("bench", &request->engine);
    if (code != EXIT_CODE_OK)
        return code;
    const char *device = request->kind == BENCH_PAPER ? backend_or_gpu(request) : NULL;
    if (device != NULL && !bench_batch_has_device(device))
        return messages_usage("bench", "--paper takes a GPU; \"%s\" is none", device);
    return output_check_file("bench", request->out_path, &results_kind);
}

/* The file is begun first, so that a minute is not spent on results that cannot be written; an
 * older one stays until the new one is complete. */
static int run(const bench_request *request)
{
    struct output_file file = {0};
    int code = check(request);
    if (code == EXIT_CODE_OK && request->out_path != NULL)
        code = output_file_open_path(&file, request->out_path, &results_kind);
    if (code != EXIT_CODE_OK)
        return code;
    interrupt_watch();
    code = run_kind(request, file.stream);
    return request->out_path != NULL ? output_file_close(&file, code) : code;
}

int command_bench(int argc, char **argv)
{
    bench_request request = {.engine = engine_options_default()};
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    if (files.n > 0)
        return messages_usage("bench", "bench takes no files; leave \"%s\" out", files.paths[0]);
    if (request.engine.n_threads == 0)
        request.engine.n_threads = equant_default_threads();
    return run(&request);
}
