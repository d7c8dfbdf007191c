#include "inference/sample/run/start_spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/walkers/density_target.h"
#include "inference/sample/walkers/sampler.h"
#include "model/orbit_elements.h"
#include "model/period_resolution.h"

/* Periods from here on, in spans, are those of one unfinished orbit. */
#define LONG_PERIOD 0.7
/* What is left of a planet's amplitude where its share in ln L is asked for. */
#define NO_AMPLITUDE 1e-6

/* The flattened target. */
typedef struct plain {
    posterior_density *density;
    size_t n_planets;
    double span_days, floor;
    const double *centre; /* the parameter set of the solution */
} plain;

static bool is_same_period(double period_days, double centre_days, double span_days)
{
    return period_resolution_is_same(period_days, centre_days, span_days) ||
           fmin(period_days, centre_days) > LONG_PERIOD * span_days;
}

static double prepare(const void *context, const double *coordinates, double *parameters)
{
    const plain *own = context;
    double log_prior = posterior_density_prepare(own->density, coordinates, parameters);
    for (size_t p = 0; p < own->n_planets && isfinite(log_prior); p++)
        if (!is_same_period(parameters[N_ELEMENTS * p], own->centre[N_ELEMENTS * p],
                            own->span_days))
            return -INFINITY;
    return log_prior;
}

static equant_status evaluate(void *context, size_t n_sets, const double *parameters,
                              double *log_likelihood)
{
    const plain *own = context;
    equant_status status =
        posterior_density_log_likelihood(own->density, n_sets, parameters, log_likelihood);
    for (size_t i = 0; i < n_sets && status == EQUANT_SUCCESS; i++)
        log_likelihood[i] = fmin(log_likelihood[i], own->floor);
    return status;
}

/* Down to where no planet of the solution would be lost: half of what the weakest explains. */
static equant_status find_floor(const start_spread_request *request, double *centre, double *floor)
{
    double best, without, level = request->level;
    equant_status status = posterior_density_log_likelihood(request->density, 1, centre, &best);
    for (size_t p = 0; p < request->n_planets && status == EQUANT_SUCCESS; p++) {
        double *amplitude = &centre[N_ELEMENTS * p + ELEMENT_K], kept = *amplitude;
        *amplitude *= NO_AMPLITUDE;
        status = posterior_density_log_likelihood(request->density, 1, centre, &without);
        *amplitude = kept;
        level = fmin(level, 0.5 * (best - without));
    }
    *floor = best - fmax(level, 0.0);
    return status;
}

static equant_status walk(const start_spread_request *request, const plain *own, double *walkers)
{
    sampler_target target = density_target(request->density);
    const sampler_options options = {.seed = request->seed,
                                     .n_populations = 1,
                                     .n_temperatures = 1,
                                     .n_walkers = request->n_walkers,
                                     .n_threads = request->n_threads};
    sampler *wandering = NULL;
    target.context = (void *)own;
    target.prepare = prepare;
    target.evaluate = evaluate;
    target.draw = NULL;
    target.evaluator = NULL; /* whose likelihoods are not flat */
    target.map = NULL;
    equant_status status = sampler_create(&target, &options, walkers, &wandering);
    if (status == EQUANT_SUCCESS)
        status = sampler_advance(wandering, request->n_steps);
    const double *sets = status == EQUANT_SUCCESS ? sampler_cold_parameters(wandering) : NULL;
    for (size_t w = 0; w < request->n_walkers && sets; w++)
        posterior_density_coordinates_of(request->density, sets + w * target.n_parameters,
                                         walkers + w * target.n_coordinates);
    sampler_free(wandering);
    return status;
}

/* Walkers that begin elsewhere begin at the solution instead; the others part them. */
static void gather(const start_spread_request *request, const plain *own, double *set,
                   double *walkers)
{
    const size_t n = posterior_density_n_coordinates(request->density);
    for (size_t w = 0; w < request->n_walkers; w++)
        if (!isfinite(prepare(own, walkers + w * n, set)))
            memcpy(walkers + w * n, request->centre, n * sizeof *walkers);
}

equant_status start_spread(const start_spread_request *request, double *walkers)
{
    const size_t n = posterior_density_n_parameters(request->density);
    double *sets = calloc(2 * n, sizeof *sets);
    if (!sets)
        return status_out_of_memory();
    plain own = {.density = request->density,
                 .n_planets = request->n_planets,
                 .span_days = request->span_days,
                 .centre = sets};
    equant_status status = EQUANT_SUCCESS;
    if (isfinite(posterior_density_prepare(request->density, request->centre, sets))) {
        status = find_floor(request, sets, &own.floor);
        if (status == EQUANT_SUCCESS && isfinite(own.floor)) {
            gather(request, &own, sets + n, walkers);
            status = walk(request, &own, walkers);
        }
    }
    free(sets);
    return status;
}
