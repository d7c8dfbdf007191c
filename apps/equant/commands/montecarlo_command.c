/* equant montecarlo: the demonstration of Ford (2008): draw orbits at random,
 * evaluate them against data, keep the best. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "files/output_check.h"
#include "options/data_source.h"
#include "options/engine_options.h"
#include "parallel/parallel_for.h"
#include "results/best_list.h"
#include "results/montecarlo_report.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

struct montecarlo_request {
    size_t n_planets, n_best, batch_size;
    uint64_t n_samples, seed;
    int trend_order;
    equant_orbit_distribution distribution;
    bool as_json;
    const char *out;
    struct data_source source;
    equant_engine_options engine;
};

#define OPTIONS_OF struct montecarlo_request
static const struct option_row option_rows[] = {
    {"planets", "N", OPTION_COUNT(n_planets, 1, 100), "planets of each system; default: 1"},
    {"samples", "S", OPTION_COUNT(n_samples, 1, UINT64_MAX),
     "number of systems; default: 10000000"},
    {"best", "B", OPTION_COUNT(n_best, 1, 1000000),
     "number of best orbits that are printed; default: 10"},
    {"seed", "K", OPTION_COUNT(seed, 0, UINT64_MAX), "seed of the random numbers; default: 1"},
    {"trend", "N", OPTION_COUNT(trend_order, 0, 2), "0 (default) none, 1 linear, 2 quadratic"},
    {"period-min", "P, --period-max P", OPTION_POSITIVE(distribution.period_min_days),
     "days, log-uniform; default: 2 and 3652.5"},
    {"period-max", "P", OPTION_POSITIVE(distribution.period_max_days), NULL},
    {"k-min", "K, --k-max K", OPTION_POSITIVE(distribution.k_min_m_s),
     "m/s, log-uniform; default: 1 and 500"},
    {"k-max", "K", OPTION_POSITIVE(distribution.k_max_m_s), NULL},
    {"eccentricity-max", "E", OPTION_POSITIVE(distribution.eccentricity_max),
     "highest eccentricity, uniform from 0; default: 0.99"},
    {"batch", "N", OPTION_COUNT(batch_size, 1, 1 << 24),
     "number of orbits evaluated together; does not change the\n"
     "results"},
    {"out", "FILE", OPTION_TEXT(out),
     "writes the best orbits as a table for `equant evaluate\n"
     "--orbits`"},
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE... [OPTIONS]", "--demo [OPTIONS]"},
    .about = "Draws orbits from the distributions of Ford (2008), evaluates each against the data\n"
             "with offsets and trend solved exactly, and prints the best. The same seed gives the\n"
             "same orbits for any number of threads and any batch. Ctrl-C prints the best so far.",
    .sections = {{"The search", option_rows, 0},
                 {"The data", data_source_rows, offsetof(struct montecarlo_request, source)},
                 {"Computation", engine_options_rows, offsetof(struct montecarlo_request, engine)},
                 {"", option_table_help_rows, 0}},
    .example = "equant montecarlo --demo --samples 1000000 --best 5 --seed 42",
};

/* The library knows which ranges make sense: it is asked for one draw. */
static int check_distribution(const char *command, const equant_orbit_distribution *distribution)
{
    double elements[EQUANT_N_ELEMENTS];
    equant_status status = equant_orbits_draw(distribution, 0, 0, 1, 1, elements);
    return status == EQUANT_SUCCESS ? EXIT_CODE_OK
                                    : messages_usage(command, "%s", equant_last_error());
}

static int parse(int argc, char **argv, struct montecarlo_request *request, struct file_list *files)
{
    int code = option_table_parse(&command_options, argc, argv, request, files);
    if (code == EXIT_CODE_OK)
        code = check_distribution(argv[0], &request->distribution);
    if (code == EXIT_CODE_OK)
        code = output_check_file(argv[0], request->out, &montecarlo_report_kind);
    return code == EXIT_CODE_OK ? engine_options_check(argv[0], &request->engine) : code;
}

