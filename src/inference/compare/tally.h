/* Rao-Blackwellised estimates of a chain: for every slot that was drawn, the conditional
 * probability that it is empty, and the distribution of its planet, given the other slots. Averages
 * of these probabilities have a smaller variance than counts of states. */
#ifndef EQUANT_INFERENCE_COMPARE_TALLY_H
#define EQUANT_INFERENCE_COMPARE_TALLY_H

#include "inference/compare/count_priors.h"
#include "inference/compare/slot_proposal.h"

/* A place where the planet of a slot may be. */
typedef struct tally_place {
    double frequency;
    double weight;         /* probability, given the others */
    double log_likelihood; /* of the model with it, amplitudes and all that is linear integrated */
} tally_place;

typedef struct tally_move {
    size_t first_place, n_places, first_other, n_others; /* in the arrays below */
    double off;                                          /* probability that the slot is empty */
} tally_move;

typedef struct tally {
    size_t n_moves, move_room, n_places, place_room, n_others, other_room;
    tally_move *moves;
    tally_place *places;
    double *others;                      /* frequencies of planets of the other slots */
    double of_n[COUNT_MOST_PLANETS + 1]; /* sums over moves of P(n planets) */
    size_t n_bins;
    double *absent; /* [n_bins]: sums of the probability that no planet is within half a resolution
                       of the middle of a bin */
    double *after;  /* [n_bins] to work with, as is: */
    bool *taken;
} tally;

equant_status tally_create(const slot_grid *grid, tally *made);
void tally_free(tally *kept);
/* Forgets all moves. */
void tally_clear(tally *kept);

/* One move: off and on are the probabilities, places [n_places] have those of `on` together. */
equant_status tally_add(tally *kept, const slot_proposal *proposal, double off, double on,
                        size_t n_others, const double *others, size_t n_places,
                        const tally_place *places);

/* Ranges of frequency. */
typedef struct tally_range {
    double low, high;
} tally_range;

/* Sum over moves of the probability that none of the ranges has a planet. */
double tally_absent(const tally *kept, size_t n_ranges, const tally_range *ranges);
/* Sum over moves of the probability that both have one. */
double tally_both(const tally *kept, tally_range one, tally_range other);

/* Half of what the data resolve, in bins to either side of the middle one. */
enum { TALLY_REACH = 2 };

#endif
