/* Memory of a GPU that comes and goes with short tasks, on several threads. To allocate it anew
 * each time would make all threads wait for whatever the GPU does. */
#ifndef EQUANT_BACKENDS_CUDA_DEVICE_POOL_H
#define EQUANT_BACKENDS_CUDA_DEVICE_POOL_H

#include <stddef.h>

#include "equant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* At least so many bytes. The device is the present one. */
equant_status device_pool_take(int device, size_t n_bytes, void **memory);

/* When all work on it has been waited for. NULL is allowed. */
void device_pool_give(void *memory);

#ifdef __cplusplus
}
#endif

#endif