static equant_status create_evaluator(const struct montecarlo_request *request,
                                      const equant_dataset *dataset, size_t n_planets,
                                      equant_evaluator **evaluator)
{
    equant_model *model;
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = n_planets,
                                    .n_instruments = equant_dataset_n_instruments(dataset),
                                    .trend =
                                        (equant_trend)(EQUANT_TREND_NONE + request->trend_order)};
    equant_status status = equant_model_create(&options, &model);
    if (status != EQUANT_SUCCESS)
        return status;
    status = equant_evaluator_create(dataset, model, &request->engine, evaluator);
    equant_model_free(model);
    return status;
}

/* Chi-square of offsets and trend alone. */
static equant_status evaluate_no_planet(const struct montecarlo_request *request,
                                        const equant_dataset *dataset, double *chi_square)
{
    equant_evaluator *evaluator;
    double no_parameters = 0.0;
    equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    equant_status status = create_evaluator(request, dataset, 0, &evaluator);
    if (status != EQUANT_SUCCESS)
        return status;
    status = equant_evaluator_evaluate(evaluator, 1, &no_parameters, &results);
    equant_evaluator_free(evaluator);
    return status;
}

struct draw_request {
    const struct montecarlo_request *request;
    uint64_t first;
    size_t n_planets;
    double *parameters;
};

static void draw_some(void *context, size_t first, size_t end, int thread)
{
    const struct draw_request *of = context;
    (void)thread;
    equant_orbits_draw(&of->request->distribution, of->request->seed, of->first + first,
                       end - first, of->n_planets,
                       of->parameters + first * of->n_planets * EQUANT_N_ELEMENTS);
}

/* Draws n systems from `first` on, by as many threads as evaluate them: draws are addressed,
 * so how they are shared changes nothing. Options were checked before: no draw fails. */
static void draw_batch(const struct montecarlo_request *request, uint64_t first, size_t n,
                       size_t n_planets, double *parameters)
{
    const size_t share = 1024;
    struct draw_request of = {request, first, n_planets, parameters};
    parallel_for(request->engine.n_threads, n, share, draw_some, &of);
}

/* Draws and evaluates batch by batch until all are done or Ctrl-C comes. */
static equant_status search(const struct montecarlo_request *request, equant_evaluator *evaluator,
                            double *parameters, double *chi_square,
                            struct montecarlo_report *report)
{
    struct progress progress = progress_start("orbits");
    equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && report->n_drawn < request->n_samples &&
           !interrupt_requested()) {
        uint64_t n_left = request->n_samples - report->n_drawn;
        size_t n = (size_t)(n_left < request->batch_size ? n_left : request->batch_size);
        draw_batch(request, report->n_drawn, n, report->n_planets, parameters);
        status = equant_evaluator_evaluate(evaluator, n, parameters, &results);
        if (status != EQUANT_SUCCESS)
            break;
        for (size_t i = 0; i < n; i++)
            best_list_offer(&report->best, chi_square[i], report->n_drawn + i);
        report->n_drawn += n;
        progress_update(&progress, (double)report->n_drawn,
                        (double)report->n_drawn / (double)request->n_samples);
    }
    progress_clear(&progress);
    report->seconds = progress_clock_s() - progress.start_s;
    return status;
}

/* Only chi-squares were kept on the way; the best are drawn once more, which
 * counter-based random numbers make possible, for everything else. */
static equant_status complete_best(const struct montecarlo_request *request,
                                   equant_evaluator *evaluator, struct montecarlo_report *report)
{
    size_t n_columns = report->n_planets * EQUANT_N_ELEMENTS;
    equant_results results = {.struct_size = sizeof results,
                              .log_likelihood = report->log_likelihood,
                              .linear = report->linear};
    equant_status status = EQUANT_SUCCESS;
    best_list_sort(&report->best);
    for (size_t rank = 0; rank < report->best.n && status == EQUANT_SUCCESS; rank++)
        status = equant_orbits_draw(&request->distribution, request->seed,
                                    report->best.entries[rank].index, 1, report->n_planets,
                                    report->parameters + rank * n_columns);
    if (status != EQUANT_SUCCESS)
        return status;
    return equant_evaluator_evaluate(evaluator, report->best.n, report->parameters, &results);
}

