/* The public fit of planets that attract each other: which planets, and what is said of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/nbody/observed_transits.h"
#include "core/status_fail.h"
#include "inference/interaction/interacting_fit.h"
#include "inference/interaction/interaction_start.h"
#include "inference/likelihood/study.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_interacting_options, member)
#define JUPITER_PER_SUN 1047.5655
#define HALF_PI 1.57079632679489661923
#define FALSE_ALARM_MAX 1e-3

#define SECONDS_PER_DAY 86400.0
/* A Keplerian orbit is that of a planet that transits where their periods agree so far. */
#define SAME_PERIOD 0.03
/* Of the star: ten Earths at a sun, between the planets whose transits vary. */
#define FIRST_MASS_SHARE 3e-5

struct equant_interacting_fit {
    interacting_result best;
    equant_interacting_summary summary;
    size_t n_transits;
    equant_interacting_transit *transits;
    int labels[EQUANT_NBODY_MAX_PLANETS];
};

/* A star, and what is asked of it. */
typedef struct interacting_star {
    study star; /* without a data set where there are no velocities */
    interacting_data data;
    double *times; /* since the epoch */
    double epoch_days;
    interacting_options options;
    double false_alarm_max;
    bool is_edge_on, keeps_planets;
    const equant_transits *transits;           /* NULL: none */
    int *transit_planets;                      /* of the rows, in the model */
    size_t place_of[EQUANT_NBODY_MAX_PLANETS]; /* of planets that transit, in the model */
    equant_engine_options engine;
    equant_progress progress;
    void *progress_context;
    bool is_cancelled;
} interacting_star;

/* Where there are no velocities there is no study that would ask. */
static bool ask(interacting_star *own, const char *stage, double done)
{
    const equant_progress_report report = {.struct_size = sizeof report,
                                           .stage = stage,
                                           .done = done,
                                           .steps_per_s = NAN,
                                           .acceptance = NAN,
                                           .rhat = NAN,
                                           .ess_bulk = NAN,
                                           .ess_tail = NAN,
                                           .seconds_left = NAN,
                                           .call_done = NAN};
    if (!own->is_cancelled && own->progress && own->progress(&report, own->progress_context))
        own->is_cancelled = true;
    return own->is_cancelled;
}

static bool has_had_enough(void *context)
{
    interacting_star *own = context;
    return own->star.dataset ? study_still_wanted(&own->star) != EQUANT_SUCCESS
                             : ask(own, "fitting planets that attract each other", 0.0);
}

static equant_status tell(interacting_star *own, const char *stage, double done)
{
    if (own->star.dataset)
        return study_report(&own->star, stage, done);
    return ask(own, stage, done) ? status_fail(EQUANT_ERROR_CANCELLED, "cancelled")
                                 : EQUANT_SUCCESS;
}

static equant_status begin_velocities(const equant_dataset *dataset,
                                      const equant_interacting_options *options,
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
    made->epoch_days = data->reference_time_days;
    for (size_t k = 0; k < data->n_obs; k++)
        made->times[k] = data->time_days[k] - made->epoch_days;
    made->data = (interacting_data){.n = data->n_obs,
                                    .n_instruments = data->n_instruments,
                                    .time_days = made->times,
                                    .velocity_m_s = data->velocity_m_s,
                                    .uncertainty_m_s = data->uncertainty_m_s,
                                    .instrument = data->instrument};
    made->engine = made->star.fit_engine;
    return EQUANT_SUCCESS;
}

/* The epoch is in the middle of the transits, which tell most of the orbits that they are of. */
static double middle_of(const equant_transits *transits)
{
    double first = INFINITY, last = -INFINITY;
    for (size_t k = 0; k < transits->n; k++) {
        first = fmin(first, transits->time_days[k]);
        last = fmax(last, transits->time_days[k]);
    }
    return floor(0.5 * (first + last)) + 0.5;
}

