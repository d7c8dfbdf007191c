#include "inference/compare/comparison_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "inference/sample/target/model_priors.h"
#include "inference/likelihood/study.h"
#include "model/circle.h"

enum { LEAST_MAX_PLANETS = 6, PLANETS_MORE = 2 };
/* The smallest scale of amplitudes, in standard errors of one: with smaller ones, planets that no
 * data like these could show would be counted. */
#define SMALLEST_SCALE 2.0

#define OPTION(member) OPTION_OR_ZERO(options, equant_compare_options, member)

static equant_status take_indicators(const equant_dataset *dataset, const equant_fit *fit,
                                     comparison_start *made)
{
    size_t n = equant_fit_n_indicators(fit), n_obs = equant_dataset_n_obs(dataset);
    made->columns = malloc((n * n_obs + 1) * sizeof *made->columns);
    if (!made->columns)
        return status_out_of_memory();
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        equant_fitted_indicator indicator = {.struct_size = sizeof indicator};
        status = equant_fit_indicator(fit, i, &indicator);
        if (status == EQUANT_SUCCESS)
            status = equant_fit_indicator_column(dataset, &indicator, made->columns + i * n_obs);
    }
    return status;
}

static equant_status take_star(const equant_dataset *dataset, const equant_fit *fit,
                               const equant_compare_options *options, comparison_start *made)
{
    const parameter_layout *layout = &equant_fit_model(fit)->layout;
    noise_priors_words(&layout->noise, dataset, made->words);
    count_star_request request = {.dataset = dataset,
                                  .uncertainties_m_s = equant_fit_uncertainties_m_s(fit),
                                  .trend_order = layout->trend_order,
                                  .noise = OPTION(noise) ? OPTION(noise) : made->words,
                                  .no_jitter = OPTION(no_jitter) != 0,
                                  .prior_jitter = OPTION(prior_jitter),
                                  .n_columns = equant_fit_n_indicators(fit),
                                  .columns = made->columns};
    equant_status status = count_star_create(&request, &made->star);
    if (status != EQUANT_SUCCESS)
        return status;
    const noise_kinds *ours = &made->star.noise;
    for (int i = 0; i < ours->n; i++)
        if (noise_kinds_find(&layout->noise, ours->kind[i], ours->owner[i]) == layout->noise.n)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the noise of a comparison is that of the fit, which has no %s",
                               noise_kind_name(ours->kind[i]));
    if (ours->n != layout->noise.n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the noise of a comparison has all terms of the fit");
    return EQUANT_SUCCESS;
}

/* Jitters and noise of the fit, as places in their priors. */
static equant_status take_noise(const equant_fit *fit, comparison_start *made)
{
    const count_star *star = &made->star;
    const parameter_layout *layout = &equant_fit_model(fit)->layout;
    const double *set = equant_fit_parameters(fit);
    double *values = malloc((star->n_noise + 1) * sizeof *values);
    made->place = malloc((star->n_noise + 1) * sizeof *made->place);
    if (values && made->place) {
        memcpy(values, set + parameter_layout_first(layout, TERM_JITTERS),
               star->n_instruments * sizeof *values);
        double *to = values + star->n_instruments;
        for (int i = 0; i < star->noise.n; i++) {
            size_t n = noise_kind_parameters(star->noise.kind[i]);
            memcpy(to,
                   set + parameter_layout_first(layout, TERM_NOISE) +
                       noise_kinds_place(&layout->noise,
                                         noise_kinds_find(&layout->noise, star->noise.kind[i],
                                                          star->noise.owner[i])),
                   n * sizeof *to);
            to += n;
        }
        count_noise_find(star, values, made->place);
    }
    bool is_there = values && made->place;
    free(values);
    return is_there ? EQUANT_SUCCESS : status_out_of_memory();
}

/* Planets of the fit with m0 at the epoch of the star, the weakest first. */
static equant_status take_planets(const equant_dataset *dataset, const equant_fit *fit,
                                  comparison_start *made)
{
    made->n_planets = equant_fit_n_planets(fit);
    made->planets = malloc((made->n_planets + 1) * sizeof *made->planets);
    double *gain = malloc((made->n_planets + 1) * sizeof *gain);
    double later = made->star.epoch_days - equant_dataset_reference_time_days(dataset);
    equant_status status = made->planets && gain ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0; i < made->n_planets && status == EQUANT_SUCCESS; i++) {
        equant_planet planet = {.struct_size = sizeof planet};
        status = equant_fit_planet(fit, i, &planet);
        double turns = later / planet.period_days;
        count_orbit orbit = {1.0 / planet.period_days, planet.eccentricity,
                             planet.m0_rad + TWO_PI * (turns - floor(turns))};
        size_t j = i;
        double own = isnan(planet.log_likelihood_gain) ? INFINITY : planet.log_likelihood_gain;
        for (; j > 0 && gain[j - 1] > own; j--) {
            gain[j] = gain[j - 1];
            made->planets[j] = made->planets[j - 1];
        }
        gain[j] = own;
        made->planets[j] = orbit;
    }
    free(gain);
    return status;
}

/* What a fit says of the priors where the options do not. */
typedef struct fitted_ranges {
    size_t n_planets;
    double period_min_days, period_max_days;
    double smallest_k_m_s, range_m_s;
} fitted_ranges;

