/* A mixture over the modes in which walkers of all populations were seen during the burn-in, for
 * their own moves: the kind of guide that the evidence of a run has at its end. A share is the
 * prior. Planets that are alike may stand in any order, and do in turn. */
#ifndef EQUANT_INFERENCE_SAMPLE_EVIDENCE_WALKER_GUIDE_H
#define EQUANT_INFERENCE_SAMPLE_EVIDENCE_WALKER_GUIDE_H

#include "inference/sample/target/posterior_density.h"
#include "inference/sample/draws/draws.h"
#include "inference/sample/walkers/sampler_guide.h"

typedef struct walker_guide walker_guide;

typedef struct walker_guide_options {
    const posterior_density *density; /* not to be outlived */
    draws_shape shape;                /* of what is seen */
    size_t n_planets;
    double span_days; /* of the observations: what tells periods apart */
    int n_threads;    /* of those who ask it at once, at most */
} walker_guide_options;

equant_status walker_guide_create(const walker_guide_options *options, walker_guide **made);
void walker_guide_free(walker_guide *guide);

/* Where walkers are after a step, as draws_append has it. Of many steps every other one is
 * forgotten. */
equant_status walker_guide_see(walker_guide *guide, uint64_t step, const double *parameters,
                               const double *log_likelihood, const double *log_prior);

/* Follows what was seen since the last time, if that is enough, and begins anew. */
equant_status walker_guide_renew(walker_guide *guide);

/* NULL where nothing is followed yet; else valid until it is renewed, restored or freed. */
const sampler_guide *walker_guide_moves(const walker_guide *guide);

/* What was seen and what is followed, as bytes. */
size_t walker_guide_bytes(const walker_guide *guide);
void walker_guide_save(const walker_guide *guide, void *blob);
equant_status walker_guide_restore(walker_guide *guide, const void *blob, size_t n_bytes);

#endif
