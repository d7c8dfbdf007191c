/* equant montecarlo: the demonstration of Ford (2008): draw orbits at random,
 * evaluate them against data, keep the best. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "stars/best_list.h"
#include "options/command_line.h"
#include "commands/commands.h"
#include "options/data_source.h"
#include "options/engine_options.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "results/montecarlo_report.h"
#include "terminal/progress.h"

static const char help_start[] =
    "Usage: equant montecarlo FILE... [OPTIONS]\n"
    "       equant montecarlo --demo [OPTIONS]\n\n"
    "Draws orbits from the distributions of Ford (2008), evaluates each against the\n"
    "data with offsets (and trend) solved exactly, and shows the best. The same seed\n"
    "gives the same orbits whatever the threads and batches. Ctrl-C shows the best so\n"
    "far.\n\n"
    "The search:\n"
    "  --planets N         planets of each system; default 1\n"
    "  --samples S         systems drawn; default 10000000\n"
    "  --best B            how many are shown; default 10\n"
    "  --seed K            default 1\n"
    "  --trend N           0 (default) none, 1 linear, 2 quadratic\n"
    "  --period-min P, --period-max P\n"
    "                      days; log-uniform between; default 2 and 3652.5\n"
    "  --k-min K, --k-max K\n"
    "                      m/s; log-uniform between; default 1 and 500\n"
    "  --eccentricity-max E\n"
    "                      uniform from 0; default 0.99\n"
    "  --batch N           orbits evaluated together; changes no result\n"
    "  --out FILE          the best as a table for `equant evaluate --orbits`\n"
    "  --json              one JSON object in place of the text\n\n";
static const char help_end[] = "\n  --help              this text\n\n"
                               "Example:\n"
                               "  equant montecarlo --demo --samples 1000000 --best 5 --seed 42\n";

enum { N_ELEMENTS = 5 };

struct montecarlo_options {
    uint64_t n_planets, n_samples, n_best, seed, trend_order, batch_size;
    equant_orbit_distribution distribution;
    bool as_json;
    const char *out;
    struct data_source source;
    equant_engine_options engine;
};

/* getopt_long's answers for the options that have no letter. */
enum { OPTION_PERIOD_MIN = 256, OPTION_PERIOD_MAX, OPTION_K_MIN, OPTION_K_MAX, OPTION_E_MAX };

static int take_option(const char *command, int option, struct montecarlo_options *chosen)
{
    equant_orbit_distribution *range = &chosen->distribution;
    switch (option) {
    case 'p':
        return command_line_count(command, "--planets", optarg, 1, 100, &chosen->n_planets);
    case 's':
        return command_line_count(command, "--samples", optarg, 1, UINT64_MAX, &chosen->n_samples);
    case 'n':
        return command_line_count(command, "--best", optarg, 1, 1000000, &chosen->n_best);
    case 'S':
        return command_line_count(command, "--seed", optarg, 0, UINT64_MAX, &chosen->seed);
    case 't':
        return command_line_count(command, "--trend", optarg, 0, 2, &chosen->trend_order);
    case 'b':
        return command_line_count(command, "--batch", optarg, 1, 1 << 24, &chosen->batch_size);
    case OPTION_PERIOD_MIN:
        return command_line_positive(command, "--period-min", optarg, &range->period_min_days);
    case OPTION_PERIOD_MAX:
        return command_line_positive(command, "--period-max", optarg, &range->period_max_days);
    case OPTION_K_MIN:
        return command_line_positive(command, "--k-min", optarg, &range->k_min_m_s);
    case OPTION_K_MAX:
        return command_line_positive(command, "--k-max", optarg, &range->k_max_m_s);
    case OPTION_E_MAX:
        return command_line_positive(command, "--eccentricity-max", optarg,
                                     &range->eccentricity_max);
    case 'o':
        chosen->out = optarg;
        return EXIT_CODE_OK;
    default:
        chosen->as_json = true;
        return EXIT_CODE_OK;
    }
}

/* The library knows which ranges make sense: it is asked for one draw. */
static int check_distribution(const char *command, const equant_orbit_distribution *distribution)
{
    double elements[N_ELEMENTS];
    equant_status status = equant_orbits_draw(distribution, 0, 0, 1, 1, elements);
    return status == EQUANT_SUCCESS ? EXIT_CODE_OK
                                    : messages_usage(command, "%s", equant_last_error());
}

