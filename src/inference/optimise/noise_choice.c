#include "inference/optimise/noise_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_fit.h"
#include "inference/optimise/noise_integral.h"
#include "inference/optimise/outliers.h"
#include "inference/likelihood/study_crew.h"

/* Rounds of least squares by which indicators are ranked, and what ln L must gain at least for a
 * change of the choice. */
enum { RANKING_ITERATIONS = 2 };
#define LEAST_GAIN 0.1
/* What another shape must gain in ln L: odds of three, below which none would speak of evidence. */
#define LEAST_GAIN_OF_SHAPE 1.1

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

/* Terms that are shapes of the same noise as this one, which is one of them. */
static unsigned shapes_of(const noise_menu *menu, size_t term)
{
    unsigned shapes = 0;
    for (size_t t = 0; t < menu->n_terms; t++)
        if (menu->terms[t].instead_of == menu->terms[term].instead_of)
            shapes |= 1u << t;
    return shapes;
}

/* Whether a model may come to have a term or lose it. Other shapes come where one is, late. */
static bool may_toggle(const study *star, const solution *fitted, size_t term)
{
    const noise_menu *menu = &star->menu;
    unsigned shapes = shapes_of(menu, term);
    if (menu->always.terms & shapes)
        return false;
    return menu->terms[term].instead_of == term ||
           (star->weighs_shapes && fitted->noise.terms & shapes);
}

/* Whether a term is another shape of what a model has chosen. */
static bool may_become(const study *star, const solution *fitted, size_t term)
{
    const noise_menu *menu = &star->menu;
    unsigned others = shapes_of(menu, term) & ~(1u << term);
    return star->chooses_noise && menu->terms[term].instead_of != term &&
           !(menu->always.terms & shapes_of(menu, term)) && fitted->noise.terms & others;
}

/* `trial` becomes `fitted` with one term more or less, or in the place of another shape, refitted.
 */
static equant_status toggle_term(study *star, size_t n_fixed, size_t term, const solution *fitted,
                                 solution *trial)
{
    equant_status status = EQUANT_SUCCESS;
    solution_copy(star, fitted, trial);
    trial->noise.terms ^= 1u << term;
    if (trial->noise.terms >> term & 1) {
        trial->noise.terms &= ~shapes_of(&star->menu, term);
        trial->noise.terms |= 1u << term;
        status = begin_term(star, n_fixed, term, trial);
    }
    return status == EQUANT_SUCCESS
               ? maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, trial)
               : status;
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
    return status == EQUANT_SUCCESS ? set_likelihood_evaluate(star, &shape, trial->set, &results)
                                    : status;
}

/* Models that differ from one in a term or an indicator. */
typedef struct neighbours {
    const solution *fitted;
    size_t n_fixed;
    solution *trials; /* [terms and indicators of the menu] */
} neighbours;

static equant_status make_trials(study *star, size_t n, solution **made)
{
    solution *trials = calloc(n + 1, sizeof *trials);
    equant_status status = trials ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        status = solution_create(star, &trials[i]);
    *made = trials;
    return status;
}

static void free_trials(size_t n, solution *trials)
{
    for (size_t i = 0; trials && i < n; i++)
        solution_free(&trials[i]);
    free(trials);
}

static equant_status rank_indicator_of(study *star, void *context, size_t i)
{
    const neighbours *near = context;
    solution *trial = &near->trials[i];
    if (star->menu.always.indicators >> i & 1)
        return EQUANT_SUCCESS;
    return rank_indicator(star, near->n_fixed, i, near->fitted, trial);
}

/* The indicator whose change promises most with the noise as it is; n_indicators: none promises
 * anything. */
static equant_status rank_indicators(study *star, size_t n_fixed, const solution *fitted,
                                     solution *trials, size_t *chosen)
{
    double most = solution_score(star, fitted) + LEAST_GAIN;
    size_t n = star->menu.n_indicators;
    neighbours near = {fitted, n_fixed, trials};
    equant_status status = study_crew_share(star, n, rank_indicator_of, &near);
    *chosen = n;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        if (!(star->menu.always.indicators >> i & 1) && solution_score(star, &trials[i]) > most) {
            most = solution_score(star, &trials[i]);
            *chosen = i;
        }
    return status;
}

/* The model with the indicator changed that promises most, in the first of the trials. */
static equant_status try_indicators(study *star, size_t n_fixed, const solution *fitted,
                                    solution *trials, bool *has_tried)
{
    size_t chosen;
    equant_status status = rank_indicators(star, n_fixed, fitted, trials, &chosen);
    *has_tried = status == EQUANT_SUCCESS && chosen < star->menu.n_indicators;
    if (!*has_tried)
        return status;
    toggle_indicator(star, chosen, fitted, &trials[0]);
    return maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, &trials[0]);
}

