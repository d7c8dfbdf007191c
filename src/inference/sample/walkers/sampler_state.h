/* What a sampler holds, for the files that make up the sampler. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_STATE_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_STATE_H

#include "inference/sample/walkers/ensemble.h"
#include "inference/sample/walkers/sampler.h"

/* What is counted since the figures began. */
typedef struct sampler_counts {
    uint64_t *n_tried, *n_accepted; /* [n_temperatures][ENSEMBLE_N_MOVES] */
    uint64_t n_sweeps[2];           /* of swaps, even and odd */
    double *rejection;              /* [n_temperatures - 1][n_populations], summed */
    uint64_t *round_trips;          /* [n_populations] */
} sampler_counts;

typedef struct sampler_device sampler_device;

struct sampler {
    sampler_target target;
    ensemble walkers;
    sampler_device *device;          /* where the walkers live; NULL: here */
    double shares[ENSEMBLE_N_MOVES]; /* cumulative, the last one 1 */
    const sampler_guide *guide;      /* of every other guided step; NULL: none */
    uint64_t n_steps;
    uint64_t is_frozen;
    sampler_counts counts;
    double *cold_parameters; /* [n_populations][n_walkers][n_parameters] */
    double *ladder_scratch;  /* [4 n_temperatures] */
};

/* Zeros, of the shape that the sampler has. To be freed in any case. */
equant_status sampler_state_create_counts(sampler *s);
void sampler_state_free_counts(sampler *s);

/* Shape, steps, temperatures and counts from saved bytes, into a sampler of zeros: it has no
 * walkers, and can do nothing but tell its figures. To be freed in any case. */
equant_status sampler_state_read_counts(const void *blob, size_t n_bytes, sampler *s);

#endif
