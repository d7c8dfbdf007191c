/* X and Y of scan_node.h by solving Kepler's equation, in the precision of the translation
 * unit, for every eccentricity below one. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_ORBIT_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_ORBIT_CUH

#include "physics/kepler_equation.h"
#include "physics/kepler_starter.h"

LANE_FUNCTION void scan_orbit(real M, real e, real one_minus_e, real *X, real *Y)
{
    real M_abs = lane_abs(M), E_minus_sin, one_minus_cos;
    real guess = (real)starter_cubic((f32)M_abs, (f32)e, (f32)one_minus_e);
    sin_cos_versed(guess, &E_minus_sin, &one_minus_cos);
    kepler_point point =
        kepler_correct(guess, E_minus_sin, one_minus_cos, M_abs, e, e * REAL(0.5), one_minus_e);
    real inverse = lane_divide(REAL(1.0), lane_fma(e, point.one_minus_cos, one_minus_e));
    *X = (REAL(1.0) - point.one_minus_cos) * inverse;
    *Y = lane_flip_sign(point.sine, M) * inverse;
}

#endif
