/* The evidence of a model from draws of its posterior: a guide is fitted to the first half of them,
 * and a bridge leads from draws of the guide to the second half. Each population has a guide, draws
 * and a bridge of its own, so that their scatter is the error. A small share of the guide is the
 * prior, lest anything be out of its reach. */
#ifndef EQUANT_INFERENCE_SAMPLE_EVIDENCE_GUIDED_EVIDENCE_H
#define EQUANT_INFERENCE_SAMPLE_EVIDENCE_GUIDED_EVIDENCE_H

#include "inference/sample/target/posterior_density.h"
#include "inference/sample/draws/draws.h"

typedef struct guided_evidence {
    double log_evidence, error; /* mean over populations, and its standard error */
    double spread;              /* of populations, from the lowest to the highest */
    double k_hat;               /* of the importance weights: see pareto_tail.h */
    size_t n_populations;
    double *by_population; /* [n_populations] */
} guided_evidence;

typedef struct guided_evidence_request {
    posterior_density *density;
    const draws *kept; /* of that density; where they keep planets by period, these are alike */
    size_t n_planets;
    double span_days; /* of the observations: what tells periods apart */
    double worth;     /* independent draws that all of them are worth; NaN: as many as they are */
    uint64_t seed;
    int n_threads;
} guided_evidence_request;

/* Numbers are NaN where there are too few draws. Free it in any case. */
equant_status guided_evidence_find(const guided_evidence_request *request, guided_evidence *found);
void guided_evidence_free(guided_evidence *evidence);

/* Whether the number may be used: weights with a tail that has a mean, and populations that agree.
 */
int guided_evidence_is_sound(double error, double spread, double k_hat);

#endif
