/* Scans of a grid of orbits for one planet more, on whichever backend is asked for. */
#ifndef EQUANT_CORE_SCAN_H
#define EQUANT_CORE_SCAN_H

#include "core/placement.h"

/* Searches on several threads scan at the same time. A GPU does the pieces of so many side by
 * side, which hides what each of them waits for; more would gain nothing and take memory. */
enum { SCAN_MOST_ON_GPU = 4 };

/* A scan under way: what its pieces share stays where it is computed. */
typedef struct scan_state scan_state;

/* options may be NULL; among NULL: the backends of this build. The caller sees to it that the scan
 * is what backend.h says (whitened, orthonormal, finite) and that its arrays stay until it is
 * closed. */
equant_status scan_open(const placement_list *among, const equant_engine_options *options,
                        const backend_scan *scan, scan_state **made);
void scan_close(scan_state *state);

/* The best node of each of the bins first_bin ... first_bin + n_bins - 1, over all layers and
 * (unless NULL) over circles alone. Pieces may come in any order and size: no bit depends on
 * them. Where no backend was named and the GPU fails, the processor takes this piece and all
 * that follow. */
equant_status scan_run(scan_state *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                       backend_scan_node *circular);

/* What the ellipses of each bin improve by at most, where the GPU that would scan finds that
 * sooner than the caller; is_found false: it is left to the caller. */
equant_status scan_find_prospects(const placement_list *among, const equant_engine_options *options,
                                  const backend_scan *scan, const backend_scan_prospects *asked,
                                  float *most, bool *is_found);

#endif
