#include "inference/compare/slot_move.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/compare/noise_walk.h"
#include "inference/compare/orbit_walk.h"

enum { N = POPULATION_CANDIDATES };

/* ln of the weights, of the likelihoods with the candidates, and of all of them with being empty.
 */
static void weigh(population *chain, size_t which, size_t n_others)
{
    const slot_space *space = chain->space;
    slot_draw *draw = &chain->draws[which];
    size_t n_obs = space->star->n_obs;
    double common = count_priors_log_odds(space->priors, n_others) + draw->proposal.log_total -
                    log((double)N),
           largest = 0.0, sum = 0.0;
    for (size_t i = 0; i < N; i++) {
        orbit_products products =
            background_products(&chain->rest, &chain->noise[which], draw->columns + 2 * i * n_obs);
        double evidence =
            orbit_products_evidence(products, space->priors->n_scales, space->priors->scales, NULL);
        draw->log_weight[i] =
            common + evidence - slot_proposal_log_evidence(&draw->proposal, &draw->candidates[i]);
        draw->log_likelihood[i] = chain->rest.log_likelihood + evidence;
        largest = fmax(largest, draw->log_weight[i]);
    }
    for (size_t i = 0; i < N; i++)
        sum += exp(draw->log_weight[i] - largest);
    draw->log_evidence = chain->rest.log_likelihood + largest + log(exp(-largest) + sum);
}

/* Candidates behind one of the two noises, for which the rest was made; the planet that is there,
 * unless it is NULL, is one of them. */
static equant_status draw_candidates(population *chain, size_t which, const count_orbit *there,
                                     size_t n_others, number_source *numbers)
{
    slot_draw *draw = &chain->draws[which];
    count_noise *noise = &chain->noise[which];
    equant_status status = EQUANT_SUCCESS;
    if (!draw->knows_noise)
        status = slot_proposal_take_noise(&draw->proposal, noise);
    draw->knows_noise = status == EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS)
        status = slot_proposal_make(&draw->proposal, noise, &chain->rest);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < N; i++)
        draw->candidates[i] = slot_proposal_draw(&draw->proposal, numbers);
    if (there)
        draw->candidates[0] = *there;
    status =
        count_orbit_columns(chain->space->star, N, draw->candidates, &chain->room, draw->columns);
    if (status == EQUANT_SUCCESS)
        weigh(chain, which, n_others);
    return status;
}

/* Another noise, with whatever the slot may become behind it: taken or left by what either has in
 * all. The sum over candidates is right on average, and that is enough (Andrieu & Roberts 2009,
 * Ann. Stat. 37, 697; with the planet that is there among them as in Andrieu, Doucet & Holenstein
 * 2010). */
static equant_status jump(population *chain, size_t n_others, number_source *numbers)
{
    size_t other = 1 - chain->current;
    double level = log(number_source_uniform(numbers));
    equant_status status = EQUANT_SUCCESS;
    bool is_taken =
        noise_walk_jump(chain, numbers) && background_solve(&chain->rest, &chain->noise[other]);
    if (is_taken)
        status = draw_candidates(chain, other, NULL, n_others, numbers);
    is_taken = is_taken && status == EQUANT_SUCCESS &&
               chain->draws[other].log_evidence - chain->draws[chain->current].log_evidence > level;
    if (is_taken)
        chain->current = other;
    else if (!background_solve(&chain->rest, &chain->noise[chain->current]))
        return status_fail(EQUANT_ERROR_INTERNAL, "a state has no likelihood");
    return status;
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
    const slot_draw *draw = &chain->draws[chain->current];
    planet->orbit = draw->candidates[chosen];
    memcpy(chain->columns + 2 * slot * n_obs, draw->columns + 2 * chosen * n_obs,
           2 * n_obs * sizeof *chain->columns);
}

static equant_status keep(population *chain, size_t slot, double off, double on,
                          const double *weight)
{
    const slot_draw *draw = &chain->draws[chain->current];
    double others[COUNT_MOST_PLANETS];
    tally_place places[N];
    size_t n_others = 0;
    for (size_t i = 0; i < chain->space->priors->n_max; i++)
        if (i != slot && chain->slots[i].is_there)
            others[n_others++] = chain->slots[i].orbit.frequency;
    for (size_t i = 0; i < N; i++)
        places[i] =
            (tally_place){draw->candidates[i].frequency, weight[i], draw->log_likelihood[i]};
    return tally_add(&chain->tally, &draw->proposal, off, on, n_others, others, N, places);
}

equant_status slot_move_go(population *chain, size_t slot, bool jumps, bool is_kept,
                           number_source *numbers)
{
    population_planet *planet = &chain->slots[slot];
    double weight[N], on;
    size_t n_others = population_n_planets(chain) - planet->is_there;
    equant_status status = orbit_walk_prepare(chain, slot);
    if (status == EQUANT_SUCCESS)
        status = draw_candidates(chain, chain->current, planet->is_there ? &planet->orbit : NULL,
                                 n_others, numbers);
    if (status == EQUANT_SUCCESS && jumps)
        status = jump(chain, n_others, numbers);
    if (status != EQUANT_SUCCESS)
        return status;
    double off = normalise(chain->draws[chain->current].log_weight, &on, weight);
    if (is_kept)
        status = keep(chain, slot, off, on, weight);
    settle(chain, slot, off, weight, numbers);
    if (status == EQUANT_SUCCESS && planet->is_there)
        status = orbit_walk_steps(chain, slot, numbers);
    return status;
}
