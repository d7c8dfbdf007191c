/* Failures of the CUDA library as statuses, with a sentence for cuda_backend.explain. */
#ifndef EQUANT_BACKENDS_CUDA_FAILURE_H
#define EQUANT_BACKENDS_CUDA_FAILURE_H

#include <cuda_runtime.h>

#include "equant.h"

/* The status for an error, EQUANT_SUCCESS where there is none. `what` failed: it becomes part
 * of the sentence, which is kept for the thread. */
equant_status failure_report(cudaError_t error, const char *what);

/* The sentence for the last failure on this thread. */
const char *failure_explain(void);

/* Returns from the caller on failure. */
#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        equant_status status_ = failure_report((call), #call);                                     \
        if (status_ != EQUANT_SUCCESS)                                                             \
            return status_;                                                                        \
    } while (0)

#endif
