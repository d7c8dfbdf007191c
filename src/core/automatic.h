/* Where an evaluation goes when no backend was named: to a GPU when there is one and the batch
 * is large enough to gain, else to the processor. */
#ifndef EQUANT_CORE_AUTOMATIC_H
#define EQUANT_CORE_AUTOMATIC_H

#include "backends/backend.h"

/* Evaluations (sets x planets x observations) from which on a call goes to a GPU: they take 16
 * threads of a processor 270 microseconds, and the way to a GPU and back takes tens. */
#define AUTOMATIC_LEAST_EVALUATIONS 1e6

typedef struct automatic {
    const backend *const *list; /* where to look for a GPU; NULL: a backend was named */
    size_t n_listed;
    const backend *accelerator; /* NULL: not looked for yet, or none */
    void *state;                /* NULL: not made yet                */
} automatic;

/* Looks for nothing yet: to ask a driver takes long, and most evaluators never need to. */
automatic automatic_start(const backend *const *list, size_t n_listed);
void automatic_free(automatic *choice);

/* The first backend of a list with a device that can run here; NULL where there is none. */
const backend *automatic_accelerator(const backend *const *list, size_t n_listed);

/* True when the GPU has done it. False: the processor has to. After a failure the GPU is not
 * asked again. */
bool automatic_evaluate(automatic *choice, const backend_problem *problem,
                        const backend_engine *engine, size_t n_sets, const double *parameters,
                        const equant_results *results);

#endif
