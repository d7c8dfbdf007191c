/* Pareto smoothed importance sampling diagnostic, k-hat: the shape k of the generalised Pareto
 * distribution of the largest importance weights (Vehtari et al. 2024, JMLR 25, 72; the fit is that
 * of Zhang & Stephens 2009, Technometrics 51, 316). Means of weights with k above 0.7 are
 * unreliable, for any number of them. */
#ifndef EQUANT_INFERENCE_SAMPLE_EVIDENCE_PARETO_TAIL_H
#define EQUANT_INFERENCE_SAMPLE_EVIDENCE_PARETO_TAIL_H

#include <stddef.h>

/* Of logarithms of weights, whose order is changed; -INFINITY stands for none. NaN where there are
 * too few to tell, -INFINITY where the largest are all the same. Where no weight is ten times the
 * mean, what looks like a tail is the edge of a prior, and the shape is 0 at most. */
double pareto_tail_shape(size_t n, double *log_weights);

#endif
