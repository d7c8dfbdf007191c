#include "inference/optimise/solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

static size_t largest_set(const study *star)
{
    return study_layout(star, STUDY_MAX_PLANETS, STUDY_TREND_ORDERS - 1).n_parameters;
}

/* Mean and scatter of each instrument: where a fit without planets starts. */
static void rough_noise(const study *star, double *offsets, double *jitters)
{
    const double *velocity = equant_dataset_velocities_m_s(star->dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    const int *instrument = equant_dataset_instruments(star->dataset);
    for (size_t i = 0; i < star->n_instruments; i++) {
        double n = 0.0, mean = 0.0, scatter = 0.0, expected = 0.0;
        for (size_t k = 0; k < star->n_obs; k++)
            if ((size_t)instrument[k] == i) {
                n += 1.0;
                mean += (velocity[k] - mean) / n;
            }
        for (size_t k = 0; k < star->n_obs; k++)
            if ((size_t)instrument[k] == i) {
                scatter += (velocity[k] - mean) * (velocity[k] - mean) / n;
                expected += sigma[k] * sigma[k] / n;
            }
        offsets[i] = mean;
        jitters[i] = star->with_jitter ? sqrt(fmax(0.0, scatter - expected)) : 0.0;
    }
}

study_shape solution_shape(const solution *fitted)
{
    return (study_shape){fitted->n_planets, fitted->trend_order, fitted->noise};
}

double *solution_values(const study *star, const solution *fitted, parameter_term term)
{
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    return fitted->set + parameter_layout_first(&layout, term);
}

equant_status solution_create(const study *star, solution *made)
{
    memset(made, 0, sizeof *made);
    made->noise_price = NAN;
    made->set = calloc(largest_set(star), sizeof *made->set);
    if (!made->set)
        return status_out_of_memory();
    rough_noise(star, solution_values(star, made, TERM_OFFSETS),
                solution_values(star, made, TERM_JITTERS));
    return EQUANT_SUCCESS;
}

void solution_free(solution *made)
{
    free(made->set);
    made->set = NULL;
}

void solution_copy(const study *star, const solution *from, solution *to)
{
    double *set = to->set;
    memcpy(set, from->set, largest_set(star) * sizeof *set);
    *to = *from;
    to->set = set;
}

void solution_add_planet(const study *star, solution *changed, const double elements[N_ELEMENTS])
{
    parameter_layout layout = study_layout(star, changed->n_planets, changed->trend_order);
    double *place = changed->set + layout.columns[TERM_OFFSETS].first;
    memmove(place + N_ELEMENTS, place,
            (layout.n_parameters - layout.columns[TERM_OFFSETS].first) * sizeof *place);
    memcpy(place, elements, N_ELEMENTS * sizeof *place);
    changed->n_planets++;
}

void solution_remove_planet(const study *star, solution *changed, size_t planet)
{
    parameter_layout layout = study_layout(star, changed->n_planets, changed->trend_order);
    double *place = changed->set + N_ELEMENTS * planet;
    memmove(place, place + N_ELEMENTS,
            (layout.n_parameters - N_ELEMENTS * (planet + 1)) * sizeof *place);
    changed->n_planets--;
}

void solution_set_trend(const study *star, solution *changed, int order)
{
    parameter_layout old = study_layout(star, changed->n_planets, changed->trend_order);
    parameter_layout new = study_layout(star, changed->n_planets, order);
    size_t old_end = parameter_layout_end(&old, TERM_OFFSETS) + (size_t)changed->trend_order,
           new_end = parameter_layout_end(&new, TERM_OFFSETS) + (size_t)order;
    memmove(changed->set + new_end, changed->set + old_end,
            (old.n_parameters - old_end) * sizeof *changed->set);
    for (size_t i = old_end; i < new_end; i++)
        changed->set[i] = 0.0;
    changed->trend_order = order;
}

/* In ln of odds for orbits whose reaches differ by a factor of e. Not infinite: eccentricities
 * have errors, and resonances protect. */
#define CROSSING_PENALTY 12.0

/* ln of how far the inner orbit reaches over the nearest approach of the outer one to the star;
 * zero where they keep apart. Around the same star, axes go with the two-thirds power of
 * periods. */
static double orbits_overlap(const double *one, const double *other)
{
    const double *inner = one[ELEMENT_PERIOD] < other[ELEMENT_PERIOD] ? one : other,
                 *outer = inner == one ? other : one;
    double ratio = pow(outer[ELEMENT_PERIOD] / inner[ELEMENT_PERIOD], 2.0 / 3.0);
    return fmax(0.0, log((1.0 + inner[ELEMENT_ECCENTRICITY]) /
                         (ratio * (1.0 - outer[ELEMENT_ECCENTRICITY]))));
}

static double crossing_penalty(size_t n_planets, const double *set)
{
    double sum = 0.0;
    for (size_t p = 0; p < n_planets; p++)
        for (size_t q = 0; q < p; q++)
            sum += CROSSING_PENALTY * orbits_overlap(set + N_ELEMENTS * p, set + N_ELEMENTS * q);
    return sum;
}

double solution_log_prior(size_t n_planets, const double *set)
{
    const double smallest = 0.01; /* the density is infinite at e = 0: not for us */
    double sum = 0.0;
    for (size_t p = 0; p < n_planets; p++) {
        double e = fmax(smallest, set[N_ELEMENTS * p + ELEMENT_ECCENTRICITY]);
        sum += log(set[N_ELEMENTS * p]) +
               log(-expm1(-pow(set[N_ELEMENTS * p] / PRIOR_TABLE_CUTOFF_DAYS,
                               PRIOR_TABLE_CUTOFF_STEEPNESS)));
        sum += (ECCENTRICITY_A - 1.0) * log(e) + (ECCENTRICITY_B - 1.0) * log1p(-e);
    }
    return sum - crossing_penalty(n_planets, set);
}

double solution_restlessness(const study *star, const solution *fitted, size_t instrument)
{
    const double *values =
        fitted->set + study_first_correlated(star, fitted->n_planets, fitted->trend_order);
    double jitter = solution_values(star, fitted, TERM_JITTERS)[instrument], sum = jitter * jitter;
    if (fitted->noise.terms == 0)
        return jitter;
    for (size_t t = 0; t < star->menu.n_terms; t++) {
        double amplitude = values[star->menu.terms[t].first];
        sum += fitted->noise.terms >> t & 1 ? amplitude * amplitude : 0.0;
    }
    return sqrt(sum);
}

/* Half of what the noise beside jitters costs in the BIC. */
static double noise_price(const study *star, const solution *fitted)
{
    return 0.5 * log((double)star->n_obs) * (double)noise_menu_n_chosen(&star->menu, fitted->noise);
}

/* What the prior has against its orbits where noise is offered. */
static double crossing_price(const study *star, const solution *fitted)
{
    return star->menu.n_terms > 0 ? crossing_penalty(fitted->n_planets, fitted->set) : 0.0;
}

double solution_likelihood_with_noise_paid(const study *star, const solution *fitted)
{
    const solution columns = {.noise = {.terms = 0, .indicators = fitted->noise.indicators}};
    bool is_priced = fitted->noise.terms != 0 && !isnan(fitted->noise_price);
    double price =
        is_priced ? fitted->noise_price + noise_price(star, &columns) : noise_price(star, fitted);
    return fitted->log_likelihood - price - outlier_set_price(fitted->noise.outliers);
}

double solution_evidence(const study *star, const solution *fitted)
{
    return solution_likelihood_with_noise_paid(star, fitted) - crossing_price(star, fitted);
}

double solution_gain_in_likelihood(const study *star, const solution *with, const solution *without)
{
    bool same_noise = with->noise.terms == without->noise.terms &&
                      with->noise.indicators == without->noise.indicators;
    return same_noise ? with->log_likelihood - outlier_set_price(with->noise.outliers) -
                            (without->log_likelihood - outlier_set_price(without->noise.outliers))
                      : solution_likelihood_with_noise_paid(star, with) -
                            solution_likelihood_with_noise_paid(star, without);
}

double solution_gain(const study *star, const solution *with, const solution *without)
{
    return solution_gain_in_likelihood(star, with, without) -
           (crossing_price(star, with) - crossing_price(star, without));
}

double solution_score(const study *star, const solution *fitted)
{
    const double handicap = 3.0;
    double per_term = 0.5 * log((double)star->n_obs) + handicap;
    return fitted->log_likelihood - noise_price(star, fitted) -
           outlier_set_price(fitted->noise.outliers) +
           solution_log_prior(fitted->n_planets, fitted->set) -
           per_term * (double)fitted->trend_order;
}

size_t solution_n_fitted(const study *star, const solution *fitted, size_t n_fixed)
{
    size_t jitters = star->with_jitter ? star->n_instruments : 0;
    return N_ELEMENTS * (fitted->n_planets - n_fixed) + star->n_instruments +
           (size_t)fitted->trend_order + jitters + noise_menu_n_chosen(&star->menu, fitted->noise);
}

double solution_bic(const study *star, const solution *fitted, size_t n_fixed)
{
    return (double)solution_n_fitted(star, fitted, n_fixed) * log((double)star->n_obs) +
           2.0 * (outlier_set_price(fitted->noise.outliers) - fitted->log_likelihood);
}
