#include "backends/cuda/evaluate/guess_texture.h"

#include <string.h>

#include "backends/cuda/evaluate/guess_table.h"

cudaError_t guess_texture_create(guess_texture *made)
{
    float table[GUESS_TABLE_N_E][GUESS_TABLE_N_M];
    const size_t row_bytes = sizeof table[0];
    memset(made, 0, sizeof *made);
    guess_table_fill(table);
    struct cudaChannelFormatDesc format =
        cudaCreateChannelDesc(8 * sizeof(float), 0, 0, 0, cudaChannelFormatKindFloat);
    cudaError_t error = cudaMallocArray(&made->array, &format, GUESS_TABLE_N_M, GUESS_TABLE_N_E, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy2DToArray(made->array, 0, 0, table, row_bytes, row_bytes, GUESS_TABLE_N_E,
                                    cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(NULL); /* as in device_upload */
    if (error != cudaSuccess)
        return error;
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    resource.res.array.array = made->array;
    struct cudaTextureDesc sampling = {.filterMode = cudaFilterModeLinear,
                                       .readMode = cudaReadModeElementType};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    return cudaCreateTextureObject(&made->texture, &resource, &sampling, NULL);
}

void guess_texture_destroy(guess_texture *made)
{
    if (made->texture)
        cudaDestroyTextureObject(made->texture);
    if (made->array)
        cudaFreeArray(made->array);
    memset(made, 0, sizeof *made);
}
