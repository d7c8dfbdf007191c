#include "inference/select/orbits/double8.h"

#include <stdint.h>
#include <string.h>

#include "platform/system_memory.h"

double8 *double8_create(size_t n)
{
    if (n >= SIZE_MAX / sizeof(double8))
        return NULL;
    return system_memory_align(sizeof(double8), (n + 1) * sizeof(double8));
}

double8 *double8_create_zero(size_t n)
{
    double8 *made = double8_create(n);
    if (made)
        memset(made, 0, n * sizeof *made);
    return made;
}
