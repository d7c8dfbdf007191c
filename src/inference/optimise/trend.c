#include "inference/optimise/trend.h"

#include <math.h>

#include "inference/optimise/maximum_likelihood.h"
#include "inference/likelihood/study_crew.h"

/* Drifts over the data larger than this times what any one instrument saw of them are made by
 * offsets that take them back. */
#define DRIFT_PER_RANGE 10.0

/* The largest range of velocities that one instrument measured. */
static double largest_range(const study *star)
{
    const double *velocity = equant_dataset_velocities_m_s(star->dataset);
    double largest = 0.0;
    for (size_t i = 0; i < star->n_instruments; i++) {
        double lowest = INFINITY, highest = -INFINITY;
        for (size_t row = star->first_row[i]; row < star->first_row[i + 1]; row++) {
            lowest = fmin(lowest, velocity[star->rows[row]]);
            highest = fmax(highest, velocity[star->rows[row]]);
        }
        largest = fmax(largest, highest - lowest);
    }
    return largest;
}

static bool is_plausible(const study *star, const solution *fitted)
{
    const double *time = equant_dataset_times_days(star->dataset);
    const double t_ref = equant_dataset_reference_time_days(star->dataset);
    const double *trend = solution_values(star, fitted, TERM_TREND);
    double lowest = INFINITY, highest = -INFINITY;
    for (size_t k = 0; k < star->n_obs; k++) {
        double t = time[k] - t_ref, drift = 0.0;
        for (int i = fitted->trend_order; i > 0; i--)
            drift = (drift + trend[i - 1]) * t;
        lowest = fmin(lowest, drift);
        highest = fmax(highest, drift);
    }
    return highest - lowest <= DRIFT_PER_RANGE * largest_range(star);
}

/* A model with each trend that it may have. */
typedef struct trend_trials {
    const solution *start;
    size_t n_fixed;
    solution made[STUDY_TREND_ORDERS];
} trend_trials;

static equant_status fit_trend(study *star, void *context, size_t order)
{
    trend_trials *trials = context;
    solution *trial = &trials->made[order];
    if ((int)order == trials->start->trend_order)
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, trial);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, trials->start, trial);
    solution_set_trend(star, trial, (int)order);
    return maximum_likelihood_solution(star, trials->n_fixed, POLISH_TO_RANK, trial);
}

equant_status trend_choose(study *star, size_t n_fixed, solution *fitted)
{
    trend_trials trials = {.start = fitted, .n_fixed = n_fixed};
    equant_status status = study_crew_share(star, STUDY_TREND_ORDERS, fit_trend, &trials);
    const solution *best = fitted;
    for (int order = 0; order < STUDY_TREND_ORDERS && status == EQUANT_SUCCESS; order++) {
        const solution *trial = &trials.made[order];
        if (order != fitted->trend_order && is_plausible(star, trial) &&
            solution_score(star, trial) > solution_score(star, best))
            best = trial;
    }
    if (best != fitted)
        solution_copy(star, best, fitted);
    for (int order = 0; order < STUDY_TREND_ORDERS; order++)
        solution_free(&trials.made[order]);
    return status;
}
