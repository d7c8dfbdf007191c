/* Loops outside the lanes that are worth the vectors of the machine they run on: a function marked
 * so is compiled for several, and the loader takes the best. No bit depends on which: nothing is
 * fused, and sums are split in the source. Sanitizers, and loaders that cannot choose, get one. */
#ifndef EQUANT_MODEL_MACHINE_CLONES_H
#define EQUANT_MODEL_MACHINE_CLONES_H

#include <stddef.h> /* __GLIBC__ */

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MACHINE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MACHINE_CLONES
#endif

#endif
