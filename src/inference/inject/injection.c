/* The public equant_injection: planets added to the velocities of a star, and which of them its fit
 * would name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/progress_report.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/fit/fit_options.h"
#include "inference/inject/injection_trial.h"
#include "inference/likelihood/study_crew.h"
#include "model/cell_edges.h"
#include "model/circle.h"
#include "statistics/prior_density.h"

#define USUAL_PERIOD_MIN_DAYS 1.0
#define USUAL_ECCENTRICITY_MAX 0.95
#define USUAL_PROBABILITY_MIN 0.95
/* Around the error of K under white noise. */
#define SMALLEST_AMPLITUDE 1.0
#define LARGEST_AMPLITUDE 40.0

enum { USUAL_PERIODS = 12, USUAL_AMPLITUDES = 10, USUAL_DRAWS = 84, MOST_CELLS = 200 };
/* Batches between two reports of progress. */
enum { BATCHES_PER_REPORT = 8 };
/* Streams of random numbers, and what a planet takes of the first. */
enum { PLANET_PURPOSE = 23, INJECTED_NOISE_PURPOSE = 24, N_UNIFORMS = 8 };

struct equant_injection {
    size_t n_periods, n_amplitudes, n_draws, n_all, n_planets;
    double *period_edges, *k_edges, *recovered;
    double probability_min;
    injected_planet *planets; /* [n_all], of cell number / n_draws */
};

/* A map in the making. */
typedef struct injection_run {
    const equant_injection_options *options;
    injection_scene scene;
    equant_injection *made;
    double eccentricity_max;
    bool all_circular, has_drawn_noise;
    uint64_t seed;
    size_t first_batch;
} injection_run;

#define OPTION(options, member) OPTION_OR_ZERO(options, equant_injection_options, member)

/* ---- the map --------------------------------------------------------------------------------- */

/* The error of K that white noise of the size of the star's would leave. */
static double amplitude_error(const base_columns *base)
{
    double weights = 0.0;
    for (size_t k = 0; k < base->n_obs; k++)
        weights += base->root_weight[k] * base->root_weight[k];
    return sqrt(2.0 / weights);
}

static double or_usual(double value, double usual)
{
    return value > 0.0 ? value : usual;
}

static equant_status lay_out(const study *star, injection_run *run)
{
    const equant_injection_options *options = run->options;
    equant_injection *made = run->made;
    size_t n_periods = OPTION(options, n_periods), n_amplitudes = OPTION(options, n_amplitudes),
           n_draws = OPTION(options, n_draws);
    double error = amplitude_error(&run->scene.base);
    double from = or_usual(OPTION(options, period_min_days), USUAL_PERIOD_MIN_DAYS),
           to = or_usual(OPTION(options, period_max_days), 2.0 * star->span_days),
           low = or_usual(OPTION(options, k_min_m_s), SMALLEST_AMPLITUDE * error),
           high = or_usual(OPTION(options, k_max_m_s), LARGEST_AMPLITUDE * error);
    made->n_periods = n_periods > 0 ? n_periods : USUAL_PERIODS;
    made->n_amplitudes = n_amplitudes > 0 ? n_amplitudes : USUAL_AMPLITUDES;
    made->n_draws = n_draws > 0 ? n_draws : USUAL_DRAWS;
    if (made->n_periods > MOST_CELLS || made->n_amplitudes > MOST_CELLS || made->n_draws > 1000000)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a map has at most %d by %d cells of a million planets, not %zu by %zu "
                           "of %zu",
                           MOST_CELLS, MOST_CELLS, made->n_periods, made->n_amplitudes,
                           made->n_draws);
    if (!(from < to && isfinite(to)) || !(low < high && isfinite(high)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the ranges of injected planets, %g to %g days and %g to %g m/s, must "
                           "increase",
                           from, to, low, high);
    if (from < star->period_min_days || to > star->period_max_days * (1.0 + 1e-12))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "injected periods from %g to %g days are outside the range of the fit, "
                           "%g to %g days",
                           from, to, star->period_min_days, star->period_max_days);
    size_t n_cells = made->n_periods * made->n_amplitudes;
    made->n_all = n_cells * made->n_draws;
    made->period_edges =
        calloc(made->n_periods + made->n_amplitudes + 2 + n_cells, sizeof *made->period_edges);
    made->planets = calloc(made->n_all, sizeof *made->planets);
    if (!made->period_edges || !made->planets)
        return status_out_of_memory();
    made->k_edges = made->period_edges + made->n_periods + 1;
    made->recovered = made->k_edges + made->n_amplitudes + 1;
    cell_edges_fill(made->n_periods, from, to, made->period_edges);
    cell_edges_fill(made->n_amplitudes, low, high, made->k_edges);
    return EQUANT_SUCCESS;
}

