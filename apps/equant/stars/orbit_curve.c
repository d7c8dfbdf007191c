#include "stars/orbit_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/angles.h"
#include "terminal/messages.h"

static int compare_anomalies(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

size_t orbit_curve_turn(double eccentricity, double share, double anomaly[ORBIT_CURVE_TURN_MOST])
{
    const double of_circle = 40.0, of_ellipse = 120.0;
    double e = eccentricity, n_even = floor(of_circle * share),
           n_true = floor(of_ellipse * sqrt(e) * share);
    size_t n = 0;
    for (double i = 0.0; i < n_even; i += 1.0) {
        double eccentric = TWO_PI * i / n_even;
        anomaly[n++] = eccentric - e * sin(eccentric);
    }
    for (double i = 0.5; i < n_true; i += 1.0) {
        double half = 0.5 * TWO_PI * i / n_true;
        double eccentric = 2.0 * atan2(sqrt(1.0 - e) * sin(half), sqrt(1.0 + e) * cos(half));
        anomaly[n++] = eccentric - e * sin(eccentric);
    }
    qsort(anomaly, n, sizeof *anomaly, compare_anomalies);
    return n;
}

static equant_status evaluate(const equant_dataset *times, const double *elements,
                              double *velocity_m_s)
{
    double parameters[EQUANT_N_ELEMENTS + 1] = {0.0}; /* the last: an offset */
    memcpy(parameters, elements, EQUANT_N_ELEMENTS * sizeof *elements);
    equant_model_options options = {
        .struct_size = sizeof options, .n_planets = 1, .offset_columns = EQUANT_NUISANCE_GIVEN};
    equant_results results = {.struct_size = sizeof results, .velocities = velocity_m_s};
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    equant_status status = equant_model_create(&options, &model);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(times, model, NULL, &evaluator);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, 1, parameters, &results);
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    return status;
}

/* The library predicts velocities at the times of a data set, so the times become one,
 * whose velocities and uncertainties mean nothing. */
int orbit_curve_evaluate(const double *elements, double reference_time_days, size_t n,
                         const double *time_days, double *velocity_m_s)
{
    equant_dataset *times = NULL;
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .has_reference_time = 1,
                                      .reference_time_days = reference_time_days};
    double *ones = malloc(n * sizeof *ones);
    if (ones == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++)
        ones[i] = 1.0;
    equant_status status =
        equant_dataset_from_arrays(n, time_days, ones, ones, NULL, 1, NULL, &options, &times);
    if (status == EQUANT_SUCCESS)
        status = evaluate(times, elements, velocity_m_s);
    equant_dataset_free(times);
    free(ones);
    return messages_status(status);
}

int orbit_curve_of_planet(const struct star_result *star, size_t index, size_t n,
                          const double *time_days, double *velocity_m_s)
{
    return orbit_curve_evaluate(star->planets[index].values,
                                equant_dataset_reference_time_days(star->dataset), n, time_days,
                                velocity_m_s);
}
