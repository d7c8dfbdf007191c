#include "inference/priors/stated_star.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/priors/stated_absence.h"
#include "inference/priors/stated_improve.h"
#include "inference/priors/stated_locate.h"
#include "inference/priors/stated_noise.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"

/* Steps of an optimisation whose end counts. */
enum { STEPS_TO_PUBLISH = 500 };

/* The noise that was asked for, as the star without planets has it. */
static equant_status begin_noise(study *star, solution *current)
{
    equant_status status = noise_choice_begin(star, current);
    return status == EQUANT_SUCCESS && current->noise.terms != 0
               ? maximum_likelihood_solution(star, 0, POLISH_TO_RANK, current)
               : status;
}

equant_status stated_star_begin(study *star, const equant_states *states, double star_mass,
                                const basis_words *basis, int trend_order, stated_star *made)
{
    solution current = {.set = NULL}, trial = {.set = NULL}, best = {.set = NULL};
    *made = (stated_star){.states = states, .star_mass = star_mass, .basis = *basis};
    equant_status status = solution_create(star, &current);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &trial);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &best);
    if (status == EQUANT_SUCCESS)
        solution_set_trend(star, &current, trend_order);
    if (status == EQUANT_SUCCESS && equant_states_n_planets(states) > 0)
        status = begin_noise(star, &current);
    for (size_t i = 0; i < equant_states_n_planets(states) && status == EQUANT_SUCCESS; i++) {
        char letter = equant_states_letter(states, i);
        if (state_list_of_planet(states, letter, "period_days"))
            status = stated_locate_planet(star, made, letter, &current, &trial, &best);
    }
    if (status == EQUANT_SUCCESS) {
        made->n_located = current.n_planets;
        memcpy(made->located, current.set, made->n_located * N_ELEMENTS * sizeof *made->located);
    }
    solution_free(&current);
    solution_free(&trial);
    solution_free(&best);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------
 */

/* The next letter that no planet has: one that the states name, or one behind all of these. */
static char next_letter(const stated_star *own, size_t n_named, const bool *is_named)
{
    for (size_t i = 0; i < equant_states_n_planets(own->states); i++) {
        char letter = equant_states_letter(own->states, i);
        bool is_taken = false;
        for (size_t p = 0; p < n_named; p++)
            is_taken = is_taken || (is_named[p] && own->letters[p] == letter);
        if (!is_taken)
            return letter;
    }
    char last = STATE_FIRST_LETTER - 1;
    for (size_t p = 0; p < n_named; p++)
        if (is_named[p] && own->letters[p] > last)
            last = own->letters[p];
    return last < STATE_LAST_LETTER ? (char)(last + 1) : STATE_LAST_LETTER;
}

void stated_star_name(const solution *best, stated_star *own)
{
    bool is_named[STATE_LIST_MOST_PLANETS] = {false};
    for (size_t p = 0; p < own->n_located; p++)
        is_named[p] = true;
    for (size_t i = own->n_located; i < best->n_planets; i++) {
        size_t next = best->n_planets;
        for (size_t p = own->n_located; p < best->n_planets; p++)
            if (!is_named[p] && (next == best->n_planets ||
                                 best->set[N_ELEMENTS * p] < best->set[N_ELEMENTS * next]))
                next = p;
        own->letters[next] = next_letter(own, best->n_planets, is_named);
        is_named[next] = true;
    }
}

double stated_star_bic(const study *star, const solution *best, const stated_result *found)
{
    return (double)found->n_free * log((double)star->n_obs) +
           2.0 * (outlier_set_price(best->noise.outliers) - found->log_likelihood);
}

static equant_status optimise(study *star, const stated_star *own, solution *fitted,
                              stated_result *found)
{
    const stated_problem problem = stated_locate_problem(star, own, fitted);
    return stated_fit_optimise(&problem, STEPS_TO_PUBLISH, fitted->set, found);
}

equant_status stated_star_optimise(study *star, const stated_star *own, solution *fitted)
{
    stated_result found;
    equant_status status = optimise(star, own, fitted, &found);
    if (status == EQUANT_SUCCESS) {
        fitted->log_likelihood = found.log_likelihood;
        fitted->chi_square = found.chi_square;
    }
    return status;
}

/* Whether the model without a planet is the same but for that. */
static bool is_nested(const stated_absence *without, const solution *best)
{
    return noise_choice_is_same(without->fitted.noise, best->noise);
}

/* A model without a planet that fits better than the one with it shows that the optimisation of
 * that one ended too early: it goes on from there. */
