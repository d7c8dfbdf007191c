/* X and Y of sky_scan_node.h at a time, in the precision of the translation unit. */
#ifndef EQUANT_BACKENDS_CUDA_SKY_CUDA_SKY_ORBIT_CUH
#define EQUANT_BACKENDS_CUDA_SKY_CUDA_SKY_ORBIT_CUH

#include "backends/cuda/sky/sky_layout.cuh"
#include "physics/kepler_equation.h"
#include "physics/kepler_starter.h"

/* A node in the registers of a thread. */
struct sky_orbit {
    double frequency, m0;
    real e, one_minus_e, axis;
    f32 steepness, origin, starter[STARTER_N_S];
};

/* MIXED: phases come as fractions of a turn, which have room for so many turns. */
#define SKY_FIXED_PHASE (!REAL_IS_DOUBLE)

template <bool ANY> LANE_FUNCTION sky_orbit sky_orbit_of(const sky_node &node, double frequency)
{
    sky_orbit orbit;
    orbit.frequency = frequency;
    orbit.m0 = node.m0_turns;
#if SKY_FIXED_PHASE
    if (!ANY)
        orbit.m0 += MEAN_ANOMALY_FIXED_ORIGIN;
#endif
    orbit.e = (real)node.e;
    orbit.one_minus_e = (real)node.one_minus_e;
    orbit.axis = (real)node.axis;
    orbit.steepness = node.steepness;
    orbit.origin = node.origin;
    for (int i = 0; i < STARTER_N_S; i++)
        orbit.starter[i] = node.starter[i];
    return orbit;
}

/* For any eccentricity below one and any number of turns. */
LANE_FUNCTION void sky_orbit_any(const sky_orbit &orbit, double t, real *X, real *Y)
{
    real M = (real)mean_anomaly_at_time_f64(t, orbit.frequency, 0.0, orbit.m0);
    real M_abs = lane_abs(M), E_minus_sin, one_minus_cos;
    real guess = (real)starter_cubic((f32)M_abs, (f32)orbit.e, (f32)orbit.one_minus_e);
    sin_cos_versed(guess, &E_minus_sin, &one_minus_cos);
    kepler_point point = kepler_correct(guess, E_minus_sin, one_minus_cos, M_abs, orbit.e,
                                        orbit.e * REAL(0.5), orbit.one_minus_e);
    *X = orbit.one_minus_e - point.one_minus_cos;
    *Y = orbit.axis * lane_flip_sign(point.sine, M);
}

/* For e <= STARTER_ECCENTRICITY_MAX: a polynomial's guess and one step of Newton with its second
 * order, sine and cosine turned along; in double once more. */
LANE_FUNCTION void sky_orbit_ordinary(const sky_orbit &orbit, double t, real *X, real *Y)
{
#if SKY_FIXED_PHASE
    real M = mean_anomaly_at_time_fixed(t, orbit.frequency, orbit.m0);
#else
    real M = mean_anomaly_at_time_f64(t, orbit.frequency, 0.0, orbit.m0);
#endif
    f32 M_abs = (f32)lane_abs(M), sine, cosine, inverse;
    f32 guess = starter_polynomial(M_abs, orbit.steepness, orbit.origin, orbit.starter);
    f32 u = kepler_step_rough(guess, M_abs, (f32)orbit.e, &sine, &cosine, &inverse);
#if REAL_IS_DOUBLE
    f64 E = (f64)(guess + u), sin_E, cos_E;
    sin_cos(E, &sin_E, &cos_E);
    kepler_correct_sines(E, lane_abs(M), orbit.e, &sin_E, &cos_E);
#else
    f32 p = u * (F32(0.5) * orbit.e * sine * inverse);
    f32 dE = lane_fma(-u, p, u), minus_half = F32(-0.5) * dE;
    f32 sin_E = lane_fma(dE, lane_fma(minus_half, sine, cosine), sine);
    f32 cos_E = lane_fma(dE, lane_fma(minus_half, cosine, -sine), cosine);
#endif
    *X = cos_E - orbit.e;
    *Y = orbit.axis * lane_flip_sign(sin_E, M);
}

template <bool ANY>
LANE_FUNCTION void sky_orbit_at(const sky_orbit &orbit, double t, real *X, real *Y)
{
    if (ANY)
        sky_orbit_any(orbit, t, X, Y);
    else
        sky_orbit_ordinary(orbit, t, X, Y);
}

#endif
