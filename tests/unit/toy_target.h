/* Densities whose moments and evidence are known, for the tests of samplers. Parameters are the
 * coordinates themselves. */
#ifndef EQUANT_TESTS_TOY_TARGET_H
#define EQUANT_TESTS_TOY_TARGET_H

#include <math.h>
#include <string.h>

#include "statistics/random_draw.h"
#include "inference/sample/walkers/sampler_target.h"

#define TOY_PI 3.14159265358979323846

enum { TOY_MAX_COORDINATES = 16 };

typedef struct toy_target {
    size_t n_coordinates;
    double (*log_prior)(const double *x, size_t d);
    double (*log_likelihood)(const double *x, size_t d);
    /* A prior quantile of each coordinate; NULL: the prior is not drawn from. */
    double (*quantile)(double u);
    unsigned char is_angle[TOY_MAX_COORDINATES], subset[TOY_MAX_COORDINATES];
    size_t n_evaluated;  /* sets so far                                   */
    size_t failing_call; /* evaluation that fails, counted from 1; 0: none */
    size_t n_calls;
} toy_target;

static inline double toy_prepare(const void *context, const double *coordinates, double *parameters)
{
    const toy_target *toy = context;
    memcpy(parameters, coordinates, toy->n_coordinates * sizeof *parameters);
    return toy->log_prior(coordinates, toy->n_coordinates);
}

static inline equant_status toy_evaluate(void *context, size_t n_sets, const double *parameters,
                                         double *log_likelihood)
{
    toy_target *toy = context;
    if (++toy->n_calls == toy->failing_call)
        return EQUANT_ERROR_DEVICE;
    toy->n_evaluated += n_sets;
    for (size_t i = 0; i < n_sets; i++)
        log_likelihood[i] =
            toy->log_likelihood(parameters + i * toy->n_coordinates, toy->n_coordinates);
    return EQUANT_SUCCESS;
}

static inline void toy_draw(const void *context, uint64_t seed, uint64_t index, double *coordinates)
{
    const toy_target *toy = context;
    random_stream stream = {seed, 1000, 1};
    for (size_t j = 0; j < toy->n_coordinates; j++) {
        uint64_t draw = index * TOY_MAX_COORDINATES + j;
        coordinates[j] = toy->quantile(random_uniforms_at(stream, draw / 2).half[draw % 2]);
    }
}

static inline sampler_target toy_sampler_target(toy_target *toy)
{
    return (sampler_target){.n_coordinates = toy->n_coordinates,
                            .n_parameters = toy->n_coordinates,
                            .is_angle = toy->is_angle,
                            .subset = toy->subset,
                            .context = toy,
                            .prepare = toy_prepare,
                            .evaluate = toy_evaluate,
                            .draw = toy->quantile ? toy_draw : NULL};
}

/* ---- priors ----------------------------------------------------------------- */

static inline double toy_flat(const double *x, size_t d)
{
    (void)x, (void)d;
    return 0.0;
}

static inline double toy_normal_log_density(double x, double mean, double sigma)
{
    double z = (x - mean) / sigma;
    return -0.5 * z * z - log(sigma) - 0.5 * log(2.0 * TOY_PI);
}

#define TOY_PRIOR_SIGMA 3.0

static inline double toy_normal_prior(const double *x, size_t d)
{
    double sum = 0.0;
    for (size_t j = 0; j < d; j++)
        sum += toy_normal_log_density(x[j], 0.0, TOY_PRIOR_SIGMA);
    return sum;
}

static inline double toy_normal_quantile(double u)
{
    return TOY_PRIOR_SIGMA * random_normal_quantile(u);
}

/* Uniform from -10 to 10 in each coordinate. */
static inline double toy_box_prior(const double *x, size_t d)
{
    for (size_t j = 0; j < d; j++)
        if (!(fabs(x[j]) <= 10.0))
            return -INFINITY;
    return -(double)d * log(20.0);
}

static inline double toy_box_quantile(double u)
{
    return 20.0 * (u - 0.5);
}

static inline double toy_circle_prior(const double *x, size_t d)
{
    (void)x;
    return -(double)d * log(2.0 * TOY_PI);
}

/* ---- likelihoods ------------------------------------------------------------- */

/* One measurement 1 +- 0.5 of each coordinate. */
#define TOY_MEASURED 1.0
#define TOY_MEASURED_SIGMA 0.5

static inline double toy_linear(const double *x, size_t d)
{
    double sum = 0.0;
    for (size_t j = 0; j < d; j++)
        sum += toy_normal_log_density(TOY_MEASURED, x[j], TOY_MEASURED_SIGMA);
    return sum;
}

/* A chain of correlated coordinates of very different scales: the first is standard normal, each
 * of the others 0.9 of the one before in units of its scale, and noise. */
static inline double toy_scale(size_t j)
{
    return pow(10.0, (double)(j % 4) - 2.0);
}

static inline double toy_correlated(const double *x, size_t d)
{
    double sum = -0.5 * x[0] * x[0] / (toy_scale(0) * toy_scale(0));
    for (size_t j = 1; j < d; j++) {
        double z = (x[j] / toy_scale(j) - 0.9 * x[j - 1] / toy_scale(j - 1)) / sqrt(1.0 - 0.81);
        sum -= 0.5 * z * z;
    }
    return sum;
}

/* 30 % of the weight at -5, 70 % at +5, each of width 0.3. */
static inline double toy_two_modes(const double *x, size_t d)
{
    double left = log(0.3), right = log(0.7);
    for (size_t j = 0; j < d; j++) {
        left += toy_normal_log_density(x[j], -5.0, 0.3);
        right += toy_normal_log_density(x[j], 5.0, 0.3);
    }
    double larger = fmax(left, right);
    return larger + log(exp(left - larger) + exp(right - larger));
}

/* Around 3, across the place where angles wrap. */
#define TOY_ANGLE 3.0
#define TOY_CONCENTRATION 2.0

static inline double toy_von_mises(const double *x, size_t d)
{
    double sum = 0.0;
    for (size_t j = 0; j < d; j++)
        sum += TOY_CONCENTRATION * cos(x[j] - TOY_ANGLE);
    return sum;
}

/* A banana: x standard normal, y around x^2 with width 0.5. */
static inline double toy_banana(const double *x, size_t d)
{
    (void)d;
    double across = (x[1] - x[0] * x[0]) / 0.5;
    return -0.5 * x[0] * x[0] - 0.5 * across * across;
}

#endif
