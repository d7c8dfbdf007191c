/* One card: its memory and what it can do at best. Slots of backend_device. */
#ifndef EQUANT_BACKENDS_CUDA_DEVICE_H
#define EQUANT_BACKENDS_CUDA_DEVICE_H

#include "backends/backend.h"

equant_status device_allocate(int device, size_t n_bytes, void **memory);
void device_release(int device, void *memory);
equant_status device_copy(int device, size_t n_bytes, const void *from, void *to);
equant_status device_wait(int device);
equant_status device_describe(int device, equant_device_info *info);

#endif
