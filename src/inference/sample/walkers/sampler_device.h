/* Walkers of a sampler that live on a device. The arrays of the sampler are then a copy: what of
 * them is old is fetched when it is read, what the host has changed is sent before it is used. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_DEVICE_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_DEVICE_H

#include "core/device_walkers.h"
#include "inference/sample/walkers/sampler_state.h"

/* Moves the walkers to a device where the target and its backend allow it. */
equant_status sampler_device_begin(sampler *s);
void sampler_device_end(sampler *s);

/* All of these do nothing where walkers live on the processor. `fields`: BACKEND_WALKERS_... */

/* Brings the arrays up to date. After a failure they are what they were, and all later calls
 * fail with it. */
equant_status sampler_device_fetch(const sampler *s, unsigned fields);

/* The arrays are what counts from here on. */
void sampler_device_changed(sampler *s, unsigned fields);

/* A step of all walkers, with their sums; only where s->device is not NULL. */
equant_status sampler_device_step(sampler *s, ensemble_move move);

#endif
