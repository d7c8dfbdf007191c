/* A scan for one further planet on the residuals of a solution, and the orbits of its peaks. */
#ifndef EQUANT_INFERENCE_SEARCH_PLANET_SCAN_H
#define EQUANT_INFERENCE_SEARCH_PLANET_SCAN_H

#include "inference/search/base_columns.h"
#include "inference/search/scan_grid.h"
#include "model/orbit_elements.h"

typedef struct planet_scan {
    scan_grid grid;
    base_columns base;
    backend_scan_node *best, *circular; /* [grid.n_bins]; of circles alone they are the same */
    bool circles_only;                  /* the planet is to stay on a circle when it is refined */
} planet_scan;

/* Reports progress as `stage`. The terms may be NULL; their factor stays until the scan is freed.
 */
equant_status planet_scan_create(study *star, const solution *background, size_t n_fixed,
                                 const base_terms *terms, const scan_grid *grid, const char *stage,
                                 planet_scan *scan);

/* The same where nothing is asked of the scan but its n_peaks highest peaks and the bins of the
 * aliases of the first n_aliased of them: these are as planet_scan_create has them. In other bins
 * ellipses may be left out, those that are no match for any of the peaks (scan_prospects.h). */
equant_status planet_scan_find_peaks(study *star, const solution *background, size_t n_fixed,
                                     const scan_grid *grid, const char *stage, size_t n_peaks,
                                     size_t n_aliased, planet_scan *scan);
void planet_scan_free(planet_scan *scan);

/* Scans the grid for what explains whitened data, with the columns of its nodes whitened by the
 * factor of the base: one run of the kernel, in pieces, so that
 * progress can be reported from `done` to `done_after`. circular may be NULL. */
equant_status planet_scan_run(study *star, const base_columns *base, const double *residual,
                              const scan_grid *grid, const char *stage, double done,
                              double done_after, backend_scan_node *best,
                              backend_scan_node *circular);

/* The bins of the highest peaks, best first, no two of them closer than the resolution of the
 * data; at most n_wanted. Returns how many there are. */
size_t planet_scan_peaks(const planet_scan *scan, size_t n_wanted, size_t *bins);

/* The bin that holds a frequency, or the nearest. */
size_t planet_scan_bin(const scan_grid *grid, double frequency_per_day);

/* The orbit of a node, its amplitude and omega still arbitrary. */
void planet_scan_orbit(const backend_scan_node *node, double elements[N_ELEMENTS]);

/* Whether the star is scanned on the threads that fit, too, and not on a GPU. */
bool planet_scan_is_done_by_processor(const study *star);

#endif