static equant_status make_priors(const fitted_ranges *fitted, const equant_compare_options *options,
                                 count_priors *made)
{
    size_t found = fitted->n_planets + PLANETS_MORE;
    count_priors_request request = {
        .n_max = OPTION(max_planets) > 0      ? (size_t)OPTION(max_planets)
                 : found < LEAST_MAX_PLANETS  ? LEAST_MAX_PLANETS
                 : found > COUNT_MOST_PLANETS ? COUNT_MOST_PLANETS
                                              : found,
        .ratio = OPTION(ratio_n) != 0.0 ? OPTION(ratio_n) : 1.0,
        .period_min_days =
            OPTION(period_min_days) != 0.0 ? OPTION(period_min_days) : fitted->period_min_days,
        .period_max_days =
            OPTION(period_max_days) != 0.0 ? OPTION(period_max_days) : fitted->period_max_days,
        .eccentricity = OPTION(circular) ? "circular" : OPTION(prior_e),
        .k_min_m_s = OPTION(k_min_m_s) != 0.0 ? OPTION(k_min_m_s) : fitted->smallest_k_m_s};
    request.k_max_m_s =
        OPTION(k_max_m_s) != 0.0
            ? OPTION(k_max_m_s)
            : fmax(ldexp(request.k_min_m_s, ORBIT_PRODUCTS_SCALES - 1), 0.5 * fitted->range_m_s);
    return count_priors_make(&request, made);
}

static equant_status take_priors(const equant_fit *fit, const equant_compare_options *options,
                                 comparison_start *made)
{
    const count_star *star = &made->star;
    equant_fit_summary summary = {.struct_size = sizeof summary};
    equant_status status = equant_fit_summarize(fit, &summary);
    if (status != EQUANT_SUCCESS)
        return status;
    const double *jitters = equant_fit_parameters(fit) +
                            parameter_layout_first(&equant_fit_model(fit)->layout, TERM_JITTERS);
    double weights = 0.0;
    for (size_t k = 0; k < star->n_obs; k++) {
        double jitter = jitters[star->instrument[k]];
        weights += 1.0 / (star->variance[k] + jitter * jitter);
    }
    const fitted_ranges fitted = {.n_planets = made->n_planets,
                                  .period_min_days = summary.period_min_days,
                                  .period_max_days = summary.period_max_days,
                                  .smallest_k_m_s = SMALLEST_SCALE * sqrt(2.0 / weights),
                                  .range_m_s = star->range_m_s};
    return make_priors(&fitted, options, &made->priors);
}

/* Where only the fit could tell that a range is none, it is believed to be one. */
equant_status comparison_start_check(const equant_dataset *dataset,
                                     const equant_compare_options *options)
{
    double shortest = OPTION(period_min_days), longest = OPTION(period_max_days);
    const fitted_ranges any = {.period_min_days = longest > 0.0 ? 0.5 * longest : 1.0,
                               .period_max_days = shortest > 0.0 ? 1e6 * shortest : 2.0,
                               .smallest_k_m_s = OPTION(k_max_m_s) > 0.0 ? OPTION(k_max_m_s) : 1.0};
    const count_star_request star = {
        .dataset = dataset, .noise = OPTION(noise), .prior_jitter = OPTION(prior_jitter)};
    const double *time = equant_dataset_times_days(dataset);
    double span_days = time[equant_dataset_n_obs(dataset) - 1] - time[0];
    priors *of_noise = NULL;
    count_priors made;
    equant_status status = make_priors(&any, options, &made);
    if (status == EQUANT_SUCCESS && shortest > 0.0)
        status = slot_grid_check(&made, span_days);
    if (status == EQUANT_SUCCESS)
        status = count_star_priors(&star, &of_noise);
    priors_free(of_noise);
    return status;
}

equant_status comparison_start_create(const equant_dataset *dataset, const equant_fit *fit,
                                      const equant_compare_options *options, comparison_start *made)
{
    memset(made, 0, sizeof *made);
    equant_status status = take_indicators(dataset, fit, made);
    if (status == EQUANT_SUCCESS)
        status = take_star(dataset, fit, options, made);
    if (status == EQUANT_SUCCESS)
        status = take_noise(fit, made);
    if (status == EQUANT_SUCCESS)
        status = take_planets(dataset, fit, made);
    if (status == EQUANT_SUCCESS)
        status = take_priors(fit, options, made);
    if (status == EQUANT_SUCCESS)
        status = slot_space_create(&made->star, &made->priors, &made->space);
    made->space.may_ask_gpu = true;
    made->space.engine = OPTION(engine);
    return status;
}

void comparison_start_free(comparison_start *start)
{
    slot_space_free(&start->space);
    count_star_free(&start->star);
    free(start->planets);
    free(start->place);
    free(start->columns);
}

equant_status comparison_start_population(const comparison_start *start, size_t index,
                                          population *chain)
{
    count_orbit planets[COUNT_MOST_PLANETS];
    size_t n = start->n_planets < start->priors.n_max ? start->n_planets : start->priors.n_max;
    size_t first = start->n_planets - n, kept = 0; /* the strongest, where there are too many */
    size_t without = index >= 2 && n > 0 ? (index - 2) % n : n;
    for (size_t i = 0; i < n && index != 1; i++)
        if (i != without)
            planets[kept++] = start->planets[first + i];
    return population_start(chain, kept, planets, start->place);
}
