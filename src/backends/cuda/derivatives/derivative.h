/* Derivatives on a GPU: what the slot `differentiate` of cuda_backend calls. */
#ifndef EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_H
#define EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_H

#include "backends/cuda/layout.h"

/* Memory that is kept between calls: a fit makes thousands of small ones. All zero at first. */
typedef struct derivative_memory {
    double *host;   /* page-locked: parameters, then results */
    double *device; /* the same, then working memory         */
    size_t host_words, device_words;
    bool knows_teams, in_clusters; /* who works on a set, once it is known */
} derivative_memory;

#ifdef __cplusplus
extern "C" {
#endif

void derivative_memory_free(derivative_memory *memory);

/* In double, always by the fast solver and with plain sums: what others would change is far
 * below what a derivative is asked for. The layout is that of a state in double. */
equant_status derivative_run(derivative_memory *memory, const cuda_layout *layout,
                             equant_basis basis, size_t n_sets, const double *parameters,
                             const equant_derivatives *derivatives);

#ifdef __cplusplus
}
#endif
#endif
