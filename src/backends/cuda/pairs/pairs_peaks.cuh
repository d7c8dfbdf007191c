/* The peaks of bands of a map of pairs: the best pair of every tile, a thread a tile, and which of
 * them stand above the tiles beside them. */
#ifndef EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_PEAKS_CUH
#define EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_PEAKS_CUH

#include "backends/cuda/pairs/pairs_layout.cuh"

/* Of so many bands as first_rows has; *n_peaks begins at zero. */
cudaError_t pairs_peaks_launch(const pairs_problem *problem, unsigned n_bands, float threshold,
                               cudaStream_t stream);

#endif
