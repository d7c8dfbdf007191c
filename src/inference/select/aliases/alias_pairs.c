/* Over the periods of two planets the joint weights are T_ij = a_i b_j where one of them has its
 * own, a and b those of its family, and for pairs that were fitted
 *
 *   T_ij = L_ij s_i s_j / (L_00 s_0 s_0),
 *
 * s the share of the prior in which each does as well (orbit_mass.h). Other pairs are taken as
 * independent. The sums of T over one planet are the probabilities of the other's periods. */
#include "inference/select/aliases/alias_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/select/orbits/circular_orbit.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/likelihood/study_crew.h"
#include "model/orbit_elements.h"

/* One model to be fitted and weighed: two planets with a member of their families each. */
typedef struct trial {
    size_t planet[2], member[2]; /* members 0 and 0: the fit itself */
    solution model;
    double log_weight;
    bool stays;
} trial;

/* All models, which are fitted independently of each other. */
typedef struct contest {
    size_t n_fixed;
    const solution *fitted;
    const alias_family *families;
    size_t n;
    trial *trials;
} contest;

/* Puts the best circle of a period in the place of a planet, behind all others but `absent`. */
static equant_status put_circle(study *star, size_t n_fixed, size_t planet, size_t absent,
                                double period_days, solution *model, solution *spare)
{
    base_columns base;
    double elements[N_ELEMENTS], gain;
    size_t last = planet > absent ? planet : absent, other = planet > absent ? absent : planet;
    solution_copy(star, model, spare);
    solution_remove_planet(star, spare, last);
    if (absent != planet)
        solution_remove_planet(star, spare, other);
    equant_status status = base_columns_create(star, spare, n_fixed, NULL, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    status = circular_orbit_best(star, &base, 1.0 / period_days, elements, &gain);
    base_columns_free(&base);
    if (status == EQUANT_SUCCESS)
        memcpy(model->set + N_ELEMENTS * planet, elements, sizeof elements);
    return status;
}

static bool has_stayed(const study *star, const solution *model, size_t planet, double period_days)
{
    double moved = 1.0 / model->set[N_ELEMENTS * planet] - 1.0 / period_days;
    return isfinite(model->log_likelihood) && fabs(moved) * star->span_days < 1.5;
}

/* Both planets of a trial at the periods of their members, and everything refitted. */
static equant_status fit_both(study *star, const contest *all, trial *one, solution *spare)
{
    size_t p = one->planet[0], q = one->planet[1];
    double periods[2] = {all->families[p].members[one->member[0]].period_days,
                         all->families[q].members[one->member[1]].period_days};
    equant_status status = put_circle(star, all->n_fixed, p, q, periods[0], &one->model, spare);
    if (status == EQUANT_SUCCESS)
        status = put_circle(star, all->n_fixed, q, q, periods[1], &one->model, spare);
    if (status == EQUANT_SUCCESS)
        status = maximum_likelihood_solution(star, all->n_fixed, POLISH_TO_RANK, &one->model);
    one->stays = has_stayed(star, &one->model, p, periods[0]) &&
                 has_stayed(star, &one->model, q, periods[1]);
    return status;
}

/* The share of a planet of the fit itself, where its family has it already. */
static bool find_share(const contest *all, size_t planet, double *log_share)
{
    const alias_family *family = &all->families[planet];
    double period = all->fitted->set[N_ELEMENTS * planet];
    for (size_t i = 0; i < family->n; i++) {
        const alias_member *member = &family->members[i];
        if (member->period_days == period &&
            member->log_likelihood == all->fitted->log_likelihood) {
            *log_share = member->log_weight - member->log_likelihood;
            return true;
        }
    }
    return false;
}

/* Pairs that are less probable than the fit itself by so much, in ln, are weighed with the shares
 * that their members have alone: nobody sees the difference. */
#define HOPELESS 30.0

static double share_of_member(const alias_family *family, size_t member)
{
    return family->members[member].log_weight - family->members[member].log_likelihood;
}

/* What a trial weighs, and the fit itself, if each planet has the share of its member. */
static double estimate(const contest *all, const trial *one, double *log_weight)
{
    double own = all->fitted->log_likelihood;
    *log_weight = one->model.log_likelihood;
    for (int k = 0; k < 2; k++) {
        const alias_family *family = &all->families[one->planet[k]];
        *log_weight += share_of_member(family, one->member[k]);
        own += share_of_member(family, 0);
    }
    return *log_weight - own;
}

/* ln L and the shares of both planets. */
static equant_status weigh(study *star, const contest *all, trial *one, solution *spare)
{
    equant_status status = EQUANT_SUCCESS;
    bool is_fit = one->member[0] == 0;
    if (!is_fit && estimate(all, one, &one->log_weight) < -HOPELESS)
        return status;
    one->log_weight = one->model.log_likelihood;
    for (int k = 0; k < 2 && status == EQUANT_SUCCESS; k++) {
        alias_family alone;
        double log_share;
        if (!is_fit || !find_share(all, one->planet[k], &log_share)) {
            status =
                alias_family_alone(star, all->n_fixed, one->planet[k], &one->model, spare, &alone);
            log_share = alone.log_share;
        }
        one->log_weight += log_share;
    }
    return status;
}

static equant_status fit_trial(study *star, void *context, size_t index)
{
    const contest *all = context;
    trial *one = &all->trials[index];
    solution spare = {.set = NULL};
    equant_status status = study_report(star, "comparing aliases", 0.0);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &one->model);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &spare);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, all->fitted, &one->model);
        one->stays = true;
        if (one->member[0] > 0)
            status = fit_both(star, all, one, &spare);
    }
    if (status == EQUANT_SUCCESS && one->stays)
        status = weigh(star, all, one, &spare);
    solution_free(&spare);
    return status;
}

