/* Noise of which only the values are known, as from results on disk: its likelihood, what it was.
 */
#ifndef EQUANT_APP_STARS_CONDITIONAL_NOISE_H
#define EQUANT_APP_STARS_CONDITIONAL_NOISE_H

#include <stddef.h>

struct star_result;

/* Where no fit has it: brings the indicators into the star's velocities and residuals, finds the
 * process, and the likelihood of the residuals under it. Returns an exit code, with a sentence on
 * failure. */
int noise_process_evaluate(struct star_result *star, double *log_likelihood);

/* What the noise was at ascending times, [n], its expectation less and plus one standard deviation;
 * nights are left out, for between them there are none. Returns an exit code, with a sentence on
 * failure. */
int noise_process_predict(const struct star_result *star, size_t n, const double *time_days,
                          double *mean, double *low, double *high);

/* How far each residual is from what the noise and the earlier ones predict, in units of what
 * these leave open, without sign, [n_obs]. Returns an exit code, with a sentence on failure. */
int noise_process_whiten(const struct star_result *star, double *whitened);

#endif
