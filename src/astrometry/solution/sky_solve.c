/* The public equant_sky_solve: a source without companions. */
#include <math.h>
#include <stdlib.h>

#include "astrometry/solution/column_solution.h"
#include "astrometry/solution/sky_refine.h"
#include "core/status_fail.h"

static equant_status check(const equant_sky_solve_options *options)
{
    int n_motion = OPTION_OR_ZERO(options, equant_sky_solve_options, n_motion);
    int n_harmonics = OPTION_OR_ZERO(options, equant_sky_solve_options, n_harmonics);
    double noise = OPTION_OR_ZERO(options, equant_sky_solve_options, excess_noise_mas);
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    if (n_motion != 0 && n_motion != 5 && n_motion != 7 && n_motion != 9)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a motion has 5, 7 or 9 parameters, not %d", n_motion);
    if (n_harmonics < 0 || n_harmonics > SKY_MODEL_MAX_HARMONICS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%d harmonics of the scan angle; there are 0 to %d", n_harmonics,
                           SKY_MODEL_MAX_HARMONICS);
    if (!(noise >= 0.0) || !isfinite(noise))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an excess noise of %g mas; it cannot be below zero", noise);
    return EQUANT_SUCCESS;
}

static sky_model model_of(const sky_data *data, const equant_sky_solve_options *options)
{
    int n_motion = OPTION_OR_ZERO(options, equant_sky_solve_options, n_motion);
    return (sky_model){
        .order = n_motion == 9   ? 3
                 : n_motion == 7 ? 2
                                 : 1,
        .has_parallax = data->has_parallax,
        .has_colour =
            data->has_colour && !OPTION_OR_ZERO(options, equant_sky_solve_options, no_colour),
        .has_second_frame = data->has_second_frame,
        .n_harmonics = OPTION_OR_ZERO(options, equant_sky_solve_options, n_harmonics),
    };
}

static equant_status solve(const sky_data *data, const equant_sky_solve_options *options,
                           sky_solution *own)
{
    sky_model model = model_of(data, options);
    sky_design design = {0};
    sky_refiner refiner = {0};
    bool has_jitter = OPTION_OR_ZERO(options, equant_sky_solve_options, with_jitter) != 0;
    *own = sky_solution_make(data, &model, 0);
    own->jitter[0] = OPTION_OR_ZERO(options, equant_sky_solve_options, excess_noise_mas);
    equant_status status = sky_design_create(data, &model, &design);
    if (status == EQUANT_SUCCESS)
        status = sky_refiner_create(&design, &refiner);
    if (status == EQUANT_SUCCESS)
        status = sky_refine(&refiner, NULL, has_jitter, own);
    sky_refiner_free(&refiner);
    sky_design_free(&design);
    return status;
}

equant_status equant_sky_solve(const equant_astrometry *source,
                               const equant_sky_solve_options *options,
                               equant_sky_solution **solution)
{
    if (source == NULL || solution == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a source and a place for its solution "
                                                          "are needed");
    equant_status status = check(options);
    if (status != EQUANT_SUCCESS)
        return status;
    sky_data data;
    bool as_ccds = OPTION_OR_ZERO(options, equant_sky_solve_options, as_ccds) != 0;
    status = sky_data_create(source, as_ccds, NULL, &data);
    if (status != EQUANT_SUCCESS)
        return status;
    sky_solution *own = malloc(sizeof *own);
    status = own == NULL ? status_out_of_memory() : solve(&data, options, own);
    if (status == EQUANT_SUCCESS)
        status = column_solution_create(own, data.n_rows, solution);
    free(own);
    sky_data_free(&data);
    return status;
}
