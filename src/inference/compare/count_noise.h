/* The covariance C of the noise at one point of its parameters, factored. Points are quantiles of
 * the priors, 0 to 1, so that their distribution is uniform. */
#ifndef EQUANT_INFERENCE_COMPARE_COUNT_NOISE_H
#define EQUANT_INFERENCE_COMPARE_COUNT_NOISE_H

#include "inference/compare/count_star.h"
#include "noise/noise_factor.h"

typedef struct count_noise {
    const count_star *star;
    double *place;  /* [n_noise], 0 to 1 */
    double *values; /* [n_noise]: jitters in m/s, parameters of noise */
    double log_determinant;
    bool is_white;
    double *variance, *weight; /* [n_obs]; weights of white noise */
    noise_factor factor;
    double *state, *pair; /* to work with */
} count_noise;

/* In the middle of all priors. Free it in any case. */
equant_status count_noise_create(const count_star *star, count_noise *made);
void count_noise_free(count_noise *noise);

/* Moves to other places, [n_noise]; false where there is no such noise, and then it is undefined
 * until it is moved again. */
bool count_noise_move(count_noise *noise, const double *place);

/* Where values, [n_noise], lie in their priors: those outside at the nearest end. */
void count_noise_find(const count_star *star, const double *values, double *place);

/* C^-1 of a column over the observations, in place. */
void count_noise_solve(count_noise *noise, double *column);

/* x' C^-1 x, x' C^-1 y and y' C^-1 y of two columns. */
void count_noise_square(count_noise *noise, const double *x, const double *y, double *xx,
                        double *xy, double *yy);

#endif
