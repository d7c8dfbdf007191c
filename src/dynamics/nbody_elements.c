#include "dynamics/nbody_elements.h"

#include <math.h>
#include <string.h>

#include "physics/orbit.h"

enum { ITERATIONS = 60 };
/* Parts of the time of a turn at the speed of pericentre that are a step. */
#define STEPS_A_TURN 30.0

/* A planet in its orbit: axes along the node and at right angles to it, and what derivatives need.
 *   F   eccentric longitude: lambda = F - h sin F + k cos F (E + omega)
 *   b   1 / (1 + sqrt(1 - e^2))     rho   r / a */
typedef struct orbit_place {
    double a, n, F, sine, cosine, b, rho;
    double X, Y, VX, VY; /* in units of a and a n */
} orbit_place;

static double eccentric_longitude(double lambda, double h, double k)
{
    double e = hypot(h, k);
    double omega = atan2(k, h), M = orbit_nearest_turn(lambda - omega);
    double low = fabs(M), high = fmin(ORBIT_PI, fabs(M) + e), E = low + 0.85 * e * (low < 3.0);
    for (int i = 0; i < ITERATIONS; i++) { /* Newton within bounds */
        double f = E - e * sin(E) - fabs(M), step;
        *(f > 0.0 ? &high : &low) = E;
        step = f / (1.0 - e * cos(E));
        double next = E - step;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (next == E)
            break;
        E = next;
    }
    return copysign(E, M) + omega;
}

static orbit_place place_of(double mu, const double *own)
{
    const double h = own[NBODY_H], k = own[NBODY_K];
    orbit_place at;
    at.n = ORBIT_TWO_PI / own[NBODY_PERIOD];
    at.a = cbrt(mu / (at.n * at.n));
    at.F = eccentric_longitude(own[NBODY_LONGITUDE], h, k);
    at.sine = sin(at.F);
    at.cosine = cos(at.F);
    at.b = 1.0 / (1.0 + sqrt(1.0 - h * h - k * k));
    at.rho = 1.0 - h * at.cosine - k * at.sine;
    at.X = (1.0 - at.b * k * k) * at.cosine + at.b * h * k * at.sine - h;
    at.Y = (1.0 - at.b * h * h) * at.sine + at.b * h * k * at.cosine - k;
    at.VX = (at.b * h * k * at.cosine - (1.0 - at.b * k * k) * at.sine) / at.rho;
    at.VY = ((1.0 - at.b * h * h) * at.cosine - at.b * h * k * at.sine) / at.rho;
    return at;
}

/* From the orbit's plane to the sky: x and y on it, z to the observer. */
static void to_sky(const double *own, double X, double Y, double *out)
{
    double ci = cos(own[NBODY_INCLINATION]), si = sin(own[NBODY_INCLINATION]);
    double cn = cos(own[NBODY_NODE]), sn = sin(own[NBODY_NODE]);
    out[0] = X * cn - Y * sn * ci;
    out[1] = X * sn + Y * cn * ci;
    out[2] = Y * si;
}

static bool is_planet(const double *own)
{
    for (int k = 0; k < NBODY_N_ELEMENTS; k++)
        if (!isfinite(own[k]))
            return false;
    double h = own[NBODY_H], k = own[NBODY_K];
    return own[NBODY_MASS] >= 0.0 && own[NBODY_PERIOD] > 0.0 && h * h + k * k < 1.0;
}

bool nbody_elements_to_system(double star_mass, size_t n_planets, const double *elements,
                              double *system)
{
    double total = star_mass;
    system[0] = star_mass;
    if (!(star_mass > 0.0) || !isfinite(star_mass))
        return false;
    for (size_t p = 0; p < n_planets; p++) {
        const double *own = elements + p * NBODY_N_ELEMENTS;
        if (!is_planet(own))
            return false;
        total += own[NBODY_MASS];
        orbit_place at = place_of(NBODY_GRAVITY * total, own);
        double *state = system + 1 + p * NBODY_STATE;
        state[0] = own[NBODY_MASS];
        to_sky(own, at.a * at.X, at.a * at.Y, state + 1);
        to_sky(own, at.a * at.n * at.VX, at.a * at.n * at.VY, state + 4);
    }
    return true;
}

