/* The FFT: discrete Fourier transforms of eight sequences of complex numbers side by side. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_FFT_H
#define EQUANT_INFERENCE_SELECT_ORBITS_FFT_H

#include <stdint.h>

#include "equant.h"
#include "inference/select/orbits/double8.h"

/* Twiddle factors: exp(pi i m / half) at half + m, for each half below n. */
typedef struct fft_twiddles {
    const double *re, *im;
    double *own; /* NULL: of a table that all share */
} fft_twiddles;

/* Sequences of n numbers, n a power of two. Number j of the input stands at place[j] of re and im:
 * bits in reverse order. Output is in order. */
typedef struct fft {
    size_t n;
    double8 *re, *im; /* [n] */
    uint32_t *place;  /* [n] */
    fft_twiddles twiddles;
} fft;

/* To be freed in any case; re and im are unset. */
equant_status fft_create(size_t n, fft *made);
void fft_free(fft *transform);

/* a_j becomes the sum over m of a_m exp(2 pi i m j / n). */
void fft_run(const fft *transform);

/* The least power of two that is not below n. */
size_t fft_length(size_t n);

#endif
