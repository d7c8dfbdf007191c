/* Sines and cosines of every 64th of a radian from 0 past pi, in shared memory: those of the
 * nearest, turned by what is left, take half of the operations in double that a series for the
 * whole range takes. Threads read at places of their own, 16 bytes each. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_SINE_TABLE_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_SINE_TABLE_CUH

#include "physics/sin_cos.h"

#define SINE_TABLE_LENGTH 203
#define SINE_TABLE_STEP (1.0 / 64.0)

struct __align__(16) sine_cosine
{
    double sine, cosine;
};

/* By all threads of a block together; the caller waits for them. */
LANE_FUNCTION void sine_table_fill(sine_cosine *table)
{
    for (int i = threadIdx.x; i < SINE_TABLE_LENGTH; i += blockDim.x)
        sin_cos(i * SINE_TABLE_STEP, &table[i].sine, &table[i].cosine);
}

/* For E in [0, pi]. */
LANE_FUNCTION void sine_table_sin_cos(const sine_cosine *table, double E, double *sine,
                                      double *cosine)
{
    const double magic = 105553116266496.0; /* 1.5 * 2^46: adding it rounds to a 64th */
    double shifted = E + magic;
    sine_cosine at = table[__double2loint(shifted)];
    double d = E - (shifted - magic), z = d * d; /* |d| <= 1/128, so short series suffice */
    double sin_d = lane_fma(d * z, lane_fma(z, 1.0 / 120.0, -1.0 / 6.0), d);
    double cos_d_less_one = z * lane_fma(z, 0.041666591226, -0.5);
    *sine = lane_fma(at.cosine, sin_d, lane_fma(at.sine, cos_d_less_one, at.sine));
    *cosine = lane_fma(-at.sine, sin_d, lane_fma(at.cosine, cos_d_less_one, at.cosine));
}

#endif
