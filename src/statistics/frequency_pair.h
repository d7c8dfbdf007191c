/* Two circles at once beside a base, from sums that stand in tables (docs/methods.md, the joint map
 * of two frequencies): the formulas, for loops of C and for the threads of a GPU. */
#ifndef EQUANT_STATISTICS_FREQUENCY_PAIR_H
#define EQUANT_STATISTICS_FREQUENCY_PAIR_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "physics/lane.h"

/* One frequency: its cosine and sine, less their part in the base, as orthonormal columns
 * u = T (cos, sin), and what these have of the residual. */
typedef struct frequency_columns {
    double rows[2][2]; /* T; a row of zeros for a direction that the base leaves too little of */
    double amplitude[2];
    double power; /* |amplitude|^2 */
} frequency_columns;

/* The rows of T: unit eigenvectors of the symmetric matrix (cc cs; cs ss) over the roots of
 * their eigenvalues, or zero for eigenvalues below `least`. */
LANE_FUNCTION void frequency_columns_orthonormalise(double cc, double cs, double ss, double least,
                                                    double rows[2][2])
{
    double middle = 0.5 * (cc + ss), half = 0.5 * hypot(cc - ss, 2.0 * cs);
    double angle = 0.5 * atan2(2.0 * cs, cc - ss); /* of the larger one */
    double eigenvalue[2] = {middle + half, middle - half};
    double vector[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
    for (int r = 0; r < 2; r++) {
        double scale = eigenvalue[r] > least ? 1.0 / sqrt(eigenvalue[r]) : 0.0;
        rows[r][0] = scale * vector[r][0];
        rows[r][1] = scale * vector[r][1];
    }
}

/* From the window function at zero and, cosine and sine, at twice the frequency, and from sums over
 * observations: of column c with the cosine at sums[2 c stride], with the sine one stride farther;
 * column 0 is the residual, those of the base follow. A direction takes part where the base leaves
 * more than this share of its variance. */
LANE_FUNCTION void frequency_columns_make(double window_0, const double window_2f[2], size_t n_base,
                                          const double *sums, size_t stride,
                                          double least_share_left, frequency_columns *made)
{
    double cc = 0.5 * (window_0 + window_2f[0]), ss = 0.5 * (window_0 - window_2f[0]);
    double cs = 0.5 * window_2f[1];
    for (size_t b = 1; b <= n_base; b++) {
        double on_cos = sums[2 * b * stride], on_sin = sums[(2 * b + 1) * stride];
        cc -= on_cos * on_cos;
        cs -= on_cos * on_sin;
        ss -= on_sin * on_sin;
    }
    frequency_columns_orthonormalise(cc, cs, ss, 0.5 * least_share_left * window_0, made->rows);
    made->power = 0.0;
    for (int r = 0; r < 2; r++) {
        made->amplitude[r] = made->rows[r][0] * sums[0] + made->rows[r][1] * sums[stride];
        made->power += made->amplitude[r] * made->amplitude[r];
    }
}

/* <u_r, base b>. */
LANE_FUNCTION double frequency_columns_on_base(const frequency_columns *made, int r, size_t b,
                                               const double *sums, size_t stride)
{
    return made->rows[r][0] * sums[2 * (b + 1) * stride] +
           made->rows[r][1] * sums[(2 * (b + 1) + 1) * stride];
}

/* Row r of T_i H_ij T_j', where H has the products of the four sinusoids: half the window function
 * at difference and sum of the frequencies, cosine and sine. */
LANE_FUNCTION void frequency_pair_products(const float row_i[2], const float rows_j[2][2],
                                           const float difference[2], const float sum[2],
                                           float products[2])
{
    float with_cos = row_i[0] * (difference[0] + sum[0]) + row_i[1] * (sum[1] - difference[1]);
    float with_sin = row_i[0] * (sum[1] + difference[1]) + row_i[1] * (difference[0] - sum[0]);
    products[0] = rows_j[0][0] * with_cos + rows_j[0][1] * with_sin;
    products[1] = rows_j[1][0] * with_cos + rows_j[1][1] * with_sin;
}

LANE_FUNCTION int32_t frequency_pair_bits(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What a pair improves by: the first alone, with its amplitudes a, and what the columns of the
 * second, with b, have besides, whose inner products are S = 1 - G' G. Zero where S has an
 * eigenvalue below `least`.
 *
 * As bits, which for floats >= 0 are in the order of their values: integers are compared and
 * masked without branches, so that compilers make vector code of loops over pairs. */
LANE_FUNCTION int32_t frequency_pair_improvement(const float g0[2], const float g1[2], float a0,
                                                 float a1, float b0, float b1, float least)
{
    float alone = a0 * a0 + a1 * a1;
    float left0 = b0 - (g0[0] * a0 + g1[0] * a1), left1 = b1 - (g0[1] * a0 + g1[1] * a1);
    float s00 = 1.0f - (g0[0] * g0[0] + g1[0] * g1[0]);
    float s11 = 1.0f - (g0[1] * g0[1] + g1[1] * g1[1]);
    float s01 = -(g0[0] * g0[1] + g1[0] * g1[1]), cross = s01 * s01;
    float besides = (s11 * left0 * left0 - 2.0f * s01 * left0 * left1 + s00 * left1 * left1) /
                    (s00 * s11 - cross);
    /* Determinant and trace of S - least: both eigenvalues positive where both are. */
    float determinant = (s00 - least) * (s11 - least) - cross, trace = s00 + s11 - 2.0f * least;
    int32_t dependent = (frequency_pair_bits(determinant) | frequency_pair_bits(trace)) >> 31;
    return frequency_pair_bits(alone + besides) & ~dependent;
}

#endif