/* One step of a choice: every term, then the indicators, then outliers. */
typedef struct step {
    neighbours near;
    bool *has_tried; /* [terms of the menu and 2] */
} step;

/* Where the trial of outliers is, behind those of terms and indicators. */
static size_t outlier_trial(const study *star)
{
    return star->menu.n_terms + star->menu.n_indicators + 1;
}

static equant_status try_outliers(study *star, const neighbours *near, solution *trial,
                                  bool *has_tried)
{
    solution_copy(star, near->fitted, trial);
    *has_tried = star->book.is_open;
    return outliers_choose(star, near->n_fixed, trial);
}

static equant_status try_one(study *star, void *context, size_t i)
{
    const step *taken = context;
    const neighbours *near = &taken->near;
    if (i == star->menu.n_terms)
        return try_indicators(star, near->n_fixed, near->fitted, near->trials + i,
                              &taken->has_tried[i]);
    if (i > star->menu.n_terms)
        return try_outliers(star, near, &near->trials[outlier_trial(star)], &taken->has_tried[i]);
    taken->has_tried[i] = may_toggle(star, near->fitted, i);
    if (!taken->has_tried[i])
        return EQUANT_SUCCESS;
    /* With another noise other observations are off. */
    equant_status status = toggle_term(star, near->n_fixed, i, near->fitted, &near->trials[i]);
    return status == EQUANT_SUCCESS ? outliers_choose(star, near->n_fixed, &near->trials[i])
                                    : status;
}

/* `fitted` becomes the best of its neighbours, where that is better. */
static equant_status take_step(study *star, step *taken, solution *fitted, bool *has_improved)
{
    const noise_menu *menu = &star->menu;
    const solution *best = fitted;
    equant_status status = study_crew_share(star, menu->n_terms + 2, try_one, taken);
    *has_improved = false;
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i <= menu->n_terms + 1; i++) {
        const solution *trial = &taken->near.trials[i <= menu->n_terms ? i : outlier_trial(star)];
        if (taken->has_tried[i] && solution_score(star, trial) > solution_score(star, best))
            best = trial;
    }
    *has_improved = solution_score(star, best) > solution_score(star, fitted) + LEAST_GAIN;
    if (*has_improved)
        solution_copy(star, best, fitted);
    return status;
}

