#include "inference/study/noise_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/maximum_likelihood.h"
#include "inference/study/noise_fit.h"

/* Rounds of least squares by which indicators are ranked, and what ln L must gain at least for a
 * change of the choice. */
enum { RANKING_ITERATIONS = 2 };
#define LEAST_GAIN 0.1

static least_squares_problem problem_of(const solution *fitted, size_t n_fixed)
{
    return (least_squares_problem){.n_planets = fitted->n_planets,
                                   .trend_order = fitted->trend_order,
                                   .noise = fitted->noise,
                                   .n_fixed = n_fixed,
                                   .max_iterations = RANKING_ITERATIONS};
}

/* First values of a term that a solution has just chosen. */
static equant_status begin_term(study *star, size_t n_fixed, size_t term, solution *fitted)
{
    const least_squares_problem problem = problem_of(fitted, n_fixed);
    const study_shape shape = solution_shape(fitted);
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    bool *is_free = malloc((layout.n_parameters + 1) * sizeof *is_free);
    if (!is_free)
        return status_out_of_memory();
    least_squares_free_columns(star, &problem, is_free);
    const noise_fit_problem starts = {&shape, is_free, 0, POLISH_TO_RANK};
    equant_status status = noise_fit_begin_term(star, &starts, term, fitted->set);
    free(is_free);
    return status;
}

/* `trial` becomes `fitted` with one term more or less, refitted. */
static equant_status toggle_term(study *star, size_t n_fixed, size_t term, const solution *fitted,
                                 solution *trial)
{
    equant_status status = EQUANT_SUCCESS;
    solution_copy(star, fitted, trial);
    trial->noise.terms ^= 1u << term;
    if (trial->noise.terms >> term & 1)
        status = begin_term(star, n_fixed, term, trial);
    return status == EQUANT_SUCCESS
               ? maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, trial)
               : status;
}

/* `best` becomes the better of itself and `fitted` with one term more or less. */
static equant_status try_term(study *star, size_t n_fixed, size_t term, const solution *fitted,
                              solution *trial, solution *best)
{
    equant_status status = toggle_term(star, n_fixed, term, fitted, trial);
    if (status == EQUANT_SUCCESS && solution_score(star, trial) > solution_score(star, best))
        solution_copy(star, trial, best);
    return status;
}

/* `trial` becomes `fitted` with one indicator more or less. */
static void toggle_indicator(study *star, size_t indicator, const solution *fitted, solution *trial)
{
    solution_copy(star, fitted, trial);
    trial->noise.indicators ^= 1u << indicator;
    trial->set[study_first_indicator(star, trial->n_planets, trial->trend_order) + indicator] = 0.0;
}

/* The same, refitted with the noise as it is. */
static equant_status rank_indicator(study *star, size_t n_fixed, size_t indicator,
                                    const solution *fitted, solution *trial)
{
    double chi_square;
    toggle_indicator(star, indicator, fitted, trial);
    const least_squares_problem problem = problem_of(trial, n_fixed);
    const study_shape shape = solution_shape(trial);
    set_likelihood_results results = {.log_likelihood = &trial->log_likelihood};
    equant_status status = least_squares_refine(star, &problem, 1, trial->set, &chi_square);
    return status == EQUANT_SUCCESS ? set_likelihood_evaluate(star, &shape, 1, trial->set, &results)
                                    : status;
}

/* The indicator whose change promises most with the noise as it is; n_indicators: none promises
 * anything. */
static equant_status rank_indicators(study *star, size_t n_fixed, const solution *fitted,
                                     solution *trial, size_t *chosen)
{
    double most = solution_score(star, fitted) + LEAST_GAIN;
    size_t n = star->menu.n_indicators;
    equant_status status = EQUANT_SUCCESS;
    *chosen = n;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        if (star->menu.always.indicators >> i & 1)
            continue;
        status = rank_indicator(star, n_fixed, i, fitted, trial);
        if (status == EQUANT_SUCCESS && solution_score(star, trial) > most) {
            most = solution_score(star, trial);
            *chosen = i;
        }
    }
    return status;
}

static equant_status try_indicators(study *star, size_t n_fixed, const solution *fitted,
                                    solution *trial, solution *best)
{
    size_t chosen;
    equant_status status = rank_indicators(star, n_fixed, fitted, trial, &chosen);
    if (status != EQUANT_SUCCESS || chosen == star->menu.n_indicators)
        return status;
    toggle_indicator(star, chosen, fitted, trial);
    status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, trial);
    if (status == EQUANT_SUCCESS && solution_score(star, trial) > solution_score(star, best))
        solution_copy(star, trial, best);
    return status;
}

