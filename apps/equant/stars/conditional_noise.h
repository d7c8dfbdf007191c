/* Noise of known parameters beside the residuals of a star: what it was, and what it leaves. */
#ifndef EQUANT_APP_STARS_CONDITIONAL_NOISE_H
#define EQUANT_APP_STARS_CONDITIONAL_NOISE_H

#include <stddef.h>

struct star_result;

/* Fills in what the noise contributes to each residual, as is expected from all of them. Returns an
 * exit code, with a sentence on failure. */
int conditional_noise_expect(struct star_result *star);

/* What the noise was at ascending times, [n], its expectation less and plus one standard deviation;
 * nights are left out, for between them there are none. Returns an exit code, with a sentence on
 * failure. */
int conditional_noise_predict(const struct star_result *star, size_t n, const double *time_days,
                              double *mean, double *low, double *high);

/* Each residual in units of what the noise leaves open given all earlier ones, [n_obs]. Returns an
 * exit code, with a sentence on failure. */
int conditional_noise_whiten(const struct star_result *star, double *whitened);

#endif
