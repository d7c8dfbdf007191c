/* Discrete Fourier transforms of lengths 2^a 3^b 5^c, planned: what all transforms of one length
 * share. fourier_loop.h makes them. */
#ifndef EQUANT_BACKENDS_CPU_FOLD_FOURIER_PLAN_H
#define EQUANT_BACKENDS_CPU_FOLD_FOURIER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FOURIER_MOST_PASSES = 24 };

/* A pass takes blocks of `radix` parts of n_inner numbers, transforms across the parts, and
 * multiplies number k of part q by exp(-2 pi i q k / (radix n_inner)), k > 0. */
typedef struct fourier_pass {
    size_t radix, n_inner, n_blocks;
    size_t factors; /* where its factors begin: [n_inner - 1][radix - 1][2] */
} fourier_pass;

/* Passes in place, from the whole length to ones; results stay where they fall. */
typedef struct fourier_plan {
    size_t length, n_passes;
    fourier_pass passes[FOURIER_MOST_PASSES];
    float *factors;
    uint32_t *places; /* [length]: where result i lies */
} fourier_plan;

/* True where a length has no prime factor above five. */
bool fourier_plan_can(size_t length);
/* *plan must be zero; false where there is no memory. Freed in either case. */
bool fourier_plan_create(fourier_plan *plan, size_t length);
void fourier_plan_free(fourier_plan *plan);

#endif
