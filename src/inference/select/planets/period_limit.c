#include "inference/select/planets/period_limit.h"

#include <math.h>

#include "inference/optimise/maximum_likelihood.h"

/* Of ln P: fits end a little before a limit that they are drawn to. */
#define NEAR_THE_END 1e-6
/* How much lower ln L is at a bound: one standard error of a single parameter. */
#define BOUND_DROP 0.5
/* A bound is looked for in steps of frequency, in units of 1/span, and then halved down to. */
#define BOUND_STEP 0.1
enum { BOUND_STEPS = 20, BOUND_HALVINGS = 12 };

equant_limit period_limit_of(const study *star, double period_days)
{
    if (fabs(log(period_days / star->period_max_days)) < NEAR_THE_END ||
        fabs(log(period_days / study_longest_period(star))) < NEAR_THE_END)
        return EQUANT_LIMIT_LONGEST;
    if (fabs(log(period_days / star->period_min_days)) < NEAR_THE_END)
        return EQUANT_LIMIT_SHORTEST;
    return EQUANT_LIMIT_NONE;
}

/* Whether a planet that was fitted lies at the longest period. */
static bool is_at_longest(const study *star, const solution *fitted, size_t n_fixed)
{
    for (size_t p = n_fixed; p < fitted->n_planets; p++)
        if (period_limit_of(star, fitted->set[N_ELEMENTS * p + ELEMENT_PERIOD]) ==
            EQUANT_LIMIT_LONGEST)
            return true;
    return false;
}

equant_status period_limit_widen(study *star, size_t n_fixed, double tolerance, solution *fitted,
                                 solution *spare)
{
    double before = star->period_max_days;
    equant_status status = EQUANT_SUCCESS;
    bool is_at_end = star->may_widen && is_at_longest(star, fitted, n_fixed);
    if (!is_at_end)
        return status;
    solution_copy(star, fitted, spare);
    while (is_at_end && status == EQUANT_SUCCESS &&
           2.0 * star->period_max_days <= study_longest_period(star)) {
        star->period_max_days *= 2.0;
        status = maximum_likelihood_solution(star, n_fixed, tolerance, spare);
        is_at_end = is_at_longest(star, spare, n_fixed);
    }
    if (is_at_end || status != EQUANT_SUCCESS)
        star->period_max_days = before;
    else
        solution_copy(star, spare, fitted);
    return status;
}

/* By how much ln L is lower where a planet may go no farther than to a frequency. */
static equant_status drop_at(study *star, size_t n_fixed, const solution *fitted, size_t planet,
                             equant_limit limit, double frequency, solution *spare, double *drop)
{
    double longest = star->period_max_days, shortest = star->period_min_days;
    double period = 1.0 / frequency;
    solution_copy(star, fitted, spare);
    spare->set[N_ELEMENTS * planet + ELEMENT_PERIOD] = period;
    *(limit == EQUANT_LIMIT_LONGEST ? &star->period_max_days : &star->period_min_days) = period;
    equant_status status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, spare);
    star->period_max_days = longest;
    star->period_min_days = shortest;
    *drop = fitted->log_likelihood - spare->log_likelihood;
    return status;
}

equant_status period_limit_bound(study *star, size_t n_fixed, const solution *fitted, size_t planet,
                                 solution *spare, double *bound_days)
{
    double period = fitted->set[N_ELEMENTS * planet + ELEMENT_PERIOD], drop = 0.0;
    equant_limit limit = period_limit_of(star, period);
    double step = (limit == EQUANT_LIMIT_LONGEST ? 1.0 : -1.0) * BOUND_STEP / star->span_days;
    double near = 1.0 / period, far = near;
    equant_status status = EQUANT_SUCCESS;
    *bound_days = NAN;
    if (limit == EQUANT_LIMIT_NONE)
        return EQUANT_SUCCESS;
    for (int i = 0; i < BOUND_STEPS && drop < BOUND_DROP && status == EQUANT_SUCCESS; i++) {
        near = far;
        far += step;
        if (!(1.0 / far > star->period_min_days && 1.0 / far < fmax(star->period_max_days, period)))
            return EQUANT_SUCCESS;
        status = drop_at(star, n_fixed, fitted, planet, limit, far, spare, &drop);
    }
    if (status != EQUANT_SUCCESS || !(drop >= BOUND_DROP))
        return status;
    for (int i = 0; i < BOUND_HALVINGS && status == EQUANT_SUCCESS; i++) {
        double middle = 0.5 * (near + far);
        status = drop_at(star, n_fixed, fitted, planet, limit, middle, spare, &drop);
        *(drop < BOUND_DROP ? &near : &far) = middle;
    }
    if (status == EQUANT_SUCCESS)
        *bound_days = 2.0 / (near + far);
    return status;
}
