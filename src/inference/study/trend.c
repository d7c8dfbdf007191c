#include "inference/study/trend.h"

#include <math.h>

#include "inference/study/maximum_likelihood.h"

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

equant_status trend_choose(study *star, size_t n_fixed, solution *fitted)
{
    solution start = {.set = NULL}, trial = {.set = NULL};
    equant_status status = solution_create(star, &start);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &trial);
    if (status == EQUANT_SUCCESS)
        solution_copy(star, fitted, &start);
    for (int order = 0; order < STUDY_TREND_ORDERS && status == EQUANT_SUCCESS; order++) {
        if (order == start.trend_order)
            continue;
        solution_copy(star, &start, &trial);
        solution_set_trend(star, &trial, order);
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, &trial);
        if (status == EQUANT_SUCCESS && is_plausible(star, &trial) &&
            solution_score(star, &trial) > solution_score(star, fitted))
            solution_copy(star, &trial, fitted);
    }
    solution_free(&start);
    solution_free(&trial);
    return status;
}
