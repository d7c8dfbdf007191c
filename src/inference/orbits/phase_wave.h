/* n complex numbers around a circle, n a power of two, and their transform. */
#ifndef EQUANT_INFERENCE_ORBITS_PHASE_WAVE_H
#define EQUANT_INFERENCE_ORBITS_PHASE_WAVE_H

#include <stdbool.h>
#include <stddef.h>

/* exp(pi i m / half) at half + m, for each half below n. */
typedef struct phase_turns {
    const double *re, *im;
    double *own; /* NULL: of a table that all share */
} phase_turns;

/* False where there is no memory; to be freed in any case. */
bool phase_turns_find(size_t n, phase_turns *found);
void phase_turns_free(phase_turns *turns);

typedef struct phase_wave {
    size_t n;
    double *re, *im; /* [n] */
    phase_turns turns;
} phase_wave;

/* a_j becomes the sum over m of a_m exp(2 pi i m j / n). */
void phase_wave_transform(const phase_wave *wave);

/* The least power of two that is not below n. */
size_t phase_wave_round(size_t n);

#endif
