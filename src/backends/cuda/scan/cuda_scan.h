/* Scans on a GPU: the slot `scans` of cuda_backend. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_CUDA_SCAN_H
#define EQUANT_BACKENDS_CUDA_SCAN_CUDA_SCAN_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const backend_scans scans_on_device;

#ifdef __cplusplus
}
#endif
#endif