/* ---- planets --------------------------------------------------------------------------------- */

static double eccentricity_of(const injection_run *run, double u)
{
    if (run->all_circular)
        return 0.0;
    prior_density kipping = prior_density_beta(ECCENTRICITY_A, ECCENTRICITY_B, 0.0, 1.0);
    double below = prior_density_beta_below(run->eccentricity_max, ECCENTRICITY_A, ECCENTRICITY_B);
    return prior_density_quantile(&kipping, u * below);
}

static equant_status draw(const injection_run *run, size_t number, double elements[N_ELEMENTS])
{
    const equant_injection *map = run->made;
    double u[N_UNIFORMS];
    size_t cell = number / map->n_draws;
    const double *periods = map->period_edges + cell % map->n_periods,
                 *amplitudes = map->k_edges + cell / map->n_periods;
    equant_status status = equant_random_uniform(run->seed, PLANET_PURPOSE,
                                                 (uint64_t)number * N_UNIFORMS, N_UNIFORMS, u);
    if (status != EQUANT_SUCCESS)
        return status;
    double period = periods[0] * pow(periods[1] / periods[0], u[0]);
    elements[ELEMENT_PERIOD] = period;
    elements[ELEMENT_K] = amplitudes[0] * pow(amplitudes[1] / amplitudes[0], u[1]);
    elements[ELEMENT_ECCENTRICITY] =
        fmin(eccentricity_of(run, u[2]), study_largest_eccentricity(period));
    elements[ELEMENT_OMEGA] = TWO_PI * u[3];
    elements[ELEMENT_M0] = TWO_PI * u[4];
    return EQUANT_SUCCESS;
}

static equant_status run_batch(study *star, void *context, size_t piece)
{
    const injection_run *run = context;
    size_t first = (run->first_batch + piece) * DOUBLE8, n_obs = star->n_obs;
    size_t n = run->made->n_all - first < DOUBLE8 ? run->made->n_all - first : DOUBLE8;
    injected_planet *planets = run->made->planets + first;
    double *noise = NULL;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        status = draw(run, first + i, planets[i].elements);
    if (run->has_drawn_noise && status == EQUANT_SUCCESS) {
        noise = malloc(n * n_obs * sizeof *noise);
        status = noise ? equant_random_normal(run->seed, INJECTED_NOISE_PURPOSE,
                                              (uint64_t)first * n_obs, n * n_obs, noise)
                       : status_out_of_memory();
    }
    if (status == EQUANT_SUCCESS)
        status = injection_trial_run(star, &run->scene, n, noise, planets);
    free(noise);
    return status;
}

static equant_status run_all(study *star, injection_run *run)
{
    equant_injection *made = run->made;
    size_t n_batches = (made->n_all + DOUBLE8 - 1) / DOUBLE8;
    size_t at_once = BATCHES_PER_REPORT * (size_t)study_crew_size(star);
    equant_status status = EQUANT_SUCCESS;
    for (; run->first_batch < n_batches && status == EQUANT_SUCCESS; run->first_batch += at_once) {
        size_t left = n_batches - run->first_batch;
        status =
            study_report(star, "injecting planets", (double)run->first_batch / (double)n_batches);
        if (status == EQUANT_SUCCESS)
            status = study_crew_share(star, left < at_once ? left : at_once, run_batch, run);
    }
    for (size_t i = 0; i < made->n_all && status == EQUANT_SUCCESS; i++) {
        size_t cell = i / made->n_draws;
        if (made->planets[i].is_recovered)
            made->recovered[cell] += 1.0 / (double)made->n_draws;
        study_orbits_to_reference(star, 1, made->planets[i].elements);
    }
    return status;
}

/* ---- from options to a map ------------------------------------------------------------------- */

/* Of a trend that the fit chooses, the terms that it may have; else none besides. */
static int most_trend_terms(const equant_fit_options *fit)
{
    equant_trend trend = OPTION_OR_ZERO(fit, equant_fit_options, trend);
    return trend == EQUANT_TREND_DEFAULT ? 2 : 0;
}

static equant_status make_map(study *star, const equant_fit_options *fit, injection_run *run)
{
    planet_finder_options wanted = fit_options_of_finder(fit);
    double known[STUDY_MAX_PLANETS * N_ELEMENTS];
    if (wanted.n_known > 0)
        memcpy(known, wanted.known, wanted.n_known * N_ELEMENTS * sizeof *known);
    study_orbits_to_epoch(star, wanted.n_known, known);
    wanted.known = known;
    planet_finder_result finding;
    equant_status status = planet_finder_run(star, &wanted, &finding);
    if (status != EQUANT_SUCCESS)
        return status;
    run->made->n_planets = finding.best.n_planets;
    run->made->probability_min = or_usual(wanted.probability_min, USUAL_PROBABILITY_MIN);
    status = injection_scene_create(star, &finding.best, wanted.n_fixed, most_trend_terms(fit),
                                    run->made->probability_min, &run->scene);
    planet_finder_free(&finding);
    if (status == EQUANT_SUCCESS)
        status = lay_out(star, run);
    return status == EQUANT_SUCCESS ? run_all(star, run) : status;
}