static size_t n_tried(const alias_family *family)
{
    return family->n > ALIAS_PAIRS_TRIED + 1 ? ALIAS_PAIRS_TRIED + 1 : family->n;
}

/* Of any two planets that have a choice: the fit itself, and members other than the first. Writes
 * them where there is room, and returns how many there are. */
static size_t list_trials(const contest *all, size_t first, trial *trials)
{
    size_t n = 0;
    for (size_t p = first; p < all->fitted->n_planets; p++)
        for (size_t q = p + 1; q < all->fitted->n_planets; q++)
            for (size_t i = 0; i < n_tried(&all->families[p]); i++)
                for (size_t j = 0; j < n_tried(&all->families[q]); j++) {
                    bool has_choice = all->families[p].n > 1 && all->families[q].n > 1;
                    if (!has_choice || (i == 0) != (j == 0))
                        continue;
                    if (trials)
                        trials[n] = (trial){.planet = {p, q}, .member = {i, j}};
                    n++;
                }
    return n;
}

/* What the periods of two planets weigh together. */
typedef struct pairing {
    alias_family *family[2];
    double weight[ALIAS_FAMILY_MOST][ALIAS_FAMILY_MOST];
} pairing;

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

static void keep_pair(const contest *all, const trial *one, double weight, alias_pairs *pairs)
{
    size_t p = N_ELEMENTS * one->planet[0], q = N_ELEMENTS * one->planet[1];
    if (pairs->n < ALIAS_PAIRS_MOST)
        pairs->list[pairs->n++] =
            (alias_pair){.own_days = {all->fitted->set[p], all->fitted->set[q]},
                         .other_days = {one->model.set[p], one->model.set[q]},
                         .probability = weight,
                         .delta_lnl = one->model.log_likelihood - all->fitted->log_likelihood};
}

/* The trials of two planets, from `own` on, of which the first is the fit itself: returns how many
 * there are. *best becomes the heaviest of all. */
static size_t judge_two(const contest *all, const trial *own, alias_family *families,
                        alias_pairs *pairs, const trial **best, double *best_weight)
{
    pairing of = {.family = {&families[own->planet[0]], &families[own->planet[1]]}};
    size_t first_new = pairs->n, n = 1;
    fill_independent(&of);
    for (; own + n < all->trials + all->n && own[n].member[0] > 0; n++) {
        double weight = exp(fmin(own[n].log_weight - own->log_weight, 500.0));
        if (!own[n].stays)
            continue;
        of.weight[own[n].member[0]][own[n].member[1]] = weight;
        if (weight > *best_weight) {
            *best_weight = weight;
            *best = &own[n];
        }
        keep_pair(all, &own[n], weight, pairs);
    }
    if (pairs->n > first_new)
        share_out(&of, first_new, pairs);
    return n;
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
    contest all = {.n_fixed = n_fixed, .fitted = fitted, .families = families};
    const trial *best = NULL;
    double best_weight = 1.0;
    pairs->n = 0;
    *has_changed = false;
    all.n = list_trials(&all, first, NULL);
    if (all.n == 0)
        return EQUANT_SUCCESS;
    all.trials = calloc(all.n, sizeof *all.trials);
    if (!all.trials)
        return status_out_of_memory();
    list_trials(&all, first, all.trials);
    equant_status status = study_crew_share(star, all.n, fit_trial, &all);
    for (size_t k = 0; k < all.n && status == EQUANT_SUCCESS;)
        k += judge_two(&all, &all.trials[k], families, pairs, &best, &best_weight);
    sort_pairs(pairs);
    if (status == EQUANT_SUCCESS && best) {
        solution_copy(star, &best->model, fitted);
        *has_changed = true;
    }
    for (size_t k = 0; k < all.n; k++)
        solution_free(&all.trials[k].model);
    free(all.trials);
    return status;
}
