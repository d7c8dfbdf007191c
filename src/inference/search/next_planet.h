/* One planet more: the best solutions that add a planet to a given one. */
#ifndef EQUANT_INFERENCE_SEARCH_NEXT_PLANET_H
#define EQUANT_INFERENCE_SEARCH_NEXT_PLANET_H

#include "inference/search/planet_scan.h"

/* Peaks of a scan whose aliases are tried too. */
enum { NEXT_PLANET_ALIASED = 3 };

/* Refines the peaks of a scan behind `background`, all planets together, each from its best
 * orbit and from a circle, and the aliases of the highest peaks too; then noise and orbits by
 * maximum likelihood. Frequencies that a slow drift
 * mimics can be left out. Fills up to n_wanted of `found` (created by the caller), best first,
 * no two with the same new period; *n_found says how many. */
equant_status next_planet_refine(study *star, const planet_scan *scan, const solution *background,
                                 size_t n_fixed, size_t n_peaks, bool without_drifts,
                                 size_t n_wanted, solution *found, size_t *n_found);

/* Two planets more in one step, from the joint map of two circular orbits behind `background`:
 * for two that hide behind one eccentric orbit, or behind a peak that is neither. */
equant_status next_planet_joint(study *star, const solution *background, size_t n_fixed,
                                size_t n_entries, size_t n_wanted, solution *found,
                                size_t *n_found);

/* Whether two solutions have the same periods, but for their order, to half the resolution of
 * the data. */
bool next_planet_same(const study *star, const solution *a, const solution *b);

/* Starts given by the caller instead of a scan: n_starts sets of the same shape, optimised the
 * same way. `shape` gives number of planets and trend. */
equant_status next_planet_choose(study *star, const solution *shape, size_t n_fixed,
                                 size_t n_starts, double *sets, size_t n_wanted, solution *found,
                                 size_t *n_found);

#endif
