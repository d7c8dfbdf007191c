#include "inference/compare/noise_walk.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"

/* Steps for each parameter and in all, by their place in the prior. */
enum { STEPS_EACH = 4, MOST_STEPS = 32 };
#define SMALLEST_STEP 1e-3
#define LARGEST_STEP 0.3
/* Of jumps: those that forget where some parameters were, and the smallest of the others. */
#define FAR_SHARE 0.5
#define SMALLEST_JUMP 1e-2

/* Back from beyond an end, as from a mirror. */
static double reflect(double place)
{
    place = fabs(place);
    place -= 2.0 * floor(0.5 * place);
    return place > 1.0 ? 2.0 - place : place;
}

/* Parameters that are not fixed; returns how many. */
enum { MOST_OPEN = 2 * NOISE_KIND_MOST_TERMS + 1024 };

static size_t list_open(const count_star *star, size_t open[MOST_OPEN])
{
    size_t n_open = 0;
    for (size_t i = 0; i < star->n_noise && n_open < MOST_OPEN; i++)
        if (count_star_noise_prior(star, i).kind != PRIOR_FIXED)
            open[n_open++] = i;
    return n_open;
}

bool noise_walk_jump(population *chain, number_source *numbers)
{
    const count_star *star = chain->space->star;
    size_t open[MOST_OPEN], n_open = list_open(star, open), other = 1 - chain->current;
    bool is_far = number_source_uniform(numbers) < FAR_SHARE;
    double scale =
        SMALLEST_JUMP * pow(LARGEST_STEP / SMALLEST_JUMP, number_source_uniform(numbers));
    memcpy(chain->place, chain->noise[chain->current].place, star->n_noise * sizeof *chain->place);
    for (size_t i = 0; i < n_open; i++) {
        double *place = &chain->place[open[i]], chance = number_source_uniform(numbers),
               uniform = number_source_uniform(numbers);
        if (!is_far)
            *place = reflect(*place + scale * random_normal_quantile(uniform));
        else if (chance < 0.5)
            *place = uniform;
    }
    chain->draws[other].knows_noise = false;
    return n_open > 0 && count_noise_move(&chain->noise[other], chain->place);
}

equant_status noise_walk_go(population *chain, number_source *numbers)
{
    const count_star *star = chain->space->star;
    size_t n_obs = star->n_obs, open[MOST_OPEN], n_open = list_open(star, open);
    background_clear(&chain->rest);
    for (size_t i = 0; i < chain->space->priors->n_max; i++)
        if (chain->slots[i].is_there)
            background_add(&chain->rest, chain->columns + 2 * i * n_obs,
                           chain->space->priors->scales[chain->slots[i].scale]);
    if (!background_solve(&chain->rest, &chain->noise[chain->current]))
        return status_fail(EQUANT_ERROR_INTERNAL, "a state has no likelihood");
    double log_likelihood = chain->rest.log_likelihood;
    size_t n_steps = STEPS_EACH * n_open < MOST_STEPS ? STEPS_EACH * n_open : MOST_STEPS;
    for (size_t step = 0; step < n_steps; step++) {
        size_t which = open[number_source_below(numbers, n_open)];
        double move = number_source_step(numbers, SMALLEST_STEP, LARGEST_STEP);
        double level = log(number_source_uniform(numbers));
        count_noise *tried = &chain->noise[1 - chain->current];
        memcpy(chain->place, chain->noise[chain->current].place,
               star->n_noise * sizeof *chain->place);
        chain->place[which] = reflect(chain->place[which] + move);
        chain->draws[1 - chain->current].knows_noise = false;
        if (!count_noise_move(tried, chain->place) || !background_solve(&chain->rest, tried) ||
            !(chain->rest.log_likelihood - log_likelihood > level))
            continue;
        log_likelihood = chain->rest.log_likelihood;
        chain->current = 1 - chain->current;
    }
    return EQUANT_SUCCESS;
}
