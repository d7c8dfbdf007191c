/* The table of first guesses as a texture of one GPU. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_GUESS_TEXTURE_H
#define EQUANT_BACKENDS_CUDA_EVALUATE_GUESS_TEXTURE_H

#include <cuda_runtime_api.h>

typedef struct guess_texture {
    cudaArray_t array;
    cudaTextureObject_t texture; /* 0 where there is none */
} guess_texture;

/* On the current device. What was made is destroyed with guess_texture_destroy, also after
 * a failure; a zeroed one may be destroyed too. */
cudaError_t guess_texture_create(guess_texture *made);
void guess_texture_destroy(guess_texture *made);

#endif
