/* How much probability the orbits near one frequency have behind a background, everything that
 * enters linearly integrated or at its best:
 *
 *   mass = sum over f, e, M0 of p(f) p(e) p(M0) mean over tau of
 *          |1 + tau^2 F|^-1/2 exp(b' (F + 1/tau^2)^-1 b / 2)
 *
 * where F and b are the products of the two columns of an orbit, whitened and beside the basis,
 * with themselves and with the residual, and tau, the scale of amplitudes, takes a few steps from
 * far below to far above the noise. Of periods the logarithm is uniform; eccentricities are as
 * Kipping (2013, MNRAS 434, L51) found them. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_MASS_H
#define EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_MASS_H

#include "inference/search/base_columns.h"

/* ln of the mass around an orbit, the best there is near its frequency, over exp of its gain: with
 * ln L of the whole model, everything refitted, it is the evidence of that model, but for what
 * those with other periods of this planet have in common. */
equant_status orbit_mass_near(study *star, const base_columns *base,
                              const double elements[N_ELEMENTS], double *log_share);

/* An upper bound of it from the errors of the orbit, in a hundredth of the time. */
equant_status orbit_mass_bound(study *star, const base_columns *base,
                               const double elements[N_ELEMENTS], double *log_share);

#endif
