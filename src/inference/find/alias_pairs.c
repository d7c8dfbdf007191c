/* Over the periods of two planets the joint weights are T_ij = a_i b_j where one of them has its
 * own, a and b those of its family, and for pairs that were fitted
 *
 *   T_ij = L_ij s_i s_j / (L_00 s_0 s_0),
 *
 * s the share of the prior in which each does as well (orbit_mass.h). Other pairs are taken as
 * independent. The sums of T over one planet are the probabilities of the other's periods. */
#include "inference/find/alias_pairs.h"

#include <math.h>
#include <string.h>

#include "inference/scan/orbit_mass.h"
#include "inference/study/maximum_likelihood.h"
#include "model/orbit_elements.h"

/* A pair of planets, and what their periods weigh together. */
typedef struct pairing {
    study *star;
    size_t n_fixed, planet[2];
    const solution *fitted;
    alias_family *family[2];
    double weight[ALIAS_FAMILY_MOST][ALIAS_FAMILY_MOST];
    solution model, spare, best;
    double best_weight;
} pairing;

/* Puts the best circle of a period in the place of a planet, behind all others but `absent`. */
static equant_status put_circle(pairing *of, size_t planet, size_t absent, double period_days)
{
    study *star = of->star;
    base_columns base;
    double elements[N_ELEMENTS], gain;
    size_t last = planet > absent ? planet : absent, other = planet > absent ? absent : planet;
    solution_copy(star, &of->model, &of->spare);
    solution_remove_planet(star, &of->spare, last);
    if (absent != planet)
        solution_remove_planet(star, &of->spare, other);
    equant_status status = base_columns_create(star, &of->spare, of->n_fixed, NULL, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    status = orbit_mass_circle(star, &base, 1.0 / period_days, elements, &gain);
    base_columns_free(&base);
    if (status == EQUANT_SUCCESS)
        memcpy(of->model.set + N_ELEMENTS * planet, elements, sizeof elements);
    return status;
}

static bool stays(const pairing *of, size_t planet, double period_days)
{
    double moved = 1.0 / of->model.set[N_ELEMENTS * planet] - 1.0 / period_days;
    return fabs(moved) * of->star->span_days < 1.5;
}

/* ln of the share of a planet of the model. */
static equant_status share_of(pairing *of, size_t planet, double *log_share)
{
    alias_family alone;
    equant_status status =
        alias_family_alone(of->star, of->n_fixed, planet, &of->model, &of->spare, &alone);
    *log_share = alone.log_share;
    return status;
}

/* ln L and both shares of the model, into *log_weight. */
static equant_status weigh(pairing *of, double *log_weight)
{
    double first = 0.0, second = 0.0;
    equant_status status = share_of(of, of->planet[0], &first);
    if (status == EQUANT_SUCCESS)
        status = share_of(of, of->planet[1], &second);
    *log_weight = of->model.log_likelihood + first + second;
    return status;
}

/* The model with member i of the first and member j of the second, refitted. */
static equant_status fit_pair(pairing *of, double own_weight, size_t i, size_t j,
                              alias_pairs *pairs)
{
    study *star = of->star;
    double periods[2] = {of->family[0]->members[i].period_days,
                         of->family[1]->members[j].period_days};
    double log_weight;
    solution_copy(star, of->fitted, &of->model);
    equant_status status = put_circle(of, of->planet[0], of->planet[1], periods[0]);
    if (status == EQUANT_SUCCESS)
        status = put_circle(of, of->planet[1], of->planet[1], periods[1]);
    if (status == EQUANT_SUCCESS)
        status = maximum_likelihood_solution(star, of->n_fixed, POLISH_TO_RANK, &of->model);
    if (status != EQUANT_SUCCESS || !isfinite(of->model.log_likelihood) ||
        !stays(of, of->planet[0], periods[0]) || !stays(of, of->planet[1], periods[1]))
        return status;
    status = weigh(of, &log_weight);
    if (status != EQUANT_SUCCESS)
        return status;
    of->weight[i][j] = exp(fmin(log_weight - own_weight, 500.0));
    if (of->weight[i][j] > of->best_weight) {
        of->best_weight = of->weight[i][j];
        solution_copy(star, &of->model, &of->best);
    }
    if (pairs->n < ALIAS_PAIRS_MOST)
        pairs->list[pairs->n++] =
            (alias_pair){.own_days = {of->fitted->set[N_ELEMENTS * of->planet[0]],
                                      of->fitted->set[N_ELEMENTS * of->planet[1]]},
                         .other_days = {of->model.set[N_ELEMENTS * of->planet[0]],
                                        of->model.set[N_ELEMENTS * of->planet[1]]},
                         .probability = of->weight[i][j],
                         .delta_lnl = of->model.log_likelihood - of->fitted->log_likelihood};
    return status;
}

/* As if the two were independent. */
static void fill_independent(pairing *of)
{
    const alias_family *a = of->family[0], *b = of->family[1];
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            of->weight[i][j] = a->members[i].probability / a->members[0].probability *
                               b->members[j].probability / b->members[0].probability;
}

/* Sums over the periods of the other planet. */
static void share_out(pairing *of, size_t first_new, alias_pairs *pairs)
{
    double rows[ALIAS_FAMILY_MOST] = {0.0}, columns[ALIAS_FAMILY_MOST] = {0.0}, total = 0.0;
    for (size_t i = 0; i < of->family[0]->n; i++)
        for (size_t j = 0; j < of->family[1]->n; j++) {
            rows[i] += of->weight[i][j];
            columns[j] += of->weight[i][j];
            total += of->weight[i][j];
        }
    for (size_t i = 0; i < of->family[0]->n; i++)
        of->family[0]->members[i].probability = rows[i] / total;
    for (size_t j = 0; j < of->family[1]->n; j++)
        of->family[1]->members[j].probability = columns[j] / total;
    for (size_t k = first_new; k < pairs->n; k++)
        pairs->list[k].probability /= total;
}

/* All pairs of two planets. */
static equant_status resolve_two(pairing *of, alias_pairs *pairs)
{
    size_t first_new = pairs->n, n[2];
    double own_weight;
    for (int k = 0; k < 2; k++)
        n[k] = of->family[k]->n > ALIAS_PAIRS_TRIED + 1 ? ALIAS_PAIRS_TRIED + 1 : of->family[k]->n;
    fill_independent(of);
    solution_copy(of->star, of->fitted, &of->model);
    equant_status status = weigh(of, &own_weight);
    for (size_t i = 1; i < n[0] && status == EQUANT_SUCCESS; i++)
        for (size_t j = 1; j < n[1] && status == EQUANT_SUCCESS; j++)
            status = fit_pair(of, own_weight, i, j, pairs);
    if (status == EQUANT_SUCCESS && pairs->n > first_new)
        share_out(of, first_new, pairs);
    return status;
}

static void sort_pairs(alias_pairs *pairs)
{
    for (size_t i = 1; i < pairs->n; i++)
        for (size_t j = i; j > 0 && pairs->list[j].probability > pairs->list[j - 1].probability;
             j--) {
            alias_pair kept = pairs->list[j];
            pairs->list[j] = pairs->list[j - 1];
            pairs->list[j - 1] = kept;
        }
}

equant_status alias_pairs_resolve(study *star, size_t n_fixed, size_t first, solution *fitted,
                                  alias_family *families, alias_pairs *pairs, bool *has_changed)
{
    pairing of = {.star = star, .n_fixed = n_fixed, .fitted = fitted, .best_weight = 1.0};
    equant_status status = solution_create(star, &of.model);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &of.spare);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &of.best);
    pairs->n = 0;
    *has_changed = false;
    for (size_t p = first; p < fitted->n_planets; p++)
        for (size_t q = p + 1; q < fitted->n_planets && status == EQUANT_SUCCESS; q++) {
            if (families[p].n < 2 || families[q].n < 2)
                continue;
            of.planet[0] = p;
            of.planet[1] = q;
            of.family[0] = &families[p];
            of.family[1] = &families[q];
            status = resolve_two(&of, pairs);
        }
    sort_pairs(pairs);
    if (status == EQUANT_SUCCESS && of.best_weight > 1.0) {
        solution_copy(star, &of.best, fitted);
        *has_changed = true;
    }
    solution_free(&of.model);
    solution_free(&of.spare);
    solution_free(&of.best);
    return status;
}