static int parse_options(int argc, char **argv, struct montecarlo_options *chosen)
{
    static const struct option options[] = {
        {"planets", required_argument, NULL, 'p'},
        {"samples", required_argument, NULL, 's'},
        {"best", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 'S'},
        {"trend", required_argument, NULL, 't'},
        {"batch", required_argument, NULL, 'b'},
        {"period-min", required_argument, NULL, OPTION_PERIOD_MIN},
        {"period-max", required_argument, NULL, OPTION_PERIOD_MAX},
        {"k-min", required_argument, NULL, OPTION_K_MIN},
        {"k-max", required_argument, NULL, OPTION_K_MAX},
        {"eccentricity-max", required_argument, NULL, OPTION_E_MAX},
        {"out", required_argument, NULL, 'o'},
        {"json", no_argument, NULL, 'j'},
        DATA_SOURCE_LONG,
        ENGINE_OPTIONS_LONG,
        {0}};
    int option, code = EXIT_CODE_OK;
    opterr = 0;
    while (code == EXIT_CODE_OK && (option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option == '?' || option == ':')
            code = command_line_reject(argv[0], argv, option);
        else if (option >= DATA_SOURCE_OPTION_UNIT && option < DATA_SOURCE_OPTION_END)
            code = data_source_take(argv[0], option, optarg, &chosen->source);
        else if (option >= ENGINE_OPTION_FIRST && option < ENGINE_OPTION_END)
            code = engine_options_take(argv[0], option, optarg, &chosen->engine);
        else
            code = take_option(argv[0], option, chosen);
    }
    if (code == EXIT_CODE_OK)
        code = check_distribution(argv[0], &chosen->distribution);
    if (code == EXIT_CODE_OK)
        code = command_line_check_output(argv[0], chosen->out, argc - optind, argv + optind);
    return code == EXIT_CODE_OK ? engine_options_check(argv[0], &chosen->engine) : code;
}

static equant_status create_evaluator(const struct montecarlo_options *chosen,
                                      const equant_dataset *dataset, size_t n_planets,
                                      equant_evaluator **evaluator)
{
    equant_model *model;
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = n_planets,
                                    .n_instruments = equant_dataset_n_instruments(dataset),
                                    .trend_order = (int)chosen->trend_order};
    equant_status status = equant_model_create(&options, &model);
    if (status != EQUANT_SUCCESS)
        return status;
    status = equant_evaluator_create(dataset, model, &chosen->engine, evaluator);
    equant_model_free(model);
    return status;
}

/* Chi-square of offsets and trend alone. */
static equant_status evaluate_no_planet(const struct montecarlo_options *chosen,
                                        const equant_dataset *dataset, double *chi_square)
{
    equant_evaluator *evaluator;
    double no_parameters = 0.0;
    equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    equant_status status = create_evaluator(chosen, dataset, 0, &evaluator);
    if (status != EQUANT_SUCCESS)
        return status;
    status = equant_evaluator_evaluate(evaluator, 1, &no_parameters, &results);
    equant_evaluator_free(evaluator);
    return status;
}

/* Draws n systems from `first` on, by as many threads as evaluate them: draws are addressed,
 * so how they are shared changes nothing. Options were checked before: no draw fails. */
static void draw_batch(const struct montecarlo_options *chosen, uint64_t first, size_t n,
                       size_t n_planets, double *parameters)
{
    const size_t share = 1024;
    int n_threads =
        chosen->engine.n_threads > 0 ? chosen->engine.n_threads : equant_default_threads();
#pragma omp parallel for num_threads(n_threads)
    for (size_t i = 0; i < n; i += share)
        equant_orbits_draw(&chosen->distribution, chosen->seed, first + i,
                           n - i < share ? n - i : share, n_planets,
                           parameters + i * n_planets * N_ELEMENTS);
}

/* Draws and evaluates batch by batch until all are done or Ctrl-C comes. */
static equant_status search(const struct montecarlo_options *chosen, equant_evaluator *evaluator,
                            double *parameters, double *chi_square,
                            struct montecarlo_report *report)
{
    struct progress progress = progress_start("orbits");
    equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && report->n_drawn < chosen->n_samples &&
           !interrupt_requested()) {
        uint64_t n_left = chosen->n_samples - report->n_drawn;
        size_t n = (size_t)(n_left < chosen->batch_size ? n_left : chosen->batch_size);
        draw_batch(chosen, report->n_drawn, n, report->n_planets, parameters);
        status = equant_evaluator_evaluate(evaluator, n, parameters, &results);
        if (status != EQUANT_SUCCESS)
            break;
        for (size_t i = 0; i < n; i++)
            best_list_offer(&report->best, chi_square[i], report->n_drawn + i);
        report->n_drawn += n;
        progress_update(&progress, (double)report->n_drawn,
                        (double)report->n_drawn / (double)chosen->n_samples);
    }
    progress_clear(&progress);
    report->seconds = progress_clock_s() - progress.start_s;
    return status;
}

/* Only chi-squares were kept on the way; the best are drawn once more, which
 * counter-based random numbers make possible, for everything else. */
