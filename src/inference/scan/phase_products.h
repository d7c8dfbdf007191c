/* The products of orbits of all phases at once, behind white noise.
 *
 * The columns of an orbit are cos v and sin v, v the true anomaly, and with M0 they only turn:
 *
 *   exp(i v(M + M0)) = sum over h of g_h(e) exp(i h M0) exp(i h M),
 *
 * g_h real. So the product of a column c with the orbits of all phases is one transform, of
 * g_h sum_k c_k exp(i h M_k), and no orbit is computed at any observation. The same holds for the
 * squares, of which exp(2 i v) has the coefficients. */
#ifndef EQUANT_INFERENCE_SCAN_PHASE_PRODUCTS_H
#define EQUANT_INFERENCE_SCAN_PHASE_PRODUCTS_H

#include "inference/scan/base_columns.h"
#include "inference/scan/orbit_products.h"

/* Those of phases 2 pi j / n_phases, a power of two, at a frequency and an eccentricity, into
 * made[n_phases]. The base has no factor. Relative errors of 1e-7 at most. */
equant_status phase_products_find(const base_columns *base, const equant_engine_options *engine,
                                  double frequency_per_day, double e, size_t n_phases,
                                  orbit_products *made);

#endif
