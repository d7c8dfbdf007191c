/* equant/noise.h: noise. What is correlated from one observation to the next, beside uncertainties
 * and jitters. */
#ifndef EQUANT_NOISE_H
#define EQUANT_NOISE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Noise of a star that turns: a quasi-periodic Gaussian process beside the uncertainties,
 * C = amplitude^2 exp(-1/2 [sin^2(pi dt / period) / width^2 + dt^2 / decay^2]). */
typedef struct equant_quasi_periodic {
    size_t struct_size;
    double amplitude_m_s, period_days, width, decay_days;
} equant_quasi_periodic;

#ifdef __cplusplus
}
#endif
#endif
