#include "astrometry/orbit/sky_tie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"

/* The same values without the amplitudes of the velocities. */
static void start(const sky_solution *loose, double zero_point, bool has_star, sky_solution *tied)
{
    size_t n_before = sky_solution_amplitudes(loose, 0);
    *tied = *loose;
    tied->is_tied = true;
    tied->has_scale = !has_star;
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
        if (tied->has_scale)
            tied->value[sky_solution_shape(tied, tied->n_orbits) + p] =
                log(hypot(own[4], own[5]) / (elements.a0 * sin(elements.i))) +
                loose->value[sky_solution_shape(loose, p)] - log(SKY_SOLUTION_AU_PER_DAY);
    }
}

equant_status sky_tie(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                      double parallax_zero_point_mas, sky_solution *solution)
{
    sky_solution *tied = malloc(sizeof *tied);
    if (tied == NULL)
        return status_out_of_memory();
    start(solution, parallax_zero_point_mas, refiner->design->data->n_star > 0, tied);
    equant_status status = sky_refine(refiner, limits, has_jitter, tied);
    if (status == EQUANT_SUCCESS)
        *solution = *tied;
    free(tied);
    return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
}
