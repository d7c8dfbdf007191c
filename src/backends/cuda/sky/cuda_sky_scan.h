/* Scans of positions on a GPU: the slot `sky_scans` of cuda_backend. */
#ifndef EQUANT_BACKENDS_CUDA_SKY_CUDA_SKY_SCAN_H
#define EQUANT_BACKENDS_CUDA_SKY_CUDA_SKY_SCAN_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const backend_sky_scans sky_scans_on_device;

#ifdef __cplusplus
}
#endif
#endif
