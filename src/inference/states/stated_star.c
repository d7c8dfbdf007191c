#include "inference/states/stated_star.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/trend_order.h"
#include "inference/states/stated_noise.h"
#include "inference/study/maximum_likelihood.h"
#include "inference/study/noise_choice.h"
#include "model/circle.h"

/* Steps of a climb that only ranks starts, and of one whose end counts. */
enum { STEPS_TO_RANK = 40, STEPS_TO_PUBLISH = 500 };
/* Periods, phases and shapes from which a planet is tried. */
enum { N_PEAKS = 6, N_PHASES = 12, N_SHAPES = 5 };
/* Scales of a term of noise from which it is tried again, how often that is done, and by how much
 * an end is to be higher. */
enum { N_SCALES = 6, MOST_TURNS = 3 };
#define LEAST_GAIN 1e-6
/* Words of a noise with its values. */
enum { FOUND_NOISE_SIZE = 1024 };

static stated_problem problem_of(study *star, const stated_star *own, const solution *fitted)
{
    return (stated_problem){.states = own->states,
                            .star = star,
                            .shape = solution_shape(fitted),
                            .letters = own->letters,
                            .star_mass = own->star_mass,
                            .basis = own->basis,
                            .absent = fitted->n_planets};
}

/* ---- where to begin ---------------------------------------------------------------------------
 */

typedef struct period_list {
    size_t n;
    double days[N_PEAKS];
} period_list;

/* A period that is known so well that no orbit slips by a quarter of a turn over the data. */
static bool is_sharp(const prior_density *period, double span_days)
{
    const double tail = 0.02;
    return 1.0 / prior_density_quantile(period, tail) -
               1.0 / prior_density_quantile(period, 1.0 - tail) <
           0.25 / span_days;
}

static double middle_of(const prior_density *density)
{
    return density->kind == PRIOR_FIXED ? density->first : prior_density_quantile(density, 0.5);
}

/* The periods at which circles fit best within a prior, beside the planets that are there. */
static equant_status find_periods(study *star, const prior_density *period, const solution *beside,
                                  period_list *found)
{
    const double tail = 1e-3;
    double shortest = prior_density_quantile(period, tail),
           longest = prior_density_quantile(period, 1.0 - tail);
    found->n = 1;
    found->days[0] = middle_of(period);
    if (period->kind == PRIOR_FIXED || is_sharp(period, star->span_days))
        return EQUANT_SUCCESS;
    char noise[FOUND_NOISE_SIZE];
    noise_menu_write(&star->menu, beside->noise,
                     beside->set +
                         study_first_correlated(star, beside->n_planets, beside->trend_order),
                     sizeof noise, noise);
    equant_search_options options = {.struct_size = sizeof options,
                                     .engine = &star->scan_engine,
                                     .period_min_days = shortest,
                                     .period_max_days = longest,
                                     .circular_only = 1,
                                     .trend = trend_order_name(beside->trend_order),
                                     .noise = noise[0] ? noise : NULL,
                                     .n_known = beside->n_planets,
                                     .known = beside->set,
                                     .n_peaks = N_PEAKS};
    equant_periodogram *scanned = NULL;
    equant_status status = equant_search(star->dataset, &options, &scanned);
    for (size_t i = 0;
         status == EQUANT_SUCCESS && i < equant_periodogram_n_peaks(scanned) && i < N_PEAKS; i++) {
        equant_peak peak = {.struct_size = sizeof peak};
        status = equant_periodogram_peak(scanned, i, &peak);
        found->days[i] = peak.period_days;
        found->n = i + 1;
    }
    equant_periodogram_free(scanned);
    return status;
}

/* An amplitude to begin with: what was said of it, or the scatter that is left. */
static double first_amplitude(const study *star, const stated_star *own, char letter,
                              const solution *beside)
{
    const parameter_state *k = state_list_of_planet(own->states, letter, "k_m_s");
    double sum = 0.0;
    for (size_t i = 0; i < star->n_instruments; i++)
        sum = fmax(sum, solution_values(star, beside, TERM_JITTERS)[i]);
    return fmax(k ? middle_of(&k->density) : fmax(sum, 1.0), STATED_LEAST_K);
}

typedef struct start {
    stated_orbit orbit;
    double period_days, k_m_s;
    size_t n_phases, n_shapes;
} start;

static void fill_start(const start *from, size_t phase, size_t shape, double elements[N_ELEMENTS])
{
    const stated_orbit *own = &from->orbit;
    double e = shape == 0 ? 0.0 : 0.4, omega = 0.5 * PI * (double)shape, at[N_STATED];
    at[STATED_LN_PERIOD] = log(from->period_days);
    at[STATED_K] = from->k_m_s;
    at[STATED_SHAPE] = own->is_polar ? e : e * cos(omega);
    at[STATED_SHAPE_TOO] = own->is_polar ? omega : e * sin(omega);
    at[STATED_PHASE] = 0.0;
    if (own->phase == PHASE_LONGITUDE || own->phase == PHASE_M0)
        at[STATED_PHASE] = TWO_PI * (double)phase / (double)from->n_phases;
    for (size_t i = 0; i < N_STATED; i++)
        if (!own->is_free[i])
            at[i] = own->fixed[i];
    stated_orbit_bound(own, at);
    stated_orbit_elements(own, at, elements);
}

