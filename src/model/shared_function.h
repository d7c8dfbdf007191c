/* How functions are declared that processors and the threads of a GPU share: the description of a
 * model is read by both. */
#ifndef EQUANT_MODEL_SHARED_FUNCTION_H
#define EQUANT_MODEL_SHARED_FUNCTION_H

#ifdef __CUDACC__
#define SHARED_FUNCTION static __host__ __device__ __forceinline__
#else
#define SHARED_FUNCTION static inline __attribute__((always_inline, unused))
#endif

#endif
