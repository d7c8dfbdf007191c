/* What the chains have found: frequencies at which there may be planets, gathered to signals whose
 * members exclude each other, a planet and its aliases. */
#ifndef EQUANT_INFERENCE_COMPARE_SIGNALS_H
#define EQUANT_INFERENCE_COMPARE_SIGNALS_H

#include "inference/compare/tally.h"

enum { SIGNALS_MOST = 24, SIGNALS_MOST_MEMBERS = 12 };

typedef struct signal_member {
    double frequency,
        deviation;         /* mean and standard deviation of the planet's, where it is there */
    double probability;    /* that there is a planet at it */
    double log_likelihood; /* the best that was seen with it */
    tally_range range;
} signal_member;

typedef struct planet_signal {
    size_t n_members;
    signal_member members[SIGNALS_MOST_MEMBERS]; /* the most probable first */
    double fip, probability, probability_err;    /* of all members together */
    double spread; /* from the least to the most probable, of the populations */
} planet_signal;

typedef struct signals {
    size_t n;
    planet_signal list[SIGNALS_MOST];
} signals;

/* From the tallies of all populations. */
equant_status signals_find(const slot_grid *grid, size_t n_tallies, const tally *const *tallies,
                           signals *found);

/* Mean over the tallies of the probability that no range has a planet, with its error. */
double signals_absent(size_t n_tallies, const tally *const *tallies, size_t n_ranges,
                      const tally_range *ranges, double *err, double *spread);

#endif
