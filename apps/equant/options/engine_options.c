#include "options/engine_options.h"

#include <stdint.h>
#include <string.h>

#include "terminal/messages.h"

const struct option_choice engine_options_precisions[] = {{"double", EQUANT_PRECISION_DOUBLE},
                                                          {"mixed", EQUANT_PRECISION_MIXED},
                                                          {"single", EQUANT_PRECISION_SINGLE},
                                                          {"pair", EQUANT_PRECISION_PAIR},
                                                          {0}};
static const struct option_choice solvers[] = {
    {"fast", EQUANT_SOLVER_FAST}, {"danby", EQUANT_SOLVER_DANBY}, {0}};
static const struct option_choice summations[] = {
    {"plain", EQUANT_SUMMATION_PLAIN}, {"compensated", EQUANT_SUMMATION_COMPENSATED}, {0}};

#define BACKEND_ROWS                                                                               \
    {"backend", "B", OPTION_TEXT(backend),                                                         \
     "one of the backends of `equant info`; default: the fastest"},                                \
    {                                                                                              \
        "threads", "N", OPTION_COUNT(n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),                   \
            "number of CPU threads; default: all of the machine"                                   \
    }

#define OPTIONS_OF equant_engine_options
const struct option_row engine_options_rows[] = {
    {"precision", "P", OPTION_CHOICE(precision, engine_options_precisions),
     "double (default), mixed, single or pair"},
    {"solver", "S", OPTION_CHOICE(solver, solvers),
     "fast (default) or danby, the iteration of Ford (2008)"},
    {"summation", "S", OPTION_CHOICE(summation, summations), "plain (default) or compensated"},
    BACKEND_ROWS,
    {"tolerance", "X", OPTION_POSITIVE(danby_tolerance),
     "tolerance of the danby solver; default: 1e-6"},
    {"max-iterations", "N", OPTION_COUNT(danby_max_iterations, 1, 1000),
     "iteration limit of the danby solver; default: 10"},
    {0}};

const struct option_row engine_options_scan_rows[] = {
    {"precision", "P", OPTION_CHOICE(precision, engine_options_precisions),
     "precision of the scans: mixed (default) or double"},
    BACKEND_ROWS,
    {0}};

equant_engine_options engine_options_default(void)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options)};
}

int engine_options_check(const char *command, const equant_engine_options *options)
{
    double mean_anomaly_rad = 1.0, eccentricity = 0.5, eccentric_anomaly_rad;
    equant_status status = equant_kepler_solve(1, &mean_anomaly_rad, &eccentricity, options,
                                               &eccentric_anomaly_rad, NULL, NULL);
    if (status == EQUANT_SUCCESS)
        return EXIT_CODE_OK;
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        return messages_usage(command, "%s", equant_last_error());
    return messages_status(status);
}

/* A batch so large that it goes to a GPU wherever there is one. */
const char *engine_options_gpu(void)
{
    const equant_work largest = {.struct_size = sizeof largest,
                                 .kind = EQUANT_WORK_BATCH,
                                 .n_sets = SIZE_MAX,
                                 .n_planets = 1,
                                 .n_obs = 1};
    equant_placement_info found = {.struct_size = sizeof found};
    equant_status status = equant_placement(NULL, &largest, &found);
    return status == EQUANT_SUCCESS && found.has_device_memory ? found.backend : NULL;
}

int engine_options_settle(equant_engine_options *options, const equant_work *work)
{
    equant_placement_info found = {.struct_size = sizeof found};
    equant_status status = equant_placement(options, work, &found);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    if (options->backend == NULL || strcmp(options->backend, "auto") == 0)
        options->backend = found.backend;
    options->n_threads = found.n_threads;
    return EXIT_CODE_OK;
}

const char *engine_options_precision_name(equant_precision precision)
{
    return command_line_choice_name(engine_options_precisions, (int)precision);
}

const char *engine_options_solver_name(equant_solver solver)
{
    return command_line_choice_name(solvers, (int)solver);
}
