/* Scans on a card: the slot `scan` of cuda_backend. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_H
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

equant_status cuda_scan(const backend_engine *engine, const backend_scan *scan, size_t first_bin,
                        size_t n_bins, backend_scan_node *best, backend_scan_node *circular);

#ifdef __cplusplus
}
#endif
#endif