/* Clocks that count from different days do not overlap. */
static equant_status check_clock(const interacting_star *own)
{
    const double century = 36525.0;
    if (own->data.n == 0)
        return EQUANT_SUCCESS;
    for (size_t k = 0; k < own->transits->n; k++)
        if (fabs(own->transits->time_days[k] - own->epoch_days) > century)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "a transit at %.4f and velocities about %.1f are not of one clock",
                               own->transits->time_days[k], own->epoch_days);
    return EQUANT_SUCCESS;
}

static equant_status begin_transits(interacting_star *made)
{
    const equant_transits *from = made->transits;
    equant_status status = check_clock(made);
    if (status != EQUANT_SUCCESS)
        return status;
    const double epoch = middle_of(from);
    for (size_t k = 0; k < made->data.n; k++)
        made->times[k] += made->epoch_days - epoch;
    made->epoch_days = epoch;
    double *times = realloc(made->times, (made->data.n + from->n + 1) * sizeof *times);
    made->transit_planets = malloc((from->n + 1) * sizeof *made->transit_planets);
    if (times)
        made->times = times;
    if (!times || !made->transit_planets)
        return status_out_of_memory();
    made->data.time_days = times;
    for (size_t k = 0; k < from->n; k++)
        times[made->data.n + k] = from->time_days[k] - made->epoch_days;
    made->data.transits.n = from->n;
    made->data.transits.planet = made->transit_planets;
    made->data.transits.number = from->number;
    made->data.transits.time_days = times + made->data.n;
    made->data.transits.error_days = from->error_days;
    made->is_edge_on = true;
    return EQUANT_SUCCESS;
}

static equant_status begin(const equant_dataset *dataset, const equant_interacting_options *options,
                           interacting_star *made)
{
    equant_status status = EQUANT_SUCCESS;
    made->transits = OPTION(transits);
    made->progress = OPTION(progress);
    made->progress_context = OPTION(progress_context);
    made->is_edge_on = OPTION(is_edge_on);
    made->keeps_planets = OPTION(keeps_planets);
    if (dataset)
        status = begin_velocities(dataset, options, made);
    if (status == EQUANT_SUCCESS && made->transits)
        status = begin_transits(made);
    made->false_alarm_max =
        OPTION(false_alarm_max) > 0.0 ? OPTION(false_alarm_max) : FALSE_ALARM_MAX;
    made->options =
        (interacting_options){.star_mass = OPTION(star_mass) > 0.0 ? OPTION(star_mass) : 1.0,
                              .fixes_inclination = made->is_edge_on,
                              .engine = dataset ? &made->engine : OPTION(engine),
                              .is_cancelled = has_had_enough,
                              .context = made};
    return status;
}

static double n_fitted(const interacting_star *own, const interacting_result *found)
{
    return (double)(found->n_columns + 2 * own->data.n_instruments);
}