static equant_status complete_best(const struct montecarlo_options *chosen,
                                   equant_evaluator *evaluator, struct montecarlo_report *report)
{
    size_t n_columns = report->n_planets * N_ELEMENTS;
    equant_results results = {.struct_size = sizeof results,
                              .log_likelihood = report->log_likelihood,
                              .linear = report->linear};
    equant_status status = EQUANT_SUCCESS;
    best_list_sort(&report->best);
    for (size_t rank = 0; rank < report->best.n && status == EQUANT_SUCCESS; rank++)
        status = equant_orbits_draw(&chosen->distribution, chosen->seed,
                                    report->best.entries[rank].index, 1, report->n_planets,
                                    report->parameters + rank * n_columns);
    if (status != EQUANT_SUCCESS)
        return status;
    return equant_evaluator_evaluate(evaluator, report->best.n, report->parameters, &results);
}

static int run_search(const struct montecarlo_options *chosen, struct montecarlo_report *report)
{
    size_t n_columns = report->n_planets * N_ELEMENTS, n_best = (size_t)chosen->n_best;
    double *parameters = calloc(chosen->batch_size * n_columns, sizeof(double));
    double *chi_square = calloc(chosen->batch_size, sizeof(double));
    report->parameters = calloc(n_best * n_columns, sizeof(double));
    report->log_likelihood = calloc(n_best, sizeof(double));
    report->linear = calloc(n_best * report->n_linear, sizeof(double));
    bool has_memory = best_list_create(&report->best, n_best) && parameters != NULL &&
                      chi_square != NULL && report->parameters != NULL &&
                      report->log_likelihood != NULL && report->linear != NULL;
    equant_evaluator *evaluator = NULL;
    equant_status status = EQUANT_SUCCESS;
    if (has_memory) {
        status = evaluate_no_planet(chosen, report->dataset, &report->chi_square_no_planet);
        if (status == EQUANT_SUCCESS)
            status = create_evaluator(chosen, report->dataset, report->n_planets, &evaluator);
        if (status == EQUANT_SUCCESS) {
            report->backend = equant_evaluator_backend(evaluator);
            status = search(chosen, evaluator, parameters, chi_square, report);
        }
        if (status == EQUANT_SUCCESS)
            status = complete_best(chosen, evaluator, report);
    }
    equant_evaluator_free(evaluator);
    free(parameters);
    free(chi_square);
    if (!has_memory)
        return messages_out_of_memory();
    return status == EQUANT_SUCCESS ? EXIT_CODE_OK : messages_status(status);
}

static int print_report(const struct montecarlo_options *chosen,
                        const struct montecarlo_report *report)
{
    int code = EXIT_CODE_OK;
    if (chosen->out != NULL)
        code = montecarlo_report_table(report, chosen->out);
    if (code != EXIT_CODE_OK)
        return code;
    code = chosen->as_json ? montecarlo_report_json(report) : montecarlo_report_text(report);
    if (code == EXIT_CODE_OK && report->n_drawn < report->n_samples) {
        messages_note("interrupted after %" PRIu64 " of %" PRIu64 " orbits", report->n_drawn,
                      report->n_samples);
        return EXIT_CODE_INTERRUPTED;
    }
    return code;
}

int command_montecarlo(int argc, char **argv)
{
    struct montecarlo_options chosen = {
        .n_planets = 1,
        .n_samples = 10000000,
        .n_best = 10,
        .seed = 1,
        .batch_size = 32768,
        .distribution = {.struct_size = sizeof chosen.distribution,
                         .period_min_days = 2.0,
                         .period_max_days = 3652.5,
                         .k_min_m_s = 1.0,
                         .k_max_m_s = 500.0,
                         .eccentricity_max = 0.99},
        .source = data_source_default(),
        .engine = engine_options_default(),
    };
    if (command_line_wants_help(argc, argv)) {
        printf("%s%s\n%s%s", help_start, data_source_help, engine_options_help, help_end);
        return EXIT_CODE_OK;
    }
    int code = parse_options(argc, argv, &chosen);
    if (code != EXIT_CODE_OK)
        return code;
    equant_dataset *dataset;
    code = data_source_load(argv[0], &chosen.source, argc - optind, argv + optind, &dataset);
    if (code != EXIT_CODE_OK)
        return code;
    data_source_warn(dataset);
    engine_options_settle(&chosen.engine, (double)chosen.n_samples * (double)chosen.n_planets *
                                              (double)equant_dataset_n_obs(dataset));
    interrupt_watch();
    struct montecarlo_report report = {
        .dataset = dataset,
        .engine = chosen.engine,
        .distribution = chosen.distribution,
        .seed = chosen.seed,
        .n_planets = (size_t)chosen.n_planets,
        .trend_order = (int)chosen.trend_order,
        .n_samples = chosen.n_samples,
        .n_linear = equant_dataset_n_instruments(dataset) + (size_t)chosen.trend_order,
    };
    code = run_search(&chosen, &report);
    if (code == EXIT_CODE_OK)
        code = print_report(&chosen, &report);
    best_list_free(&report.best);
    free(report.parameters);
    free(report.log_likelihood);
    free(report.linear);
    equant_dataset_free(dataset);
    return code;
}
