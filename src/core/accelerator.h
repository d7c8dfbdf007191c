/* The GPU that an evaluator turns to when a batch is large and no backend was named. Nothing is
 * looked for before the first such batch: to ask a driver takes long, and most evaluators never
 * need to. */
#ifndef EQUANT_CORE_ACCELERATOR_H
#define EQUANT_CORE_ACCELERATOR_H

#include "core/placement.h"

typedef struct accelerator {
    bool is_wanted;              /* false: a backend was named, or the GPU has failed */
    const placement_list *among; /* NULL: the backends of this build                 */
    const backend *chosen;       /* NULL: not looked for yet                         */
    void *state;                 /* NULL: not made yet                               */
} accelerator;

void accelerator_free(accelerator *gpu);

/* True when the GPU has done it. False: the processor has to. After a failure the GPU is not
 * asked again. */
bool accelerator_evaluate(accelerator *gpu, const backend_problem *problem,
                          const backend_engine *engine, size_t n_sets, const double *parameters,
                          const equant_results *results);

#endif
