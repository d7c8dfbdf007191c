#include "core/circles/device_circles.h"

#include <stdlib.h>

#include "core/engine.h"
#include "core/status_fail.h"

struct device_circles {
    placement place;
    void *state; /* of the chosen backend */
};

equant_status device_circles_create(const equant_engine_options *options,
                                    const backend_circle_grid *grid, device_circles **made)
{
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    placement place;
    *made = NULL;
    equant_status status = placement_find(NULL, options, &work, &place);
    if (status != EQUANT_SUCCESS || !place.chosen->circles)
        return status;
    device_circles *circles = calloc(1, sizeof *circles);
    if (!circles)
        return status_out_of_memory();
    circles->place = place;
    status = place.chosen->circles->create(&place.engine, grid, &circles->state);
    if (status == EQUANT_SUCCESS) {
        *made = circles;
        return EQUANT_SUCCESS;
    }
    free(circles);
    return place.fallback ? EQUANT_SUCCESS : engine_report(place.chosen, status);
}

void device_circles_free(device_circles *circles)
{
    if (!circles)
        return;
    circles->place.chosen->circles->destroy(circles->state);
    free(circles);
}

bool device_circles_may_leave(const device_circles *circles)
{
    return circles->place.fallback != NULL;
}

equant_status device_circles_take_noise(device_circles *circles, const struct circle_noise *noise)
{
    const backend *chosen = circles->place.chosen;
    return engine_report(chosen, chosen->circles->take_noise(circles->state, noise));
}

equant_status device_circles_run(device_circles *circles, size_t n_columns, const double *columns,
                                 double *exponent, double *factor)
{
    const backend *chosen = circles->place.chosen;
    return engine_report(
        chosen, chosen->circles->run(circles->state, n_columns, columns, exponent, factor));
}
