#include "backends/cuda/device_pool.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "backends/cuda/failure.h"

/* Bytes that stay with the program when nothing uses them. */
static const uint64_t kept_bytes = (uint64_t)2 << 30;

/* Cards and systems without such pools allocate as ever. */
static bool has_pools(int device)
{
    int answer = 0;
    return cudaDeviceGetAttribute(&answer, cudaDevAttrMemoryPoolsSupported, device) ==
               cudaSuccess &&
           answer != 0;
}

equant_status device_pool_take(int device, size_t n_bytes, void **memory)
{
    uint64_t threshold = kept_bytes;
    cudaMemPool_t pool;
    if (!has_pools(device)) {
        CUDA_TRY(cudaMalloc(memory, n_bytes > 0 ? n_bytes : 1));
        return EQUANT_SUCCESS;
    }
    CUDA_TRY(cudaDeviceGetDefaultMemPool(&pool, device));
    CUDA_TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CUDA_TRY(cudaMallocAsync(memory, n_bytes > 0 ? n_bytes : 1, cudaStreamPerThread));
    return EQUANT_SUCCESS;
}

void device_pool_give(int device, void *memory)
{
    if (memory == NULL)
        return;
    if (has_pools(device))
        cudaFreeAsync(memory, cudaStreamPerThread);
    else
        cudaFree(memory);
}
