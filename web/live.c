/* What the page asks for at every move of a slider: observations, and chi-square and residuals of
 * the planets that it shows. Numbers go through arrays of the module; one star at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "equant.h"

#define LIVE(name) __attribute__((export_name("live_" #name)))

static equant_dataset *dataset;
static equant_model *model;
static equant_evaluator *evaluator;
static size_t n_curve;
static double *parameters, *residuals, *curve_times, *curve_velocities;
static double results[2], linear[4096];

static void forget_model(void)
{
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    evaluator = NULL;
    model = NULL;
}

static void forget_star(void)
{
    forget_model();
    equant_dataset_free(dataset);
    dataset = NULL;
}

LIVE(allocate) void *live_allocate(size_t n_bytes);
LIVE(allocate) void *live_allocate(size_t n_bytes)
{
    return malloc(n_bytes);
}

LIVE(free) void live_free(void *memory);
LIVE(free) void live_free(void *memory)
{
    free(memory);
}

LIVE(message) const char *live_message(void);
LIVE(message) const char *live_message(void)
{
    return equant_last_error();
}

/* In place of the data set, the same without observations at these times. */
static equant_status leave_out(size_t n, const double *times)
{
    equant_time_span *spans = calloc(n + 1, sizeof *spans);
    equant_dataset *all = dataset;
    if (!spans)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        spans[i] = (equant_time_span){times[i], times[i]};
    equant_status status = equant_dataset_without(all, n, spans, 0, NULL, &dataset);
    if (status == EQUANT_SUCCESS)
        equant_dataset_free(all);
    free(spans);
    return status;
}

/* n_paths names one behind the other, each with its zero; none: the demonstration. reference_time:
 * of a fit that is opened again; NaN: chosen. */
LIVE(open) int live_open(size_t n_paths, const char *paths, double reference_time);
LIVE(open) int live_open(size_t n_paths, const char *paths, double reference_time)
{
    const char *names[64];
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .has_reference_time = !isnan(reference_time),
                                            .reference_time_days = reference_time};
    if (n_paths > sizeof names / sizeof *names)
        return EQUANT_ERROR_INVALID_ARGUMENT;
    for (size_t i = 0; i < n_paths; i++, paths += strlen(paths) + 1)
        names[i] = paths;
    forget_star();
    equant_status status = n_paths == 0
                               ? equant_dataset_demonstration(&dataset)
                               : equant_dataset_from_files(n_paths, names, &options, &dataset);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_linear = equant_dataset_n_instruments(dataset) + 2;
    free(residuals);
    residuals = calloc(equant_dataset_n_obs(dataset), sizeof *residuals);
    return residuals && n_linear <= sizeof linear / sizeof *linear ? EQUANT_SUCCESS
                                                                   : EQUANT_ERROR_OUT_OF_MEMORY;
}

/* Of the star that is open. */
LIVE(leave_out) int live_leave_out(size_t n, const double *times);
LIVE(leave_out) int live_leave_out(size_t n, const double *times)
{
    return n == 0 ? EQUANT_SUCCESS : leave_out(n, times);
}

LIVE(n_obs) size_t live_n_obs(void);
LIVE(n_obs) size_t live_n_obs(void)
{
    return equant_dataset_n_obs(dataset);
}

LIVE(times) const double *live_times(void);
LIVE(times) const double *live_times(void)
{
    return equant_dataset_times_days(dataset);
}

LIVE(velocities) const double *live_velocities(void);
LIVE(velocities) const double *live_velocities(void)
{
    return equant_dataset_velocities_m_s(dataset);
}

LIVE(uncertainties) const double *live_uncertainties(void);
LIVE(uncertainties) const double *live_uncertainties(void)
{
    return equant_dataset_uncertainties_m_s(dataset);
}

LIVE(instruments) const int *live_instruments(void);
LIVE(instruments) const int *live_instruments(void)
{
    return equant_dataset_instruments(dataset);
}

LIVE(n_instruments) size_t live_n_instruments(void);
LIVE(n_instruments) size_t live_n_instruments(void)
{
    return equant_dataset_n_instruments(dataset);
}

LIVE(instrument_name) const char *live_instrument_name(size_t index);
LIVE(instrument_name) const char *live_instrument_name(size_t index)
{
    return equant_dataset_instrument_name(dataset, index);
}

