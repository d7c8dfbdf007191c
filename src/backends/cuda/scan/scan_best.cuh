/* The best node of each bin, from the candidates of its groups. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_BEST_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_BEST_CUH

#include "backends/cuda/scan/scan_layout.cuh"

/* best[n_bins] and circular[n_bins] are device memory; circular may be NULL. */
cudaError_t scan_best_launch(const scan_problem *scan, unsigned n_bins, backend_scan_node *best,
                             backend_scan_node *circular, cudaStream_t stream);

/* What the only node of each bin improves by, of a scan of one layer of circles that has one in
 * each. improvement[n_bins] is device memory. */
cudaError_t scan_best_launch_circles(const scan_problem *scan, unsigned n_bins, double *improvement,
                                     cudaStream_t stream);

#endif
