/* Failures of the CUDA library as statuses, with a sentence for cuda_backend.explain. */
#ifndef EQUANT_BACKENDS_CUDA_FAILURE_H
#define EQUANT_BACKENDS_CUDA_FAILURE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "equant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The status for an error, EQUANT_SUCCESS where there is none. */
equant_status failure_status(cudaError_t error);

/* The versions of CUDA that driver and program have, as CUDA counts them: 12040 is 12.4, and a
 * driver of version 0 is not there. */
typedef struct failure_versions {
    int driver, program;
} failure_versions;

/* The sentence for an error. `what` failed: a call, of which the name is taken, or a noun. */
void failure_describe(cudaError_t error, const char *what, failure_versions versions, size_t size,
                      char *sentence);

/* Status and sentence for an error; the sentence is kept for the thread. */
equant_status failure_report(cudaError_t error, const char *what);

/* The same where the memory of the host is used up. */
equant_status failure_host_memory(void);

/* The sentence for the last failure on this thread. */
const char *failure_explain(void);

#ifdef __cplusplus
}
#endif

/* Returns from the caller on failure. */
#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        equant_status status_ = failure_report((call), #call);                                     \
        if (status_ != EQUANT_SUCCESS)                                                             \
            return status_;                                                                        \
    } while (0)

#endif