static equant_status optimise_from(study *star, stated_star *own, size_t planet,
                                   const stated_absence *without, solution *trial, solution *best)
{
    const double small = 0.01; /* of its amplitude */
    double elements[N_ELEMENTS], *at = trial->set + N_ELEMENTS * planet;
    memcpy(elements, best->set + N_ELEMENTS * planet, sizeof elements);
    elements[ELEMENT_K] *= small;
    solution_copy(star, &without->fitted, trial);
    solution_add_planet(star, trial, elements);
    memmove(at + N_ELEMENTS, at, N_ELEMENTS * (best->n_planets - 1 - planet) * sizeof *at);
    memcpy(at, elements, sizeof elements);
    return stated_improve_take(star, own, trial, best);
}

/* The model without each planet. Where one of them is ahead, the solution is optimised from it, and
 * all are compared again. */
static equant_status compare_absences(study *star, stated_star *own, const solution *no_planets,
                                      solution *best, stated_absence *without)
{
    enum { MOST_TURNS = 3 };
    solution trial = {.set = NULL};
    equant_status status = solution_create(star, &trial);
    bool is_behind = true;
    for (int turn = 0; turn < MOST_TURNS && is_behind && status == EQUANT_SUCCESS; turn++) {
        double before = own->found.log_likelihood;
        size_t ahead = best->n_planets;
        for (size_t p = 0; p < best->n_planets && status == EQUANT_SUCCESS; p++) {
            bool is_absent[STATE_LIST_MOST_PLANETS] = {false};
            is_absent[p] = true;
            stated_absence_free(&without[p]);
            status = stated_absence_create(star, own, best, is_absent, no_planets, &without[p]);
            if (status == EQUANT_SUCCESS && is_nested(&without[p], best) &&
                without[p].found.log_likelihood >
                    fmax(before,
                         ahead < best->n_planets ? without[ahead].found.log_likelihood : -INFINITY))
                ahead = p;
        }
        if (status == EQUANT_SUCCESS && ahead < best->n_planets)
            status = optimise_from(star, own, ahead, &without[ahead], &trial, best);
        is_behind = own->found.log_likelihood > before;
    }
    solution_free(&trial);
    return status;
}

/* What the model loses without each planet and without any. */
static equant_status weigh_absences(study *star, stated_star *own, solution *best,
                                    solution *no_planets, double *gain, double *gain_bic)
{
    stated_absence without[STATE_LIST_MOST_PLANETS] = {{.bic = 0.0}};
    equant_status status = compare_absences(star, own, no_planets, best, without);
    for (size_t p = 0; p < best->n_planets && status == EQUANT_SUCCESS; p++) {
        gain[p] = own->found.log_likelihood - without[p].found.log_likelihood;
        gain_bic[p] = without[p].bic - stated_star_bic(star, best, &own->found);
    }
    if (status == EQUANT_SUCCESS)
        status = stated_absence_of_all(star, own, best, best->n_planets == 1 ? without : NULL,
                                       no_planets, &own->bic_without_planets);
    for (size_t p = 0; p < best->n_planets; p++)
        stated_absence_free(&without[p]);
    return status;
}

equant_status stated_star_finish(study *star, stated_star *own, solution *best,
                                 solution *no_planets, double *gain, double *gain_bic)
{
    /* Where only a basis was given, the finder has compared these models already. */
    bool weighs = !own->is_alone && !own->is_hurried &&
                  equant_states_n(own->states) + equant_states_n_planets(own->states) > 0;
    equant_status status = study_report(star, "fitting with what is known", 0.0);
    own->bic_without_planets = solution_bic(star, no_planets, 0);
    for (size_t p = 0; p < best->n_planets && own->is_hurried; p++)
        gain[p] = gain_bic[p] = NAN;
    if (status == EQUANT_SUCCESS)
        status = own->is_hurried ? optimise(star, own, best, &own->found)
                                 : stated_improve_begin(star, own, true, best);
    if (status == EQUANT_SUCCESS && !isfinite(own->found.log_likelihood))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no orbits are possible with what was said of them");
    if (status == EQUANT_SUCCESS && weighs)
        status = weigh_absences(star, own, best, no_planets, gain, gain_bic);
    best->log_likelihood = own->found.log_likelihood;
    best->chi_square = own->found.chi_square;
    return status;
}

equant_status stated_star_uncertainty(study *star, const stated_star *own, const solution *best,
                                      uncertainty *made)
{
    const stated_problem problem = stated_locate_problem(star, own, best);
    size_t n = study_layout(star, best->n_planets, best->trend_order).n_parameters;
    double *covariance = malloc(n * n * sizeof *covariance);
    if (!covariance)
        return status_out_of_memory();
    double scale = uncertainty_scale(star, best, own->found.n_scaled);
    equant_status status = stated_fit_covariance(&problem, best->set, scale, covariance);
    if (status == EQUANT_SUCCESS)
        status = uncertainty_take(best, n, covariance, made);
    free(covariance);
    return status;
}