/* Tries all phases and shapes at a period; the best solution is kept. */
static equant_status try_period(study *star, const stated_star *own, const start *from,
                                const solution *beside, solution *trial, double *highest,
                                solution *best)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < from->n_phases * from->n_shapes && status == EQUANT_SUCCESS; i++) {
        double elements[N_ELEMENTS];
        stated_result found;
        fill_start(from, i % from->n_phases, i / from->n_phases, elements);
        solution_copy(star, beside, trial);
        solution_add_planet(star, trial, elements);
        stated_problem problem = problem_of(star, own, trial);
        problem.keeps_noise = true; /* until the best start is known */
        status = stated_fit_climb(&problem, STEPS_TO_RANK, trial->set, &found);
        if (status == EQUANT_SUCCESS && found.log_likelihood + found.log_prior > *highest) {
            *highest = found.log_likelihood + found.log_prior;
            solution_copy(star, trial, best);
        }
    }
    return status;
}

static equant_status add_planet(study *star, stated_star *own, char letter, solution *current,
                                solution *trial, solution *best)
{
    const parameter_state *said = state_list_of_planet(own->states, letter, "period_days");
    double reference = equant_dataset_reference_time_days(star->dataset), highest = -INFINITY;
    start from = {.orbit = stated_orbit_of(own->states, letter, reference)};
    bool is_open = from.orbit.phase == PHASE_LONGITUDE || from.orbit.phase == PHASE_M0;
    bool is_round = from.orbit.is_polar && !from.orbit.is_free[STATED_SHAPE];
    period_list periods;
    from.n_phases = is_open && from.orbit.is_free[STATED_PHASE] ? N_PHASES : 1;
    from.n_shapes = is_round && !from.orbit.is_free[STATED_SHAPE_TOO] ? 1 : N_SHAPES;
    from.k_m_s = first_amplitude(star, own, letter, current);
    own->letters[current->n_planets] = letter;
    equant_status status = find_periods(star, &said->density, current, &periods);
    for (size_t i = 0; i < periods.n && status == EQUANT_SUCCESS; i++) {
        from.period_days = periods.days[i];
        status = try_period(star, own, &from, current, trial, &highest, best);
    }
    if (status == EQUANT_SUCCESS && !isfinite(highest))
        return parameter_state_fail(said,
                                    "no orbit of planet %c is possible with what was said of "
                                    "it",
                                    letter);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, best, current);
    const stated_problem problem = problem_of(star, own, current);
    stated_result found;
    return stated_fit_climb(&problem, STEPS_TO_RANK, current->set, &found);
}

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
            status = add_planet(star, made, letter, &current, &trial, &best);
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

static double height_of(const stated_result *found)
{
    return found->log_likelihood + found->log_prior;
}

/* Climbs from a trial, and keeps it where it ends higher. */
static equant_status take_if_higher(study *star, stated_star *own, solution *trial, solution *best)
{
    const stated_problem problem = problem_of(star, own, trial);
    stated_result found;
    equant_status status = stated_fit_climb(&problem, STEPS_TO_PUBLISH, trial->set, &found);
    if (status == EQUANT_SUCCESS && height_of(&found) > height_of(&own->found) + LEAST_GAIN) {
        own->found = found;
        solution_copy(star, trial, best);
    }
    return status;
}

/* A term of noise with another scale, all else of it but the amplitude as where fits begin. */
static void set_scale(const study *star, const stated_star *own, size_t t, double share,
                      solution *trial)
{
    const noise_menu_term *term = &star->menu.terms[t];
    const noise_range *range = &term->parameters[1];
    const parameter_state *said = stated_noise_said(own->states, star, t, 1);
    double *values = trial->set +
                     study_first_correlated(star, trial->n_planets, trial->trend_order) +
                     term->first,
           amplitude = values[0];
    noise_menu_start(term, values);
    values[0] = noise_range_is_open(&term->parameters[0]) ? amplitude : values[0];
    values[1] = said ? prior_density_quantile(&said->density, share)
                     : range->lowest * pow(range->highest / range->lowest, share);
    values[1] = fmin(fmax(values[1], range->lowest), range->highest);
    for (size_t i = 2; i < term->kind->n_parameters; i++)
        if (term->parameters[i].per_period)
            values[i] = term->parameters[i].start * values[1];
}

