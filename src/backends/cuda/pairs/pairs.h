/* Maps of pairs of frequencies on a GPU: the slot `pairs` of cuda_backend. */
#ifndef EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_H
#define EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const backend_pairs pairs_on_device;

#ifdef __cplusplus
}
#endif
#endif
