#include "astrometry/orbit/sky_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/joint_scan.h"
#include "astrometry/orbit/sky_search.h"
#include "astrometry/orbit/sky_workshop.h"
#include "core/status_fail.h"

equant_status sky_parts_find(const sky_data *data, const sky_solution *solution, double gain[2])
{
    gain[0] = gain[1] = NAN;
    if (solution->n_orbits != 1 || data->n_velocities == 0 || data->n_sky == 0)
        return EQUANT_SUCCESS;
    sky_workshop shop;
    sky_solution *base = malloc(sizeof *base);
    if (base == NULL)
        return status_out_of_memory();
    *base = sky_solution_make(data, &solution->model, 0);
    memcpy(base->jitter, solution->jitter, sizeof base->jitter);
    const double *shape = solution->value + sky_solution_shape(solution, 0);
    const sky_scan_node node = {.frequency_per_day = exp(-shape[0]),
                                .eccentricity = hypot(shape[1], shape[2]),
                                .m0_rad = atan2(shape[2], shape[1])};
    equant_status status = sky_workshop_open(data, &solution->model, &shop);
    if (status == EQUANT_SUCCESS) {
        sky_search_lay_base(&shop.refiner, base);
        status = joint_scan_parts(&shop.refiner, &node, gain);
    }
    for (int i = 0; i < 2; i++)
        gain[i] *= 0.5;
    sky_workshop_close(&shop);
    free(base);
    return status;
}
