#include "inference/compare/count_star.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/target/model_priors.h"
#include "model/nights.h"

/* Offsets and trends may be so many times as large as the velocities vary, and no less than this.
 */
#define WIDTH_IN_RANGES 3.0
#define LEAST_WIDTH_M_S 10.0

static equant_status allocate(const count_star_request *request, count_star *made)
{
    size_t n = made->n_obs;
    made->n_base = made->n_instruments + (size_t)request->trend_order + request->n_columns;
    made->time_days = malloc(n * sizeof *made->time_days);
    made->velocity = malloc(n * sizeof *made->velocity);
    made->variance = malloc(n * sizeof *made->variance);
    made->instrument = malloc(n * sizeof *made->instrument);
    made->base = calloc(made->n_base * n, sizeof *made->base);
    made->begins_night = malloc(n * sizeof *made->begins_night);
    made->night_place = calloc(n, sizeof *made->night_place);
    return made->time_days && made->velocity && made->variance && made->instrument && made->base &&
                   made->begins_night && made->night_place
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

/* Times from their mean by weight. */
static void set_times(const count_star_request *request, count_star *made)
{
    const double *time = equant_dataset_times_days(request->dataset);
    const double *sigma = request->uncertainties_m_s
                              ? request->uncertainties_m_s
                              : equant_dataset_uncertainties_m_s(request->dataset);
    double weights = 0.0, sum = 0.0;
    for (size_t k = 0; k < made->n_obs; k++) {
        made->variance[k] = sigma[k] * sigma[k];
        weights += 1.0 / made->variance[k];
        sum += (time[k] - time[0]) / made->variance[k];
    }
    made->epoch_days = time[0] + sum / weights;
    for (size_t k = 0; k < made->n_obs; k++)
        made->time_days[k] = time[k] - made->epoch_days;
    made->span_days = time[made->n_obs - 1] - time[0];
}

/* Velocities from the mean of their instrument. */
static void set_velocities(const equant_dataset *dataset, count_star *made)
{
    const double *velocity = equant_dataset_velocities_m_s(dataset);
    double lowest = INFINITY, highest = -INFINITY;
    memcpy(made->instrument, equant_dataset_instruments(dataset),
           made->n_obs * sizeof *made->instrument);
    for (size_t i = 0; i < made->n_instruments; i++) {
        double weights = 0.0, sum = 0.0;
        for (size_t k = 0; k < made->n_obs; k++)
            if ((size_t)made->instrument[k] == i) {
                weights += 1.0 / made->variance[k];
                sum += velocity[k] / made->variance[k];
            }
        for (size_t k = 0; k < made->n_obs; k++)
            if ((size_t)made->instrument[k] == i) {
                made->velocity[k] = velocity[k] - sum / weights;
                lowest = fmin(lowest, made->velocity[k]);
                highest = fmax(highest, made->velocity[k]);
            }
    }
    made->range_m_s = highest - lowest;
    made->width_m_s = fmax(LEAST_WIDTH_M_S, WIDTH_IN_RANGES * made->range_m_s);
}

static void set_base(const count_star_request *request, count_star *made)
{
    size_t n = made->n_obs;
    double *column = made->base;
    for (size_t i = 0; i < made->n_instruments; i++, column += n)
        for (size_t k = 0; k < n; k++)
            column[k] = (size_t)made->instrument[k] == i ? made->width_m_s : 0.0;
    for (int order = 1; order <= request->trend_order; order++, column += n)
        for (size_t k = 0; k < n; k++)
            column[k] = made->width_m_s * pow(made->time_days[k] / made->span_days, order);
    for (size_t i = 0; i < request->n_columns; i++, column += n)
        for (size_t k = 0; k < n; k++)
            column[k] = made->width_m_s * request->columns[i * n + k];
}

static equant_status set_nights(const equant_dataset *dataset, count_star *made)
{
    int n_instruments;
    if (!noise_kinds_have(&made->noise, NOISE_NIGHT))
        return EQUANT_SUCCESS;
    const double *time = equant_dataset_times_days(dataset);
    equant_status status =
        nights_find(made->n_obs, time, made->instrument, made->begins_night, &n_instruments);
    if (status == EQUANT_SUCCESS)
        nights_places(made->n_obs, made->instrument, made->begins_night, made->night_place,
                      &made->n_nights);
    return status == EQUANT_SUCCESS ? status : status_out_of_memory();
}

equant_status count_star_priors(const count_star_request *request, priors **made)
{
    const priors_options options = {.dataset = request->dataset,
                                    .trend_order = request->trend_order,
                                    .set_name = "kipping",
                                    .noise = request->noise};
    equant_status status = priors_create(&options, made);
    if (status == EQUANT_SUCCESS && request->prior_jitter)
        status = priors_change(*made, "jitter_m_s", request->prior_jitter);
    return status;
}

equant_status count_star_create(const count_star_request *request, count_star *made)
{
    memset(made, 0, sizeof *made);
    const equant_dataset *dataset = request->dataset;
    made->n_obs = equant_dataset_n_obs(dataset);
    made->n_instruments = equant_dataset_n_instruments(dataset);
    made->with_jitter = !request->no_jitter;
    equant_status status = count_star_priors(request, &made->noise_priors);
    if (status == EQUANT_SUCCESS)
        status = allocate(request, made);
    if (status != EQUANT_SUCCESS)
        return status;
    made->noise = priors_layout(made->noise_priors)->noise;
    made->n_noise = made->n_instruments + noise_kinds_parameters(&made->noise);
    memset(made->begins_night, 0, made->n_obs * sizeof *made->begins_night);
    set_times(request, made);
    if (!(made->span_days > 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "all observations have the same time: there are no planets to count");
    set_velocities(dataset, made);
    set_base(request, made);
    return set_nights(dataset, made);
}

void count_star_free(count_star *star)
{
    priors_free(star->noise_priors);
    free(star->time_days);
    free(star->velocity);
    free(star->variance);
    free(star->instrument);
    free(star->base);
    free(star->begins_night);
    free(star->night_place);
}

prior_density count_star_noise_prior(const count_star *star, size_t index)
{
    if (index < star->n_instruments && !star->with_jitter)
        return prior_density_fixed(0.0);
    size_t first = priors_n_columns(star->noise_priors) - star->n_noise; /* they are the last */
    return *priors_of_column(star->noise_priors, first + index);
}
