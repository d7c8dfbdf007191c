/* What the rows of a scan are multiplied by, so that no sum leaves the range of a float: the
 * largest weight becomes one, and the residual a unit vector. */
#ifndef EQUANT_BACKENDS_SCAN_SCALE_H
#define EQUANT_BACKENDS_SCAN_SCALE_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero where there is nothing to scale. */
typedef struct scan_scale {
    double weight, residual;
    double residual_square; /* of the residual as it was */
} scan_scale;

scan_scale scan_scale_of(const backend_scan *scan);

#ifdef __cplusplus
}
#endif
#endif
