/* The public fit of planets that attract each other: which planets, and what is said of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/interaction/interacting_fit.h"
#include "inference/interaction/interaction_start.h"
#include "inference/likelihood/study.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_interacting_options, member)
#define JUPITER_PER_SUN 1047.5655
#define HALF_PI 1.57079632679489661923
#define FALSE_ALARM_MAX 1e-3

struct equant_interacting_fit {
    interacting_result best;
    equant_interacting_summary summary;
};

/* A star, and what is asked of it. */
typedef struct interacting_star {
    study star;
    interacting_data data;
    double *times; /* since the epoch */
    interacting_options options;
    double false_alarm_max;
    bool is_edge_on, keeps_planets;
} interacting_star;

static bool has_had_enough(void *context)
{
    return study_still_wanted(context) != EQUANT_SUCCESS;
}

static equant_status begin(const equant_dataset *dataset, const equant_interacting_options *options,
                           interacting_star *made)
{
    const study_options kept = {.engine = OPTION(engine),
                                .progress = OPTION(progress),
                                .progress_context = OPTION(progress_context)};
    equant_status status = study_create(&made->star, dataset, &kept);
    if (status != EQUANT_SUCCESS)
        return status;
    const equant_dataset *data = made->star.dataset;
    made->times = malloc((data->n_obs + 1) * sizeof *made->times);
    if (!made->times)
        return status_out_of_memory();
    for (size_t k = 0; k < data->n_obs; k++)
        made->times[k] = data->time_days[k] - data->reference_time_days;
    made->data = (interacting_data){.n = data->n_obs,
                                    .n_instruments = data->n_instruments,
                                    .time_days = made->times,
                                    .velocity_m_s = data->velocity_m_s,
                                    .uncertainty_m_s = data->uncertainty_m_s,
                                    .instrument = data->instrument};
    made->is_edge_on = OPTION(is_edge_on);
    made->keeps_planets = OPTION(keeps_planets);
    made->false_alarm_max =
        OPTION(false_alarm_max) > 0.0 ? OPTION(false_alarm_max) : FALSE_ALARM_MAX;
    made->options =
        (interacting_options){.star_mass = OPTION(star_mass) > 0.0 ? OPTION(star_mass) : 1.0,
                              .fixes_inclination = made->is_edge_on,
                              .engine = &made->star.fit_engine,
                              .is_cancelled = has_had_enough,
                              .context = &made->star};
    return EQUANT_SUCCESS;
}

static double n_fitted(const interacting_star *own, const interacting_result *found)
{
    return (double)(found->n_columns + 2 * own->data.n_instruments);
}

static double bic_of(const interacting_star *own, const interacting_result *found)
{
    return n_fitted(own, found) * log((double)own->data.n) - 2.0 * found->log_likelihood;
}

