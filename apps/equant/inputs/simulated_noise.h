/* The noise of a simulated star: white, and correlated where terms are asked for. */
#ifndef EQUANT_APP_INPUTS_SIMULATED_NOISE_H
#define EQUANT_APP_INPUTS_SIMULATED_NOISE_H

#include <stdint.h>

#include "equant.h"

/* One number for each observation. `terms` are the words of equant_noise_create, with instruments
 * by their names; NULL for none. Returns an exit code, with a sentence on failure. */
int simulated_noise_draw(const char *terms, double white_m_s, uint64_t seed,
                         const equant_dataset *dataset, double *noise_m_s);

#endif
