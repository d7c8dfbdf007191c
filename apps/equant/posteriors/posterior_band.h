/* Where the draws of a posterior put the velocity curve of one planet. */
#ifndef EQUANT_APP_POSTERIORS_POSTERIOR_BAND_H
#define EQUANT_APP_POSTERIORS_POSTERIOR_BAND_H

#include "stars/folded_planet.h"

enum {
    POSTERIOR_BAND_EVEN = 121,
    POSTERIOR_BAND_POINTS = POSTERIOR_BAND_EVEN + ORBIT_CURVE_TURN_MOST
};

struct posterior_band {
    size_t n;
    double phase[POSTERIOR_BAND_POINTS]; /* turns since the conjunction of `planet` */
    double low_95[POSTERIOR_BAND_POINTS], low_68[POSTERIOR_BAND_POINTS];
    double high_68[POSTERIOR_BAND_POINTS], high_95[POSTERIOR_BAND_POINTS];
};

/* Quantiles of the curves of planet `number` (from 1) of the posterior, over the period of
 * `planet` around its conjunction. Returns an exit code, with a sentence on failure. */
int posterior_band_fill(const equant_posterior *posterior, size_t number,
                        const struct star_planet *planet, struct posterior_band *band);

#endif
