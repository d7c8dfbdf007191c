/* Motion on a Kepler orbit over a given time, from position and velocity, in universal variables.
 * Positions r and velocities v are those of a relative orbit with dr/dt = v, dv/dt = -mu r/|r|^3.
 *
 *   mu     G times the mass of both bodies     h      the time
 *   r0     |r| at the start, r at the end      beta   2 mu / r0 - v^2 = mu / a
 *   eta    r . v at the start                  zeta   mu - beta r0
 *   s      the time in which h = r0 s + eta G2 + zeta G3 (Kepler's equation); s = int dt / |r|
 *   G_k    s^k c_k(beta s^2) with the Stumpff functions c_k; with x = s sqrt(beta):
 *          G0 = cos x,  G1 = sin x / sqrt(beta),  G2 = (1 - cos x) / beta,
 *          G3 = (x - sin x) / beta^(3/2)
 *
 * G2 and G3 come from the series of sin_cos.h, which do not cancel. Equations as in Mikkola &
 * Innanen (1999) and Rein & Tamayo (2015); derivatives as in Rein & Tamayo (2016). The orbit has to
 * be bound, and |x| <= pi: longer steps are made in parts. */
#ifndef EQUANT_PHYSICS_KEPLER_STEP_H
#define EQUANT_PHYSICS_KEPLER_STEP_H

#include "physics/lane.h"
#include "physics/sin_cos.h"

enum { KEPLER_STEP_ITERATIONS = 12 };
/* Below this relative step of s its effect on G_k is its Taylor series. */
#define KEPLER_STEP_SMALL 1e-4

/* What the step is made of, and what its derivative needs. */
typedef struct kepler_step {
    f64 r0, inverse_r0, r, inverse_r, eta, zeta, beta, s, G1, G2, G3;
    f64 f_less_one, g, f_dot, g_dot_less_one; /* r1 = f r0 + g v0, v1 = f_dot r0 + g_dot v0 */
    f64_mask failed;
} kepler_step;

LANE_FUNCTION f64 nbody_dot(const f64 a[3], const f64 b[3])
{
    return lane_fma(a[0], b[0], lane_fma(a[1], b[1], a[2] * b[2]));
}

/* One correction of s: the reversed Taylor series of Kepler's equation through fifth order in the
 * Newton step, as in kepler_correct. */
LANE_FUNCTION f64 kepler_step_correction(const kepler_step *own, f64 h, f64 G0)
{
    f64 minus_f =
        lane_fma(-own->zeta, own->G3, lane_fma(-own->eta, own->G2, lane_fma(-own->r0, own->s, h)));
    f64 slope = lane_fma(own->zeta, own->G2, lane_fma(own->eta, own->G1, own->r0));
    f64 second = lane_fma(own->eta, G0, own->zeta * own->G1);
    f64 third = lane_fma(own->zeta, G0, -(own->beta * own->eta) * own->G1);
    f64 inverse = lane_divide(F64(1.0), slope);
    f64 u = minus_f * inverse;
    f64 p = u * (second * inverse), q = u * u * (third * inverse);
    f64 bend = lane_fma(lane_fma(lane_fma(F64(-0.625), p, F64(0.5)), p, F64(-0.5)), p, F64(0.0));
    bend = lane_fma(q, lane_fma(F64(5.0 / 12.0), p, F64(-1.0 / 6.0)), bend);
    return lane_fma(u, bend, u);
}

/* G_k at s + ds where ds is small. */
LANE_FUNCTION void kepler_step_turn(kepler_step *own, f64 ds, f64 G0)
{
    f64 half = F64(0.5) * ds, third = F64(1.0 / 3.0) * ds;
    f64 G1 = own->G1, minus_beta_G1 = -own->beta * G1;
    f64 d0 = ds * minus_beta_G1; /* of G0, first order */
    f64 d1 = ds * lane_fma(half, lane_fma(third, -own->beta * G0, minus_beta_G1), G0);
    f64 d2 = ds * lane_fma(half, lane_fma(third, minus_beta_G1, G0), G1);
    f64 d3 = ds * lane_fma(half, lane_fma(third, lane_fma(F64(0.25), d0, G0), G1), own->G2);
    own->s = own->s + ds;
    own->G1 = G1 + d1;
    own->G2 = own->G2 + d2;
    own->G3 = own->G3 + d3;
}

/* s and G_k: lanes that are done stay as they are. */
LANE_FUNCTION void kepler_step_solve(kepler_step *own, f64 h)
{
    f64 u = h * own->inverse_r0, half_eta = F64(0.5) * own->eta * own->inverse_r0;
    f64 bend =
        lane_fma(F64(-1.0 / 6.0) * own->zeta, own->inverse_r0, F64(2.0) * half_eta * half_eta);
    f64 s = u * lane_fma(u, lane_fma(u, bend, -half_eta), F64(1.0));
    f64_mask waiting = lane_less(F64(-1.0), F64(0.0)); /* all */
    for (int iteration = 0; iteration < KEPLER_STEP_ITERATIONS; iteration++) {
        kepler_step now = *own;
        f64 g_series, h_series, z = own->beta * s * s;
        sin_cos_series(z, &g_series, &h_series);
        now.s = s;
        now.G2 = s * s * h_series;
        now.G3 = s * s * s * g_series;
        now.G1 = lane_fma(-own->beta, now.G3, s);
        f64 G0 = lane_fma(-own->beta, now.G2, F64(1.0));
        f64 ds = kepler_step_correction(&now, h, G0);
        kepler_step_turn(&now, ds, G0);
        own->s = lane_select(waiting, now.s, own->s);
        own->G1 = lane_select(waiting, now.G1, own->G1);
        own->G2 = lane_select(waiting, now.G2, own->G2);
        own->G3 = lane_select(waiting, now.G3, own->G3);
        s = own->s;
        f64 still = lane_select(waiting, lane_abs(ds), F64(0.0));
        waiting = lane_less(F64(KEPLER_STEP_SMALL) * lane_abs(s), still);
        if (!f64_any(waiting))
            break;
    }
    own->failed = waiting;
}