static int run_search(const struct montecarlo_request *request, struct montecarlo_report *report)
{
    size_t n_columns = report->n_planets * EQUANT_N_ELEMENTS, n_best = request->n_best;
    double *parameters = calloc(request->batch_size * n_columns, sizeof(double));
    double *chi_square = calloc(request->batch_size, sizeof(double));
    report->parameters = calloc(n_best * n_columns, sizeof(double));
    report->log_likelihood = calloc(n_best, sizeof(double));
    report->linear = calloc(n_best * report->n_linear, sizeof(double));
    bool has_memory = best_list_create(&report->best, n_best) && parameters != NULL &&
                      chi_square != NULL && report->parameters != NULL &&
                      report->log_likelihood != NULL && report->linear != NULL;
    equant_evaluator *evaluator = NULL;
    equant_status status = EQUANT_SUCCESS;
    if (has_memory) {
        status = evaluate_no_planet(request, report->dataset, &report->chi_square_no_planet);
        if (status == EQUANT_SUCCESS)
            status = create_evaluator(request, report->dataset, report->n_planets, &evaluator);
        if (status == EQUANT_SUCCESS) {
            report->backend = equant_evaluator_backend(evaluator);
            status = search(request, evaluator, parameters, chi_square, report);
        }
        if (status == EQUANT_SUCCESS)
            status = complete_best(request, evaluator, report);
    }
    equant_evaluator_free(evaluator);
    free(parameters);
    free(chi_square);
    if (!has_memory)
        return messages_out_of_memory();
    return messages_status(status);
}

static int print_report(const struct montecarlo_request *request,
                        const struct montecarlo_report *report)
{
    int written = EXIT_CODE_OK;
    if (request->out != NULL)
        written = montecarlo_report_table(report, request->out);
    /* A result that could not be kept is shown all the same. */
    int code = request->as_json ? montecarlo_report_json(report) : montecarlo_report_text(report);
    if (written != EXIT_CODE_OK)
        return written;
    if (code == EXIT_CODE_OK && report->n_drawn < report->n_samples) {
        messages_note("interrupted after %" PRIu64 " of %" PRIu64 " orbits", report->n_drawn,
                      report->n_samples);
        return EXIT_CODE_INTERRUPTED;
    }
    return code;
}

int command_montecarlo(int argc, char **argv)
{
    struct montecarlo_request request = {
        .n_planets = 1,
        .n_samples = 10000000,
        .n_best = 10,
        .seed = 1,
        .batch_size = 32768,
        .distribution = {.struct_size = sizeof request.distribution,
                         .period_min_days = 2.0,
                         .period_max_days = 3652.5,
                         .k_min_m_s = 1.0,
                         .k_max_m_s = 500.0,
                         .eccentricity_max = 0.99},
        .source = data_source_default(),
        .engine = engine_options_default(),
    };
    struct file_list files;
    equant_dataset *dataset = NULL;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &request, &files);
    if (code == EXIT_CODE_OK)
        code = data_source_load_and_warn(argv[0], &request.source, &files, &dataset);
    if (code != EXIT_CODE_OK)
        return code;
    const equant_work all = {.struct_size = sizeof all,
                             .kind = EQUANT_WORK_MONTE_CARLO,
                             .n_sets = (size_t)request.n_samples,
                             .n_planets = (size_t)request.n_planets,
                             .n_obs = equant_dataset_n_obs(dataset)};
    code = engine_options_settle(&request.engine, &all);
    interrupt_watch();
    struct montecarlo_report report = {
        .dataset = dataset,
        .engine = request.engine,
        .distribution = request.distribution,
        .seed = request.seed,
        .n_planets = request.n_planets,
        .trend_order = request.trend_order,
        .n_samples = request.n_samples,
        .n_linear = equant_dataset_n_instruments(dataset) + (size_t)request.trend_order,
    };
    if (code == EXIT_CODE_OK)
        code = run_search(&request, &report);
    if (code == EXIT_CODE_OK)
        code = print_report(&request, &report);
    best_list_free(&report.best);
    free(report.parameters);
    free(report.log_likelihood);
    free(report.linear);
    equant_dataset_free(dataset);
    data_source_free(&request.source);
    return code;
}
