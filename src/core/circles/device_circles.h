/* The conditional of one planet over a grid of frequencies, on a GPU: backend_circles, with
 * sentences for its failures. Populations on several threads have one each. */
#ifndef EQUANT_CORE_CIRCLES_DEVICE_CIRCLES_H
#define EQUANT_CORE_CIRCLES_DEVICE_CIRCLES_H

#include "core/placement.h"

typedef struct device_circles device_circles;

/* Where the options leave it to a processor, or no GPU gains, *made is NULL: no failure. */
equant_status device_circles_create(const equant_engine_options *options,
                                    const backend_circle_grid *grid, device_circles **made);
void device_circles_free(device_circles *circles);

/* Whether the caller may go on without the GPU when it fails. */
bool device_circles_may_leave(const device_circles *circles);

equant_status device_circles_take_noise(device_circles *circles, const struct circle_noise *noise);
/* Columns are [n_columns][n_obs]; exponent and factor [n_frequencies]. */
equant_status device_circles_run(device_circles *circles, size_t n_columns, const double *columns,
                                 double *exponent, double *factor);

#endif
