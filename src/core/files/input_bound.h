/* How much a compressed file may unpack to: a small file must not take all memory or time. */
#ifndef EQUANT_CORE_FILES_INPUT_BOUND_H
#define EQUANT_CORE_FILES_INPUT_BOUND_H

#include <stdbool.h>
#include <stdint.h>

/* Tables of numbers shrink to a third or a tenth; columns of one value to a hundredth. */
enum { INPUT_BOUND_RATIO = 200, INPUT_BOUND_FREE_MIB = 64 };

/* Whether `n_unpacked` bytes may come out of `n_packed`: up to 64 MiB from any file, then 200 times
 * its size. */
static inline bool input_bound_allows(uint64_t n_packed, uint64_t n_unpacked)
{
    return n_unpacked <= (uint64_t)INPUT_BOUND_FREE_MIB << 20 ||
           n_unpacked / INPUT_BOUND_RATIO <= n_packed;
}

#endif
