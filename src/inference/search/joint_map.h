/* The joint map of two frequencies: the two circular orbits that together explain the velocities
 * best. Two planets can make one peak at the frequency of neither, which a search for one planet
 * after the other misses. */
#ifndef EQUANT_INFERENCE_SEARCH_JOINT_MAP_H
#define EQUANT_INFERENCE_SEARCH_JOINT_MAP_H

#include "core/scan.h"

/* Frequencies first, first + step, ... */
typedef struct joint_map_options {
    double first_frequency_per_day, step_per_day;
    size_t n_frequencies;                /* below 2^30 */
    const equant_engine_options *engine; /* of scans; NULL: the defaults */
    equant_progress progress;
    void *progress_context;
} joint_map_options;

/* Two frequencies, the lower first, and by how much chi-square falls with both. */
typedef struct joint_map_entry {
    double improvement, frequency_per_day[2];
} joint_map_entry;

/* The n_best pairs, best first; *n_found of them, fewer where the grid has fewer. Frequencies
 * of a pair are at least the resolution 1/span apart, and so are two pairs in one frequency
 * or both. Pairs that are all but one, as a signal and its alias, are left out: each must
 * keep a share of JOINT_MAP_INDEPENDENCE of its variance beside the other.
 *
 * Of the data's members those before the grid are read, and noise is not: inner products come from
 * the window function, which a covariance does not have. Behind correlated noise the base is made
 * as if it were white, with the variances of its diagonal: good enough for starts, which are
 * refitted and judged under the covariance. A GPU that scans maps as well. The same on any number
 * of threads, and on a GPU but where pairs are equal to six digits. */
#define JOINT_MAP_INDEPENDENCE 0.05
equant_status joint_map_run(const backend_scan *data, const joint_map_options *options,
                            size_t n_best, joint_map_entry *best, size_t *n_found);

#endif
