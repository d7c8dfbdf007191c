/* Radial velocity of a star that one planet moves.
 *
 *   P days, K m/s, e, omega rad, M0 rad: elements of the star's orbit
 *   v = K [cos(nu + omega) + e cos omega]
 *     = (A cos E - B sin E) / (1 - e cos E),
 *   A = K (1 - e^2) cos omega,    B = K sqrt(1 - e^2) sin omega.
 *
 * Ford (2008) prints Eq. 3 with sine and cosine of omega exchanged and K' inverted
 * (docs/paper.md); this is the form of the field.
 */
#ifndef EQUANT_PHYSICS_RADIAL_VELOCITY_H
#define EQUANT_PHYSICS_RADIAL_VELOCITY_H

#include "physics/kepler_equation.h"
#include "physics/kepler_starter.h"

/* What the formulas need of a planet, in the order in which it is stored. Prepared
 * in double for every precision and narrowed where it is used. */
enum radial_velocity_constant {
    CONSTANT_MEAN_MOTION,     /* 1/P, turns per day                */
    CONSTANT_MEAN_MOTION_LOW, /* what 1/P lacks of being exact     */
    CONSTANT_M0,              /* turns, in [-1/2, 1/2]             */
    CONSTANT_E,
    CONSTANT_ONE_MINUS_E,
    CONSTANT_A,
    CONSTANT_B,
    CONSTANT_STEEPNESS,
    CONSTANT_ORIGIN,
    CONSTANT_STARTER,
    N_CONSTANTS = CONSTANT_STARTER + STARTER_N_S
};

/* Constants of the planets in the lanes. Elements must be inside their domain. */
LANE_FUNCTION void radial_velocity_prepare(f64 P, f64 K, f64 e, f64 omega, f64 M0,
                                           f64 constants[N_CONSTANTS])
{
    f64 n = lane_divide(F64(1.0), P);
    f64 one_minus_e = F64(1.0) - e;
    f64 one_minus_e2 = one_minus_e * (F64(1.0) + e);
    f64 sin_omega, cos_omega, turns;
    sin_cos(mean_anomaly_reduce_f64(omega, &turns), &sin_omega, &cos_omega);
    constants[CONSTANT_MEAN_MOTION] = n;
    constants[CONSTANT_MEAN_MOTION_LOW] = lane_fma(-n, P, F64(1.0)) * n;
    constants[CONSTANT_M0] =
        mean_anomaly_reduce_f64(M0, &turns) * F64(MEAN_ANOMALY_TURNS_PER_RADIAN);
    constants[CONSTANT_E] = e;
    constants[CONSTANT_ONE_MINUS_E] = one_minus_e;
    constants[CONSTANT_A] = K * one_minus_e2 * cos_omega;
    constants[CONSTANT_B] = K * lane_sqrt(one_minus_e2) * sin_omega;
    starter_real steepness, origin, coefficients[STARTER_N_S];
    starter_polynomial_prepare((starter_real)lane_min(e, F64(STARTER_ECCENTRICITY_MAX)), &steepness,
                               &origin, coefficients);
    constants[CONSTANT_STEEPNESS] = steepness;
    constants[CONSTANT_ORIGIN] = origin;
    for (int i = 0; i < STARTER_N_S; i++)
        constants[CONSTANT_STARTER + i] = coefficients[i];
}

/* v at a point of the half orbit; M gives the side of pericentre by its sign. */
LANE_FUNCTION real radial_velocity(kepler_point point, real M, real e, real one_minus_e, real A,
                                   real B)
{
    real slope = lane_fma(e, point.one_minus_cos, one_minus_e); /* 1 - e cos E */
    real cosine = REAL(1.0) - point.one_minus_cos;
    real B_sine = lane_flip_sign(B, M) * point.sine;
    return lane_divide(lane_fma(A, cosine, -B_sine), slope);
}

#ifdef LANE_HAS_SIN_COS
#if REAL_IS_DOUBLE
/* sum + v, from an E within 1e-4 of the solution, and its sine and cosine. */
LANE_FUNCTION f64 radial_velocity_near(f64 E, f64 sine, f64 cosine, f64 M, f64 e, f64 A, f64 B,
                                       f64 sum)
{
    kepler_correct_sines(E, lane_abs(M), e, &sine, &cosine);
    f64 B_sine = lane_flip_sign(B, M) * sine;
    return sum + lane_divide(lane_fma(A, cosine, -B_sine), lane_fma(-e, cosine, F64(1.0)));
}
#else
/* sum + v, from a guess within 1e-3 of E, by one step of Newton. The inverse of 1 - e cos E
 * changes little over the step, so the one before it leads to the one after it without asking
 * the special-function unit, of which there is least. */
LANE_FUNCTION f32 radial_velocity_rough(f32 guess, f32 M, f32 e, f32 A, f32 B, f32 sum)
{
    f32 sine, cosine, inverse;
    f32 dE = kepler_step_rough(guess, lane_abs(M), e, &sine, &cosine, &inverse);
    f32 sin_E = lane_fma(cosine, dE, sine), cos_E = lane_fma(-sine, dE, cosine);
    f32 slope = lane_fma(-e, cos_E, F32(1.0));
    inverse = lane_fma(inverse, lane_fma(-slope, inverse, F32(1.0)), inverse);
    f32 B_sine = lane_flip_sign(B, M) * sin_E;
    return lane_fma(lane_fma(A, cos_E, -B_sine), inverse, sum);
}
#endif
#endif

#endif