static double bic_of(const interacting_star *own, const interacting_result *found)
{
    return n_fitted(own, found) * log((double)(own->data.n + own->data.transits.n)) -
           2.0 * found->log_likelihood;
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

/* Rows of transits are those of planets of the model. */
static void place_transits(interacting_star *own)
{
    interacting_transits *to = &own->data.transits;
    for (size_t p = 0; p < EQUANT_NBODY_MAX_PLANETS; p++) {
        to->zero_days[p] = 0.0;
        to->period_days[p] = 1.0;
    }
    for (size_t q = 0; own->transits && q < own->transits->n_planets; q++) {
        const struct observed_planet *from = &own->transits->of[q];
        to->zero_days[own->place_of[q]] = from->zero_days - own->epoch_days;
        to->period_days[own->place_of[q]] = from->period_days;
    }
    for (size_t k = 0; own->transits && k < own->transits->n; k++)
        own->transit_planets[k] = (int)own->place_of[own->transits->planet[k]];
}

/* The orbits of planets that transit: circles by their ephemerides. */
static void start_transits(const interacting_star *own, double *elements)
{
    for (size_t q = 0; own->transits && q < own->transits->n_planets; q++) {
        const struct observed_planet *from = &own->transits->of[q];
        double *to = elements + own->place_of[q] * NBODY_N_ELEMENTS;
        double turns = (own->epoch_days - from->zero_days) / from->period_days;
        to[NBODY_PERIOD] = from->period_days;
        to[NBODY_LONGITUDE] = HALF_PI + 4.0 * HALF_PI * (turns - floor(turns));
        to[NBODY_H] = to[NBODY_K] = to[NBODY_NODE] = 0.0;
        to[NBODY_INCLINATION] = HALF_PI;
        if (!(to[NBODY_MASS] > 0.0)) /* no velocities tell it */
            to[NBODY_MASS] = FIRST_MASS_SHARE * own->options.star_mass;
    }
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
        start_transits(own, elements);
        equant_status status =
            interacting_fit_outwards(&own->data, &own->options, n_orbits, elements, &found);
        if (status == EQUANT_SUCCESS)
            status = tell(own, "fitting planets that attract each other",
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
static void insert(interacting_star *own, const interacting_result *best, const equant_peak *peak,
                   double *elements)
{
    const size_t n = best->n_planets;
    const double orbit[N_ELEMENTS] = {peak->period_days, peak->k_m_s, 0.0, 0.0,
                                      peak->m0_rad + peak->omega_rad};
    double inclination = best->elements[NBODY_INCLINATION];
    memcpy(elements, best->elements, n * NBODY_N_ELEMENTS * sizeof *elements);
    interaction_start(own->options.star_mass, 1, orbit, inclination,
                      elements + n * NBODY_N_ELEMENTS);
    size_t place = n;
    for (size_t p = n; p > 0; p--, place--) {
        double kept[NBODY_N_ELEMENTS], *b = elements + p * NBODY_N_ELEMENTS,
                                       *a = b - NBODY_N_ELEMENTS;
        if (a[NBODY_PERIOD] <= b[NBODY_PERIOD])
            break;
        memcpy(kept, a, sizeof kept);
        memcpy(a, b, sizeof kept);
        memcpy(b, kept, sizeof kept);
    }
    for (size_t q = 0; own->transits && q < own->transits->n_planets; q++)
        own->place_of[q] += own->place_of[q] >= place;
    place_transits(own);
}

/* Planets more, while the residuals and the BIC ask for them. */
static equant_status grow(interacting_star *own, interacting_result *best,
                          equant_interacting_summary *summary)
{
    while (own->data.n > 0 && best->n_planets < EQUANT_NBODY_MAX_PLANETS) {
        double elements[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
        equant_peak peak = {.struct_size = sizeof peak};
        size_t places[EQUANT_NBODY_MAX_PLANETS];
        interacting_result found;
        equant_status status = scan_residuals(own, best, &peak);
        if (status != EQUANT_SUCCESS)
            return status;
        summary->candidate_period_days = peak.period_days;
        summary->candidate_false_alarm = peak.false_alarm;
        if (peak.false_alarm > own->false_alarm_max)
            return EQUANT_SUCCESS;
        memcpy(places, own->place_of, sizeof places);
        insert(own, best, &peak, elements);
        status =
            interacting_fit_from(&own->data, &own->options, best->n_planets + 1, elements, &found);
        bool is_better = status == EQUANT_SUCCESS && isfinite(found.log_likelihood) &&
                         bic_of(own, &found) < bic_of(own, best);
        if (!is_better) {
            interacting_result_free(&found);
            memcpy(own->place_of, places, sizeof places);
            return status;
        }
        interacting_result_free(best);
        *best = found;
        status = tell(own, "adding planets that attract each other", 0.0);
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
    summary->epoch_days = own->epoch_days;
    summary->star_mass = own->options.star_mass;
    summary->inclination_rad = best->elements[NBODY_INCLINATION];
    summary->inclination_rad_err = own->is_edge_on ? NAN : sqrt(best->covariance[n * n - 1]);
    summary->chi_square = best->chi_square;
    summary->log_likelihood = best->log_likelihood;
    summary->bic = bic_of(own, best);
    summary->rms_m_s = own->data.n > 0 ? sqrt(squares / (double)own->data.n) : NAN;
    summary->chi_square_transits = best->chi_square_transits;
}

/* Transits with what the model has for them. */
static equant_status list_transits(const interacting_star *own, equant_interacting_fit *fit)
{
    const equant_transits *from = own->transits;
    double squares = 0.0;
    if (!from)
        return EQUANT_SUCCESS;
    fit->transits = calloc(from->n + 1, sizeof *fit->transits);
    if (!fit->transits)
        return status_out_of_memory();
    fit->summary.n_transits = fit->n_transits = from->n;
    for (size_t q = 0; q < from->n_planets; q++)
        fit->labels[own->place_of[q]] = from->of[q].label;
    for (size_t k = 0; k < from->n; k++) {
        const double *model = fit->best.transits + k * EQUANT_N_NBODY_TRANSIT;
        const struct observed_planet *of = &from->of[from->planet[k]];
        double late = from->time_days[k] - own->epoch_days - model[0];
        squares += late * late;
        fit->transits[k] = (equant_interacting_transit){
            .planet = own->place_of[from->planet[k]],
            .number = from->number[k],
            .time_days = from->time_days[k],
            .time_days_err = from->error_days[k],
            .fitted_days = own->epoch_days + model[0],
            .linear_days = of->zero_days + from->number[k] * of->period_days,
            .distance_au = model[1],
            .speed_au_day = model[2]};
    }
    fit->summary.rms_transits_s = SECONDS_PER_DAY * sqrt(squares / (double)from->n);
    return EQUANT_SUCCESS;
}

/* Whether an orbit is that of a planet that transits. */
static bool is_transiting(const interacting_star *own, const double *orbit)
{
    for (size_t q = 0; own->transits && q < own->transits->n_planets; q++)
        if (fabs(log(orbit[ELEMENT_PERIOD] / own->transits->of[q].period_days)) < SAME_PERIOD)
            return true;
    return false;
}

/* Planets that transit, by period, with the amplitude of an orbit of that period. Other orbits come
 * with them where they are to be kept; else the residuals tell, which know the transits. */
static equant_status join_transits(interacting_star *own, size_t *n, double *orbits)
{
    double joined[2 * EQUANT_NBODY_MAX_PLANETS * N_ELEMENTS];
    size_t n_joined = 0, n_given = *n;
    for (size_t p = 0; p < n_given; p++)
        if (own->keeps_planets && !is_transiting(own, orbits + p * N_ELEMENTS))
            memcpy(joined + N_ELEMENTS * n_joined++, orbits + p * N_ELEMENTS,
                   N_ELEMENTS * sizeof *joined);
    for (size_t q = 0; q < own->transits->n_planets; q++) {
        double *to = joined + N_ELEMENTS * n_joined++, period = own->transits->of[q].period_days;
        memset(to, 0, N_ELEMENTS * sizeof *to);
        for (size_t p = 0; p < n_given; p++)
            if (fabs(log(orbits[p * N_ELEMENTS + ELEMENT_PERIOD] / period)) < SAME_PERIOD)
                to[ELEMENT_K] = orbits[p * N_ELEMENTS + ELEMENT_K];
        to[ELEMENT_PERIOD] = period;
    }
    if (n_joined > EQUANT_NBODY_MAX_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%zu planets are more than an integration has", n_joined);
    qsort(joined, n_joined, N_ELEMENTS * sizeof *joined, compare_periods);
    for (size_t q = 0; q < own->transits->n_planets; q++)
        for (size_t p = 0; p < n_joined; p++)
            if (joined[p * N_ELEMENTS + ELEMENT_PERIOD] == own->transits->of[q].period_days)
                own->place_of[q] = p;
    memcpy(orbits, joined, n_joined * N_ELEMENTS * sizeof *orbits);
    *n = n_joined;
    return EQUANT_SUCCESS;
}

/* Rows for all parameters. */
static equant_status check_rows(const interacting_star *own, size_t n_planets)
{
    size_t n = own->data.n + own->data.transits.n;
    size_t n_needed =
        INTERACTING_OF_PLANET * n_planets + (own->is_edge_on ? 0 : 1) + own->data.n_instruments;
    if (n >= n_needed)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "%zu velocities and transit times are too few for %zu parameters of planets "
                       "that attract each other",
                       n, n_needed);
}

static equant_status fit_star(interacting_star *own, size_t n_orbits, const double *orbits,
                              equant_interacting_fit *fit)
{
    double chosen[EQUANT_NBODY_MAX_PLANETS * N_ELEMENTS];
    equant_status status = EQUANT_SUCCESS;
    if (n_orbits > 0) {
        memcpy(chosen, orbits, n_orbits * N_ELEMENTS * sizeof *chosen);
        study_orbits_to_epoch(&own->star, n_orbits, chosen);
        double later = own->epoch_days - own->star.dataset->reference_time_days;
        for (size_t p = 0; p < n_orbits; p++)
            chosen[p * N_ELEMENTS + ELEMENT_M0] +=
                4.0 * HALF_PI * later / chosen[p * N_ELEMENTS + ELEMENT_PERIOD];
    }
    if (!own->keeps_planets && n_orbits > 2) {
        qsort(chosen, n_orbits, N_ELEMENTS * sizeof *chosen, compare_amplitudes);
        n_orbits = 2;
    }
    qsort(chosen, n_orbits, N_ELEMENTS * sizeof *chosen, compare_periods);
    if (own->transits)
        status = join_transits(own, &n_orbits, chosen);
    if (status == EQUANT_SUCCESS)
        status = check_rows(own, n_orbits);
    if (status != EQUANT_SUCCESS)
        return status;
    place_transits(own);
    fit->summary.candidate_period_days = fit->summary.candidate_false_alarm = NAN;
    status = fit_first(own, n_orbits, chosen, &fit->best);
    if (status == EQUANT_SUCCESS && !own->keeps_planets)
        status = grow(own, &fit->best, &fit->summary);
    if (status == EQUANT_SUCCESS)
        summarize(own, &fit->best, &fit->summary);
    if (status == EQUANT_SUCCESS)
        status = list_transits(own, fit);
    return status;
}

equant_status equant_interacting_fit_create(const equant_dataset *dataset, size_t n_orbits,
                                            const double *orbits,
                                            const equant_interacting_options *options,
                                            equant_interacting_fit **out)
{
    const bool has_transits = OPTION(transits) != NULL;
    if ((!dataset && (!has_transits || n_orbits > 0)) || !out || (!orbits && n_orbits > 0) ||
        (n_orbits < 1 && !has_transits) || n_orbits > EQUANT_NBODY_MAX_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit of planets that attract each other needs a data set, 1 to %d "
                           "orbits and a place to put it",
                           EQUANT_NBODY_MAX_PLANETS);
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS && n_orbits > 0)
        status = study_check_planets(n_orbits, orbits);
    if (status != EQUANT_SUCCESS)
        return status;
    interacting_star *own = calloc(1, sizeof *own);
    equant_interacting_fit *fit = calloc(1, sizeof *fit);
    status = own && fit ? begin(dataset, options, own) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = fit_star(own, n_orbits, orbits, fit);
    if (own) {
        if (own->star.dataset)
            study_free(&own->star);
        free(own->times);
        free(own->transit_planets);
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
    free(fit->transits);
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
        .k_m_s = interaction_semi_amplitude(fit->summary.star_mass, fit->best.elements, index),
        .label = fit->labels[index]};
#undef VARIANCE
    OPTIONS_FILL(made, planet);
    return EQUANT_SUCCESS;
}

equant_status equant_interacting_fit_transit(const equant_interacting_fit *fit, size_t index,
                                             equant_interacting_transit *transit)
{
    equant_status status = STATUS_CHECK_ITEM(transit, "transits", fit ? fit->n_transits : 0, index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_interacting_transit made = fit->transits[index];
    OPTIONS_FILL(made, transit);
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
