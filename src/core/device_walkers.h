/* Walkers of a sampler on the device of an evaluator's backend: backend_walkers, with sentences
 * for its failures. */
#ifndef EQUANT_CORE_DEVICE_WALKERS_H
#define EQUANT_CORE_DEVICE_WALKERS_H

#include "backends/backend.h"

typedef struct device_walkers device_walkers;

/* Where the backend of the evaluator has no place for walkers, *made is NULL: no failure. The
 * evaluator must outlive them. */
equant_status device_walkers_create(const equant_evaluator *evaluator,
                                    const struct ensemble *on_host,
                                    const struct coordinate_map *map, device_walkers **made);
void device_walkers_free(device_walkers *walkers);

equant_status device_walkers_upload(device_walkers *walkers, unsigned fields,
                                    const struct ensemble *from, const backend_walker_sums *sums);
equant_status device_walkers_step(device_walkers *walkers, uint64_t step, int move);
equant_status device_walkers_download(device_walkers *walkers, unsigned fields,
                                      const struct ensemble *to, const backend_walker_sums *sums,
                                      double *cold_parameters);

#endif
