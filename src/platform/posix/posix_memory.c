#include "platform/system_memory.h"

#include <stdlib.h>

void *system_memory_align(size_t alignment, size_t n_bytes)
{
    return aligned_alloc(alignment, n_bytes);
}