equant_status noise_choice_begin(study *star, solution *fitted)
{
    equant_status status = EQUANT_SUCCESS;
    fitted->noise.indicators |= star->menu.always.indicators;
    if (star->menu.series)
        series_rows_start(star->menu.series,
                          fitted->set +
                              study_first_correlated(star, fitted->n_planets, fitted->trend_order) +
                              star->menu.first_series);
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
    size_t n = outlier_trial(star) + 1;
    bool has_tried[NOISE_MENU_MOST_TERMS + 2] = {false}, has_improved = true;
    bool is_empty = menu->n_terms + menu->n_indicators == 0 && !star->book.is_open;
    if (!star->chooses_noise || is_empty)
        return EQUANT_SUCCESS;
    step taken = {{fitted, n_fixed, NULL}, has_tried};
    equant_status status = make_trials(star, n, &taken.near.trials);
    while (has_improved && status == EQUANT_SUCCESS)
        status = take_step(star, &taken, fitted, &has_improved);
    free_trials(n, taken.near.trials);
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

equant_status noise_choice_reshape(study *star, size_t n_fixed, solution *fitted, bool *has_changed)
{
    const noise_menu *menu = &star->menu;
    solution trial = {.set = NULL};
    equant_status status = EQUANT_SUCCESS;
    *has_changed = false;
    for (size_t t = 0; t < menu->n_terms && status == EQUANT_SUCCESS; t++) {
        if (!may_become(star, fitted, t))
            continue;
        if (!trial.set)
            status = solution_create(star, &trial);
        if (status == EQUANT_SUCCESS)
            status = toggle_term(star, n_fixed, t, fitted, &trial);
        if (status == EQUANT_SUCCESS &&
            solution_score(star, &trial) > solution_score(star, fitted) + LEAST_GAIN_OF_SHAPE) {
            solution_copy(star, &trial, fitted);
            *has_changed = true;
        }
    }
    solution_free(&trial);
    return status;
}

/* What the terms of a solution cost, by one of two ways. */
typedef equant_status pricing(study *star, const noise_fit_problem *problem, const double *set,
                              double *price);

static equant_status price_by(study *star, size_t n_fixed, pricing *by, const solution *fitted,
                              double *price)
{
    const least_squares_problem problem = problem_of(fitted, n_fixed);
    const study_shape shape = solution_shape(fitted);
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    bool *is_free = malloc((layout.n_parameters + 1) * sizeof *is_free);
    if (!is_free)
        return status_out_of_memory();
    least_squares_free_columns(star, &problem, is_free);
    const noise_fit_problem priced = {&shape, is_free, 0, POLISH_TO_RANK};
    equant_status status = by(star, &priced, fitted->set, price);
    free(is_free);
    return status;
}

equant_status noise_choice_price(study *star, size_t n_fixed, solution *fitted)
{
    if (!star->chooses_noise || fitted->noise.terms == 0 || !isnan(fitted->noise_price))
        return EQUANT_SUCCESS;
    return price_by(star, n_fixed, noise_fit_price, fitted, &fitted->noise_price);
}

/* Whole matrices take too long for hundreds of draws. */
static bool has_whole_term(const study *star, const solution *fitted)
{
    for (size_t t = 0; t < star->menu.n_terms; t++)
        if (fitted->noise.terms >> t & 1 && noise_catalogue_is_whole(star->menu.terms[t].kind))
            return true;
    return false;
}

equant_status noise_choice_price_by_integral(study *star, size_t n_fixed, solution *fitted)
{
    double price = NAN;
    if (fitted->noise.terms == 0 || has_whole_term(star, fitted))
        return EQUANT_SUCCESS;
    equant_status status = price_by(star, n_fixed, noise_integral_price, fitted, &price);
    if (status == EQUANT_SUCCESS && !isnan(price))
        fitted->noise_price = price;
    return status;
}

bool noise_choice_is_same(noise_choice one, noise_choice other)
{
    return one.terms == other.terms && one.indicators == other.indicators &&
           outlier_set_is_same(one.outliers, other.outliers);
}

bool noise_choice_may_add(const study *star, unsigned terms, size_t term)
{
    const noise_menu *menu = &star->menu;
    return term < menu->n_terms && menu->terms[term].instead_of == term &&
           !noise_catalogue_is_whole(menu->terms[term].kind) && !(terms & shapes_of(menu, term));
}

equant_status noise_choice_adopt(study *star, size_t n_fixed, noise_choice wanted, solution *fitted)
{
    unsigned added = wanted.terms & ~fitted->noise.terms;
    size_t first_indicator = study_first_indicator(star, fitted->n_planets, fitted->trend_order);
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < star->menu.n_indicators; i++)
        if ((wanted.indicators ^ fitted->noise.indicators) >> i & 1)
            fitted->set[first_indicator + i] = 0.0;
    fitted->noise = (noise_choice){.terms = fitted->noise.terms & wanted.terms,
                                   .indicators = wanted.indicators,
                                   .outliers = wanted.outliers};
    for (size_t t = 0; t < star->menu.n_terms && status == EQUANT_SUCCESS; t++)
        if (added >> t & 1) {
            fitted->noise.terms |= 1u << t;
            status = begin_term(star, n_fixed, t, fitted);
        }
    return status == EQUANT_SUCCESS
               ? maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, fitted)
               : status;
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

/* Another shape of what a model does not have in any. */
static bool is_strange_shape(const study *star, const solution *fitted, size_t term)
{
    const noise_menu *menu = &star->menu;
    return menu->terms[term].instead_of != term && !(fitted->noise.terms & shapes_of(menu, term));
}

static equant_status try_any(study *star, void *context, size_t i)
{
    const neighbours *near = context;
    size_t n_terms = star->menu.n_terms;
    solution *trial = &near->trials[i];
    if (i < n_terms && is_strange_shape(star, near->fitted, i))
        return EQUANT_SUCCESS;
    if (i < n_terms)
        return toggle_term(star, near->n_fixed, i, near->fitted, trial);
    equant_status status = rank_indicator(star, near->n_fixed, i - n_terms, near->fitted, trial);
    bool is_chosen = near->fitted->noise.indicators >> (i - n_terms) & 1;
    return status == EQUANT_SUCCESS && is_chosen
               ? maximum_likelihood_solution(star, near->n_fixed, POLISH_TO_RANK, trial)
               : status;
}

equant_status noise_choice_try_all(study *star, size_t n_fixed, const solution *fitted,
                                   noise_trial *terms, noise_trial *indicators)
{
    size_t n_terms = star->menu.n_terms, n = n_terms + star->menu.n_indicators;
    neighbours near = {fitted, n_fixed, NULL};
    equant_status status = make_trials(star, n, &near.trials);
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, n, try_any, &near);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        if (i < n_terms && is_strange_shape(star, fitted, i))
            terms[i] = (noise_trial){NAN, NAN};
        else if (i < n_terms)
            terms[i] = worth_of(star, fitted, &near.trials[i], fitted->noise.terms >> i & 1);
        else
            indicators[i - n_terms] = worth_of(star, fitted, &near.trials[i],
                                               fitted->noise.indicators >> (i - n_terms) & 1);
    free_trials(n, near.trials);
    return status;
}
