/* equant/xla.h: programs of XLA. Targets as operations of programs that JAX compiles. */
#ifndef EQUANT_XLA_H
#define EQUANT_XLA_H

#include <stdint.h>

#include "equant/status.h"
#include "equant/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A program of XLA holds numbers, no pointers: it may outlive a target. Gives a target a number,
 * from 1, never used twice. Programs that have the number may then call the target at any time,
 * from any thread, one after the other; the caller no longer does. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_xla_target_enter(equant_target *target,
                                                                     int64_t *number);

/* Waits for calls that are under way; programs that still have the number then fail with a
 * sentence. Afterwards the target may be freed. A number that is not known is ignored. */
EQUANT_EXPERIMENTAL EQUANT_API void equant_xla_target_leave(int64_t number);

/* The handler of the typed foreign-function interface of XLA, on processors (platform "cpu",
 * api_version 1): takes an XLA_FFI_CallFrame, answers NULL or an XLA_FFI_Error.
 *   argument    points, float64 [...][n_dimensions];
 *   results     values, float64 [...]; where there is a second one, gradients, as the points;
 *   attributes  target, int64: its number;
 *               density, int64: 0 the posterior, 1 the likelihood, 2 the prior.
 * Values are those of equant_target_log_probability and its like, with gradients those of
 * equant_target_differentiate. */
EQUANT_EXPERIMENTAL EQUANT_API void *equant_xla_handler(void *call_frame);

#ifdef __cplusplus
}
#endif
#endif
