#include "backends/cuda/cuda_device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

#include "backends/cuda/failure.h"

equant_status device_allocate(int device, size_t n_bytes, void **memory)
{
    CUDA_TRY(cudaSetDevice(device));
    CUDA_TRY(cudaMalloc(memory, n_bytes > 0 ? n_bytes : 1));
    return EQUANT_SUCCESS;
}

void device_release(int device, void *memory)
{
    if (cudaSetDevice(device) == cudaSuccess)
        cudaFree(memory);
}

equant_status device_copy(int device, size_t n_bytes, const void *from, void *to)
{
    CUDA_TRY(cudaSetDevice(device));
    CUDA_TRY(cudaMemcpy(to, from, n_bytes, cudaMemcpyDefault));
    CUDA_TRY(cudaDeviceSynchronize()); /* a copy within the device returns early */
    return EQUANT_SUCCESS;
}

equant_status device_upload(size_t n_bytes, const void *from, void *to)
{
    CUDA_TRY(cudaMemcpy(to, from, n_bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaStreamSynchronize(NULL));
    return EQUANT_SUCCESS;
}

equant_status device_wait(int device)
{
    CUDA_TRY(cudaSetDevice(device));
    CUDA_TRY(cudaDeviceSynchronize());
    return EQUANT_SUCCESS;
}

int device_double_ratio(int device)
{
    int ratio = 0;
    equant_status status = failure_report(
        cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device),
        "asking for the speed of double");
    return status == EQUANT_SUCCESS ? ratio : 0;
}

equant_precision device_precision(equant_precision asked, int double_ratio)
{
    return asked == EQUANT_PRECISION_MIXED && double_ratio >= DEVICE_SLOW_DOUBLE
               ? EQUANT_PRECISION_PAIR
               : asked;
}

/* Lanes for fused multiply-adds in single precision of one multiprocessor. */
static int single_lanes(int major, int minor)
{
    return major < 8 || (major == 8 && minor == 0) ? 64 : 128;
}

equant_status device_describe(int device, equant_device_info *info)
{
    int clock_khz, memory_khz, bus_bits, double_ratio = device_double_ratio(device);
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, device));
    CUDA_TRY(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device));
    CUDA_TRY(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, device));
    CUDA_TRY(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, device));
    double cycles_per_s = 1e3 * clock_khz * properties.multiProcessorCount;
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, properties.name);
    info->memory_bytes = properties.totalGlobalMem;
    info->bytes_per_s = 2.0 * 1e3 * memory_khz * bus_bits / 8.0; /* two words a clock */
    info->single_per_s = cycles_per_s * single_lanes(properties.major, properties.minor);
    info->double_per_s = double_ratio > 0 ? info->single_per_s / double_ratio : 0.0;
    info->instructions_per_s = cycles_per_s * 4 * properties.warpSize; /* four schedulers */
    return EQUANT_SUCCESS;
}
