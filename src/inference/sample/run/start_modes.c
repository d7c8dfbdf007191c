#include "inference/sample/run/start_modes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/sample/target/noise_priors.h"
#include "inference/sample/run/start_noise.h"
#include "inference/fit/fit_model.h"
#include "inference/priors/stated_prior.h"
#include "inference/likelihood/small_matrix.h"
#include "model/orbit_elements.h"
#include "model/period_resolution.h"

enum { N_PEAKS = 8 };

/* A peak this far below the highest, in ln L, is worth a refit; a refit this far below the best
 * is worth walkers: what is e^-10 of the posterior nobody misses. */
#define PEAK_MARGIN 15.0
#define RIVAL_MARGIN 10.0

/* ---- the ranges of the fit ------------------------------------------------------------ */

typedef struct period_range {
    double min_days, max_days; /* 0: the default of a search */
} period_range;

/* The periods that the priors of the planets hold possible, as far as a search goes. */
static period_range range_of(const start_modes_request *request)
{
    const double tail = 1e-6, room = 1e-3;
    const double *times = equant_dataset_times_days(request->dataset);
    double span = times[equant_dataset_n_obs(request->dataset) - 1] - times[0];
    period_range range = {INFINITY, 0.0};
    for (size_t p = 0; p < request->n_planets; p++) {
        const prior_density *period = priors_of_column(request->priors, N_ELEMENTS * p);
        range.min_days = fmin(range.min_days, prior_density_quantile(period, tail) * (1.0 - room));
        range.max_days =
            fmax(range.max_days, prior_density_quantile(period, 1.0 - tail) * (1.0 + room));
    }
    if (!(range.min_days > 0.0) || isinf(range.min_days))
        range.min_days = 0.0;
    if (!(range.max_days < 2.0 * span))
        range.max_days = 0.0;
    if (range.max_days == 0.0 && range.min_days >= 2.0 * span)
        range.min_days = 0.0;
    return range;
}

static bool has_noise(const start_modes_request *request)
{
    return priors_layout(request->priors)->noise.n > 0;
}

/* Planets that are still to be found are looked for beside the noise: without it they would be made
 * of a star's rotation. States may be about the noise. */
static equant_status fit_from(const start_modes_request *request, size_t n_known,
                              const double *known, equant_fit **fit)
{
    bool beside_noise = has_noise(request) && (request->states || n_known < request->n_planets);
    char noise[NOISE_PRIORS_WORDS_SIZE];
    noise_priors_words(&priors_layout(request->priors)->noise, request->dataset, noise);
    period_range range = range_of(request);
    equant_fit_options options = {
        .struct_size = sizeof options,
        .engine = request->engine,
        .n_planets = request->n_planets > 0 ? (int)request->n_planets : -1,
        .period_min_days = range.min_days,
        .period_max_days = range.max_days,
        .trend = trend_order_name(request->trend_order),
        .n_known = n_known,
        .known = known,
        .seed = request->seed,
        .progress = request->progress,
        .progress_context = request->progress_context,
        .noise = beside_noise ? noise : "white",
        .states = request->states,
        .star_mass = request->star_mass,
    };
    return fit_model(request->dataset, &options, false, fit);
}

/* A solution that may become a mode: a set of the columns that the priors have. */
typedef struct candidate {
    double *set;
    double log_likelihood, rms_m_s;
} candidate;

