#include "quad_nbody.h"

#include <quadmath.h>

enum { STAGES = 10, BODIES = QUAD_NBODY_MOST + 1, NUMBERS = 6 * BODIES };

/* The nominal solar mass parameter of IAU 2015 B3, the astronomical unit of 2012. */
static const __float128 sun_m3_s2 = 1.3271244e20Q, au_m = 149597870700.0Q, day_s = 86400.0Q;

typedef struct quad_bodies {
    size_t n;                /* with the star */
    __float128 gm[BODIES];   /* au^3 / day^2 */
    __float128 now[NUMBERS]; /* positions, then velocities */
} quad_bodies;

static void accelerate(const quad_bodies *own, const __float128 *state, __float128 *slope)
{
    const size_t n = own->n;
    for (size_t k = 0; k < 3 * n; k++) {
        slope[k] = state[3 * n + k];
        slope[3 * n + k] = 0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            __float128 d[3], square = 0;
            for (size_t k = 0; k < 3; k++) {
                d[k] = state[3 * j + k] - state[3 * i + k];
                square += d[k] * d[k];
            }
            __float128 w = 1 / (square * sqrtq(square));
            for (size_t k = 0; k < 3; k++) {
                slope[3 * (n + i) + k] += own->gm[j] * w * d[k];
                slope[3 * (n + j) + k] -= own->gm[i] * w * d[k];
            }
        }
}

static void midpoint(const quad_bodies *own, __float128 H, int parts, __float128 *result)
{
    const size_t n = 6 * own->n;
    __float128 before[NUMBERS], now[NUMBERS], slope[NUMBERS], h = H / parts;
    accelerate(own, own->now, slope);
    for (size_t k = 0; k < n; k++) {
        before[k] = own->now[k];
        now[k] = own->now[k] + h * slope[k];
    }
    for (int part = 1; part < parts; part++) {
        accelerate(own, now, slope);
        for (size_t k = 0; k < n; k++) {
            __float128 next = before[k] + 2 * h * slope[k];
            before[k] = now[k];
            now[k] = next;
        }
    }
    accelerate(own, now, slope);
    for (size_t k = 0; k < n; k++)
        result[k] = (before[k] + now[k] + h * slope[k]) / 2;
}

static void advance(quad_bodies *own, __float128 H)
{
    static _Thread_local __float128 table[STAGES][NUMBERS];
    const size_t n = 6 * own->n;
    for (int stage = 0; stage < STAGES; stage++) {
        midpoint(own, H, 2 * (stage + 1), table[stage]);
        for (int from = stage; from > 0; from--) {
            __float128 ratio = (__float128)(stage + 1) / from;
            for (size_t k = 0; k < n; k++)
                table[from - 1][k] =
                    table[from][k] + (table[from][k] - table[from - 1][k]) / (ratio * ratio - 1);
        }
    }
    for (size_t k = 0; k < n; k++)
        own->now[k] = table[0][k];
}

/* Position and velocity of a planet about the centre of mass of the bodies before it. */
static void kepler_state(__float128 mu, const __float128 *own, __float128 out[6])
{
    __float128 h = own[2], k = own[3], e = sqrtq(h * h + k * k), omega = atan2q(k, h);
    __float128 M = own[4] - omega, n = 2 * M_PIq / own[1], a = cbrtq(mu / (n * n)), E = M;
    for (int i = 0; i < 100; i++)
        E -= (E - e * sinq(E) - M) / (1 - e * cosq(E));
    __float128 root = sqrtq(1 - e * e), r = 1 - e * cosq(E);
    __float128 x = a * (cosq(E) - e), y = a * root * sinq(E);
    __float128 vx = -a * n * sinq(E) / r, vy = a * n * root * cosq(E) / r;
    __float128 cw = cosq(omega), sw = sinq(omega), ci = cosq(own[5]), si = sinq(own[5]);
    __float128 cn = cosq(own[6]), sn = sinq(own[6]);
    for (int part = 0; part < 2; part++) {
        __float128 p = part == 0 ? x : vx, q = part == 0 ? y : vy;
        __float128 along = p * cw - q * sw, across = p * sw + q * cw;
        out[3 * part] = along * cn - across * sn * ci;
        out[3 * part + 1] = along * sn + across * cn * ci;
        out[3 * part + 2] = across * si;
    }
}

