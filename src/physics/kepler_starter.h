/* First guesses for the eccentric anomaly, in single precision, without iteration.
 *
 *   M   mean anomaly in [0, pi]         e   eccentricity
 *   E   eccentric anomaly in [0, pi]    q   sqrt(1 - e)
 *
 * Two of them, for two situations:
 *   starter_polynomial  one eccentricity (at most STARTER_ECCENTRICITY_MAX) for many
 *                       times: coefficients are prepared once per planet.
 *   starter_cubic       any eccentricity below one, different in every lane.
 */
#ifndef EQUANT_PHYSICS_KEPLER_STARTER_H
#define EQUANT_PHYSICS_KEPLER_STARTER_H

#include "physics/lane.h"
#include "physics/mean_anomaly.h"
#include "physics/starter_coefficients.h"

/* Terms of the polynomial: more where the correction that follows is to reach
 * double precision. */
#if REAL_IS_DOUBLE
#define STARTER_N_S STARTER_DOUBLE_N_S
#define STARTER_N_W STARTER_DOUBLE_N_W
#define STARTER_TABLE STARTER_DOUBLE_TABLE
#else
#define STARTER_N_S STARTER_SINGLE_N_S
#define STARTER_N_W STARTER_SINGLE_N_W
#define STARTER_TABLE STARTER_SINGLE_TABLE
#endif

/* log2 a + shift within 1e-4, from the exponent and a polynomial in the mantissa whose
 * constant term is part of the shift: continuous, and smooth enough to warp a variable
 * with. A machine with a logarithm instruction uses that. */
#define STARTER_DEFINE_LOG2(type, LITERAL)                                                         \
    LANE_FUNCTION type starter_log2_##type(type a, type shift)                                     \
    {                                                                                              \
        type f = lane_mantissa(a);                                                                 \
        type p = lane_fma(LITERAL(STARTER_LOG2_4), f, LITERAL(STARTER_LOG2_3));                    \
        p = lane_fma(p, f, LITERAL(STARTER_LOG2_2));                                               \
        p = lane_fma(p, f, LITERAL(STARTER_LOG2_1));                                               \
        return lane_fma(p, f, shift) + lane_exponent(a);                                           \
    }
STARTER_DEFINE_LOG2(f64, F64)
#ifdef LANE_HAS_LOG2
LANE_FUNCTION f32 starter_log2_f32(f32 a, f32 shift)
{
    return f32_log2(a) + shift;
}
#define STARTER_LOG2_SHIFT 0.0
#else
STARTER_DEFINE_LOG2(f32, F32)
#define STARTER_LOG2_SHIFT STARTER_LOG2_0
#endif

/* The scale of M at which the orbit turns through pericentre is q^3; in
 * l = log2(1 + M/q^3) every orbit is smooth. Prepares, for planets of
 * eccentricity e (one per lane), 1/q^3, the constant that centres l, and the
 * coefficients of E0 in powers of the centred l. */
LANE_FUNCTION void starter_polynomial_prepare(f64 e, f64 *steepness, f64 *centre, f64 *coefficients)
{
    static const double table[STARTER_N_S][STARTER_N_W] = STARTER_TABLE;
    f64 q = lane_sqrt(F64(1.0) - e);
    f64 inverse_scale = lane_divide(F64(1.0), q * q * q);
    f64 l_max = starter_log2_f64(lane_fma(F64(MEAN_ANOMALY_PI), inverse_scale, F64(1.0)),
                                 F64(STARTER_LOG2_0));
    f64 per_half_range = lane_divide(F64(2.0), l_max);
    f64 w = (q - F64(STARTER_Q_MID)) * F64(1.0 / STARTER_Q_HALF);
    f64 power = F64(1.0);
    for (int i = 0; i < STARTER_N_S; i++) {
        f64 b = F64(table[i][STARTER_N_W - 1]);
        for (int j = STARTER_N_W - 2; j >= 0; j--)
            b = lane_fma(b, w, F64(table[i][j]));
        coefficients[i] = b * power;
        power = power * per_half_range;
    }
    *steepness = inverse_scale;
    *centre = F64(STARTER_LOG2_SHIFT) - F64(0.5) * l_max;
}

LANE_FUNCTION f32 starter_polynomial(f32 M, f32 steepness, f32 centre, const f32 *coefficients)
{
    f32 l = starter_log2_f32(lane_fma(M, steepness, F32(1.0)), centre);
    f32 E = coefficients[STARTER_N_S - 1];
    for (int i = STARTER_N_S - 2; i >= 0; i--)
        E = lane_fma(E, l, coefficients[i]);
    return E;
}

/* a^(2/3) for a > 0: a times its inverse cube root, by one step of fourth order. */
LANE_FUNCTION f32 starter_two_thirds_power(f32 a)
{
    f32 root = f32_inverse_cube_root_guess(a);
    f32 defect = F32(1.0) - a * root * root * root;
    f32 series = lane_fma(F32(14.0 / 81.0), defect, F32(2.0 / 9.0));
    series = lane_fma(series, defect, F32(1.0 / 3.0));
    return a * lane_fma(root * defect, series, root);
}

/* Markley (1995), Celestial Mechanics 63, 101, Eqs. 15 to 20: the cubic that a Pade
 * approximant of sin E makes of Kepler's equation, solved in closed form; within
 * 5e-4 rad for every e < 1. His q and r are scaled by 2^32 and 2^48, so that their
 * powers stay inside the range of a float down to 1 - e = 2^-53. */
LANE_FUNCTION f32 starter_cubic(f32 M, f32 e, f32 one_minus_e)
{
    const f32 scale_q = F32(4294967296.0), scale_r = F32(281474976710656.0);
    f32 alpha =
        F32(7.6516382902) /* 3 pi^2 / (pi^2 - 6) */ +
        lane_divide(F32(1.2989824604) /* 1.6 pi / (pi^2 - 6) */ * (F32(MEAN_ANOMALY_PI) - M),
                    F32(1.0) + e);
    f32 d = lane_fma(alpha, e, F32(3.0) * one_minus_e);
    f32 alpha_d = alpha * d;
    f32 M2 = M * M;
    f32 q = scale_q * (F32(2.0) * alpha_d * one_minus_e - M2);
    f32 r = scale_r * (M * (F32(3.0) * alpha_d * (d - one_minus_e) + M2));
    f32 root = lane_sqrt(lane_max(lane_fma(q * q, q, r * r), F32(0.0)));
    f32 w = starter_two_thirds_power(r + root);
    f32 quotient = lane_divide(r * w, lane_fma(w, w + q, q * q));
    return lane_divide(lane_fma(quotient, F32(2.0 / 65536.0), M), d);
}

#endif
