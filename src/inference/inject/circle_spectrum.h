/* By how much circular orbits of all frequencies raise ln L, for eight residuals at once: the
 * generalised Lomb-Scargle periodogram behind a model, under its noise, everything linear in the
 * model refitted. What depends on times, noise and model alone is worked out once; a residual then
 * costs one nonuniform FFT. */
#ifndef EQUANT_INFERENCE_INJECT_CIRCLE_SPECTRUM_H
#define EQUANT_INFERENCE_INJECT_CIRCLE_SPECTRUM_H

#include "inference/inject/nonuniform_fft.h"
#include "inference/search/base_columns.h"

typedef struct circle_spectrum {
    nonuniform_fft_plan plan;
    double step_per_day;
    size_t first, n;      /* frequencies are (first + i) step_per_day, i from 0 to n - 1 */
    double *xx, *xy, *yy; /* [n]: products of cos and sin beside the model, inverted */
} circle_spectrum;

/* For all periods that the star may have. The columns are borrowed: they outlive the spectrum. To
 * be freed in any case. */
equant_status circle_spectrum_create(study *star, const base_columns *base, circle_spectrum *made);
void circle_spectrum_free(circle_spectrum *spectrum);

double circle_spectrum_frequency(const circle_spectrum *spectrum, size_t i);

/* The dual of whitened residuals, C^-1 times the residuals, is what the transform takes: [n_obs],
 * eight series side by side. Fills gain, [n]. */
void circle_spectrum_run(const circle_spectrum *spectrum, const double8 *dual, fft *work,
                         double8 *gain);

#endif
