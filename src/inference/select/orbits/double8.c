#include "inference/select/orbits/double8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double8 *double8_create(size_t n)
{
    if (n >= SIZE_MAX / sizeof(double8))
        return NULL;
    return aligned_alloc(sizeof(double8), (n + 1) * sizeof(double8));
}

double8 *double8_create_zero(size_t n)
{
    double8 *made = double8_create(n);
    if (made)
        memset(made, 0, n * sizeof *made);
    return made;
}
