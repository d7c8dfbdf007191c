/* A map of all pairs of frequencies on a GPU: backend_pairs, with sentences for its failures. */
#ifndef EQUANT_CORE_PAIRS_DEVICE_PAIRS_H
#define EQUANT_CORE_PAIRS_DEVICE_PAIRS_H

#include "core/placement.h"

typedef struct device_pairs device_pairs;

/* Where the options leave it to a processor, or no GPU gains, *made is NULL: no failure. */
equant_status device_pairs_create(const equant_engine_options *options,
                                  const backend_pair_grid *grid, device_pairs **made);
void device_pairs_free(device_pairs *pairs);

/* Whether the caller may go on without the GPU when it fails. */
bool device_pairs_may_leave(const device_pairs *pairs);

/* As backend_pairs has them. */
equant_status device_pairs_powers(device_pairs *pairs, float *power);
equant_status device_pairs_peaks(device_pairs *pairs, size_t n_bands, const int32_t *first_rows,
                                 float threshold, backend_pair *found, size_t *n_found);

#endif
