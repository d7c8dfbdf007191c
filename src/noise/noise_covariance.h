/* The covariance of two rows, or of a row and a time that is asked for, under a process. */
#ifndef EQUANT_NOISE_NOISE_COVARIANCE_H
#define EQUANT_NOISE_NOISE_COVARIANCE_H

#include <stdbool.h>

#include "statistics/noise_adjoint.h"

/* Where and how something is measured: rows of one night have its number, whose instrument they
 * share. */
typedef struct noise_place {
    double time_days, night;
    double alpha, beta; /* of G and G' */
    int instrument;     /* negative: of nobody, without nights */
    int owner;          /* as of noise_row */
} noise_place;

double noise_covariance(const noise_process *process, const noise_place *a, const noise_place *b);

/* Adds `share` times its derivatives by the numbers of each block. */
void noise_covariance_differentiate(const noise_process *process, const noise_place *a,
                                    const noise_place *b, double share,
                                    noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS]);

/* Whether a process has blocks that only whole matrices hold. */
bool noise_covariance_is_whole(const noise_process *process);

#endif
