/* A curve of five parameters passes through any two observations. What speaks against it is not how
 * well it fits but that two observations are wrong far more often than a planet shows in two alone:
 * n wrong ones among N cost ln C(N, n) + n/2 (outlier_set.h), and the planet has to be so much
 * better that its share of the prior is worth it. Three or four observations that one passage of
 * pericentre explains are more than that. */
#include "inference/select/planets/few_observations.h"

#include <math.h>

#include "inference/select/aliases/planet_odds.h"
#include "inference/select/orbits/orbit_range.h"
#include "inference/optimise/outliers.h"

equant_status few_observations_disbelieve(study *star, size_t n_fixed, solution *doubting)
{
    outlier_book usual = star->book, open;
    equant_status status =
        outlier_book_create(star->dataset, star->menu.begins_night, "auto", &open);
    if (status == EQUANT_SUCCESS) {
        star->book = open;
        doubting->noise.outliers = NULL;
        status = outliers_choose(star, n_fixed, doubting);
        star->book = usual;
    }
    /* The sets go with their book: what they cost is paid here. */
    doubting->log_likelihood -= outlier_set_price(doubting->noise.outliers);
    doubting->noise.outliers = NULL;
    outlier_book_free(&open);
    return status;
}

/* The probability of the last planet of a model. */
static equant_status judge(study *star, size_t n_fixed, const solution *with,
                           const solution *without, solution *spare, double *probability)
{
    double gain, log_share;
    solution_copy(star, without, spare);
    equant_status status = few_observations_disbelieve(star, n_fixed, spare);
    if (status != EQUANT_SUCCESS)
        return status;
    status = planet_odds_gain(star, n_fixed, with, with->n_planets - 1, without, &gain);
    if (status != EQUANT_SUCCESS)
        return status;
    gain = fmin(gain, solution_gain_in_likelihood(star, with, spare));
    status = planet_odds_own_share(star, n_fixed, with, with->n_planets - 1, &log_share);
    if (status == EQUANT_SUCCESS)
        *probability =
            planet_odds_probability(planet_odds_of_one(gain + log_share, with->n_planets));
    return status;
}

/* What is asked of such a planet. */
static double least_probability(const planet_finder_options *options)
{
    return fmax(FEW_OBSERVATIONS_PROBABILITY, options->probability_min);
}

equant_status few_observations_pass_over(candidate_pool *pool)
{
    study *star = pool->star;
    const solution *best = &pool->found[0];
    for (size_t i = 0; i < pool->n && best->measured && best->n_planets > 0; i++) {
        double n_sharing, probability;
        equant_status status = uncertainty_n_sharing(star, best, best->n_planets - 1, &n_sharing);
        if (status != EQUANT_SUCCESS || n_sharing >= MEASUREMENT_SHARERS)
            return status;
        status =
            judge(star, pool->options->n_fixed, best, &pool->current, &pool->trial, &probability);
        if (status != EQUANT_SUCCESS || probability >= least_probability(pool->options))
            return status;
        candidate_pool_pass_over(pool);
    }
    return EQUANT_SUCCESS;
}

equant_status few_observations_measure(study *star, size_t n_fixed, const solution *fitted,
                                       measurement *made)
{
    equant_status status = uncertainty_measure(star, fitted, n_fixed, made);
    if (status != EQUANT_SUCCESS || !made->is_one)
        return status;
    made->planet = fitted->n_planets - 1;
    return uncertainty_n_sharing(star, fitted, made->planet, &made->n_sharing);
}

/* Orbits so eccentric are looked for behind no planet but those that are known; what planets that
 * were found leave is as often what their orbits do not explain. */
static bool may_be_taken(const planet_finder_options *options, const solution *with)
{
    return with->n_planets == options->n_known + 1 &&
           options->eccentricity_max >= FEW_OBSERVATIONS_ECCENTRICITY;
}

equant_status few_observations_take(study *star, const planet_finder_options *options,
                                    const solution *with, const solution *without, solution *spare,
                                    verdict *judged, bool *accepted)
{
    if (!judged->is_new || refusal_of(judged) != EQUANT_REFUSED_FEW_OBSERVATIONS ||
        !may_be_taken(options, with))
        return EQUANT_SUCCESS;
    equant_status status =
        judge(star, options->n_fixed, with, without, spare, &judged->few_probability);
    *accepted = status == EQUANT_SUCCESS && judged->few_probability >= least_probability(options);
    if (*accepted && star->n_trusted < STUDY_MAX_PLANETS)
        star->trusted_days[star->n_trusted++] = with->set[N_ELEMENTS * (with->n_planets - 1)];
    return status;
}

/* ---- intervals -------------------------------------------------------------------- */

/* The planet that is no measurement, trusted or not, or whose amplitude is open; n_planets where
 * there is none. */
static equant_status find_few(study *star, size_t n_fixed, const solution *fitted, size_t *planet)
{
    measurement made;
    size_t n_trusted = star->n_trusted;
    star->n_trusted = 0;
    equant_status status = uncertainty_measure(star, fitted, n_fixed, &made);
    star->n_trusted = n_trusted;
    *planet = fitted->n_planets;
    if (status != EQUANT_SUCCESS || made.is_one)
        return status == EQUANT_SUCCESS ? uncertainty_open_amplitude(star, fitted, n_fixed, planet)
                                        : status;
    *planet = made.planet;
    return status;
}

equant_status few_observations_ranges(study *star, size_t n_fixed, const solution *fitted,
                                      orbit_range *ranges)
{
    base_columns base;
    solution rest = {.set = NULL};
    size_t planet;
    for (size_t p = 0; p < fitted->n_planets; p++)
        ranges[p] = (orbit_range){{NAN, NAN}, {NAN, NAN}};
    equant_status status = find_few(star, n_fixed, fitted, &planet);
    if (status != EQUANT_SUCCESS || planet == fitted->n_planets)
        return status;
    status = solution_create(star, &rest);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, fitted, &rest);
        solution_remove_planet(star, &rest, planet);
        status = base_columns_create(star, &rest, n_fixed, NULL, &base);
    }
    if (status == EQUANT_SUCCESS) {
        status = orbit_range_find(star, &base, fitted->set + N_ELEMENTS * planet, &ranges[planet]);
        base_columns_free(&base);
    }
    solution_free(&rest);
    return status;
}
