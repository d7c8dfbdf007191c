/* What is said of failures of CUDA: values are mapped to words, so no GPU is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/failure.h"

static const failure_versions up_to_date = {13000, 13000}, old = {11040, 13000}, none = {0, 13000};

static void assert_described(cudaError_t error, failure_versions versions, equant_status status,
                             const char *expected)
{
    char sentence[512];
    assert_int_equal(failure_status(error), status);
    failure_describe(error, "cudaMemcpy(to, from, n)", versions, sizeof sentence, sentence);
    if (!strstr(sentence, expected))
        fail_msg("\"%s\" does not say \"%s\"", sentence, expected);
}

static void drivers_are_told_apart(void **state)
{
    (void)state;
    const equant_status unavailable = EQUANT_ERROR_UNAVAILABLE;
    assert_described(cudaErrorInsufficientDriver, none, unavailable, "there is no NVIDIA driver");
    assert_described(cudaErrorStubLibrary, up_to_date, unavailable, "there is no NVIDIA driver");
    assert_described(cudaErrorInsufficientDriver, old, unavailable,
                     "too old: it offers CUDA 11.4, and this program needs 13.0");
    assert_described(cudaErrorUnsupportedPtxVersion, old, unavailable, "too old");
    assert_described(cudaErrorSystemDriverMismatch, up_to_date, unavailable, "do not fit");
}

static void missing_devices_are_unavailable(void **state)
{
    (void)state;
    const equant_status unavailable = EQUANT_ERROR_UNAVAILABLE;
    assert_described(cudaErrorNoDevice, up_to_date, unavailable, "there is no NVIDIA GPU");
    assert_described(cudaErrorNoKernelImageForDevice, up_to_date, unavailable, "other GPUs");
    assert_described(cudaErrorSystemNotReady, up_to_date, unavailable, "not ready");
}

static void memory_is_the_gpu_s_or_the_host_s(void **state)
{
    (void)state;
    char sentence[512];
    assert_described(cudaErrorMemoryAllocation, up_to_date, EQUANT_ERROR_OUT_OF_MEMORY,
                     "the memory of the GPU is used up");
    failure_describe(cudaErrorMemoryAllocation, "cudaMallocHost(&memory, n)", up_to_date,
                     sizeof sentence, sentence);
    assert_non_null(strstr(sentence, "no memory left that it could lock"));
    assert_int_equal(failure_host_memory(), EQUANT_ERROR_OUT_OF_MEMORY);
    assert_string_equal(failure_explain(), "there is not enough memory for this");
}

/* After these every call of the process fails: the sentence says what to do about it. */
static void lost_devices_ask_for_a_restart(void **state)
{
    (void)state;
    const cudaError_t lost[] = {cudaErrorIllegalAddress,     cudaErrorLaunchFailure,
                                cudaErrorLaunchTimeout,      cudaErrorECCUncorrectable,
                                cudaErrorHardwareStackError, cudaErrorIllegalInstruction,
                                cudaErrorMisalignedAddress,  cudaErrorInvalidAddressSpace,
                                cudaErrorInvalidPc,          cudaErrorAssert,
                                cudaErrorContextIsDestroyed, cudaErrorNvlinkUncorrectable};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        assert_described(lost[i], up_to_date, EQUANT_ERROR_DEVICE, "must be restarted");
    assert_described(cudaErrorIllegalAddress, up_to_date, EQUANT_ERROR_DEVICE,
                     "cudaMemcpy failed: an illegal memory access");
}

static void other_failures_name_the_call(void **state)
{
    (void)state;
    char sentence[512];
    assert_described(cudaErrorDevicesUnavailable, up_to_date, EQUANT_ERROR_DEVICE,
                     "taken by another program");
    assert_described(cudaErrorInvalidValue, up_to_date, EQUANT_ERROR_DEVICE,
                     "cudaMemcpy failed: invalid argument");
    failure_describe(cudaErrorInvalidValue, "the copy", up_to_date, sizeof sentence, sentence);
    assert_string_equal(sentence, "the copy failed: invalid argument");
    assert_null(strstr(sentence, "restarted"));
}

static void the_last_sentence_is_kept(void **state)
{
    (void)state;
    assert_int_equal(failure_report(cudaErrorIllegalAddress, "cudaStreamSynchronize(stream)"),
                     EQUANT_ERROR_DEVICE);
    assert_int_equal(failure_report(cudaSuccess, "cudaFree(memory)"), EQUANT_SUCCESS);
    assert_non_null(strstr(failure_explain(), "cudaStreamSynchronize failed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivers_are_told_apart),
        cmocka_unit_test(missing_devices_are_unavailable),
        cmocka_unit_test(memory_is_the_gpu_s_or_the_host_s),
        cmocka_unit_test(lost_devices_ask_for_a_restart),
        cmocka_unit_test(other_failures_name_the_call),
        cmocka_unit_test(the_last_sentence_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
