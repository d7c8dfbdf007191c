/* Eight numbers that a machine takes at once. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_DOUBLE8_H
#define EQUANT_INFERENCE_SELECT_ORBITS_DOUBLE8_H

#include <stddef.h>

enum { DOUBLE8 = 8 };
#ifdef _WIN32 /* whose memory begins at multiples of 16 */
typedef double double8 __attribute__((vector_size(DOUBLE8 * sizeof(double)), aligned(16)));
#else
typedef double double8 __attribute__((vector_size(DOUBLE8 * sizeof(double))));
#endif

/* How many hold n numbers. */
static inline size_t double8_count(size_t n)
{
    return (n + DOUBLE8 - 1) / DOUBLE8;
}

/* n of them, unset or zero, to be given to free(); NULL where there is no memory. */
double8 *double8_create(size_t n);
double8 *double8_create_zero(size_t n);

#endif
