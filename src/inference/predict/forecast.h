/* What draws of a posterior predict: at any time each of them has a normal distribution of the
 * velocity, with the mean of its orbits, its trend, its offset and its noise process, and the
 * variance that the data leave of that process. */
#ifndef EQUANT_INFERENCE_PREDICT_FORECAST_H
#define EQUANT_INFERENCE_PREDICT_FORECAST_H

#include "inference/predict/draw_sets.h"
#include "inference/predict/noise_forecast.h"

typedef struct forecast forecast;

/* Times in their order, and whose observations are predicted there. */
typedef struct forecast_times {
    size_t n;
    const double *time_days;
    const int *instruments; /* from 0 */
} forecast_times;

/* As draw_sets_create has it; the posterior must outlive the forecast. */
equant_status forecast_create(const equant_posterior *posterior,
                              const equant_engine_options *engine, size_t most_draws,
                              forecast **made);
void forecast_free(forecast *of);
const draw_sets *forecast_sets(const forecast *of);

/* Whether there is a process beside white noise; whether it has a state, so that covariances of
 * times can be told. */
bool forecast_has_process(const forecast *of);
bool forecast_has_state(const forecast *of);
double forecast_end_days(const forecast *of);

/* Mean and variance of the process, [times->n][n_draws]. Times after the last observation take
 * J^2 each, others as long as there are observations. Blocks of a few hundred times are best. */
equant_status forecast_fill(const forecast *of, const forecast_times *times, double *means,
                            double *variances);

/* Whether an instrument begins a night at each of some times after the end, [times->n]. */
equant_status forecast_begins_night(const forecast *of, const forecast_times *times, int *begins);

/* The draws as a backend takes them; *blocks is new memory behind it. */
struct backend_forecast;
equant_status forecast_lend(const forecast *of, struct backend_forecast *lent,
                            noise_block **blocks);

/* What all draws make of one time after the end against n others: covariances of the process,
 * [n][n_draws], given the data. */
equant_status forecast_covariances(const forecast *of, const forecast_times *times,
                                   double time_days, int instrument, double *covariances);

#endif