/* The step over h from (r, v). failed: no solution was found, or the numbers are none. */
LANE_FUNCTION void kepler_step_begin(const f64 r[3], const f64 v[3], f64 mu, f64 h,
                                     kepler_step *own)
{
    f64 square = nbody_dot(r, r);
    own->r0 = lane_sqrt(square);
    own->inverse_r0 = lane_divide(F64(1.0), own->r0);
    own->eta = nbody_dot(r, v);
    own->beta = lane_fma(F64(2.0) * mu, own->inverse_r0, -nbody_dot(v, v));
    own->zeta = lane_fma(-own->beta, own->r0, mu);
    own->s = own->G1 = own->G2 = own->G3 = F64(0.0);
    kepler_step_solve(own, h);
    own->r = lane_fma(own->zeta, own->G2, lane_fma(own->eta, own->G1, own->r0));
    own->inverse_r = lane_divide(F64(1.0), own->r);
    own->f_less_one = -mu * own->G2 * own->inverse_r0;
    own->g = lane_fma(-mu, own->G3, h);
    own->f_dot = -mu * own->G1 * (own->inverse_r0 * own->inverse_r);
    own->g_dot_less_one = -mu * own->G2 * own->inverse_r;
}

/* Derivatives of f - 1, g, f_dot, g_dot - 1 along one direction of r, v, mu. */
typedef struct kepler_step_change {
    f64 f, g, f_dot, g_dot;
} kepler_step_change;

/* What all directions share: derivatives of G_k with beta at fixed s, exact by their series. */
typedef struct kepler_step_slopes {
    f64 G0, G1_beta, G2_beta, G3_beta;
} kepler_step_slopes;

LANE_FUNCTION kepler_step_slopes kepler_step_slopes_of(const kepler_step *own)
{
    f64 s = own->s, s2 = s * s, g, h, g_slope, h_slope;
    sin_cos_series_slopes(own->beta * s2, &g, &h, &g_slope, &h_slope);
    kepler_step_slopes slopes;
    slopes.G0 = lane_fma(-own->beta, own->G2, F64(1.0));
    slopes.G2_beta = s2 * s2 * h_slope;
    slopes.G3_beta = s2 * s2 * s * g_slope;
    slopes.G1_beta = -lane_fma(own->beta, slopes.G3_beta, own->G3);
    return slopes;
}

LANE_FUNCTION kepler_step_change kepler_step_differentiate(const kepler_step *own,
                                                           const kepler_step_slopes *slopes, f64 mu,
                                                           const f64 r[3], const f64 v[3],
                                                           const f64 dr[3], const f64 dv[3],
                                                           f64 dmu)
{
    f64 d_r0 = nbody_dot(r, dr) * own->inverse_r0;
    f64 d_eta = nbody_dot(dr, v) + nbody_dot(r, dv);
    f64 d_beta = F64(2.0) *
                 (lane_fma(-mu * own->inverse_r0, d_r0, dmu) * own->inverse_r0 - nbody_dot(v, dv));
    f64 d_zeta = lane_fma(-own->beta, d_r0, lane_fma(-own->r0, d_beta, dmu));
    f64 at_fixed_s = lane_fma(own->eta, slopes->G2_beta, own->zeta * slopes->G3_beta);
    f64 change = lane_fma(d_r0, own->s, lane_fma(d_eta, own->G2, d_zeta * own->G3));
    f64 d_s = -lane_fma(d_beta, at_fixed_s, change) * own->inverse_r;
    f64 d_G1 = lane_fma(slopes->G0, d_s, slopes->G1_beta * d_beta);
    f64 d_G2 = lane_fma(own->G1, d_s, slopes->G2_beta * d_beta);
    f64 d_G3 = lane_fma(own->G2, d_s, slopes->G3_beta * d_beta);
    f64 d_r = lane_fma(d_eta, own->G1, lane_fma(own->eta, d_G1, d_r0)) +
              lane_fma(d_zeta, own->G2, own->zeta * d_G2);
    kepler_step_change out;
    f64 d_mu_G2 = lane_fma(dmu, own->G2, mu * d_G2);
    out.f = -lane_fma(own->f_less_one, d_r0, d_mu_G2) * own->inverse_r0;
    out.g = -lane_fma(dmu, own->G3, mu * d_G3);
    f64 d_mu_G1 = lane_fma(dmu, own->G1, mu * d_G1);
    f64 d_product = lane_fma(d_r0, own->r, own->r0 * d_r); /* of r0 r */
    out.f_dot = -lane_fma(own->f_dot, d_product, d_mu_G1) * (own->inverse_r0 * own->inverse_r);
    out.g_dot = -lane_fma(own->g_dot_less_one, d_r, d_mu_G2) * own->inverse_r;
    return out;
}

#endif
