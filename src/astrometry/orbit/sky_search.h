/* The search for an orbit behind a solution: every frequency, eccentricity and phase, all that is
 * linear solved at each; then the best of them refined. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_SEARCH_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_SEARCH_H

#include "astrometry/orbit/sky_grid.h"

/* Data in a refiner, and a solution of them behind which an orbit is looked for. */
typedef struct sky_search_place {
    sky_refiner *refiner;
    const sky_solution *base;
} sky_search_place;

/* The residual and the orthonormal base of a solution, whitened, as scans want them, in its
 * refiner.
 */
void sky_search_lay_base(sky_refiner *refiner, const sky_solution *base);

/* The best node of each bin of the grid, bins[grid->n_bins]. */
equant_status sky_search_scan(const sky_search_place *place, const sky_grid *grid,
                              const equant_engine_options *engine, sky_scan_node *bins);

/* Solutions of the highest peaks of a scan, at the jitters of the base: the best first, at most
 * `most`. */
equant_status sky_search_peaks(const sky_search_place *place, const sky_grid *grid,
                               const sky_scan_node *bins, size_t most, sky_solution *peaks,
                               size_t *n_peaks);

/* The best solution with one orbit more than `base`. Where `coarse` is not NULL it is the same
 * source in fewer rows, means of transits, with a solution of the same model: there the orbit is
 * looked for, and only the best is refined in all rows. */
equant_status sky_search_orbit(const sky_search_place *place, const sky_search_place *coarse,
                               const sky_grid *grid, bool has_jitter,
                               const equant_engine_options *engine, sky_solution *best);

#endif
