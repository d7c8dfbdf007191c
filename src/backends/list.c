/* Every backend of this build, the best processor code first. GPUs come last: large batches go
 * there by themselves (core/placement.h), everything else when it asks for them by name. */
#include "backends/backend.h"

extern const backend avx512_backend, avx2_backend, neon_backend, wasm_backend, scalar_backend,
    cuda_backend;

const backend *const backend_list[] = {
#if defined(__x86_64__)
    &avx512_backend, &avx2_backend,
#endif
#if defined(__aarch64__)
    &neon_backend,
#endif
#if defined(__wasm__)
    &wasm_backend,
#endif
    &scalar_backend,
#ifdef EQUANT_HAS_CUDA
    &cuda_backend,
#endif
};
const size_t backend_list_length = sizeof backend_list / sizeof backend_list[0];
