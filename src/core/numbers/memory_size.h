/* Sizes of memory made of counts that this program did not count itself: they come from a file or
 * from a caller, and their product or sum may not fit. Where it does not, the result is the largest
 * size there is: no allocation gives so much, and no file has so many bytes, so that the check that
 * follows anyway refuses it. */
#ifndef EQUANT_CORE_NUMBERS_MEMORY_SIZE_H
#define EQUANT_CORE_NUMBERS_MEMORY_SIZE_H

#include <stddef.h>
#include <stdint.h>

static inline size_t memory_size_times(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static inline size_t memory_size_plus(size_t a, size_t b)
{
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

#endif