/* How X, Y, VX, VY change with h (which 0) or k (1) at fixed lambda, and with lambda (2). */
static void shape_slope(const orbit_place *at, const double *own, int which, double out[4])
{
    const double h = own[NBODY_H], k = own[NBODY_K], s = at->sine, c = at->cosine, b = at->b;
    const double root = 1.0 / b - 1.0; /* sqrt(1 - e^2) */
    double dh = which == 0, dk = which == 1;
    double dF = (dh * s - dk * c + (which == 2)) / at->rho;
    double db = b * b * (h * dh + k * dk) / root;
    double ds = c * dF, dc = -s * dF;
    double drho = -dh * c - h * dc - dk * s - k * ds;
    double bkk = db * k * k + 2.0 * b * k * dk, bhh = db * h * h + 2.0 * b * h * dh;
    double bhk = db * h * k + b * (dh * k + h * dk);
    out[0] = -bkk * c + (1.0 - b * k * k) * dc + bhk * s + b * h * k * ds - dh;
    out[1] = -bhh * s + (1.0 - b * h * h) * ds + bhk * c + b * h * k * dc - dk;
    double top_x = bhk * c + b * h * k * dc + bkk * s - (1.0 - b * k * k) * ds;
    double top_y = -bhh * c + (1.0 - b * h * h) * dc - bhk * s - b * h * k * ds;
    out[2] = (top_x - at->VX * drho) / at->rho;
    out[3] = (top_y - at->VY * drho) / at->rho;
}

/* The derivative of one planet's state along a change of its elements and of G M_i. */
static void planet_direction(double mu, double d_mu, const double *own, const double *change,
                             double *out)
{
    orbit_place at = place_of(mu, own);
    double shape[4] = {0.0}, slope[4];
    const double by[3] = {change[NBODY_H], change[NBODY_K], change[NBODY_LONGITUDE]};
    for (int which = 0; which < 3; which++) {
        shape_slope(&at, own, which, slope);
        for (int k = 0; k < 4; k++)
            shape[k] += by[which] * slope[k];
    }
    double d_ln_P = change[NBODY_PERIOD] / own[NBODY_PERIOD];
    double d_ln_a = d_mu / (3.0 * mu) + 2.0 / 3.0 * d_ln_P, d_ln_v = d_ln_a - d_ln_P;
    double v = at.a * at.n;
    out[0] = change[NBODY_MASS];
    to_sky(own, at.a * (shape[0] + d_ln_a * at.X), at.a * (shape[1] + d_ln_a * at.Y), out + 1);
    to_sky(own, v * (shape[2] + d_ln_v * at.VX), v * (shape[3] + d_ln_v * at.VY), out + 4);
    double ci = cos(own[NBODY_INCLINATION]), si = sin(own[NBODY_INCLINATION]);
    double cn = cos(own[NBODY_NODE]), sn = sin(own[NBODY_NODE]);
    for (int part = 0; part < 2; part++) {
        double X = part == 0 ? at.a * at.X : v * at.VX, Y = part == 0 ? at.a * at.Y : v * at.VY;
        double *to = out + 1 + 3 * part, di = change[NBODY_INCLINATION], dn = change[NBODY_NODE];
        to[0] += di * Y * sn * si + dn * (-X * sn - Y * cn * ci);
        to[1] += -di * Y * cn * si + dn * (X * cn - Y * sn * ci);
        to[2] += di * Y * ci;
    }
}

void nbody_elements_to_directions(double star_mass, size_t n_planets, const double *elements,
                                  size_t n_directions, const double *changes, double *directions)
{
    for (size_t d = 0; d < n_directions; d++) {
        double total = star_mass, d_total = 0.0;
        for (size_t p = 0; p < n_planets; p++) {
            const double *own = elements + p * NBODY_N_ELEMENTS;
            const double *change = changes + (d * n_planets + p) * NBODY_N_ELEMENTS;
            total += own[NBODY_MASS];
            d_total += change[NBODY_MASS];
            planet_direction(NBODY_GRAVITY * total, NBODY_GRAVITY * d_total, own, change,
                             directions + (d * n_planets + p) * NBODY_STATE);
        }
    }
}

double nbody_elements_step(size_t n_planets, const double *elements)
{
    double shortest = INFINITY;
    for (size_t p = 0; p < n_planets; p++) {
        const double *own = elements + p * NBODY_N_ELEMENTS;
        double e = hypot(own[NBODY_H], own[NBODY_K]);
        /* 2 pi (1 - e)^2 / (n sqrt(1 - e^2)): Wisdom (2015) */
        double turn = own[NBODY_PERIOD] * (1.0 - e) * (1.0 - e) / sqrt(1.0 - e * e);
        shortest = fmin(shortest, turn);
    }
    return shortest / STEPS_A_TURN;
}
