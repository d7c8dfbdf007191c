/* Integration of the whole equations of motion by extrapolation (Gragg 1965; Bulirsch & Stoer 1966;
 * Hairer, Norsett & Wanner 1993, II.9): for close approaches, where the map of nbody_map.h is not
 * made. Slow and exact; lanes of one.
 *
 *   H   the large step, of which the midpoint rule makes 2, 4, ... 16 parts
 *   T   results of these, extrapolated to parts of no length: the last differences are the error
 */
#ifndef EQUANT_PHYSICS_NBODY_EXTRAPOLATION_H
#define EQUANT_PHYSICS_NBODY_EXTRAPOLATION_H

#include <math.h>

#include "physics/nbody_forces.h"

enum { EXTRAPOLATION_STAGES = 8, EXTRAPOLATION_NUMBERS = 6 * NBODY_MOST_PLANETS };
#define EXTRAPOLATION_TOLERANCE 1e-14
/* Steps below this part of the first one end the integration: bodies fall into each other. */
#define EXTRAPOLATION_SHORTEST 1e-9

/* y: positions and velocities of all planets, one behind the other. */
static inline void extrapolation_take(const nbody_system *own, double *y)
{
    for (int i = 0; i < own->n_planets; i++)
        for (int k = 0; k < 3; k++) {
            y[6 * i + k] = own->planet[i].r[k];
            y[6 * i + 3 + k] = own->planet[i].v[k];
        }
}

static inline void extrapolation_put(const double *y, nbody_system *own)
{
    for (int i = 0; i < own->n_planets; i++)
        for (int k = 0; k < 3; k++) {
            own->planet[i].r[k] = y[6 * i + k];
            own->planet[i].v[k] = y[6 * i + 3 + k];
        }
}

static inline void extrapolation_slope(nbody_system *own, const double *y, double *slope)
{
    nbody_forces forces;
    extrapolation_put(y, own);
    nbody_accelerate(own, &forces);
    for (int i = 0; i < own->n_planets; i++) {
        nbody_attraction kepler;
        (void)nbody_attraction_of(own->planet[i].r, &kepler);
        for (int k = 0; k < 3; k++) {
            slope[6 * i + k] = y[6 * i + 3 + k];
            slope[6 * i + 3 + k] = forces.a[i][k] - own->planet[i].mu * kepler.w * kepler.d[k];
        }
    }
}

/* The midpoint rule with Gragg's last step. */
static inline void extrapolation_midpoint(nbody_system *own, int n, const double *y,
                                          const double *first_slope, double H, int n_parts,
                                          double *result)
{
    double h = H / n_parts, before[EXTRAPOLATION_NUMBERS], now[EXTRAPOLATION_NUMBERS];
    double slope[EXTRAPOLATION_NUMBERS];
    for (int k = 0; k < n; k++) {
        before[k] = 0.0; /* changes since the start, which keep more digits */
        now[k] = h * first_slope[k];
    }
    for (int part = 1; part <= n_parts; part++) {
        double here[EXTRAPOLATION_NUMBERS];
        for (int k = 0; k < n; k++)
            here[k] = y[k] + now[k];
        extrapolation_slope(own, here, slope);
        for (int k = 0; k < n && part < n_parts; k++) {
            double next = before[k] + 2.0 * h * slope[k];
            before[k] = now[k];
            now[k] = next;
        }
    }
    for (int k = 0; k < n; k++)
        result[k] = 0.5 * (before[k] + now[k] + h * slope[k]);
}

/* The change of y over H in change, the error in units of the tolerance as the result. */
static inline double extrapolation_try(nbody_system *own, int n, const double *y, double H,
                                       double *change)
{
    double T[EXTRAPOLATION_STAGES][EXTRAPOLATION_NUMBERS], first_slope[EXTRAPOLATION_NUMBERS];
    double error = 0.0;
    extrapolation_slope(own, y, first_slope);
    for (int stage = 0; stage < EXTRAPOLATION_STAGES; stage++) {
        extrapolation_midpoint(own, n, y, first_slope, H, 2 * (stage + 1), T[stage]);
        for (int from = stage; from > 0; from--) {
            double ratio = (double)(stage + 1) / from;
            for (int k = 0; k < n; k++) {
                double step = (T[from][k] - T[from - 1][k]) / (ratio * ratio - 1.0);
                T[from - 1][k] = T[from][k] + step;
                if (from == 1 && stage == EXTRAPOLATION_STAGES - 1) {
                    int first = k - k % 3;
                    double size = fabs(y[first]) + fabs(y[first + 1]) + fabs(y[first + 2]);
                    double part = fabs(step) / (EXTRAPOLATION_TOLERANCE * size);
                    error = part >= 0.0 ? fmax(error, part) : INFINITY;
                }
            }
        }
    }
    for (int k = 0; k < n; k++)
        change[k] = T[0][k];
    return error;
}

/* From the present over `days`; *H is the length of the next large step and is kept. 0 where it
 * became too short: bodies fall into each other. */
static inline int nbody_extrapolate(nbody_system *own, double days, double *H)
{
    const int n = 6 * own->n_planets;
    double y[EXTRAPOLATION_NUMBERS], low[EXTRAPOLATION_NUMBERS] = {0.0};
    double change[EXTRAPOLATION_NUMBERS], done = 0.0, shortest = EXTRAPOLATION_SHORTEST * fabs(*H);
    extrapolation_take(own, y);
    while (done != days) {
        double left = days - done, step = copysign(fmin(fabs(*H), fabs(left)), days);
        const double nearest = own->nearest;
        double error = extrapolation_try(own, n, y, step, change);
        double factor = 0.94 * pow(0.65 / fmax(error, 1e-10), 1.0 / (2 * EXTRAPOLATION_STAGES - 1));
        double next = fabs(step) * (factor < 4.0 ? (factor > 0.1 ? factor : 0.1) : 4.0);
        if (error > 1.0) { /* where such a step went counts for nothing */
            own->nearest = nearest;
            *H = next;
        }
        if (next < shortest)
            return 0;
        if (error > 1.0)
            continue;
        for (int k = 0; k < n; k++)
            nbody_add(&y[k], &low[k], change[k]);
        done = fabs(left) <= fabs(step) ? days : done + step;
        if (fabs(step) == fabs(*H) || next < fabs(*H))
            *H = next;
    }
    extrapolation_put(y, own);
    return 1;
}

#endif