/* All bodies with their centre of mass at rest in the origin. */
static void begin(double star_mass, size_t n_planets, const __float128 *elements, quad_bodies *own)
{
    const size_t n = n_planets + 1;
    __float128 G = sun_m3_s2 * day_s * day_s / (au_m * au_m * au_m), total = star_mass;
    __float128 centre[6] = {0};
    own->n = n;
    own->gm[0] = G * star_mass;
    for (size_t k = 0; k < NUMBERS; k++)
        own->now[k] = 0;
    for (size_t i = 1; i < n; i++) {
        const __float128 *of = elements + 7 * (i - 1);
        __float128 state[6], before = total;
        total += of[0];
        own->gm[i] = G * of[0];
        kepler_state(G * total, of, state);
        for (size_t k = 0; k < 6; k++) {
            __float128 place = centre[k] + state[k];
            own->now[k < 3 ? 3 * i + k : 3 * (n + i) + k - 3] = place;
            centre[k] = (before * centre[k] + of[0] * place) / total;
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 6; k++)
            own->now[k < 3 ? 3 * i + k : 3 * (n + i) + k - 3] -= centre[k];
}

void quad_nbody_velocities(double star_mass, size_t n_planets, const __float128 *elements,
                           double step_days, size_t n_times, const double *time_days,
                           __float128 *velocities_m_s)
{
    for (int side = 0; side < 2; side++) {
        quad_bodies own;
        __float128 t = 0;
        begin(star_mass, n_planets, elements, &own);
        for (size_t k = 0; k < n_times; k++) {
            size_t time = side == 0 ? k : n_times - 1 - k;
            __float128 wanted = time_days[time];
            if ((side == 0) != (wanted >= 0))
                continue;
            __float128 left = wanted - t;
            int n_steps = (int)ceilq(fabsq(left) / step_days);
            for (int step = 0; step < n_steps; step++)
                advance(&own, left / n_steps);
            t = wanted;
            velocities_m_s[time] = -own.now[3 * own.n + 2] * au_m / day_s;
        }
    }
}

/* x . v on the sky of planet p relative to the star, and its slope. */
static void sight(const quad_bodies *own, size_t p, __float128 out[2])
{
    __float128 slope[NUMBERS];
    const size_t n = own->n;
    accelerate(own, own->now, slope);
    out[0] = out[1] = 0;
    for (size_t k = 0; k < 2; k++) {
        __float128 x = own->now[3 * p + k] - own->now[k];
        __float128 v = own->now[3 * (n + p) + k] - own->now[3 * n + k];
        out[0] += x * v;
        out[1] += v * v + x * (slope[3 * (n + p) + k] - slope[3 * n + k]);
    }
}

void quad_nbody_transit(double star_mass, size_t n_planets, const __float128 *elements,
                        double step_days, size_t planet, double guess_days, __float128 out[3])
{
    quad_bodies own;
    __float128 t = 0, left = guess_days, g[2];
    begin(star_mass, n_planets, elements, &own);
    for (int turn = 0; turn < 8; turn++) {
        int n_steps = (int)ceilq(fabsq(left) / step_days);
        for (int step = 0; step < n_steps; step++)
            advance(&own, left / n_steps);
        t += left;
        sight(&own, planet + 1, g);
        left = -g[0] / g[1];
    }
    out[0] = t;
    for (size_t part = 0; part < 2; part++) {
        const __float128 *of = own.now + 3 * own.n * part;
        __float128 x = of[3 * (planet + 1)] - of[0], y = of[3 * (planet + 1) + 1] - of[1];
        out[1 + part] = sqrtq(x * x + y * y);
    }
}