/* What a fit found, with the noise of the priors where they have any. */
static equant_status take_fit(const start_modes_request *request, equant_evaluator *evaluator,
                              const equant_fit *fit, candidate *made)
{
    equant_fit_summary summary = {.struct_size = sizeof summary};
    /* Noise is refined from its priors, whatever the fit had. */
    size_t n_fitted = parameter_layout_end(priors_layout(request->priors), TERM_JITTERS);
    equant_status status = equant_fit_summarize(fit, &summary);
    made->set = calloc(priors_n_columns(request->priors), sizeof *made->set);
    if (!made->set)
        return status_out_of_memory();
    if (status != EQUANT_SUCCESS)
        return status;
    memcpy(made->set, equant_fit_parameters(fit), n_fitted * sizeof *made->set);
    made->log_likelihood = summary.log_likelihood;
    made->rms_m_s = summary.rms_m_s;
    const start_noise_request noise = {evaluator, request->priors, request->seed};
    if (!has_noise(request))
        return EQUANT_SUCCESS;
    status = start_noise_refine(&noise, made->set, &made->log_likelihood);
    /* What is known of orbits was known to the fit alone. */
    if (request->states)
        memcpy(made->set, equant_fit_parameters(fit),
               N_ELEMENTS * request->n_planets * sizeof *made->set);
    return status;
}

/* ---- one mode -------------------------------------------------------------------------- */

/* What is as large as a parameter may well be: its width where the data say nothing. */
static void fill_scales(const start_modes_request *request, size_t n, double rms_m_s, double *scale)
{
    static const double planet[N_ELEMENTS] = {0.05, 1.0, 0.3, 0.3, 1.0};
    const double wide = 10.0;
    const double *times = equant_dataset_times_days(request->dataset);
    double span = times[equant_dataset_n_obs(request->dataset) - 1] - times[0];
    const parameter_layout *layout = priors_layout(request->priors);
    for (size_t i = 0; i < n; i++) {
        parameter_term term = parameter_layout_term(layout, i);
        size_t place = i - parameter_layout_first(layout, term);
        scale[i] = term == TERM_ORBITS ? planet[place % N_ELEMENTS] : rms_m_s;
        if (term == TERM_OFFSETS)
            scale[i] *= wide;
        if (term == TERM_TREND)
            scale[i] *= wide / pow(span, (double)place + 1.0);
        if (term == TERM_NOISE) /* logarithms */
            scale[i] = 1.0;
    }
}

/* The inverse covariance of a solution from the data, made definite by the scales [n]. */
static equant_status fill_precision(const start_modes_request *request, equant_evaluator *evaluator,
                                    const candidate *from, const size_t *slots, double *scale,
                                    double *precision)
{
    const size_t n = priors_n_columns(request->priors);
    equant_derivatives wanted = {.struct_size = sizeof wanted, .fisher = precision};
    equant_status status =
        equant_evaluator_differentiate(evaluator, EQUANT_BASIS_REGULAR, 1, from->set, &wanted);
    if (status != EQUANT_SUCCESS)
        return status;
    fill_scales(request, n, from->rms_m_s, scale);
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(precision[i]))
            precision[i] = 0.0;
    if (has_noise(request))
        start_noise_to_logarithms(priors_layout(request->priors), from->set, precision);
    for (size_t i = 0; i < n; i++)
        precision[i * n + i] += 1.0 / (scale[i] * scale[i]);
    for (size_t p = 0; p < request->n_planets && request->states; p++)
        stated_prior_add_precision(request->states, equant_states_letter(request->states, slots[p]),
                                   equant_dataset_reference_time_days(request->dataset),
                                   request->star_mass, from->set + N_ELEMENTS * p, n,
                                   precision + N_ELEMENTS * p * (n + 1));
    return EQUANT_SUCCESS;
}

/* Adds a solution, by the weight that Laplace's method gives it. */
static equant_status add_mode(const start_modes_request *request, equant_evaluator *evaluator,
                              const candidate *from, start_modes *found)
{
    const size_t n = priors_n_columns(request->priors);
    start_mode *made = &found->mode[found->n++];
    found->n_columns = n;
    made->centre = calloc(n, sizeof *made->centre);
    made->factor = calloc(n * n, sizeof *made->factor);
    if (!made->centre || !made->factor)
        return status_out_of_memory();
    /* The centre's place serves for the scales before it is filled. */
    equant_status status =
        fill_precision(request, evaluator, from, found->slots, made->centre, made->factor);
    memcpy(made->centre, from->set, n * sizeof *made->centre);
    if (status == EQUANT_SUCCESS)
        status = equant_basis_from_elements(EQUANT_BASIS_REGULAR, found->n_planets, made->centre,
                                            made->centre);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = parameter_layout_first(priors_layout(request->priors), TERM_NOISE); i < n; i++)
        made->centre[i] = log(made->centre[i]);
    small_matrix_factor(n, made->factor);
    made->log_weight = from->log_likelihood;
    for (size_t i = 0; i < n; i++)
        if (made->factor[i * n + i] > 0.0)
            made->log_weight -= log(made->factor[i * n + i]);
    return EQUANT_SUCCESS;
}

