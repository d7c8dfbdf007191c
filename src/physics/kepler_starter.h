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

/* Terms of the polynomial: more where the correction that follows is to reach double
 * precision; and another fit where it is but one step of Newton. */
#if REAL_IS_DOUBLE
#define STARTER_N_S STARTER_DOUBLE_N_S
#define STARTER_N_W STARTER_DOUBLE_N_W
#define STARTER_TABLE STARTER_DOUBLE_TABLE
#elif defined(LANE_HAS_SIN_COS)
#define STARTER_N_S STARTER_ROUGH_N_S
#define STARTER_N_W STARTER_ROUGH_N_W
#define STARTER_TABLE STARTER_ROUGH_TABLE
#else
#define STARTER_N_S STARTER_SINGLE_N_S
#define STARTER_N_W STARTER_SINGLE_N_W
#define STARTER_TABLE STARTER_SINGLE_TABLE
#endif

/* log2 within 1e-4, from the exponent and a polynomial in the mantissa: continuous, and smooth
 * enough to warp a variable with. A machine with a logarithm instruction uses that, and makes its
 * preparations in single, which is all that a guess needs; the others make them in double,
 * where all of them agree to the bit. */
#define STARTER_DEFINE_LOG2(type, LITERAL)                                                         \
    LANE_FUNCTION type starter_log2_##type(type a)                                                 \
    {                                                                                              \
        type f = lane_mantissa(a);                                                                 \
        type p = lane_fma(LITERAL(STARTER_LOG2_4), f, LITERAL(STARTER_LOG2_3));                    \
        p = lane_fma(p, f, LITERAL(STARTER_LOG2_2));                                               \
        p = lane_fma(p, f, LITERAL(STARTER_LOG2_1));                                               \
        return lane_fma(p, f, LITERAL(STARTER_LOG2_0)) + lane_exponent(a);                         \
    }
#ifdef LANE_HAS_LOG2
LANE_FUNCTION f32 starter_log2_f32(f32 a)
{
    return f32_log2(a);
}
typedef f32 starter_real;
#define STARTER_REAL F32
#define starter_log2 starter_log2_f32
#else
STARTER_DEFINE_LOG2(f64, F64)
STARTER_DEFINE_LOG2(f32, F32)
typedef f64 starter_real;
#define STARTER_REAL F64
#define starter_log2 starter_log2_f64
#endif

/* The scale of M at which the orbit turns through pericentre is q^3; in log2(1 + M/q^3)
 * every orbit is smooth. With o = 1/sqrt(1 + pi/q^3), the variable l = log2(o + M o/q^3)
 * runs from minus to plus the same number. Prepares, for planets of eccentricity e (one
 * per lane), o/q^3, o, and the coefficients of E0 in powers of l. */
LANE_FUNCTION void starter_polynomial_prepare(starter_real e, starter_real *steepness,
                                              starter_real *origin, starter_real *coefficients)
{
    static const double table[STARTER_N_S][STARTER_N_W] = STARTER_TABLE;
    const starter_real one = STARTER_REAL(1.0);
    starter_real q = lane_sqrt(one - e);
    starter_real inverse_scale = lane_divide(one, q * q * q);
    starter_real range = lane_fma(STARTER_REAL(MEAN_ANOMALY_PI), inverse_scale, one);
    starter_real per_half_range = lane_divide(STARTER_REAL(2.0), starter_log2(range));
    starter_real w = (q - STARTER_REAL(STARTER_Q_MID)) * STARTER_REAL(1.0 / STARTER_Q_HALF);
    starter_real power = one;
    for (int i = 0; i < STARTER_N_S; i++) {
        starter_real b = STARTER_REAL(table[i][STARTER_N_W - 1]);
        for (int j = STARTER_N_W - 2; j >= 0; j--)
            b = lane_fma(b, w, STARTER_REAL(table[i][j]));
        coefficients[i] = b * power;
        power = power * per_half_range;
    }
    *origin = lane_divide(one, lane_sqrt(range));
    *steepness = inverse_scale * *origin;
}

LANE_FUNCTION f32 starter_polynomial(f32 M, f32 steepness, f32 origin, const f32 *coefficients)
{
    f32 l = starter_log2_f32(lane_fma(M, steepness, origin));
    f32 E = coefficients[STARTER_N_S - 1];
    for (int i = STARTER_N_S - 2; i >= 0; i--)
        E = lane_fma(E, l, coefficients[i]);
    return E;
}

/* a^(2/3) for a > 0: a times its inverse cube root, by one step of fourth order. */
LANE_FUNCTION f32 starter_two_thirds_power(f32 a)
{
    f32 root = f32_inverse_cube_root_guess(a);
    f32 power = a * root;
    f32 defect = lane_fma(-(power * root), root, F32(1.0));
    f32 series = lane_fma(F32(14.0 / 81.0), defect, F32(2.0 / 9.0));
    series = lane_fma(series, defect, F32(1.0 / 3.0));
    return lane_fma(power * defect, series, power);
}

/* Markley (1995), Celestial Mechanics 63, 101, Eqs. 15 to 20: the cubic that a Pade
 * approximant of sin E makes of Kepler's equation, solved in closed form; within
 * 5e-4 rad for every e < 1. His q and r are scaled by 2^32 and 2^48, so that their
 * powers stay inside the range of a float down to 1 - e = 2^-53. */
LANE_FUNCTION f32 starter_cubic(f32 M, f32 e, f32 one_minus_e)
{
    f32 alpha =
        lane_fma(F32(1.2989824604) /* 1.6 pi / (pi^2 - 6) */ * (F32(MEAN_ANOMALY_PI) - M),
                 lane_divide(F32(1.0), F32(1.0) + e), F32(7.6516382902) /* 3 pi^2 / (pi^2 - 6) */);
    f32 d = lane_fma(alpha, e, F32(3.0) * one_minus_e);
    f32 alpha_d = alpha * (d * F32(4294967296.0)); /* 2^32 */
    f32 M_scaled = M * F32(65536.0), M2 = M_scaled * M_scaled;
    f32 q = lane_fma(alpha_d + alpha_d, one_minus_e, -M2), q2 = q * q;
    f32 r = M_scaled * lane_fma(F32(3.0) * alpha_d, d - one_minus_e, M2);
    f32 root = lane_sqrt(lane_max(lane_fma(q2, q, r * r), F32(0.0)));
    f32 w = starter_two_thirds_power(r + root);
    f32 quotient = lane_divide(r * w, lane_fma(w, w + q, q2));
    return lane_divide(lane_fma(quotient, F32(2.0 / 65536.0), M), d);
}

#endif
