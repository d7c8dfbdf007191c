/* What pairs of frequencies look up: sums over observations, a thread a frequency. */
#ifndef EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_TABLE_CUH
#define EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_TABLE_CUH

#include "backends/cuda/pairs/pairs_layout.cuh"

cudaError_t pairs_table_launch(const pairs_problem *problem, cudaStream_t stream);

#endif
