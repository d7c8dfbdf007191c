#include "stars/orbit_curve.h"

#include <stdlib.h>

#include "terminal/messages.h"

/* Elements, then an offset of zero. */
enum { N_PARAMETERS = 6 };

static equant_status evaluate(const equant_dataset *times, const equant_planet *planet,
                              double *velocity_m_s)
{
    const double parameters[N_PARAMETERS] = {planet->period_days,  planet->k_m_s,
                                             planet->eccentricity, planet->omega_rad,
                                             planet->m0_rad,       0.0};
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
int orbit_curve_evaluate(const equant_planet *planet, double reference_time_days, size_t n,
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
        status = evaluate(times, planet, velocity_m_s);
    equant_dataset_free(times);
    free(ones);
    return status == EQUANT_SUCCESS ? EXIT_CODE_OK : messages_status(status);
}