/* ---- rivals ----------------------------------------------------------------------------- */

static bool is_same_period(const equant_dataset *dataset, double a_days, double b_days)
{
    const double *times = equant_dataset_times_days(dataset);
    double span = times[equant_dataset_n_obs(dataset) - 1] - times[0];
    return period_resolution_is_same(a_days, b_days, span);
}

/* Whether a solution has the periods of a mode that is known. */
static bool is_known(const start_modes_request *request, const start_modes *found,
                     const double *set)
{
    for (size_t m = 0; m < found->n; m++) {
        bool is_same = true;
        for (size_t p = 0; p < found->n_planets; p++)
            is_same = is_same && is_same_period(request->dataset, set[N_ELEMENTS * p],
                                                exp(found->mode[m].centre[N_ELEMENTS * p]));
        if (is_same)
            return true;
    }
    return false;
}

/* Peaks of the periods that one planet may have beside the others; circular orbits, since
 * aliases show in them and the scan takes no time. */
static equant_status find_peaks(const start_modes_request *request, const double *others,
                                equant_periodogram **periodogram)
{
    period_range range = range_of(request);
    equant_search_options options = {.struct_size = sizeof options,
                                     .engine = request->engine,
                                     .period_min_days = range.min_days,
                                     .period_max_days = range.max_days,
                                     .circular_only = 1,
                                     .trend = trend_order_name(request->trend_order),
                                     .n_known = request->n_planets - 1,
                                     .known = others,
                                     .n_peaks = N_PEAKS,
                                     .progress = request->progress,
                                     .progress_context = request->progress_context};
    return equant_search(request->dataset, &options, periodogram);
}

/* Refits with a peak in the place of the last planet of `set`. */
static equant_status try_peak(const start_modes_request *request, equant_evaluator *evaluator,
                              const equant_peak *peak, double least, double *set,
                              start_modes *found)
{
    equant_fit *fit;
    candidate rival = {.set = NULL};
    double *planet = set + N_ELEMENTS * (request->n_planets - 1);
    const double elements[N_ELEMENTS] = {peak->period_days, peak->k_m_s, peak->eccentricity,
                                         peak->omega_rad, peak->m0_rad};
    memcpy(planet, elements, sizeof elements);
    equant_status status = fit_from(request, request->n_planets, set, &fit);
    if (status != EQUANT_SUCCESS)
        return status;
    if (equant_fit_n_planets(fit) == request->n_planets) {
        status = take_fit(request, evaluator, fit, &rival);
        if (status == EQUANT_SUCCESS && rival.log_likelihood >= least &&
            !is_known(request, found, rival.set))
            status = add_mode(request, evaluator, &rival, found);
    }
    free(rival.set);
    equant_fit_free(fit);
    return status;
}

