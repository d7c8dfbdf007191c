/* The evidence by a bridge between draws of a posterior and draws of a density q that resembles it
 * (Meng & Wong 1996, Statistica Sinica 6, 831): with p the prior times the likelihood and
 * h = 1 / (s_p p / Z + s_q q),
 *
 *   Z = mean of h p over draws of q / mean of h q over draws of the posterior,
 *
 * iterated to its fixed point. */
#ifndef EQUANT_INFERENCE_SAMPLE_EVIDENCE_BRIDGE_H
#define EQUANT_INFERENCE_SAMPLE_EVIDENCE_BRIDGE_H

#include <stddef.h>

/* ln Z from ln (p / q) at n_posterior draws of the posterior, which are worth so many independent
 * ones, and at n_guide draws of q, where -INFINITY says that p is zero. NaN where nothing can be
 * told. */
double bridge_log_evidence(size_t n_posterior, const double *at_posterior, double worth,
                           size_t n_guide, const double *at_guide);

#endif
