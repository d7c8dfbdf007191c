/* Where work runs: on which backend, on which of its devices, on how many threads. One policy for
 * all of the library and its commands; every threshold is in placement.c. */
#ifndef EQUANT_CORE_PLACEMENT_H
#define EQUANT_CORE_PLACEMENT_H

#include "backends/backend.h"

/* Backends to choose among, best first. */
typedef struct placement_list {
    const backend *const *backends;
    size_t n;
} placement_list;

typedef struct placement {
    const backend *chosen;
    const backend *fallback; /* when the chosen one fails; NULL: its failure is the caller's */
    backend_engine engine;   /* with every default filled in, the device and the threads    */
} placement;

/* Work that never gains on a GPU. */
extern const equant_work placement_small_batches;

/* The backend that the options name, or else the one that gains most from the work; one that
 * cannot do it leaves it to the processor. options may be NULL; among NULL: those of this build. */
equant_status placement_find(const placement_list *among, const equant_engine_options *options,
                             const equant_work *work, placement *found);

/* Whether work is so large that a GPU gains, should there be one. Asks no driver: that takes long,
 * and most work is small. */
bool placement_gains(const equant_work *work);

/* Whether double precision is so fast on a GPU that it gains from a single set. */
bool placement_is_fast_in_double(const backend *gpu, int device);

/* The first backend with a device that can run here; NULL where there is none. */
const backend *placement_accelerator(const placement_list *among);

/* Who does the small fits of a search whose scans are done by `found`: never a GPU, though one may
 * be lent (core/evaluators/evaluator.h). One set at a time it gains nothing where observations are
 * few, and the threads of a processor do several fits at once beside its scans. */
const backend *placement_for_fits(const placement *found);

/* The best processor code that can run here. */
const backend *placement_processor(const placement_list *among);

/* So many threads as are asked for, unless these are many more than the processors; 0: what
 * OMP_NUM_THREADS says or all that the machine offers. */
int placement_threads(int asked);

/* So many of n_threads as gain from work that takes one of them so long. */
int placement_threads_worth(int n_threads, double nanoseconds);

#endif
