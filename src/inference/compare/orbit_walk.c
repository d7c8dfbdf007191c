#include "inference/compare/orbit_walk.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"

enum { N_STEPS = 12 };
/* Of frequencies, over the span of the data; of e cos M0 and e sin M0. */
#define SMALLEST_FREQUENCY_STEP 2e-3
#define LARGEST_FREQUENCY_STEP 0.5
#define SMALLEST_SHAPE_STEP 5e-3
#define LARGEST_SHAPE_STEP 0.5

equant_status orbit_walk_prepare(population *chain, size_t slot)
{
    const count_priors *priors = chain->space->priors;
    size_t n_obs = chain->space->star->n_obs;
    background_clear(&chain->rest);
    for (size_t i = 0; i < priors->n_max; i++)
        if (i != slot && chain->slots[i].is_there)
            background_add(&chain->rest, chain->columns + 2 * i * n_obs,
                           priors->scales[chain->slots[i].scale]);
    if (!background_solve(&chain->rest, &chain->noise[chain->current]))
        return status_fail(EQUANT_ERROR_INTERNAL, "a state has no likelihood");
    return EQUANT_SUCCESS;
}

/* A step from an orbit; returns ln of the prior there less that here, in the coordinates of the
 * step. */
static double propose(const population *chain, int step, const count_orbit *from,
                      number_source *numbers, count_orbit *to)
{
    const count_priors *priors = chain->space->priors;
    double first = number_source_uniform(numbers), second = number_source_uniform(numbers);
    *to = *from;
    if (step % 3 == 0 || priors->eccentricity_max <= 0.0) {
        to->frequency +=
            number_source_step(numbers, SMALLEST_FREQUENCY_STEP, LARGEST_FREQUENCY_STEP) /
            chain->space->star->span_days;
        bool is_inside =
            to->frequency >= priors->frequency_min && to->frequency <= priors->frequency_max;
        return is_inside ? log(from->frequency / to->frequency) : -INFINITY;
    }
    if (step % 6 == 1) { /* another shape altogether */
        to->eccentricity = count_priors_eccentricity(priors, first);
        to->m0 = TWO_PI * second;
        return 0.0;
    }
    double scale = SMALLEST_SHAPE_STEP * pow(LARGEST_SHAPE_STEP / SMALLEST_SHAPE_STEP, first);
    double x = from->eccentricity * cos(from->m0) + scale * number_source_normal(numbers);
    double y = from->eccentricity * sin(from->m0) + scale * number_source_normal(numbers);
    to->eccentricity = hypot(x, y);
    to->m0 = atan2(y, x);
    if (!(to->eccentricity > 0.0 && to->eccentricity < priors->eccentricity_max))
        return -INFINITY;
    return count_priors_log_eccentricity(priors, to->eccentricity) - log(to->eccentricity) -
           count_priors_log_eccentricity(priors, from->eccentricity) + log(from->eccentricity);
}

/* One of the scales, by their weights. */
static size_t draw_scale(size_t n, const double *weights, double uniform)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    double left = uniform * sum;
    size_t scale = 0;
    for (; scale + 1 < n; scale++) {
        left -= weights[scale];
        if (left < 0.0)
            break;
    }
    return scale;
}

equant_status orbit_walk_steps(population *chain, size_t slot, number_source *numbers)
{
    const count_priors *priors = chain->space->priors;
    const count_star *star = chain->space->star;
    population_planet *planet = &chain->slots[slot];
    count_noise *noise = &chain->noise[chain->current];
    double *columns = chain->columns + 2 * slot * star->n_obs,
           *tried = chain->draws[chain->current].columns;
    double weights[ORBIT_PRODUCTS_MOST_SCALES], tried_weights[ORBIT_PRODUCTS_MOST_SCALES];
    double evidence = orbit_products_evidence(background_products(&chain->rest, noise, columns),
                                              priors->n_scales, priors->scales, weights);
    for (int step = 0; step < N_STEPS; step++) {
        count_orbit to;
        double log_prior = propose(chain, step, &planet->orbit, numbers, &to);
        double level = log(number_source_uniform(numbers));
        if (!(log_prior > -INFINITY))
            continue;
        equant_status status = count_orbit_columns(star, 1, &to, &chain->room, tried);
        if (status != EQUANT_SUCCESS)
            return status;
        double there = orbit_products_evidence(background_products(&chain->rest, noise, tried),
                                               priors->n_scales, priors->scales, tried_weights);
        if (!(there - evidence + log_prior > level))
            continue;
        planet->orbit = to;
        evidence = there;
        memcpy(columns, tried, 2 * star->n_obs * sizeof *columns);
        memcpy(weights, tried_weights, priors->n_scales * sizeof *weights);
    }
    planet->scale = draw_scale(priors->n_scales, weights, number_source_uniform(numbers));
    return EQUANT_SUCCESS;
}

equant_status orbit_walk_go(population *chain, size_t slot, number_source *numbers)
{
    equant_status status = orbit_walk_prepare(chain, slot);
    return status == EQUANT_SUCCESS ? orbit_walk_steps(chain, slot, numbers) : status;
}
