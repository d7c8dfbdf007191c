#include "backends/cuda/failure.h"

#include <stdio.h>

static thread_local char last_error[256];

const char *failure_explain(void)
{
    return last_error;
}

equant_status failure_report(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return EQUANT_SUCCESS;
    snprintf(last_error, sizeof last_error, "%s: %s", what, cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation ? EQUANT_ERROR_OUT_OF_MEMORY : EQUANT_ERROR_DEVICE;
}
