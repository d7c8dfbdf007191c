/* Memory at even addresses. */
#ifndef EQUANT_PLATFORM_SYSTEM_MEMORY_H
#define EQUANT_PLATFORM_SYSTEM_MEMORY_H

#include <stddef.h>

/* n_bytes, a multiple of the alignment, to be given to free(); NULL where there is no memory. On
 * Windows, whose free() takes no other, they begin at multiples of 16 alone. */
void *system_memory_align(size_t alignment, size_t n_bytes);

#endif
