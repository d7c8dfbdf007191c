#include "inference/priors/stated_absence.h"

#include <math.h>
#include <string.h>

#include "inference/priors/stated_improve.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"

void stated_absence_free(stated_absence *made)
{
    solution_free(&made->fitted);
}

/* The solution and what is known of it, less the planets that are absent. */
static void leave_out(const study *star, const stated_star *own, const solution *best,
                      const bool *is_absent, stated_star *rest, solution *without)
{
    *rest = *own;
    solution_copy(star, best, without);
    for (size_t p = best->n_planets; p-- > 0;) {
        if (!is_absent[p])
            continue;
        memmove(rest->letters + p, rest->letters + p + 1, without->n_planets - 1 - p);
        rest->n_located -= p < rest->n_located;
        solution_remove_planet(star, without, p);
    }
}

/* Optimises from the noise that the solution has and from the one that is best beside its orbits.
 */
static equant_status optimise(study *star, stated_star *rest, solution *trial, stated_absence *made)
{
    equant_status status;
    solution_copy(star, &made->fitted, trial);
    status = stated_improve_begin(star, rest, false, &made->fitted);
    if (status == EQUANT_SUCCESS)
        status = maximum_likelihood_solution(star, trial->n_planets, POLISH_TO_RANK, trial);
    if (status == EQUANT_SUCCESS)
        status = stated_improve_take(star, rest, trial, &made->fitted);
    made->found = rest->found;
    made->fitted.log_likelihood = rest->found.log_likelihood;
    made->fitted.chi_square = rest->found.chi_square;
    made->bic = stated_star_bic(star, &made->fitted, &made->found);
    return status;
}

/* The same with the noise of the model without planets. */
static equant_status try_other_noise(study *star, const stated_star *rest,
                                     const solution *no_planets, solution *trial,
                                     stated_absence *made)
{
    stated_absence other = {.fitted = {.set = NULL}};
    stated_star its = *rest;
    equant_status status = solution_create(star, &other.fitted);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, &made->fitted, &other.fitted);
        status = noise_choice_adopt(star, made->fitted.n_planets, no_planets->noise, &other.fitted);
    }
    if (status == EQUANT_SUCCESS)
        status = optimise(star, &its, trial, &other);
    if (status == EQUANT_SUCCESS && other.bic < made->bic) {
        stated_absence kept = *made;
        *made = other;
        other = kept;
    }
    stated_absence_free(&other);
    return status;
}

equant_status stated_absence_create(study *star, const stated_star *own, const solution *best,
                                    const bool *is_absent, const solution *no_planets,
                                    stated_absence *made)
{
    stated_star rest;
    solution trial = {.set = NULL};
    *made = (stated_absence){.fitted = {.set = NULL}};
    equant_status status = solution_create(star, &made->fitted);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &trial);
    if (status == EQUANT_SUCCESS) {
        leave_out(star, own, best, is_absent, &rest, &made->fitted);
        status = optimise(star, &rest, &trial, made);
    }
    if (status == EQUANT_SUCCESS && star->chooses_noise &&
        !noise_choice_is_same(made->fitted.noise, no_planets->noise))
        status = try_other_noise(star, &rest, no_planets, &trial, made);
    solution_free(&trial);
    return status;
}

equant_status stated_absence_of_all(study *star, const stated_star *own, const solution *best,
                                    const stated_absence *known, solution *no_planets, double *bic)
{
    stated_absence own_model = {.fitted = {.set = NULL}};
    bool is_absent[STATE_LIST_MOST_PLANETS];
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = 0; p < STATE_LIST_MOST_PLANETS; p++)
        is_absent[p] = true;
    if (!known) {
        status = stated_absence_create(star, own, best, is_absent, no_planets, &own_model);
        known = &own_model;
    }
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, &known->fitted, no_planets);
        *bic = known->bic;
    }
    stated_absence_free(&own_model);
    return status;
}
