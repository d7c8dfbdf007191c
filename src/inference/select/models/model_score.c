/* By Laplace's method for what is linear, and by sums over orbits and over the parameters of noise,
 *
 *   ln Z = ln L - price of noise and outliers + sum of ln(share of the prior) over planets
 *          - trend order x (ln N) / 2 - (ln det of the information of offsets) / 2.
 *
 * The volume that the data leave to all parameters is a product of conditional ones: that of a
 * planet with the planets before it fixed and everything behind it free, and last that of the
 * offsets with all planets fixed. Two planets of which one can do what the other does would
 * otherwise have twice the freedom that they have together. */
#include "inference/select/models/model_score.h"

#include <math.h>
#include <string.h>

#include "inference/search/base_columns.h"
#include "inference/search/significance.h"
#include "inference/select/orbits/orbit_mass.h"

/* ln of how much rarer a trend is than none, for each of its orders (as in solution_score). */
#define TREND_RARITY 3.0

/* ln of the prior probability of what a model consists of. */
static double log_prior(const study *star, given_planets given, const solution *model)
{
    return lgamma((double)(model->n_planets - given.n_known) + 1.0) +
           log(significance_usual_noise(star, model)) - TREND_RARITY * (double)model->trend_order;
}

/* The planets of a model in the order in which they are counted: those that are fixed, those that
 * were found, the weakest first, and last those that are known and fitted. */
static void set_order(const study *star, given_planets given, const solution *model,
                      solution *ordered)
{
    size_t n = model->n_planets;
    solution_copy(star, model, ordered);
    double *set = ordered->set;
    for (size_t p = given.n_known; p < n; p++) {
        size_t place = given.n_fixed + p - given.n_known;
        double elements[N_ELEMENTS];
        memcpy(elements, model->set + N_ELEMENTS * p, sizeof elements);
        while (place > given.n_fixed &&
               set[N_ELEMENTS * (place - 1) + ELEMENT_K] > elements[ELEMENT_K]) {
            memcpy(set + N_ELEMENTS * place, set + N_ELEMENTS * (place - 1), sizeof elements);
            place--;
        }
        memcpy(set + N_ELEMENTS * place, elements, sizeof elements);
    }
    memcpy(set + N_ELEMENTS * (given.n_fixed + n - given.n_known),
           model->set + N_ELEMENTS * given.n_fixed,
           (given.n_known - given.n_fixed) * N_ELEMENTS * sizeof *set);
}

/* ln of how rare planets of a short period are (model/prior_table.h). */
static double log_share_of_short(double period_days)
{
    return log(-expm1(-pow(period_days / PRIOR_TABLE_CUTOFF_DAYS, PRIOR_TABLE_CUTOFF_STEEPNESS)));
}

/* How ln of the share of the prior that one planet has is found. */
typedef equant_status share_finder(study *star, const base_columns *base,
                                   const double elements[N_ELEMENTS], double *log_share);

static equant_status add_planet(study *star, share_finder *find, const solution *ordered,
                                size_t planet, solution *spare, double *score)
{
    base_columns base;
    double log_share = 0.0;
    solution_copy(star, ordered, spare);
    solution_remove_planet(star, spare, planet);
    equant_status status = base_columns_create(star, spare, planet, NULL, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    status = find(star, &base, ordered->set + N_ELEMENTS * planet, &log_share);
    base_columns_free(&base);
    *score += log_share - log(log(star->period_max_days / star->period_min_days)) +
              log_share_of_short(ordered->set[N_ELEMENTS * planet]);
    return status;
}

/* Offsets alone: a trend has its own price, and so have indicators. */
static equant_status add_offsets(study *star, const solution *model, solution *spare, double *score)
{
    base_columns base;
    solution_copy(star, model, spare);
    while (spare->n_planets > 0)
        solution_remove_planet(star, spare, 0);
    solution_set_trend(star, spare, 0);
    spare->noise.indicators = 0;
    equant_status status = base_columns_create(star, spare, 0, NULL, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    *score -= base.log_information;
    base_columns_free(&base);
    return status;
}

static equant_status score_by(study *star, given_planets given, share_finder *find,
                              const solution *model, double *score)
{
    solution spare = {.set = NULL}, ordered = {.set = NULL};
    size_t end = given.n_fixed + model->n_planets - given.n_known;
    equant_status status = solution_create(star, &spare);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &ordered);
    *score = solution_likelihood_with_noise_paid(star, model) -
             0.5 * log((double)star->n_obs) * (double)model->trend_order +
             log_prior(star, given, model);
    if (status == EQUANT_SUCCESS)
        status = add_offsets(star, model, &spare, score);
    if (status == EQUANT_SUCCESS)
        set_order(star, given, model, &ordered);
    for (size_t p = given.n_fixed; p < end && status == EQUANT_SUCCESS; p++)
        status = add_planet(star, find, &ordered, p, &spare, score);
    solution_free(&spare);
    solution_free(&ordered);
    return status;
}

equant_status model_score(study *star, given_planets given, const solution *model, double *score)
{
    return score_by(star, given, orbit_mass_near, model, score);
}

equant_status model_score_bound(study *star, given_planets given, const solution *model,
                                double *score)
{
    return score_by(star, given, orbit_mass_bound, model, score);
}
