#include "astrometry/orbit/sky_motion_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/sky_workshop.h"
#include "core/status_fail.h"

/* The tied solution of positions and velocities with the star's own orbit in mas beside it: A, B,
 * F, G become the star's, the ratio of the two orbits takes the place of the scale. */
static void start_motions(const sky_solution *own, const sky_data *data, double parallax,
                          double zero_point, sky_solution *made)
{
    const sky_model model = {.order = 1, .has_parallax = true, .no_position = true};
    *made = sky_solution_make(data, &model, own->n_orbits);
    made->is_tied = made->has_ratio = true;
    made->parallax_zero_point = zero_point;
    memcpy(made->jitter, own->jitter, sizeof made->jitter);
    memcpy(made->side, own->side, sizeof made->side);
    made->value[sky_model_column_index(&model, "pm_ra")] = data->motions.value[2];
    made->value[sky_model_column_index(&model, "pm_dec")] = data->motions.value[3];
    made->value[sky_model_column_index(&model, "parallax")] = parallax;
    memcpy(made->value + sky_model_n_columns(&model), own->value + sky_model_n_columns(&own->model),
           own->n_instruments * sizeof *made->value);
    for (size_t p = 0; p < own->n_orbits; p++) {
        double scale = own->value[sky_solution_shape(own, own->n_orbits) + p];
        double log_size = scale + log(parallax - zero_point);
        for (size_t j = 0; j < 4; j++)
            made->value[sky_solution_amplitudes(made, p) + j] =
                own->value[sky_solution_amplitudes(own, p) + j] * exp(log_size);
        memcpy(made->value + sky_solution_shape(made, p), own->value + sky_solution_shape(own, p),
               3 * sizeof *made->value);
        made->value[sky_solution_shape(made, made->n_orbits) + p] = -log_size;
    }
}

equant_status sky_motion_fit_add(const equant_astrometry *source, sky_ladder *ladder,
                                 const sky_ladder_settings *settings)
{
    sky_solution *own = ladder->rungs + ladder->chosen;
    sky_motion_rows rows;
    sky_workshop shop = {0};
    if (settings->motions == NULL || ladder->data.n_motions > 0)
        return EQUANT_SUCCESS;
    if (!own->is_tied || !own->has_scale || own->n_orbits != 1)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "proper motions of a catalogue are fitted beside positions of a "
                           "companion and velocities of its star, which have an orbit");
    equant_status status =
        sky_motion_rows_create(settings->motions, settings->n_scans, settings->scans,
                               equant_astrometry_reference_jd(source), &rows);
    if (status == EQUANT_SUCCESS)
        status = sky_data_add_motions(&ladder->data, &rows);
    sky_solution *made = malloc(sizeof *made);
    if (status == EQUANT_SUCCESS && made == NULL)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        start_motions(own, &ladder->data, settings->motions->parallax_mas,
                      settings->parallax_zero_point_mas, made);
        status = sky_workshop_open(&ladder->data, &made->model, &shop);
    }
    if (status == EQUANT_SUCCESS)
        status = sky_refine(&shop.refiner, &settings->limits, settings->has_jitter, made);
    sky_workshop_close(&shop);
    if (status == EQUANT_SUCCESS)
        *own = *made;
    free(made);
    return status;
}