equant_status noise_choice_begin(study *star, solution *fitted)
{
    equant_status status = EQUANT_SUCCESS;
    fitted->noise.indicators |= star->menu.always.indicators;
    for (size_t t = 0; t < star->menu.n_terms && status == EQUANT_SUCCESS; t++)
        if (star->menu.always.terms >> t & 1) {
            fitted->noise.terms |= 1u << t;
            status = begin_term(star, 0, t, fitted);
        }
    return status;
}

equant_status noise_choice_improve(study *star, size_t n_fixed, solution *fitted)
{
    const noise_menu *menu = &star->menu;
    solution trial = {.set = NULL}, best = {.set = NULL};
    if (!star->chooses_noise || menu->n_terms + menu->n_indicators == 0)
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, &trial);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &best);
    bool improved = true;
    while (improved && status == EQUANT_SUCCESS) {
        solution_copy(star, fitted, &best);
        for (size_t t = 0; t < menu->n_terms && status == EQUANT_SUCCESS; t++)
            if (!(menu->always.terms >> t & 1))
                status = try_term(star, n_fixed, t, fitted, &trial, &best);
        if (status == EQUANT_SUCCESS)
            status = try_indicators(star, n_fixed, fitted, &trial, &best);
        improved = status == EQUANT_SUCCESS &&
                   solution_score(star, &best) > solution_score(star, fitted) + LEAST_GAIN;
        if (improved)
            solution_copy(star, &best, fitted);
    }
    solution_free(&trial);
    solution_free(&best);
    return status;
}

equant_status noise_choice_restart(study *star, size_t n_fixed, solution *fitted)
{
    solution trial = {.set = NULL};
    if (!star->chooses_noise || fitted->noise.terms == 0)
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, &trial);
    for (size_t t = 0; t < star->menu.n_terms && status == EQUANT_SUCCESS; t++) {
        if (!(fitted->noise.terms >> t & 1) || star->menu.terms[t].kind->n_parameters < 2)
            continue;
        solution_copy(star, fitted, &trial);
        status = begin_term(star, n_fixed, t, &trial);
        if (status == EQUANT_SUCCESS)
            status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, &trial);
        if (status == EQUANT_SUCCESS && trial.log_likelihood > fitted->log_likelihood + LEAST_GAIN)
            solution_copy(star, &trial, fitted);
    }
    solution_free(&trial);
    return status;
}

equant_status noise_choice_price(study *star, size_t n_fixed, solution *fitted)
{
    if (!star->chooses_noise || fitted->noise.terms == 0 || !isnan(fitted->noise_price))
        return EQUANT_SUCCESS;
    const least_squares_problem problem = problem_of(fitted, n_fixed);
    const study_shape shape = solution_shape(fitted);
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    bool *is_free = malloc((layout.n_parameters + 1) * sizeof *is_free);
    if (!is_free)
        return status_out_of_memory();
    least_squares_free_columns(star, &problem, is_free);
    const noise_fit_problem priced = {&shape, is_free, 0, POLISH_TO_RANK};
    equant_status status = noise_fit_price(star, &priced, fitted->set, &fitted->noise_price);
    free(is_free);
    return status;
}

/* What a model is worth with something that `trial` has and it lacks, or the other way round. */
static noise_trial worth_of(const study *star, const solution *fitted, const solution *trial,
                            bool is_chosen)
{
    double sign = is_chosen ? 1.0 : -1.0;
    return (noise_trial){
        .log_likelihood_gain = sign * (fitted->log_likelihood - trial->log_likelihood),
        .delta_bic = sign * (solution_bic(star, trial, 0) - solution_bic(star, fitted, 0))};
}

equant_status noise_choice_try_all(study *star, size_t n_fixed, const solution *fitted,
                                   noise_trial *terms, noise_trial *indicators)
{
    solution trial = {.set = NULL};
    equant_status status = solution_create(star, &trial);
    for (size_t t = 0; t < star->menu.n_terms && status == EQUANT_SUCCESS; t++) {
        status = toggle_term(star, n_fixed, t, fitted, &trial);
        terms[t] = worth_of(star, fitted, &trial, fitted->noise.terms >> t & 1);
    }
    for (size_t i = 0; i < star->menu.n_indicators && status == EQUANT_SUCCESS; i++) {
        bool is_chosen = fitted->noise.indicators >> i & 1;
        status = rank_indicator(star, n_fixed, i, fitted, &trial);
        if (status == EQUANT_SUCCESS && is_chosen)
            status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, &trial);
        indicators[i] = worth_of(star, fitted, &trial, is_chosen);
    }
    solution_free(&trial);
    return status;
}