/* Noise has many maxima: its scales are tried all along what is believed of them. */
static equant_status try_scales(study *star, stated_star *own, solution *trial, solution *best)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t t = 0; t < star->menu.n_terms; t++) {
        const noise_menu_term *term = &star->menu.terms[t];
        bool has_scale = best->noise.terms >> t & 1 && term->kind->n_parameters > 1 &&
                         noise_range_is_open(&term->parameters[1]);
        for (int i = 0; i < N_SCALES && has_scale && status == EQUANT_SUCCESS; i++) {
            solution_copy(star, best, trial);
            set_scale(star, own, t, (i + 0.5) / N_SCALES, trial);
            status = take_if_higher(star, own, trial, best);
        }
    }
    return status;
}

/* Where noise is not what a planet was located beside, it may be elsewhere. */
static equant_status locate_again(study *star, stated_star *own, size_t planet, solution *trial,
                                  solution *found, solution *best)
{
    char letters[STATE_LIST_MOST_PLANETS], letter = own->letters[planet];
    size_t last = best->n_planets - 1;
    solution current = {.set = NULL};
    equant_status status = solution_create(star, &current);
    if (status != EQUANT_SUCCESS)
        return status;
    memcpy(letters, own->letters, sizeof letters);
    solution_copy(star, best, &current);
    solution_remove_planet(star, &current, planet);
    memmove(own->letters + planet, own->letters + planet + 1, last - planet);
    status = add_planet(star, own, letter, &current, trial, found);
    memcpy(own->letters, letters, sizeof letters);
    if (status == EQUANT_SUCCESS) { /* it goes from the end to where it was */
        double elements[N_ELEMENTS], *at = current.set + N_ELEMENTS * planet;
        memcpy(elements, current.set + N_ELEMENTS * last, sizeof elements);
        memmove(at + N_ELEMENTS, at, N_ELEMENTS * (last - planet) * sizeof *at);
        memcpy(at, elements, sizeof elements);
        status = take_if_higher(star, own, &current, best);
    }
    solution_free(&current);
    return status;
}

/* From other scales of the noise and, beside that, from other periods, while that helps. */
static equant_status improve(study *star, stated_star *own, solution *best)
{
    solution trial = {.set = NULL}, found = {.set = NULL};
    equant_status status = solution_create(star, &trial);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &found);
    double before = -INFINITY;
    for (int turn = 0;
         turn < MOST_TURNS && status == EQUANT_SUCCESS && height_of(&own->found) > before; turn++) {
        before = height_of(&own->found);
        status = try_scales(star, own, &trial, best);
        for (size_t p = 0; p < own->n_located && status == EQUANT_SUCCESS; p++) {
            const parameter_state *said =
                state_list_of_planet(own->states, own->letters[p], "period_days");
            if (said->form == STATE_PRIOR && !is_sharp(&said->density, star->span_days))
                status = locate_again(star, own, p, &trial, &found, best);
        }
    }
    solution_free(&trial);
    solution_free(&found);
    return status;
}

equant_status stated_star_climb(study *star, const stated_star *own, solution *fitted)
{
    const stated_problem problem = problem_of(star, own, fitted);
    stated_result found;
    equant_status status = stated_fit_climb(&problem, STEPS_TO_PUBLISH, fitted->set, &found);
    if (status == EQUANT_SUCCESS) {
        fitted->log_likelihood = found.log_likelihood;
        fitted->chi_square = found.chi_square;
    }
    return status;
}

equant_status stated_star_finish(study *star, stated_star *own, solution *best, double *gain,
                                 double *gain_bic)
{
    stated_problem problem = problem_of(star, own, best);
    solution without = {.set = NULL};
    equant_status status = study_report(star, "fitting with what is known", 0.0);
    if (status == EQUANT_SUCCESS)
        status = stated_fit_climb(&problem, STEPS_TO_PUBLISH, best->set, &own->found);
    if (status == EQUANT_SUCCESS && best->noise.terms != 0)
        status = improve(star, own, best);
    best->log_likelihood = own->found.log_likelihood;
    best->chi_square = own->found.chi_square;
    if (status == EQUANT_SUCCESS && !isfinite(best->log_likelihood))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no orbits are possible with what was said of them");
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &without);
    for (size_t p = 0; p < best->n_planets && status == EQUANT_SUCCESS; p++) {
        stated_result found;
        solution_copy(star, best, &without);
        problem.absent = p;
        status = stated_fit_climb(&problem, STEPS_TO_PUBLISH, without.set, &found);
        gain[p] = best->log_likelihood - found.log_likelihood;
        gain_bic[p] =
            stated_star_bic(star, best, &found) - stated_star_bic(star, best, &own->found);
    }
    solution_free(&without);
    return status;
}

equant_status stated_star_uncertainty(study *star, const stated_star *own, const solution *best,
                                      uncertainty *made)
{
    const stated_problem problem = problem_of(star, own, best);
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
