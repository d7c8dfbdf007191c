#include "stars/phase_bins.h"

#include <math.h>

static size_t bin_of(double phase)
{
    double position = floor((phase + 0.5) * PHASE_BINS);
    if (position < 0.0)
        return 0;
    return position < PHASE_BINS ? (size_t)position : PHASE_BINS - 1;
}

void phase_bins_fill(size_t n, const double *phase, const double *residual_m_s,
                     const double *uncertainty_m_s, struct phase_bin bins[PHASE_BINS])
{
    double weights[PHASE_BINS] = {0.0};
    for (size_t i = 0; i < PHASE_BINS; i++)
        bins[i] = (struct phase_bin){0};
    for (size_t k = 0; k < n; k++) {
        size_t i = bin_of(phase[k]);
        double weight = 1.0 / (uncertainty_m_s[k] * uncertainty_m_s[k]);
        bins[i].n++;
        bins[i].phase += weight * phase[k];
        bins[i].residual_m_s += weight * residual_m_s[k];
        weights[i] += weight;
    }
    for (size_t i = 0; i < PHASE_BINS; i++) {
        if (bins[i].n == 0)
            continue;
        bins[i].phase /= weights[i];
        bins[i].residual_m_s /= weights[i];
        bins[i].uncertainty_m_s = 1.0 / sqrt(weights[i]);
    }
}
