/* Observations of one planet, folded at its period, as a few means. */
#ifndef EQUANT_APP_STARS_PHASE_BINS_H
#define EQUANT_APP_STARS_PHASE_BINS_H

#include <stddef.h>

enum { PHASE_BINS = 12 };

struct phase_bin {
    size_t n;
    double phase, residual_m_s, uncertainty_m_s; /* weighted means of the n points */
};

/* Bins of equal width over phases -1/2 to 1/2; `uncertainty` has the jitter in it. Means of
 * residuals, because means of velocities would lie beside a steep curve. */
void phase_bins_fill(size_t n, const double *phase, const double *residual_m_s,
                     const double *uncertainty_m_s, struct phase_bin bins[PHASE_BINS]);

#endif
