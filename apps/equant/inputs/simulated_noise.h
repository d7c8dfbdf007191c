/* The noise of a simulated star: white, and correlated where terms are asked for. */
#ifndef EQUANT_APP_INPUTS_SIMULATED_NOISE_H
#define EQUANT_APP_INPUTS_SIMULATED_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* One number for each of n times, which are sorted. `terms` are the words
 * of equant_noise_create, NULL for none. Returns an exit code, with a sentence on failure. */
int simulated_noise_draw(const char *terms, double white_m_s, uint64_t seed, size_t n,
                         const double *time_days, double *noise_m_s);

#endif