static equant_status check(const equant_dataset *dataset, const equant_injection_options *options)
{
    const equant_fit_options *fit = OPTION(options, fit);
    double e = OPTION(options, eccentricity_max);
    equant_status status = OPTIONS_CHECK(fit);
    if (status == EQUANT_SUCCESS)
        status = fit_options_check(dataset, fit);
    if (status != EQUANT_SUCCESS)
        return status;
    if (OPTION_OR_ZERO(fit, equant_fit_options, states))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "injections take no states: planets that are known go by `known`");
    if (!(e >= 0.0 && e <= USUAL_ECCENTRICITY_MAX))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "injected eccentricities go up to %g at most, not to %g",
                           USUAL_ECCENTRICITY_MAX, e);
    return EQUANT_SUCCESS;
}

equant_status equant_injection_create(const equant_dataset *dataset,
                                      const equant_injection_options *options,
                                      equant_injection **injection)
{
    if (!dataset || !injection)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a data set and a place for its map are needed");
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = check(dataset, options);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_fit_options fit;
    const equant_fit_options *asked = OPTION(options, fit);
    OPTIONS_TAKE(fit, asked);
    fit.struct_size = sizeof fit;
    fit.progress = OPTION(options, progress);
    fit.progress_context = OPTION(options, progress_context);
    injection_run run = {.options = options,
                         .eccentricity_max =
                             or_usual(OPTION(options, eccentricity_max), USUAL_ECCENTRICITY_MAX),
                         .all_circular = OPTION(options, all_circular) != 0,
                         .has_drawn_noise = OPTION(options, drawn_noise) != 0,
                         .seed = OPTION(options, seed)};
    const study_options kept = fit_options_of_study(&fit);
    study star;
    run.made = calloc(1, sizeof *run.made);
    if (!run.made)
        return status_out_of_memory();
    status = study_create(&star, dataset, &kept);
    if (status == EQUANT_SUCCESS)
        status = make_map(&star, &fit, &run);
    injection_scene_free(&run.scene);
    study_free(&star);
    if (status == EQUANT_SUCCESS)
        *injection = run.made;
    else
        equant_injection_free(run.made);
    return status;
}

void equant_injection_free(equant_injection *injection)
{
    if (!injection)
        return;
    free(injection->period_edges);
    free(injection->planets);
    free(injection);
}

/* ---- what it tells --------------------------------------------------------------------------- */

size_t equant_injection_n_periods(const equant_injection *injection)
{
    return injection ? injection->n_periods : 0;
}

size_t equant_injection_n_amplitudes(const equant_injection *injection)
{
    return injection ? injection->n_amplitudes : 0;
}

size_t equant_injection_n_draws(const equant_injection *injection)
{
    return injection ? injection->n_draws : 0;
}

const double *equant_injection_period_edges_days(const equant_injection *injection)
{
    return injection ? injection->period_edges : NULL;
}

const double *equant_injection_k_edges_m_s(const equant_injection *injection)
{
    return injection ? injection->k_edges : NULL;
}

const double *equant_injection_recovered(const equant_injection *injection)
{
    return injection ? injection->recovered : NULL;
}

size_t equant_injection_n_planets(const equant_injection *injection)
{
    return injection ? injection->n_planets : 0;
}

double equant_injection_probability_min(const equant_injection *injection)
{
    return injection ? injection->probability_min : NAN;
}

size_t equant_injection_n(const equant_injection *injection)
{
    return injection ? injection->n_all : 0;
}

equant_status equant_injection_at(const equant_injection *injection, size_t index,
                                  equant_injected *planet)
{
    equant_status status =
        STATUS_CHECK_ITEM(planet, "injected planets", equant_injection_n(injection), index);
    if (status != EQUANT_SUCCESS)
        return status;
    const injected_planet *own = &injection->planets[index];
    equant_injected known = {.struct_size = sizeof known,
                             .period_days = own->elements[ELEMENT_PERIOD],
                             .k_m_s = own->elements[ELEMENT_K],
                             .eccentricity = own->elements[ELEMENT_ECCENTRICITY],
                             .omega_rad = own->elements[ELEMENT_OMEGA],
                             .m0_rad = own->elements[ELEMENT_M0],
                             .probability = own->probability,
                             .is_recovered = own->is_recovered};
    OPTIONS_FILL(known, planet);
    return EQUANT_SUCCESS;
}
