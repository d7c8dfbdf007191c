#include "inference/plan/plan_candidates.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/predict/next_instrument.h"
#include "inference/predict/prediction_time.h"

static equant_status check_time(const equant_dataset *dataset, const equant_candidates *given,
                                size_t k)
{
    const double *times = equant_dataset_times_days(dataset);
    double last = times[equant_dataset_n_obs(dataset) - 1], own = given->time_days[k];
    equant_status status = prediction_time_check("the time of candidate", k + 1, own);
    if (status != EQUANT_SUCCESS)
        return status;
    if (own < last)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "candidate %zu, %.10g, is before the last observation of the run, "
                           "%.10g: plans are of times to come",
                           k + 1, own, last);
    if (k > 0 && own < given->time_days[k - 1])
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "candidate %zu is earlier than the one before", k + 1);
    return EQUANT_SUCCESS;
}

static equant_status take(const equant_dataset *dataset, const equant_candidates *given, size_t k,
                          plan_candidates *made)
{
    const int *instruments = OPTION_OR_ZERO(given, equant_candidates, instruments);
    const double *sigma = OPTION_OR_ZERO(given, equant_candidates, uncertainties_m_s),
                 *costs = OPTION_OR_ZERO(given, equant_candidates, costs),
                 *weights = OPTION_OR_ZERO(given, equant_candidates, weights);
    size_t number = instruments ? (size_t)instruments[k] + 1 : 0;
    double cost = costs ? costs[k] : 1.0, weight = weights ? weights[k] : 1.0;
    if (instruments && instruments[k] < 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "candidate %zu has no instrument", k + 1);
    if (!(cost > 0.0) || !isfinite(cost) || !(weight >= 0.0) || !isfinite(weight))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "candidate %zu has a cost that is not above zero, or a weight below it",
                           k + 1);
    /* What is the same as of the one before is not looked for again. */
    bool is_as_before = k > 0 && (!sigma || sigma[k] == sigma[k - 1]) &&
                        (!instruments || instruments[k] == instruments[k - 1]);
    double uncertainty = sigma ? sigma[k] : 0.0;
    equant_status status = EQUANT_SUCCESS;
    if (is_as_before) {
        number = (size_t)made->instruments[k - 1];
        uncertainty = made->uncertainties_m_s[k - 1];
    } else {
        status = next_instrument_choose(dataset, &number, &uncertainty);
    }
    made->time_days[k] = given->time_days[k];
    made->instruments[k] = (int)number;
    made->uncertainties_m_s[k] = uncertainty;
    made->worth[k] = weight / cost;
    return status;
}

/* For how long a place is taken. */
static equant_status take_place(const equant_candidates *given, size_t k, plan_candidates *made)
{
    const int *places = OPTION_OR_ZERO(given, equant_candidates, places);
    const double *clock = OPTION_OR_ZERO(given, equant_candidates, clock_days),
                 *before = OPTION_OR_ZERO(given, equant_candidates, before_days),
                 *after = OPTION_OR_ZERO(given, equant_candidates, after_days);
    double now = clock ? clock[k] : given->time_days[k], sooner = before ? before[k] : 0.0,
           later = after ? after[k] : 0.0;
    if (!isfinite(now) || !isfinite(sooner) || !(sooner >= 0.0) || !isfinite(later) ||
        !(later >= 0.0) || (places && places[k] < 0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "candidate %zu has a place, a clock or a duration that is none", k + 1);
    made->places[k] = places ? places[k] : 0;
    made->starts_days[k] = now - sooner;
    made->ends_days[k] = now + later;
    return EQUANT_SUCCESS;
}

equant_status plan_candidates_create(const equant_dataset *dataset, const equant_candidates *given,
                                     plan_candidates *made)
{
    memset(made, 0, sizeof *made);
    equant_status status = OPTIONS_CHECK(given);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!OPTIONS_HAVE(given, equant_candidates, time_days) || given->n == 0 || !given->time_days)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is no time at which to observe: a plan needs candidates");
    made->n = given->n;
    made->time_days = malloc(given->n * sizeof *made->time_days);
    made->uncertainties_m_s = malloc(given->n * sizeof *made->uncertainties_m_s);
    made->worth = malloc(given->n * sizeof *made->worth);
    made->instruments = malloc(given->n * sizeof *made->instruments);
    made->places = malloc(given->n * sizeof *made->places);
    made->starts_days = malloc(given->n * sizeof *made->starts_days);
    made->ends_days = malloc(given->n * sizeof *made->ends_days);
    if (!made->time_days || !made->uncertainties_m_s || !made->worth || !made->instruments ||
        !made->places || !made->starts_days || !made->ends_days)
        status = status_out_of_memory();
    for (size_t k = 0; k < given->n && status == EQUANT_SUCCESS; k++) {
        status = check_time(dataset, given, k);
        if (status == EQUANT_SUCCESS)
            status = take(dataset, given, k, made);
        if (status == EQUANT_SUCCESS)
            status = take_place(given, k, made);
    }
    if (status != EQUANT_SUCCESS)
        plan_candidates_free(made);
    return status;
}

void plan_candidates_free(plan_candidates *candidates)
{
    free(candidates->time_days);
    free(candidates->uncertainties_m_s);
    free(candidates->worth);
    free(candidates->instruments);
    free(candidates->places);
    free(candidates->starts_days);
    free(candidates->ends_days);
    memset(candidates, 0, sizeof *candidates);
}
