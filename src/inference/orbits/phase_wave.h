/* n complex numbers around a circle, n a power of two, and their transform. */
#ifndef EQUANT_INFERENCE_ORBITS_PHASE_WAVE_H
#define EQUANT_INFERENCE_ORBITS_PHASE_WAVE_H

#include <stddef.h>

typedef struct phase_wave {
    size_t n;
    double *re, *im;                 /* [n] */
    const double *turn_re, *turn_im; /* exp(pi i m / half) at half + m, for each half below n */
} phase_wave;

/* A wave of n numbers, unset, in `storage` of 4 n. */
enum { PHASE_WAVE_ROOM = 4 };
phase_wave phase_wave_make(size_t n, double *storage);

/* a_j becomes the sum over m of a_m exp(2 pi i m j / n). */
void phase_wave_transform(const phase_wave *wave);

/* The least power of two that is not below n. */
size_t phase_wave_round(size_t n);

#endif
