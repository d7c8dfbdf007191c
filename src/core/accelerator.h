/* The GPU that an evaluator turns to when its work is large and no backend was named. Nothing is
 * looked for before the first such work: to ask a driver takes long, and most evaluators never
 * need to. */
#ifndef EQUANT_CORE_ACCELERATOR_H
#define EQUANT_CORE_ACCELERATOR_H

#include "core/placement.h"

typedef struct accelerator {
    bool is_wanted;              /* false: a backend was named, or the GPU has failed */
    const placement_list *among; /* NULL: the backends of this build                 */
    const backend *chosen;       /* NULL: not looked for yet, or to be found         */
    int device;                  /* which of several                                 */
    void *state;                 /* NULL: not made yet                               */
} accelerator;

void accelerator_free(accelerator *gpu);

/* True when the GPU has done it. False: the processor has to. After a failure the GPU is not
 * asked again. */
bool accelerator_evaluate(accelerator *gpu, const backend_problem *problem,
                          const backend_engine *engine, size_t n_sets, const double *parameters,
                          const equant_results *results);

/* The same for derivatives, but Jacobians, which take longer to travel than to make, on a GPU whose
 * double precision is fast. */
bool accelerator_differentiate(accelerator *gpu, const backend_problem *problem,
                               const backend_engine *engine, equant_basis basis, size_t n_sets,
                               const double *parameters, const equant_derivatives *derivatives);

#endif
