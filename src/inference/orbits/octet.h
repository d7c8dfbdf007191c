/* Eight numbers that a machine takes at once. */
#ifndef EQUANT_INFERENCE_ORBITS_OCTET_H
#define EQUANT_INFERENCE_ORBITS_OCTET_H

#include <stddef.h>

enum { OCTET = 8 };
typedef double octet __attribute__((vector_size(OCTET * sizeof(double))));

/* How many hold n numbers. */
static inline size_t octets_for(size_t n)
{
    return (n + OCTET - 1) / OCTET;
}

/* n of them, unset or zero, to be given to free(); NULL where there is no memory. */
octet *octets_create(size_t n);
octet *octets_create_zero(size_t n);

#endif
