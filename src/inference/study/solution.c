#include "inference/study/solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"

static size_t largest_set(const study *star)
{
    return 5 * STUDY_MAX_PLANETS + 2 * star->n_instruments + STUDY_TREND_ORDERS - 1;
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

equant_status solution_create(const study *star, solution *made)
{
    memset(made, 0, sizeof *made);
    made->set = calloc(largest_set(star), sizeof *made->set);
    if (!made->set)
        return status_out_of_memory();
    study_columns columns = study_columns_of(star, 0, 0);
    rough_noise(star, made->set + columns.offsets, made->set + columns.jitters);
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

void solution_add_planet(const study *star, solution *changed, const double elements[5])
{
    study_columns columns = study_columns_of(star, changed->n_planets, changed->trend_order);
    double *place = changed->set + columns.offsets;
    memmove(place + 5, place, (columns.n - columns.offsets) * sizeof *place);
    memcpy(place, elements, 5 * sizeof *place);
    changed->n_planets++;
}

void solution_remove_planet(const study *star, solution *changed, size_t planet)
{
    study_columns columns = study_columns_of(star, changed->n_planets, changed->trend_order);
    double *place = changed->set + 5 * planet;
    memmove(place, place + 5, (columns.n - 5 * (planet + 1)) * sizeof *place);
    changed->n_planets--;
}

void solution_set_trend(const study *star, solution *changed, int order)
{
    study_columns old = study_columns_of(star, changed->n_planets, changed->trend_order);
    study_columns new = study_columns_of(star, changed->n_planets, order);
    memmove(changed->set + new.jitters, changed->set + old.jitters,
            star->n_instruments * sizeof *changed->set);
    for (size_t i = old.jitters; i < new.jitters; i++)
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
    const double *inner = one[0] < other[0] ? one : other, *outer = inner == one ? other : one;
    double ratio = pow(outer[0] / inner[0], 2.0 / 3.0);
    return fmax(0.0, log((1.0 + inner[2]) / (ratio * (1.0 - outer[2]))));
}

double solution_log_prior(size_t n_planets, const double *set)
{
    const double a = 0.867, b = 3.03;                /* of the Beta distribution */
    const double cutoff_days = 7.0, steepness = 2.4; /* below which planets become rare */
    const double smallest = 0.01; /* the density is infinite at e = 0: not for us */
    double sum = 0.0;
    for (size_t p = 0; p < n_planets; p++) {
        double e = fmax(smallest, set[5 * p + 2]);
        sum += log(set[5 * p]) + log(-expm1(-pow(set[5 * p] / cutoff_days, steepness)));
        sum += (a - 1.0) * log(e) + (b - 1.0) * log1p(-e);
        for (size_t q = 0; q < p; q++)
            sum -= CROSSING_PENALTY * orbits_overlap(set + 5 * p, set + 5 * q);
    }
    return sum;
}

double solution_score(const study *star, const solution *fitted)
{
    const double handicap = 3.0;
    double per_term = 0.5 * log((double)star->n_obs) + handicap;
    return fitted->log_likelihood + solution_log_prior(fitted->n_planets, fitted->set) -
           per_term * (double)fitted->trend_order;
}

size_t solution_n_fitted(const study *star, const solution *fitted, size_t n_fixed)
{
    size_t jitters = star->with_jitter ? star->n_instruments : 0;
    return 5 * (fitted->n_planets - n_fixed) + star->n_instruments + (size_t)fitted->trend_order +
           jitters;
}

double solution_bic(const study *star, const solution *fitted, size_t n_fixed)
{
    return (double)solution_n_fitted(star, fitted, n_fixed) * log((double)star->n_obs) -
           2.0 * fitted->log_likelihood;
}
