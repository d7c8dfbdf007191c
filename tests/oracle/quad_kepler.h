/* Kepler's equation in quadruple precision: slow, plain, and right to about
 * 1e-32. Knows nothing of the library under test. */
#ifndef ORACLE_QUAD_KEPLER_H
#define ORACLE_QUAD_KEPLER_H

#include <stddef.h>

/* One solution of M = E - e sin E, with M brought to [-pi, pi] as well. */
typedef struct quad_kepler {
    __float128 mean_reduced;      /* M modulo 2 pi, in [-pi, pi]        */
    __float128 eccentric_reduced; /* E of mean_reduced                  */
    __float128 eccentric;         /* E on the revolution of M           */
    __float128 sine, cosine;      /* of E                               */
    __float128 slope;             /* dM/dE = 1 - e cos E, not cancelled */
} quad_kepler;

/* The angle modulo 2 pi, in [-pi, pi]; right for every finite angle. */
__float128 quad_kepler_reduce(__float128 angle);

/* Any finite M, 0 <= e < 1. */
quad_kepler quad_kepler_solve(__float128 mean_anomaly, __float128 eccentricity);

/* The same for n pairs of doubles, on all processors. */
void quad_kepler_solve_all(size_t n, const double *mean_anomaly, const double *eccentricity,
                           quad_kepler *solutions);

#endif
