#include "backends/cuda/failure.h"

#include <stdio.h>
#include <string.h>

static _Thread_local char last_sentence[512];

/* What an error means to whoever asked for the GPU. */
typedef enum failure_kind {
    FAILURE_NONE,
    FAILURE_MEMORY,
    FAILURE_NO_DRIVER,
    FAILURE_OLD_DRIVER,
    FAILURE_BROKEN_DRIVER, /* whose parts do not fit each other */
    FAILURE_NO_DEVICE,
    FAILURE_OTHER_DEVICE, /* than the program was built for */
    FAILURE_NOT_READY,
    FAILURE_BUSY,
    FAILURE_LOST, /* every later call of this process fails too */
    FAILURE_CALL  /* anything else */
} failure_kind;

/* Numbers, for older tool kits do not name all of them. */
static failure_kind kind_of(cudaError_t error)
{
    switch ((int)error) {
    case cudaSuccess:
        return FAILURE_NONE;
    case cudaErrorMemoryAllocation:
        return FAILURE_MEMORY;
    case cudaErrorStubLibrary:
        return FAILURE_NO_DRIVER;
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorUnsupportedPtxVersion:
        return FAILURE_OLD_DRIVER;
    case cudaErrorSystemDriverMismatch:
        return FAILURE_BROKEN_DRIVER;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
        return FAILURE_NO_DEVICE;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorJitCompilerNotFound:
        return FAILURE_OTHER_DEVICE;
    case cudaErrorSystemNotReady:
        return FAILURE_NOT_READY;
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
        return FAILURE_BUSY;
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case 226: /* cudaErrorContained */
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
        return FAILURE_LOST;
    default:
        return FAILURE_CALL;
    }
}

equant_status failure_status(cudaError_t error)
{
    switch (kind_of(error)) {
    case FAILURE_NONE:
        return EQUANT_SUCCESS;
    case FAILURE_MEMORY:
        return EQUANT_ERROR_OUT_OF_MEMORY;
    case FAILURE_BUSY:
    case FAILURE_LOST:
    case FAILURE_CALL:
        return EQUANT_ERROR_DEVICE;
    default:
        return EQUANT_ERROR_UNAVAILABLE;
    }
}

/* Page-locked memory of the host is asked for by calls of its own. */
static const char *memory_sentence(const char *what)
{
    return strncmp(what, "cudaMallocHost", strlen("cudaMallocHost")) == 0
               ? "the system has no memory left that it could lock for transfers to the GPU"
               : "the memory of the GPU is used up, perhaps by other programs";
}

static void describe_old_driver(failure_versions versions, size_t size, char *sentence)
{
    snprintf(sentence, size,
             "the NVIDIA driver is too old: it offers CUDA %d.%d, and this program needs %d.%d; "
             "install a newer driver",
             versions.driver / 1000, versions.driver % 1000 / 10, versions.program / 1000,
             versions.program % 1000 / 10);
}

/* The sentence of a kind that says it all. */
static const char *plain_sentence(failure_kind kind, const char *what)
{
    switch (kind) {
    case FAILURE_NONE:
        return "";
    case FAILURE_MEMORY:
        return memory_sentence(what);
    case FAILURE_NO_DRIVER:
        return "there is no NVIDIA driver on this machine";
    case FAILURE_BROKEN_DRIVER:
        return "the parts of the NVIDIA driver do not fit each other, as after an update: restart "
               "the machine";
    case FAILURE_NO_DEVICE:
        return "there is no NVIDIA GPU that this program may use";
    case FAILURE_OTHER_DEVICE:
        return "this program was built for other GPUs than the one in this machine";
    case FAILURE_NOT_READY:
        return "the GPU is not ready yet: services that it needs are still starting, or have "
               "failed to";
    default:
        return "the GPU is taken by another program, or lost";
    }
}

void failure_describe(cudaError_t error, const char *what, failure_versions versions, size_t size,
                      char *sentence)
{
    failure_kind kind = kind_of(error);
    int length = (int)strcspn(what, "(");
    if (kind == FAILURE_OLD_DRIVER && versions.driver == 0)
        kind = FAILURE_NO_DRIVER; /* CUDA does not tell the one from the other */
    if (kind == FAILURE_OLD_DRIVER)
        describe_old_driver(versions, size, sentence);
    else if (kind == FAILURE_LOST)
        snprintf(sentence, size,
                 "%.*s failed: %s; this process has lost the GPU and must be restarted to use it "
                 "again",
                 length, what, cudaGetErrorString(error));
    else if (kind == FAILURE_CALL)
        snprintf(sentence, size, "%.*s failed: %s", length, what, cudaGetErrorString(error));
    else
        snprintf(sentence, size, "%s", plain_sentence(kind, what));
}

equant_status failure_report(cudaError_t error, const char *what)
{
    failure_versions versions = {0, CUDART_VERSION};
    if (error == cudaSuccess)
        return EQUANT_SUCCESS;
    cudaDriverGetVersion(&versions.driver);
    failure_describe(error, what, versions, sizeof last_sentence, last_sentence);
    cudaGetLastError(); /* else the next launch would be blamed for it */
    return failure_status(error);
}

equant_status failure_host_memory(void)
{
    snprintf(last_sentence, sizeof last_sentence, "there is not enough memory for this");
    return EQUANT_ERROR_OUT_OF_MEMORY;
}

const char *failure_explain(void)
{
    return last_sentence;
}
