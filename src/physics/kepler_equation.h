/* Kepler's equation  E - e sin E = M  on one half of the orbit, 0 <= M <= pi.
 *
 *   M   mean anomaly, rad              e   eccentricity, 0 <= e < 1
 *   E   eccentric anomaly, rad         f   E - e sin E - M, and f' f'' f''' of it
 *   u   Newton's step -f/f'
 *
 * f and f' are written with E - sin E and 1 - cos E, and with 1 - e given apart, so
 * that neither cancels near pericentre:
 *   f  = (1 - e) E + e (E - sin E) - M        f' = (1 - e) + e (1 - cos E).
 */
#ifndef EQUANT_PHYSICS_KEPLER_EQUATION_H
#define EQUANT_PHYSICS_KEPLER_EQUATION_H

#include "physics/mean_anomaly.h"
#include "physics/sin_cos.h"

/* A point of the orbit, as the velocity wants it. */
typedef struct kepler_point {
    real sine;          /* sin E           */
    real one_minus_cos; /* 1 - cos E       */
    real correction;    /* E less the guess */
} kepler_point;

/* -f and f' at E. M - (1 - e) E is taken first: it is what is small when e is. */
LANE_FUNCTION void kepler_defect(real E, real M, real e, real one_minus_e, real E_minus_sin,
                                 real one_minus_cos, real *minus_f, real *slope)
{
    *minus_f = lane_fma(-e, E_minus_sin, lane_fma(-one_minus_e, E, M));
    *slope = lane_fma(e, one_minus_cos, one_minus_e);
}

/* The solution from a first guess, whose E - sin E and 1 - cos E are given, by one step
 * that reverses the Taylor series of f: in double through fifth order in u, which takes
 * a guess good to 1e-3 to the last bits; in single through second. Sine and cosine are
 * turned along, not computed again. */
LANE_FUNCTION kepler_point kepler_correct(real guess, real E_minus_sin, real one_minus_cos, real M,
                                          real e, real half_e, real one_minus_e)
{
    real minus_f, slope;
    kepler_defect(guess, M, e, one_minus_e, E_minus_sin, one_minus_cos, &minus_f, &slope);
    real sine = guess - E_minus_sin;
    real cosine = REAL(1.0) - one_minus_cos;

    real inverse = lane_divide(REAL(1.0), slope);
    real u = minus_f * inverse;
#if REAL_IS_DOUBLE
    (void)half_e;                      /* whole constants are as good as halves here */
    real p = u * (e * sine * inverse); /* u f'' / f' */
    real u2 = u * u;
    real minus_r = u2 * lane_fma(inverse, REAL(-1.0 / 6.0), REAL(1.0 / 6.0)); /* -u^2 f''' / 6f' */
    real bend = lane_fma(lane_fma(REAL(-0.625), p, REAL(0.5)), p, REAL(-0.5));
    bend = lane_fma(u2, lane_fma(inverse, REAL(5.0 / 12.0), REAL(-0.375)), bend);
    real dE = lane_fma(u, lane_fma(p, bend, minus_r), u);
    real dE2 = dE * dE;
    real sin_dE = dE * lane_fma(dE2, REAL(-1.0 / 6.0), REAL(1.0));
    real cos_dE_less_one = dE2 * lane_fma(dE2, REAL(1.0 / 24.0), REAL(-0.5));
#else
    real p = u * (half_e * sine * inverse); /* u f'' / 2f' */
    real dE = lane_fma(-u, p, u);
    real dE2 = dE * dE;
    real sin_dE = dE;
    real cos_dE_less_one = dE2 * REAL(-0.5);
#endif
    kepler_point point;
    point.sine = lane_fma(sine, cos_dE_less_one, lane_fma(cosine, sin_dE, sine));
    point.one_minus_cos = lane_fma(sine, sin_dE, lane_fma(-cosine, cos_dE_less_one, one_minus_cos));
    point.correction = dE;
    return point;
}

#ifdef LANE_HAS_SIN_COS
/* One step of Newton in single precision with the sine and cosine of the hardware, whose
 * absolute error of 3e-7 is divided by f': for e <= 0.99. Returns the step; sine and cosine are
 * those of the guess, and inverse is 1/f'. */
LANE_FUNCTION f32 kepler_step_rough(f32 guess, f32 M, f32 e, f32 *sine, f32 *cosine, f32 *inverse)
{
    f32_sin_cos(guess, sine, cosine);
    *inverse = lane_divide(F32(1.0), lane_fma(-e, *cosine, F32(1.0)));
    return lane_fma(e, *sine, M - guess) * *inverse;
}

#if REAL_IS_DOUBLE
/* Sine and cosine of the solution, from those of an E that is within 1e-4 of it: to second
 * order, which leaves nothing. f is a difference of numbers up to e here: for e <= 0.99, where
 * the digits lost near pericentre are those that the mean anomaly lacks anyway. */
LANE_FUNCTION void kepler_correct_sines(f64 E, f64 M, f64 e, f64 *sine, f64 *cosine)
{
    f64 inverse = f64_rough_inverse(lane_fma(-e, *cosine, F64(1.0)));
    f64 u = lane_fma(e, *sine, M - E) * inverse;
    f64 p = u * (F64(0.5) * e * *sine * inverse); /* u f'' / (2 f') */
    f64 dE = lane_fma(-u, p, u), minus_half = F64(-0.5) * dE;
    f64 turned = lane_fma(dE, lane_fma(minus_half, *sine, *cosine), *sine);
    *cosine = lane_fma(dE, lane_fma(minus_half, *cosine, -*sine), *cosine);
    *sine = turned;
}
#endif
#endif

/* The first guess of the iteration below. */
LANE_FUNCTION real kepler_danby_guess(real M, real e)
{
    return lane_min(lane_fma(REAL(0.85), e, M), REAL(MEAN_ANOMALY_PI));
}

/* The iteration of Ford (2008), after Danby (1988): quartic, from a guess in [0, pi], until
 * |f| <= tolerance in every lane or the cap is reached. Lanes that are done stay as
 * they are, so a lane's result does not depend on its neighbours. The iterate is held
 * in [0, pi], where the solution is. E is returned; the point is that of E. */
LANE_FUNCTION real kepler_danby(real guess, real M, real e, real one_minus_e, real tolerance,
                                int max_iterations, kepler_point *point)
{
    const real pi = REAL(MEAN_ANOMALY_PI);
    real E = guess;
    real E_minus_sin, one_minus_cos, minus_f, slope;
    for (int iteration = 0;; iteration++) {
        sin_cos_versed(E, &E_minus_sin, &one_minus_cos);
        kepler_defect(E, M, e, one_minus_e, E_minus_sin, one_minus_cos, &minus_f, &slope);
        real_mask unfinished = lane_less(tolerance, lane_abs(minus_f));
        if (iteration == max_iterations || !real_any(unfinished))
            break;
        real second = e * (E - E_minus_sin); /* f''  */
        real third = e - e * one_minus_cos;  /* f''' */
        real d1 = lane_divide(minus_f, slope);
        real d2 = lane_divide(minus_f, lane_fma(d1 * REAL(0.5), second, slope));
        real half_third = lane_fma(d2 * REAL(1.0 / 6.0), third, second * REAL(0.5));
        real d3 = lane_divide(minus_f, lane_fma(d2, half_third, slope));
        real next = lane_min(lane_max(E + d3, REAL(0.0)), pi);
        E = lane_select(unfinished, next, E);
    }
    point->sine = E - E_minus_sin;
    point->one_minus_cos = one_minus_cos;
    point->correction = REAL(0.0);
    return E;
}

#endif
