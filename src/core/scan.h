/* Scans of a grid of orbits for one planet more, on whichever backend is asked for. */
#ifndef EQUANT_CORE_SCAN_H
#define EQUANT_CORE_SCAN_H

#include "backends/backend.h"

/* The best node of each of the bins first_bin ... first_bin + n_bins - 1, over all layers and
 * (unless NULL) over circles alone. options may be NULL. The caller sees to it that the scan is
 * what backend.h says: whitened, orthonormal, finite. */
equant_status scan_run(const equant_engine_options *options, const backend_scan *scan,
                       size_t first_bin, size_t n_bins, backend_scan_node *best,
                       backend_scan_node *circular);

#endif
