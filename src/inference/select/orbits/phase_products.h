/* The products of orbits of all phases at once, behind white noise.
 *
 * The columns of an orbit are cos v and sin v, v the true anomaly, and with M0 they only turn:
 *
 *   exp(i v(M + M0)) = sum over h of g_h(e) exp(i h M0) exp(i h M),
 *
 * g_h real. So the product of a column c with the orbits of all phases is one transform, of
 * g_h sum_k c_k exp(i h M_k), and no orbit is computed at any observation. The same holds for the
 * squares, of which exp(2 i v) has the coefficients. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_PHASE_PRODUCTS_H
#define EQUANT_INFERENCE_SELECT_ORBITS_PHASE_PRODUCTS_H

#include "inference/select/orbits/harmonic_sums.h"
#include "inference/select/orbits/orbit_products.h"
#include "inference/search/base_columns.h"

/* The harmonics of orbits of one eccentricity, of exp(i v) and of exp(2 i v): the same at every
 * frequency. */
typedef struct phase_orbit {
    size_t most, n;       /* |h| at most; length of the transform                   */
    double *once, *twice; /* [n], those of negative h at its end; NULL: none        */
} phase_orbit;

/* The highest harmonic that orbits of an eccentricity have. */
size_t phase_orbit_harmonics(double e);

equant_status phase_orbit_create(double e, const equant_engine_options *engine, phase_orbit *made);
void phase_orbit_free(phase_orbit *orbit);

/* What harmonic sums are taken of, at any frequency: the columns of a base that has no factor. */
equant_status phase_columns_create(const base_columns *base, weighted_columns *made);

/* Products of phases 2 pi j / n_phases, a power of two, into made[n_phases], from the sums of such
 * columns at a frequency. They do not depend on the orbit and have all its harmonics or more:
 * orbits of all eccentricities share them. Errors are below 1e-7 of what an orbit has before the
 * base explains any of it. */
equant_status phase_products_find(const harmonic_sums *sums, const phase_orbit *orbit,
                                  size_t n_phases, orbit_products *made);

#endif