/* Rivals that differ from the best solution in the period of one planet. */
static equant_status find_rivals(const start_modes_request *request, equant_evaluator *evaluator,
                                 const candidate *best, size_t planet, double *set,
                                 start_modes *found)
{
    const double *elements = best->set;
    size_t n_others = 0;
    for (size_t p = 0; p < request->n_planets; p++)
        if (p != planet)
            memcpy(set + N_ELEMENTS * n_others++, elements + N_ELEMENTS * p,
                   N_ELEMENTS * sizeof *set);
    equant_periodogram *periodogram;
    equant_status status = find_peaks(request, set, &periodogram);
    if (status != EQUANT_SUCCESS)
        return status;
    double highest = -INFINITY;
    for (size_t i = 0; status == EQUANT_SUCCESS && i < equant_periodogram_n_peaks(periodogram) &&
                       found->n < START_MODES_MOST;
         i++) {
        equant_peak peak = {.struct_size = sizeof peak};
        status = equant_periodogram_peak(periodogram, i, &peak);
        highest = fmax(highest, peak.log_likelihood_gain);
        bool is_rival =
            peak.log_likelihood_gain >= highest - PEAK_MARGIN &&
            !is_same_period(request->dataset, peak.period_days, elements[N_ELEMENTS * planet]);
        if (status == EQUANT_SUCCESS && is_rival)
            status = try_peak(request, evaluator, &peak, best->log_likelihood - RIVAL_MARGIN, set,
                              found);
    }
    equant_periodogram_free(periodogram);
    return status;
}

/* The best solution, and then its rivals; `set` has room for the planets. */
static equant_status find_all(const start_modes_request *request, equant_evaluator *evaluator,
                              const equant_fit *fit, double *set, start_modes *found)
{
    candidate best = {.set = NULL};
    equant_status status = take_fit(request, evaluator, fit, &best);
    if (status == EQUANT_SUCCESS)
        status = add_mode(request, evaluator, &best, found);
    for (size_t p = 0; status == EQUANT_SUCCESS && p < request->n_planets && !request->states; p++)
        status = find_rivals(request, evaluator, &best, p, set, found);
    free(best.set);
    return status;
}

/* The place of each planet of a fit among the letters of the states. */
static void find_slots(const start_modes_request *request, const equant_fit *fit,
                       start_modes *found)
{
    found->has_letters = true;
    for (size_t p = 0; p < request->n_planets; p++) {
        size_t slot = 0;
        while (slot + 1 < request->n_planets &&
               equant_states_letter(request->states, slot) != equant_fit_letter(fit, p))
            slot++;
        found->slots[p] = slot;
    }
}

/* An evaluator of the model that the priors have, or of the nearest one that evaluators know, with
 * the same columns: places to begin need no more. */
static equant_status create_evaluator(const start_modes_request *request,
                                      equant_evaluator **evaluator)
{
    equant_model near = *priors_model(request->priors);
    for (int i = 0; i < near.layout.noise.n; i++)
        if (noise_kind_is_whole(near.layout.noise.kind[i]))
            near.layout.noise.kind[i] = NOISE_ESP3;
    return equant_evaluator_create(request->dataset, &near, NULL, evaluator);
}

equant_status start_modes_find(const start_modes_request *request, start_modes *found)
{
    equant_fit *best = NULL;
    equant_evaluator *evaluator = NULL;
    *found = (start_modes){.n_planets = request->n_planets};
    double *set = calloc(N_ELEMENTS * request->n_planets + 1, sizeof *set);
    if (!set)
        return status_out_of_memory();
    equant_status status = fit_from(request, request->n_known, request->known, &best);
    if (status == EQUANT_SUCCESS && equant_fit_n_planets(best) != request->n_planets)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "the fit finds %zu planets where %zu are to be sampled; start from "
                             "the prior",
                             equant_fit_n_planets(best), request->n_planets);
    if (status == EQUANT_SUCCESS)
        status = create_evaluator(request, &evaluator);
    if (status == EQUANT_SUCCESS && request->states)
        find_slots(request, best, found);
    if (status == EQUANT_SUCCESS)
        status = find_all(request, evaluator, best, set, found);
    equant_evaluator_free(evaluator);
    equant_fit_free(best);
    free(set);
    return status;
}

void start_modes_free(start_modes *found)
{
    for (size_t m = 0; m < found->n; m++) {
        free(found->mode[m].centre);
        free(found->mode[m].factor);
    }
    *found = (start_modes){0};
}
