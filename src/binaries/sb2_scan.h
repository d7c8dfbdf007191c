/* The search for the period of a double-lined binary. Whatever the roles are, the sum v1 + v2 and
 * the size of the difference |v1 - v2| are known. With x = a C + b S, C = cos nu + e, S = sin nu,
 *
 *     v1 + v2 = 2 gamma + (K1 - K2) x   is linear,
 *     |v1 - v2| = (K1 + K2) |x|         is linear once the signs of x are,
 *
 * and these follow from the direction of (a, b), of which a few are tried at each frequency,
 * eccentricity and phase, the best one being improved. */
#ifndef EQUANT_BINARIES_SB2_SCAN_H
#define EQUANT_BINARIES_SB2_SCAN_H

#include "binaries/sb2_model.h"

typedef struct sb2_scan_range {
    double period_min_days, period_max_days, eccentricity_max;
    int n_threads;
} sb2_scan_range;

enum { SB2_MOST_STARTS = 160 };

typedef struct sb2_start {
    double elements[SB2_N];
    double gain; /* half of what chi-square falls by */
} sb2_start;

/* The best starts, one for each peak of frequency, from the best; *n says how many there are,
 * *n_frequencies how many the range has independently. */
equant_status sb2_scan_run(const sb2_epochs *epochs, const sb2_scan_range *range, size_t *n,
                           sb2_start starts[SB2_MOST_STARTS], double *n_frequencies);

#endif
