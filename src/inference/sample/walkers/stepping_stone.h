/* Stepping-stone sampling: the marginal likelihood from parallel tempering. With Z(beta) the
 * integral of prior times likelihood^beta, Z(0) = 1 and Z(1) is the evidence. From a rung h to the
 * next colder one c,
 *
 *   Z(c) / Z(h) = < L^(c - h) >_h            forward, over the walkers of the hotter rung
 *               = 1 / < L^(h - c) >_c        reverse, over those of the colder
 *               = < L^((c - h)/2) >_h / < L^((h - c)/2) >_c     bridge, over both
 *
 * (Xie et al. 2011, Syst. Biol. 60, 150; Meng & Wong 1996, Statistica Sinica 6, 831). The bridge
 * is the estimate. Forward alone and reverse alone err to opposite sides where rungs are far
 * apart, the reverse more, since next to the prior it is a harmonic mean: how far they
 * differ tells whether there are enough rungs. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_STEPPING_STONE_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_STEPPING_STONE_H

#include "statistics/stepping_stone_sum.h"

/* Adds x = exponent log_likelihood[n]; those of -INFINITY count as zeros. */
void stepping_stone_add(stepping_stone_sum *to, double exponent, size_t n,
                        const double *log_likelihood);

typedef struct stepping_stone_evidence {
    double log_evidence;     /* by bridges, mean over populations                         */
    double error;            /* of it: standard deviation over populations / sqrt(their number);
                                NaN for a single one                                       */
    double forward, reverse; /* means over populations                                 */
} stepping_stone_evidence;

/* From stones[n_steps][n_populations]. Writes each population's ln Z to by_population
 * [n_populations]. NaN while nothing was added. */
stepping_stone_evidence stepping_stone_estimate(size_t n_steps, size_t n_populations,
                                                const stepping_stone *stones,
                                                double *by_population);

#endif
