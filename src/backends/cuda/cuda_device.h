/* One GPU: its memory and what it can do at best. Slots of backend_device. */
#ifndef EQUANT_BACKENDS_CUDA_CUDA_DEVICE_H
#define EQUANT_BACKENDS_CUDA_CUDA_DEVICE_H

#include "backends/backend.h"

equant_status device_allocate(int device, size_t n_bytes, void **memory);
void device_release(int device, void *memory);
equant_status device_copy(int device, size_t n_bytes, const void *from, void *to);
equant_status device_wait(int device);
equant_status device_describe(int device, equant_device_info *info);

/* Copies from the host to the GPU of this thread, and waits until all of it is there. cudaMemcpy
 * alone returns when the bytes have left the memory of the host, and streams that do not wait for
 * the default one, which ours do not, could read what was there before. */
equant_status device_upload(size_t n_bytes, const void *from, void *to);

/* Operations in single for each in double: 2 on GPUs of computing centres, 32 or 64 on others;
 * 0 where the GPU does not tell. */
int device_double_ratio(int device);

/* From this ratio on double is slow. */
#define DEVICE_SLOW_DOUBLE 16

/* The precision whose kernels evaluate on a GPU with such a ratio. What mixed needs of double is
 * the phase, one operation in 34 of its inner loop: with a ratio of 64 they would take twice as
 * long as all the others. There pairs of singles carry the phase, with 16 operations more. To ask
 * for EQUANT_PRECISION_PAIR does the same on any GPU. */
equant_precision device_precision(equant_precision asked, int double_ratio);

#endif
