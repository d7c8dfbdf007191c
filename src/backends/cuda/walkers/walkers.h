/* Walkers of a sampler on a GPU: the table that the backend shows, and between its files the
 * arrays and launches. */
#ifndef EQUANT_BACKENDS_CUDA_WALKERS_WALKERS_H
#define EQUANT_BACKENDS_CUDA_WALKERS_WALKERS_H

#include <cuda_runtime_api.h>

#include "backends/backend.h"
#include "statistics/coordinate_map.h"
#include "statistics/ensemble_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const backend_walkers walkers_on_device;

/* Passed to kernels by value; all pointers are to device memory. Parameter sets stay in the
 * rows of their proposals, and all of them are evaluated: how many are possible is known on the
 * GPU alone, and an impossible one costs no more than any other. */
typedef struct walkers_arrays {
    ensemble rows; /* scratch is [group][walkers_scratch_words]; place is NULL, accepted too */
    coordinate_map map;
    unsigned *coordinate_of; /* [n_parameters]: how many coordinates those before it have */
    unsigned *tickets; /* [group]: blocks that have summed up their part, 0 between launches */
    backend_walker_sums sums;
    double *cold_parameters; /* [population][walker][n_parameters] */
} walkers_arrays;

/* Doubles of working memory for one group: what slices of the guide sum up to. */
size_t walkers_scratch_words(const ensemble_shape *shape);

/* Launches. All are asynchronous; failures show in cudaGetLastError. */
void walkers_launch_guide(const walkers_arrays *walkers, size_t half, cudaStream_t stream);
void walkers_launch_propose(const walkers_arrays *walkers, uint64_t step, size_t half,
                            ensemble_move move, cudaStream_t stream);
void walkers_launch_accept(const walkers_arrays *walkers, uint64_t step, size_t half,
                           ensemble_move move, cudaStream_t stream);
void walkers_launch_swap(const walkers_arrays *walkers, uint64_t step, cudaStream_t stream);
void walkers_launch_cold_parameters(const walkers_arrays *walkers, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
