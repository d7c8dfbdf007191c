/* Sine and cosine of an angle in [0, pi], in the form that does not cancel:
 *
 *   E - sin E = E^3 g(E^2)       1 - cos E = E^2 h(E^2)
 *
 * g and h have no zero there, so both are good to their last bits for every E: near
 * pericentre of an eccentric orbit, where E - e sin E is a small difference of
 * large numbers, that is what keeps the solution. g and h are polynomials of least
 * relative error on [0, (pi + 0.02)^2] (tools/make_sin_cos.py): below 6e-17 in
 * double and 3e-8 in single.
 */
#ifndef EQUANT_PHYSICS_SIN_COS_H
#define EQUANT_PHYSICS_SIN_COS_H

#include "physics/lane.h"

/* Coefficients of g and h behind the first, highest power first. */
#define SIN_COS_REST(SERIES)                                                                       \
    SERIES(8.17670611040097347e-18, 1.55280102552316010e-16)                                       \
    SERIES(-2.81089956847821716e-15, -4.77839335934616096e-14)                                     \
    SERIES(7.64712008008552486e-13, 1.14706673838502818e-11)                                       \
    SERIES(-1.60590416699341573e-10, -2.08767534881261960e-09)                                     \
    SERIES(2.50521083177342375e-08, 2.75573191287258155e-07)                                       \
    SERIES(-2.75573192227081010e-06, -2.48015873001076671e-05)                                     \
    SERIES(1.98412698412565083e-04, 1.38888888888774901e-03)                                       \
    SERIES(-8.33333333333326903e-03, -4.16666666666663590e-02)                                     \
    SERIES(1.66666666666666657e-01, 0.5)
#define SIN_COS_FIRST_G -1.76161445472698192e-20
#define SIN_COS_FIRST_H -3.68120554326525509e-19

/* g and h of z = E^2. */
LANE_FUNCTION void sin_cos_series(f64 z, f64 *g_of_z, f64 *h_of_z)
{
    f64 g = F64(SIN_COS_FIRST_G), h = F64(SIN_COS_FIRST_H);
#define SIN_COS_TERM(a, b)                                                                         \
    g = lane_fma(g, z, F64(a));                                                                    \
    h = lane_fma(h, z, F64(b));
    SIN_COS_REST(SIN_COS_TERM)
#undef SIN_COS_TERM
    *g_of_z = g;
    *h_of_z = h;
}

/* The same with dg/dz and dh/dz. */
LANE_FUNCTION void sin_cos_series_slopes(f64 z, f64 *g_of_z, f64 *h_of_z, f64 *g_slope,
                                         f64 *h_slope)
{
    f64 g = F64(SIN_COS_FIRST_G), h = F64(SIN_COS_FIRST_H);
    f64 dg = F64(0.0), dh = F64(0.0);
#define SIN_COS_TERM(a, b)                                                                         \
    dg = lane_fma(dg, z, g);                                                                       \
    dh = lane_fma(dh, z, h);                                                                       \
    g = lane_fma(g, z, F64(a));                                                                    \
    h = lane_fma(h, z, F64(b));
    SIN_COS_REST(SIN_COS_TERM)
#undef SIN_COS_TERM
    *g_of_z = g;
    *h_of_z = h;
    *g_slope = dg;
    *h_slope = dh;
}

LANE_FUNCTION void sin_cos_versed_f64(f64 E, f64 *E_minus_sin, f64 *one_minus_cos)
{
    f64 z = E * E, g, h;
    sin_cos_series(z, &g, &h);
    *E_minus_sin = (E * z) * g;
    *one_minus_cos = z * h;
}

LANE_FUNCTION void sin_cos_versed_f32(f32 E, f32 *E_minus_sin, f32 *one_minus_cos)
{
    f32 z = E * E;
    f32 g = F32(-1.426385260e-10);
    f32 h = F32(-1.761988111e-09);
    g = lane_fma(g, z, F32(2.491563400e-08));
    h = lane_fma(h, z, F32(2.719112047e-07));
    g = lane_fma(g, z, F32(-2.755562036e-06));
    h = lane_fma(h, z, F32(-2.478236638e-05));
    g = lane_fma(g, z, F32(1.984147093e-04));
    h = lane_fma(h, z, F32(1.388843637e-03));
    g = lane_fma(g, z, F32(-8.333340287e-03));
    h = lane_fma(h, z, F32(-4.166663066e-02));
    g = lane_fma(g, z, F32(1.666666716e-01));
    h = lane_fma(h, z, F32(0.5));
    *E_minus_sin = (E * z) * g;
    *one_minus_cos = z * h;
}

#define sin_cos_versed(E, E_minus_sin, one_minus_cos)                                              \
    LANE_PICK(E, sin_cos_versed_f32, sin_cos_versed_f64)(E, E_minus_sin, one_minus_cos)

/* Sine and cosine of an angle in [-pi, pi], to about an ulp of one. */
LANE_FUNCTION void sin_cos(f64 angle, f64 *sine, f64 *cosine)
{
    f64 E = lane_abs(angle);
    f64 E_minus_sin, one_minus_cos;
    sin_cos_versed_f64(E, &E_minus_sin, &one_minus_cos);
    *sine = lane_flip_sign(E - E_minus_sin, angle);
    *cosine = F64(1.0) - one_minus_cos;
}

#endif
