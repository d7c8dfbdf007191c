/* The best node of each bin, from the candidates of its groups. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_BEST_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_BEST_CUH

#include "backends/cuda/scan/scan_layout.cuh"

/* best[n_bins] and circular[n_bins] are device memory; circular may be NULL. */
cudaError_t scan_best_launch(const scan_problem *scan, unsigned n_bins, backend_scan_node *best,
                             backend_scan_node *circular, cudaStream_t stream);

#endif
