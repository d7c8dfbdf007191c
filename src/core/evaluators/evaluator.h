/* What an evaluator consists of, for those in core that use more of its backend than it does. */
#ifndef EQUANT_CORE_EVALUATORS_EVALUATOR_H
#define EQUANT_CORE_EVALUATORS_EVALUATOR_H

#include "core/accelerator.h"

typedef struct evaluator_parts {
    const backend *chosen;
    const backend_engine *engine;
    void *state; /* of that backend */
} evaluator_parts;

evaluator_parts evaluator_parts_of(const equant_evaluator *evaluator);

/* Lets a GPU, which nobody has turned to yet, take derivatives where it gains, although the
 * evaluator's backend is a processor. */
void evaluator_lend(equant_evaluator *evaluator, accelerator gpu);

#endif
