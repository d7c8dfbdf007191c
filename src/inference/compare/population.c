#include "inference/compare/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/compare/noise_walk.h"
#include "inference/compare/orbit_walk.h"
#include "inference/compare/slot_move.h"

static equant_status allocate(population *made)
{
    const count_star *star = made->space->star;
    size_t n = star->n_obs, n_max = made->space->priors->n_max;
    made->columns = malloc(2 * n_max * n * sizeof *made->columns);
    made->place = malloc((star->n_noise + 1) * sizeof *made->place);
    return made->columns && made->place ? EQUANT_SUCCESS : status_out_of_memory();
}

static equant_status create_draw(const slot_space *space, slot_draw *made)
{
    size_t n = POPULATION_CANDIDATES;
    made->candidates = malloc(n * sizeof *made->candidates);
    made->columns = malloc(2 * n * space->star->n_obs * sizeof *made->columns);
    return made->candidates && made->columns ? slot_proposal_create(space, &made->proposal)
                                             : status_out_of_memory();
}

equant_status population_create(const slot_space *space, uint64_t seed, size_t index,
                                population *made)
{
    memset(made, 0, sizeof *made);
    made->space = space;
    made->seed = seed;
    made->index = index;
    equant_status status = allocate(made);
    for (int i = 0; i < 2 && status == EQUANT_SUCCESS; i++)
        status = count_noise_create(space->star, &made->noise[i]);
    for (int i = 0; i < 2 && status == EQUANT_SUCCESS; i++)
        status = create_draw(space, &made->draws[i]);
    if (status == EQUANT_SUCCESS)
        status = background_create(space->star, space->priors->n_max, &made->rest);
    if (status == EQUANT_SUCCESS)
        status = count_orbit_room_create(space->star, POPULATION_CANDIDATES, &made->room);
    if (status == EQUANT_SUCCESS)
        status = tally_create(&space->grid, &made->tally);
    return status;
}

void population_free(population *chain)
{
    for (int i = 0; i < 2; i++) {
        count_noise_free(&chain->noise[i]);
        slot_proposal_free(&chain->draws[i].proposal);
        free(chain->draws[i].candidates);
        free(chain->draws[i].columns);
    }
    background_free(&chain->rest);
    count_orbit_room_free(&chain->room);
    tally_free(&chain->tally);
    free(chain->columns);
    free(chain->place);
    memset(chain, 0, sizeof *chain);
}

equant_status population_start(population *chain, size_t n_planets, const count_orbit *planets,
                               const double *place)
{
    const count_star *star = chain->space->star;
    const count_priors *priors = chain->space->priors;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n_planets && i < priors->n_max && status == EQUANT_SUCCESS; i++) {
        population_planet *slot = &chain->slots[i];
        slot->is_there = true;
        slot->orbit = planets[i];
        slot->orbit.frequency =
            fmin(fmax(planets[i].frequency, priors->frequency_min), priors->frequency_max);
        /* Not on the axis: the density of eccentricities has no value there. */
        slot->orbit.eccentricity =
            priors->eccentricity_max > 0.0
                ? fmin(fmax(planets[i].eccentricity, 1e-6), 0.999 * priors->eccentricity_max)
                : 0.0;
        slot->scale = priors->n_scales - 1;
        status = count_orbit_columns(star, 1, &slot->orbit, &chain->room,
                                     chain->columns + 2 * i * star->n_obs);
    }
    if (status == EQUANT_SUCCESS && !count_noise_move(&chain->noise[chain->current], place))
        status = status_fail(EQUANT_ERROR_INTERNAL, "the noise of a fit is no covariance");
    chain->draws[chain->current].knows_noise = false;
    return status;
}

size_t population_n_planets(const population *chain)
{
    size_t n = 0;
    for (size_t i = 0; i < chain->space->priors->n_max; i++)
        n += chain->slots[i].is_there;
    return n;
}

static bool is_wanted(const population *chain)
{
    return !chain->is_wanted || chain->is_wanted(chain->wanted_context);
}

equant_status population_sweep(population *chain, size_t n_slots, bool is_kept)
{
    number_source numbers = number_source_at(chain->seed, chain->index, chain->sweep++);
    size_t n_max = chain->space->priors->n_max;
    equant_status status = noise_walk_go(chain, &numbers);
    if (!is_wanted(chain))
        return status;
    for (size_t i = 0; i < n_max && status == EQUANT_SUCCESS; i++)
        if (chain->slots[i].is_there)
            status = orbit_walk_go(chain, i, &numbers);
    for (size_t i = 0; i < n_slots && status == EQUANT_SUCCESS && is_wanted(chain); i++)
        status = slot_move_go(chain, number_source_below(&numbers, n_max), i % 2 == 0, is_kept,
                              &numbers);
    return status;
}
