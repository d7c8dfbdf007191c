#include "inference/count/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/count/noise_walk.h"
#include "inference/count/orbit_walk.h"
#include "inference/count/slot_move.h"

static equant_status allocate(population *made)
{
    const count_star *star = made->space->star;
    size_t n = star->n_obs, n_max = made->space->priors->n_max;
    made->columns = malloc(2 * n_max * n * sizeof *made->columns);
    made->candidates = malloc(POPULATION_CANDIDATES * sizeof *made->candidates);
    made->candidate_columns =
        malloc(2 * POPULATION_CANDIDATES * n * sizeof *made->candidate_columns);
    made->place = malloc((star->n_noise + 1) * sizeof *made->place);
    return made->columns && made->candidates && made->candidate_columns && made->place
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

equant_status population_create(const slot_space *space, uint64_t seed, size_t index,
                                population *made)
{
    memset(made, 0, sizeof *made);
    made->space = space;
    made->seed = seed;
    made->index = index;
    made->noise_has_moved = true;
    equant_status status = allocate(made);
    for (int i = 0; i < 2 && status == EQUANT_SUCCESS; i++)
        status = count_noise_create(space->star, &made->noise[i]);
    if (status == EQUANT_SUCCESS)
        status = background_create(space->star, space->priors->n_max, &made->rest);
    if (status == EQUANT_SUCCESS)
        status = slot_proposal_create(space, &made->proposal);
    if (status == EQUANT_SUCCESS)
        status = count_orbit_room_create(space->star, POPULATION_CANDIDATES, &made->room);
    if (status == EQUANT_SUCCESS)
        status = tally_create(&space->grid, &made->tally);
    return status;
}

void population_free(population *chain)
{
    for (int i = 0; i < 2; i++)
        count_noise_free(&chain->noise[i]);
    background_free(&chain->rest);
    slot_proposal_free(&chain->proposal);
    count_orbit_room_free(&chain->room);
    tally_free(&chain->tally);
    free(chain->columns);
    free(chain->candidates);
    free(chain->candidate_columns);
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
    chain->noise_has_moved = true;
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
        status = slot_move_go(chain, number_source_below(&numbers, n_max), is_kept, &numbers);
    return status;
}
