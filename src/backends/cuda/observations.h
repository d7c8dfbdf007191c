/* Observations laid out for the CUDA kernels, first as one image in host memory. */
#ifndef EQUANT_BACKENDS_CUDA_OBSERVATIONS_H
#define EQUANT_BACKENDS_CUDA_OBSERVATIONS_H

#include "backends/cuda/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills *layout, whose pointers are offsets into the image until they are rebased, and
 * allocates the image, which the caller frees. */
equant_status observations_lay_out(const backend_problem *problem, const backend_engine *engine,
                                   cuda_layout *layout, void **image, size_t *n_bytes);

/* Makes the offsets in *layout pointers into the copy of the image at `base`. */
void observations_rebase(cuda_layout *layout, void *base);

#ifdef __cplusplus
}
#endif
#endif
