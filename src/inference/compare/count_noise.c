#include "inference/compare/count_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "statistics/noise_terms.h"

/* Places stay off the ends of priors, where some have no value. */
#define LEAST_PLACE 1e-9

equant_status count_noise_create(const count_star *star, count_noise *made)
{
    memset(made, 0, sizeof *made);
    made->star = star;
    made->is_white = star->noise.n == 0;
    made->place = malloc((star->n_noise + 1) * sizeof *made->place);
    made->values = calloc(star->n_noise + 1, sizeof *made->values);
    made->variance = malloc(star->n_obs * sizeof *made->variance);
    made->weight = malloc(star->n_obs * sizeof *made->weight);
    made->state = malloc(2 * (NOISE_PROCESS_MOST_STATES + 1) * sizeof *made->state);
    made->pair = malloc(2 * star->n_obs * sizeof *made->pair);
    if (!made->place || !made->values || !made->variance || !made->weight || !made->state ||
        !made->pair)
        return status_out_of_memory();
    if (!made->is_white) {
        equant_status status =
            noise_factor_create(star->n_obs, NOISE_PROCESS_MOST_STATES,
                                noise_kinds_have(&star->noise, NOISE_QP), &made->factor);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    for (size_t i = 0; i < star->n_noise; i++)
        made->place[i] = 0.5;
    if (!count_noise_move(made, made->place))
        return status_fail(EQUANT_ERROR_INTERNAL, "the noise of the star is no covariance");
    return EQUANT_SUCCESS;
}

void count_noise_free(count_noise *noise)
{
    free(noise->place);
    free(noise->values);
    free(noise->variance);
    free(noise->weight);
    free(noise->state);
    free(noise->pair);
    noise_factor_free(&noise->factor);
}

static void set_white(count_noise *noise)
{
    noise->log_determinant = 0.0;
    for (size_t k = 0; k < noise->star->n_obs; k++) {
        noise->weight[k] = 1.0 / noise->variance[k];
        noise->log_determinant += log(noise->variance[k]);
    }
}

static bool set_factor(count_noise *noise)
{
    const count_star *star = noise->star;
    noise_process process;
    const noise_factor_rows rows = {.n = star->n_obs,
                                    .time_days = star->time_days,
                                    .instruments = star->night_place,
                                    .begins_night = star->begins_night,
                                    .owners = star->instrument};
    noise_terms_expand(&process, &star->noise, noise->values + star->n_instruments, star->n_nights);
    if (!noise_factor_make(&noise->factor, &process, &rows, noise->variance))
        return false;
    noise->log_determinant = noise->factor.log_determinant;
    return true;
}

bool count_noise_move(count_noise *noise, const double *place)
{
    const count_star *star = noise->star;
    for (size_t i = 0; i < star->n_noise; i++) {
        prior_density prior = count_star_noise_prior(star, i);
        if (prior.kind == PRIOR_TURNS)
            prior = prior_density_at_period(&prior, noise->values[i - 1]);
        noise->place[i] = place[i];
        noise->values[i] = prior_density_quantile(&prior, place[i]);
    }
    for (size_t k = 0; k < star->n_obs; k++) {
        double jitter = noise->values[star->instrument[k]];
        noise->variance[k] = star->variance[k] + jitter * jitter;
    }
    if (!noise->is_white)
        return set_factor(noise);
    set_white(noise);
    return true;
}

void count_noise_find(const count_star *star, const double *values, double *place)
{
    for (size_t i = 0; i < star->n_noise; i++) {
        prior_density prior = count_star_noise_prior(star, i);
        if (prior.kind == PRIOR_TURNS)
            prior = prior_density_at_period(&prior, values[i - 1]);
        double found =
            prior.kind == PRIOR_FIXED ? 0.5 : prior_density_cumulative(&prior, values[i]);
        place[i] = fmin(fmax(found, LEAST_PLACE), 1.0 - LEAST_PLACE);
    }
}

void count_noise_solve(count_noise *noise, double *column)
{
    if (!noise->is_white) {
        noise_factor_solve(&noise->factor, column, noise->state);
        return;
    }
    for (size_t k = 0; k < noise->star->n_obs; k++)
        column[k] *= noise->weight[k];
}

void count_noise_square(count_noise *noise, const double *x, const double *y, double *xx,
                        double *xy, double *yy)
{
    size_t n = noise->star->n_obs;
    double sums[3] = {0.0, 0.0, 0.0};
    if (noise->is_white) {
        for (size_t k = 0; k < n; k++) {
            double w = noise->weight[k];
            sums[0] += w * x[k] * x[k];
            sums[1] += w * x[k] * y[k];
            sums[2] += w * y[k] * y[k];
        }
    } else {
        for (size_t k = 0; k < n; k++) {
            noise->pair[2 * k] = x[k];
            noise->pair[2 * k + 1] = y[k];
        }
        noise_factor_whiten(&noise->factor, 2, noise->pair, noise->state);
        for (size_t k = 0; k < n; k++) {
            double a = noise->pair[2 * k], b = noise->pair[2 * k + 1];
            sums[0] += a * a;
            sums[1] += a * b;
            sums[2] += b * b;
        }
    }
    *xx = sums[0];
    *xy = sums[1];
    *yy = sums[2];
}
