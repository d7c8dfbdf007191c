#include "inference/orbits/octet.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

octet *octets_create(size_t n)
{
    if (n >= SIZE_MAX / sizeof(octet))
        return NULL;
    return aligned_alloc(sizeof(octet), (n + 1) * sizeof(octet));
}

octet *octets_create_zero(size_t n)
{
    octet *made = octets_create(n);
    if (made)
        memset(made, 0, n * sizeof *made);
    return made;
}
