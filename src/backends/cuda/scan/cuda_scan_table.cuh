/* Tables of X and Y for the layers of a scan. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_CUDA_SCAN_TABLE_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_CUDA_SCAN_TABLE_CUH

#include "backends/cuda/scan/scan_layout.cuh"

/* Parts that a cell of the table of a layer needs: an odd number. */
unsigned scan_table_parts(double eccentricity, size_t n_cells);

/* Fills the records of all layers that have a table, n_records of the largest. */
cudaError_t scan_table_launch(const scan_problem *scan, size_t n_records, cudaStream_t stream);

#endif
