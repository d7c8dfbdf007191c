/* A square of eight by eight floats, rows and columns exchanged: for machines with AVX. */
#ifndef EQUANT_LANES_TRANSPOSE_H
#define EQUANT_LANES_TRANSPOSE_H

#include <immintrin.h>

#include "physics/lane.h"

/* columns[i] holds number first + i of each of eight rows. */
LANE_FUNCTION void transpose_eight(const float *const *rows, int first, __m256 *columns)
{
    __m256 a[8], pairs[8], fours[8];
    for (int i = 0; i < 8; i++)
        a[i] = _mm256_loadu_ps(rows[i] + first);
    for (int i = 0; i < 4; i++) {
        pairs[2 * i] = _mm256_unpacklo_ps(a[2 * i], a[2 * i + 1]);
        pairs[2 * i + 1] = _mm256_unpackhi_ps(a[2 * i], a[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            __m256 left = pairs[4 * i + j], right = pairs[4 * i + j + 2];
            fours[4 * i + 2 * j] = _mm256_shuffle_ps(left, right, 0x44);
            fours[4 * i + 2 * j + 1] = _mm256_shuffle_ps(left, right, 0xee);
        }
    for (int i = 0; i < 4; i++) {
        columns[i] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20);
        columns[i + 4] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31);
    }
}

#endif