LIVE(time_name) const char *live_time_name(void);
LIVE(time_name) const char *live_time_name(void)
{
    return equant_dataset_time_name(dataset);
}

LIVE(reference_time) double live_reference_time(void);
LIVE(reference_time) double live_reference_time(void)
{
    return equant_dataset_reference_time_days(dataset);
}

/* Planets, a trend of so many terms, and a jitter for each instrument; offsets and trend are solved
 * for. trend: 0, 1 or 2. */
LIVE(model) int live_model(size_t n_planets, int trend);
LIVE(model) int live_model(size_t n_planets, int trend)
{
    const equant_model_options options = {.struct_size = sizeof options,
                                          .n_planets = n_planets,
                                          .n_instruments = equant_dataset_n_instruments(dataset),
                                          .trend = (equant_trend)(EQUANT_TREND_NONE + trend),
                                          .with_jitter = 1};
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    forget_model();
    equant_status status = equant_model_create(&options, &model);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(dataset, model, &engine, &evaluator);
    if (status != EQUANT_SUCCESS)
        return status;
    free(parameters);
    parameters = calloc(equant_model_n_parameters(model), sizeof *parameters);
    return parameters ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

/* Period, K, e, omega and M0 of each planet, then the jitters: to be filled in. */
LIVE(parameters) double *live_parameters(void);
LIVE(parameters) double *live_parameters(void)
{
    return parameters;
}

/* Chi-square and ln L are then in live_results, offsets and trend in live_linear. */
LIVE(evaluate) int live_evaluate(void);
LIVE(evaluate) int live_evaluate(void)
{
    const equant_results out = {.struct_size = sizeof out,
                                .chi_square = &results[0],
                                .log_likelihood = &results[1],
                                .linear = linear,
                                .residuals = residuals};
    return equant_evaluator_evaluate(evaluator, 1, parameters, &out);
}

LIVE(results) const double *live_results(void);
LIVE(results) const double *live_results(void)
{
    return results;
}

LIVE(linear) const double *live_linear(void);
LIVE(linear) const double *live_linear(void)
{
    return linear;
}

LIVE(residuals) const double *live_residuals(void);
LIVE(residuals) const double *live_residuals(void)
{
    return residuals;
}

/* n times, to be filled in, and then the velocities of planets there. */
LIVE(curve_times) double *live_curve_times(size_t n);
LIVE(curve_times) double *live_curve_times(size_t n)
{
    free(curve_times);
    free(curve_velocities);
    n_curve = n;
    curve_times = calloc(n, sizeof *curve_times);
    curve_velocities = calloc(2 * n, sizeof *curve_velocities);
    return curve_times && curve_velocities ? curve_times : NULL;
}

static equant_status evaluate_curve(const equant_dataset *at, size_t n_planets, double *elements)
{
    const equant_model_options options = {.struct_size = sizeof options,
                                          .n_planets = n_planets,
                                          .offset_columns = EQUANT_NUISANCE_GIVEN};
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    const equant_results out = {.struct_size = sizeof out, .velocities = curve_velocities};
    equant_model *orbits = NULL;
    equant_evaluator *curve = NULL;
    equant_status status = equant_model_create(&options, &orbits);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(at, orbits, &engine, &curve);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(curve, 1, elements, &out);
    equant_evaluator_free(curve);
    equant_model_free(orbits);
    return status;
}

/* elements: of n_planets planets as in live_parameters, and a zero behind them. */
LIVE(curve) const double *live_curve(size_t n_planets, double *elements);
LIVE(curve) const double *live_curve(size_t n_planets, double *elements)
{
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .has_reference_time = 1,
                                            .reference_time_days = live_reference_time()};
    double *velocities = curve_velocities, *errors = curve_velocities + n_curve;
    for (size_t i = 0; i < n_curve; i++) {
        velocities[i] = 0.0;
        errors[i] = 1.0;
    }
    equant_dataset *at = NULL;
    equant_status status = equant_dataset_from_arrays(n_curve, curve_times, velocities, errors,
                                                      NULL, 1, NULL, &options, &at);
    if (status == EQUANT_SUCCESS)
        status = evaluate_curve(at, n_planets, elements);
    equant_dataset_free(at);
    return status == EQUANT_SUCCESS ? curve_velocities : NULL;
}