static int compare_periods(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

static int compare_amplitudes(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (a[ELEMENT_K] < b[ELEMENT_K]) - (a[ELEMENT_K] > b[ELEMENT_K]);
}

/* The first solution: from several inclinations, of which the most probable is kept. */
static equant_status fit_first(interacting_star *own, size_t n_orbits, const double *orbits,
                               interacting_result *best)
{
    static const double inclinations[] = {1.05, 0.6};
    double elements[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
    const size_t n_starts = own->is_edge_on ? 1 : 2;
    for (size_t i = 0; i < n_starts; i++) {
        interacting_result found;
        interaction_start(own->options.star_mass, n_orbits, orbits,
                          own->is_edge_on ? HALF_PI : inclinations[i], elements);
        equant_status status =
            interacting_fit_outwards(&own->data, &own->options, n_orbits, elements, &found);
        if (status == EQUANT_SUCCESS)
            status = study_report(&own->star, "fitting planets that attract each other",
                                  (double)(i + 1) / (double)n_starts);
        if (status != EQUANT_SUCCESS) {
            interacting_result_free(&found);
            return status;
        }
        if (i == 0 || found.log_likelihood > best->log_likelihood) {
            interacting_result_free(best);
            *best = found;
        } else
            interacting_result_free(&found);
    }
    if (isfinite(best->log_likelihood))
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "no integration from these orbits lasts as long as the data: fewer planets, "
                       "or other orbits, may");
}

/* The highest peak of the residuals. */
static equant_status scan_residuals(interacting_star *own, const interacting_result *best,
                                    equant_peak *peak)
{
    equant_dataset *left = NULL;
    equant_periodogram *found = NULL;
    const equant_dataset_options shape = {.struct_size = sizeof shape, .has_reference_time = 1};
    const equant_search_options options = {.struct_size = sizeof options,
                                           .engine = own->options.engine,
                                           .circular_only = 1,
                                           .n_peaks = 1,
                                           .progress = study_hear,
                                           .progress_context = &own->star};
    equant_status status = equant_dataset_from_arrays(
        own->data.n, own->data.time_days, best->residuals, own->data.uncertainty_m_s,
        own->data.instrument, own->data.n_instruments, NULL, &shape, &left);
    if (status == EQUANT_SUCCESS)
        status = equant_search(left, &options, &found);
    peak->false_alarm = 1.0;
    if (status == EQUANT_SUCCESS && equant_periodogram_n_peaks(found) > 0)
        status = equant_periodogram_peak(found, 0, peak);
    equant_periodogram_free(found);
    equant_dataset_free(left);
    return status;
}

/* A planet more, on a circle, into its place by period. */
static void insert(const interacting_star *own, const interacting_result *best,
                   const equant_peak *peak, double *elements)
{
    const size_t n = best->n_planets;
    const double orbit[N_ELEMENTS] = {peak->period_days, peak->k_m_s, 0.0, 0.0,
                                      peak->m0_rad + peak->omega_rad};
    double inclination = best->elements[NBODY_INCLINATION];
    memcpy(elements, best->elements, n * NBODY_N_ELEMENTS * sizeof *elements);
    interaction_start(own->options.star_mass, 1, orbit, inclination,
                      elements + n * NBODY_N_ELEMENTS);
    for (size_t p = n; p > 0; p--) {
        double kept[NBODY_N_ELEMENTS], *b = elements + p * NBODY_N_ELEMENTS,
                                       *a = b - NBODY_N_ELEMENTS;
        if (a[NBODY_PERIOD] <= b[NBODY_PERIOD])
            break;
        memcpy(kept, a, sizeof kept);
        memcpy(a, b, sizeof kept);
        memcpy(b, kept, sizeof kept);
    }
}

/* Planets more, while the residuals and the BIC ask for them. */
static equant_status grow(interacting_star *own, interacting_result *best,
                          equant_interacting_summary *summary)
{
    while (best->n_planets < EQUANT_NBODY_MAX_PLANETS) {
        double elements[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
        equant_peak peak = {.struct_size = sizeof peak};
        interacting_result found;
        equant_status status = scan_residuals(own, best, &peak);
        if (status != EQUANT_SUCCESS)
            return status;
        summary->candidate_period_days = peak.period_days;
        summary->candidate_false_alarm = peak.false_alarm;
        if (peak.false_alarm > own->false_alarm_max)
            return EQUANT_SUCCESS;
        insert(own, best, &peak, elements);
        status =
            interacting_fit_from(&own->data, &own->options, best->n_planets + 1, elements, &found);
        bool is_better = status == EQUANT_SUCCESS && isfinite(found.log_likelihood) &&
                         bic_of(own, &found) < bic_of(own, best);
        if (!is_better) {
            interacting_result_free(&found);
            return status;
        }
        interacting_result_free(best);
        *best = found;
        status = study_report(&own->star, "adding planets that attract each other", 0.0);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

static void summarize(const interacting_star *own, const interacting_result *best,
                      equant_interacting_summary *summary)
{
    const size_t n = best->n_columns;
    double squares = 0.0;
    for (size_t k = 0; k < own->data.n; k++)
        squares += best->residuals[k] * best->residuals[k];
    summary->n_obs = own->data.n;
    summary->n_fitted = (size_t)n_fitted(own, best);
    summary->epoch_days = own->star.dataset->reference_time_days;
    summary->star_mass = own->options.star_mass;
    summary->inclination_rad = best->elements[NBODY_INCLINATION];
    summary->inclination_rad_err = own->is_edge_on ? NAN : sqrt(best->covariance[n * n - 1]);
    summary->chi_square = best->chi_square;
    summary->log_likelihood = best->log_likelihood;
    summary->bic = bic_of(own, best);
    summary->rms_m_s = sqrt(squares / (double)own->data.n);
}

static equant_status fit_star(interacting_star *own, size_t n_orbits, const double *orbits,
                              equant_interacting_fit *fit)
{
    double chosen[EQUANT_NBODY_MAX_PLANETS * N_ELEMENTS];
    memcpy(chosen, orbits, n_orbits * N_ELEMENTS * sizeof *chosen);
    study_orbits_to_epoch(&own->star, n_orbits, chosen);
    if (!own->keeps_planets && n_orbits > 2) {
        qsort(chosen, n_orbits, N_ELEMENTS * sizeof *chosen, compare_amplitudes);
        n_orbits = 2;
    }
    qsort(chosen, n_orbits, N_ELEMENTS * sizeof *chosen, compare_periods);
    fit->summary.candidate_period_days = fit->summary.candidate_false_alarm = NAN;
    equant_status status = fit_first(own, n_orbits, chosen, &fit->best);
    if (status == EQUANT_SUCCESS && !own->keeps_planets)
        status = grow(own, &fit->best, &fit->summary);
    if (status == EQUANT_SUCCESS)
        summarize(own, &fit->best, &fit->summary);
    return status;
}

equant_status equant_interacting_fit_create(const equant_dataset *dataset, size_t n_orbits,
                                            const double *orbits,
                                            const equant_interacting_options *options,
                                            equant_interacting_fit **out)
{
    if (!dataset || !orbits || !out || n_orbits < 1 || n_orbits > EQUANT_NBODY_MAX_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit of planets that attract each other needs a data set, 1 to %d "
                           "orbits and a place to put it",
                           EQUANT_NBODY_MAX_PLANETS);
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = study_check_planets(n_orbits, orbits);
    if (status != EQUANT_SUCCESS)
        return status;
    interacting_star *own = calloc(1, sizeof *own);
    equant_interacting_fit *fit = calloc(1, sizeof *fit);
    status = own && fit ? begin(dataset, options, own) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = fit_star(own, n_orbits, orbits, fit);
    if (own) {
        study_free(&own->star);
        free(own->times);
        free(own);
    }
    if (status != EQUANT_SUCCESS) {
        equant_interacting_fit_free(fit);
        return status;
    }
    *out = fit;
    return EQUANT_SUCCESS;
}

void equant_interacting_fit_free(equant_interacting_fit *fit)
{
    if (!fit)
        return;
    interacting_result_free(&fit->best);
    free(fit);
}

size_t equant_interacting_fit_n_planets(const equant_interacting_fit *fit)
{
    return fit ? fit->best.n_planets : 0;
}

const double *equant_interacting_fit_elements(const equant_interacting_fit *fit)
{
    return fit ? fit->best.elements : NULL;
}

const double *equant_interacting_fit_residuals_m_s(const equant_interacting_fit *fit)
{
    return fit ? fit->best.residuals : NULL;
}

equant_status equant_interacting_fit_planet(const equant_interacting_fit *fit, size_t index,
                                            equant_interacting_planet *planet)
{
    equant_status status =
        STATUS_CHECK_ITEM(planet, "planets", equant_interacting_fit_n_planets(fit), index);
    if (status != EQUANT_SUCCESS)
        return status;
    const size_t n = fit->best.n_columns, first = index * INTERACTING_OF_PLANET;
    const double *own = fit->best.elements + index * NBODY_N_ELEMENTS;
    const double *covariance = fit->best.covariance;
#define VARIANCE(i, j) covariance[(first + (i)) * n + first + (j)]
    const double h = own[NBODY_H], k = own[NBODY_K], e = hypot(h, k);
    double across = h * h * VARIANCE(3, 3) - 2.0 * h * k * VARIANCE(2, 3) + k * k * VARIANCE(2, 2);
    double along = h * h * VARIANCE(2, 2) + 2.0 * h * k * VARIANCE(2, 3) + k * k * VARIANCE(3, 3);
    equant_interacting_planet made = {
        .mass_jupiter = own[NBODY_MASS] * JUPITER_PER_SUN,
        .mass_jupiter_err = own[NBODY_MASS] * JUPITER_PER_SUN * sqrt(VARIANCE(0, 0)),
        .period_days = own[NBODY_PERIOD],
        .period_days_err = own[NBODY_PERIOD] * sqrt(VARIANCE(1, 1)),
        .eccentricity = e,
        .eccentricity_err = sqrt(along) / e,
        .omega_rad = atan2(k, h),
        .omega_rad_err = sqrt(across) / (e * e),
        .mean_longitude_rad = own[NBODY_LONGITUDE],
        .mean_longitude_rad_err = sqrt(VARIANCE(4, 4)),
        .k_m_s = interaction_semi_amplitude(fit->summary.star_mass, fit->best.elements, index)};
#undef VARIANCE
    OPTIONS_FILL(made, planet);
    return EQUANT_SUCCESS;
}

equant_status equant_interacting_fit_summarize(const equant_interacting_fit *fit,
                                               equant_interacting_summary *summary)
{
    if (!fit || !summary)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a summary needs a fit and a place to put it");
    equant_status status = OPTIONS_CHECK(summary);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_interacting_summary made = fit->summary;
    OPTIONS_FILL(made, summary);
    return EQUANT_SUCCESS;
}
