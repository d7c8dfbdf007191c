/* The conditional of one planet over a grid, on a GPU: the slot `circles` of cuda_backend. */
#ifndef EQUANT_BACKENDS_CUDA_CIRCLES_CIRCLES_H
#define EQUANT_BACKENDS_CUDA_CIRCLES_CIRCLES_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const backend_circles circles_on_device;

#ifdef __cplusplus
}
#endif
#endif
