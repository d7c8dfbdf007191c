/* Eight waves around a circle (phase_wave.h) side by side, and their transforms. */
#ifndef EQUANT_INFERENCE_ORBITS_OCTET_WAVE_H
#define EQUANT_INFERENCE_ORBITS_OCTET_WAVE_H

#include <stdint.h>

#include "equant.h"
#include "inference/orbits/octet.h"
#include "inference/orbits/phase_wave.h"

/* Number j lies at place[j] before the transform, and at j behind it. */
typedef struct octet_wave {
    size_t n;
    octet *re, *im; /* [n] */
    uint32_t *place;
    phase_turns turns;
} octet_wave;

/* Waves of n numbers, a power of two, unset; to be freed in any case. */
equant_status octet_wave_create(size_t n, octet_wave *made);
void octet_wave_free(octet_wave *wave);

/* a_j becomes the sum over m of a_m exp(2 pi i m j / n), in each of the eight. */
void octet_wave_transform(const octet_wave *wave);

#endif
