/* Inside a noise: its terms and their values, and the process that they make together. */
#ifndef EQUANT_NOISE_NOISE_SUM_H
#define EQUANT_NOISE_NOISE_SUM_H

#include "noise/noise_text.h"

enum {
    NOISE_SUM_MOST_PARAMETERS = NOISE_TEXT_MOST_TERMS * NOISE_CATALOGUE_MOST_PARAMETERS,
    NOISE_SUM_MOST_NAME = 64
};

struct equant_noise {
    size_t n_terms, n_parameters;
    noise_term terms[NOISE_TEXT_MOST_TERMS];
    int owners[NOISE_TEXT_MOST_TERMS]; /* of the blocks of each */
    char names[NOISE_SUM_MOST_PARAMETERS][NOISE_SUM_MOST_NAME];
    double values[NOISE_SUM_MOST_PARAMETERS];
};

/* Whether a process has room for all terms, nights counted once for each instrument. */
equant_status noise_sum_check_room(const equant_noise *noise, int n_instruments);

/* Whether a term of it needs the covariance as a whole matrix. */
bool noise_sum_is_whole(const equant_noise *noise);

/* The process of [n_parameters] values; false where no covariance has them. There must be room. */
bool noise_sum_process(const equant_noise *noise, const double *values, int n_instruments,
                       noise_process *made);

#endif
