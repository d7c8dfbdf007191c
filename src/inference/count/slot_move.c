#include "inference/count/slot_move.h"

#include <math.h>
#include <string.h>

#include "inference/count/orbit_walk.h"

enum { N = POPULATION_CANDIDATES };

/* ln of the weights, and of the likelihoods with the candidates. */
static void weigh(population *chain, size_t n_others, double *log_weight, double *log_likelihood)
{
    const slot_space *space = chain->space;
    size_t n_obs = space->star->n_obs;
    double common =
        count_priors_log_odds(space->priors, n_others) + chain->proposal.log_total - log((double)N);
    for (size_t i = 0; i < N; i++) {
        orbit_products products = background_products(&chain->rest, &chain->noise[chain->current],
                                                      chain->candidate_columns + 2 * i * n_obs);
        double evidence =
            orbit_products_evidence(products, space->priors->n_scales, space->priors->scales, NULL);
        log_weight[i] =
            common + evidence - slot_proposal_log_evidence(&chain->proposal, &chain->candidates[i]);
        log_likelihood[i] = chain->rest.log_likelihood + evidence;
    }
}

/* Probabilities of being empty and of each candidate. */
static double normalise(const double *log_weight, double *on, double *weight)
{
    double largest = 0.0, sum = 0.0;
    for (size_t i = 0; i < N; i++)
        largest = fmax(largest, log_weight[i]);
    double off = exp(-largest);
    for (size_t i = 0; i < N; i++) {
        weight[i] = exp(log_weight[i] - largest);
        sum += weight[i];
    }
    double total = off + sum;
    for (size_t i = 0; i < N; i++)
        weight[i] /= total;
    *on = sum / total;
    return off / total;
}

static void settle(population *chain, size_t slot, double off, const double *weight,
                   number_source *numbers)
{
    population_planet *planet = &chain->slots[slot];
    size_t n_obs = chain->space->star->n_obs, chosen = 0;
    double left = number_source_uniform(numbers) - off;
    planet->is_there = left >= 0.0;
    if (!planet->is_there)
        return;
    for (; chosen + 1 < N; chosen++) {
        left -= weight[chosen];
        if (left < 0.0)
            break;
    }
    planet->orbit = chain->candidates[chosen];
    memcpy(chain->columns + 2 * slot * n_obs, chain->candidate_columns + 2 * chosen * n_obs,
           2 * n_obs * sizeof *chain->columns);
}

static equant_status keep(population *chain, size_t slot, double off, double on,
                          const double *weight, const double *log_likelihood)
{
    double others[COUNT_MOST_PLANETS];
    tally_place places[N];
    size_t n_others = 0;
    for (size_t i = 0; i < chain->space->priors->n_max; i++)
        if (i != slot && chain->slots[i].is_there)
            others[n_others++] = chain->slots[i].orbit.frequency;
    for (size_t i = 0; i < N; i++)
        places[i] = (tally_place){chain->candidates[i].frequency, weight[i], log_likelihood[i]};
    return tally_add(&chain->tally, &chain->proposal, off, on, n_others, others, N, places);
}

equant_status slot_move_go(population *chain, size_t slot, bool is_kept, number_source *numbers)
{
    population_planet *planet = &chain->slots[slot];
    double log_weight[N], log_likelihood[N], weight[N], on;
    size_t n_others = population_n_planets(chain) - planet->is_there;
    equant_status status = orbit_walk_prepare(chain, slot);
    if (status != EQUANT_SUCCESS)
        return status;
    if (chain->noise_has_moved)
        status = slot_proposal_take_noise(&chain->proposal, &chain->noise[chain->current]);
    chain->noise_has_moved = false;
    if (status == EQUANT_SUCCESS)
        status = slot_proposal_make(&chain->proposal, &chain->noise[chain->current], &chain->rest);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < N; i++)
        chain->candidates[i] = slot_proposal_draw(&chain->proposal, numbers);
    if (planet->is_there)
        chain->candidates[0] = planet->orbit;
    status = count_orbit_columns(chain->space->star, N, chain->candidates, &chain->room,
                                 chain->candidate_columns);
    if (status != EQUANT_SUCCESS)
        return status;
    weigh(chain, n_others, log_weight, log_likelihood);
    double off = normalise(log_weight, &on, weight);
    if (is_kept)
        status = keep(chain, slot, off, on, weight, log_likelihood);
    settle(chain, slot, off, weight, numbers);
    if (status == EQUANT_SUCCESS && planet->is_there)
        status = orbit_walk_steps(chain, slot, numbers);
    return status;
}
