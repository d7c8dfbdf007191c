/* Scans for an orbit in positions of a star, or of many, on whichever backend is asked for. */
#ifndef EQUANT_CORE_SKY_SKY_SCAN_H
#define EQUANT_CORE_SKY_SKY_SCAN_H

#include "core/placement.h"

enum { SKY_SCAN_MOST_PEAKS = 64 };

/* Layers laid out where they are used. Calls on one state come one at a time. */
typedef struct sky_scan_state sky_scan_state;

/* options may be NULL; among NULL: the backends of this build. The layers are copied. */
equant_status sky_scan_open(const placement_list *among, const equant_engine_options *options,
                            size_t n_layers, const sky_scan_layer *layers, sky_scan_state **made);
void sky_scan_close(sky_scan_state *state);

/* Whether scans leave the threads of the processors to others. */
bool sky_scan_is_on_gpu(const sky_scan_state *state);

/* In these, sources are what backend.h says (whitened, orthonormal, finite). Where no backend was
 * named and the GPU fails, the processor takes this call and all that follow. */

/* The best node of every bin of all sources, [sum of n_bins]. */
equant_status sky_scan_bins(sky_scan_state *state, size_t n_sources, const sky_scan_source *sources,
                            sky_scan_node *best);

/* The n_peaks <= SKY_SCAN_MOST_PEAKS highest peaks of every source, [n_sources][n_peaks], the
 * highest first. A peak is a bin that no neighbour exceeds; two of them are more than `separation`
 * bins apart. Where there are fewer, the others have no gain. */
equant_status sky_scan_peaks(sky_scan_state *state, size_t n_sources,
                             const sky_scan_source *sources, size_t n_peaks, size_t separation,
                             sky_scan_node *peaks);

#endif
