#include "astrometry/orbit/sky_tie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"

/* The same values without the amplitudes of the velocities. */
static void start(const sky_solution *loose, double zero_point, sky_solution *tied)
{
    size_t n_before = sky_solution_amplitudes(loose, 0);
    *tied = *loose;
    tied->is_tied = true;
    tied->parallax_zero_point = zero_point;
    memcpy(tied->value, loose->value, n_before * sizeof *tied->value);
    for (size_t p = 0; p < loose->n_orbits; p++) {
        const double *own = loose->value + sky_solution_amplitudes(loose, p);
        memcpy(tied->value + sky_solution_amplitudes(tied, p), own, 4 * sizeof *own);
        memcpy(tied->value + sky_solution_shape(tied, p),
               loose->value + sky_solution_shape(loose, p), 3 * sizeof *own);
        /* v = c dX/dM + ...: c has the sign of sin omega, h that of cos omega, at the true node. */
        sky_constants constants = sky_solution_constants(loose, p);
        sky_elements elements = sky_elements_of(&constants);
        tied->side[p] =
            own[4] * sin(elements.omega) + own[5] * cos(elements.omega) < 0.0 ? -1.0 : 1.0;
    }
}

equant_status sky_tie(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                      double parallax_zero_point_mas, sky_solution *solution)
{
    sky_solution *tied = malloc(sizeof *tied);
    if (tied == NULL)
        return status_out_of_memory();
    start(solution, parallax_zero_point_mas, tied);
    equant_status status = sky_refine(refiner, limits, has_jitter, tied);
    if (status == EQUANT_SUCCESS)
        *solution = *tied;
    free(tied);
    return status == EQUANT_ERROR_OUT_OF_MEMORY ? status : EQUANT_SUCCESS;
}
