/* The noise of a model by maximum likelihood: jitters and the parameters of correlated noise
 * together, while everything that the mean can do to first order follows. Noise that was fitted to
 * the residuals of a planet fitted before it would find what the planet left over. */
#ifndef EQUANT_INFERENCE_OPTIMISE_NOISE_FIT_H
#define EQUANT_INFERENCE_OPTIMISE_NOISE_FIT_H

#include "inference/likelihood/set_likelihood.h"

/* What is fitted: is_free says of each column before the jitters whether the mean may move it. */
typedef struct noise_fit_problem {
    const study_shape *shape;
    const bool *is_free;
    int max_iterations;
    double tolerance; /* of ln L */
} noise_fit_problem;

/* What a fit has learnt of the curvature of the likelihood, for when it goes on with the same set.
 * To be freed; NULL without memory. */
typedef struct noise_fit_memory noise_fit_memory;
noise_fit_memory *noise_fit_memory_create(void);

/* Improves the noise of a set, [columns of study_layout], in place; nothing else of it changes. */
equant_status noise_fit_set(study *star, const noise_fit_problem *problem, noise_fit_memory *known,
                            double *set);

/* In noise_start.c: gives a term of the menu that the shape has chosen, and the set not yet, the
 * values of the best of a few starts. */
equant_status noise_fit_begin_term(study *star, const noise_fit_problem *problem, size_t term,
                                   double *set);

/* In noise_curvature.c: the covariance of the noise parameters of a set, [n][n], n the jitters and
 * all parameters of the menu: from the curvature of the likelihood with the mean following. Zero
 * for what is not fitted or at an end of its range. */
equant_status noise_fit_covariance(study *star, const noise_fit_problem *problem, const double *set,
                                   double *covariance);

/* In noise_curvature.c: what the terms of a set cost: ln of how little of their prior the data
 * leave, the likelihood taken for Gaussian about its best, less ln of the prior odds of having
 * them. NaN where it is not.
 */
equant_status noise_fit_price(study *star, const noise_fit_problem *problem, const double *set,
                              double *price);

/* ---- from inside, for noise_start.c and noise_curvature.c --------------------------------- */

/* Steps of differences in coordinates. */
#define NOISE_FIT_DIFFERENCE 1e-3

/* Coordinates are logarithms but for a few. */
enum { MOST_COORDINATES = STUDY_MAX_INSTRUMENTS + NOISE_MENU_MOST_PARAMETERS };

typedef struct coordinate {
    size_t column;  /* of the set */
    size_t divisor; /* a column that it is measured in; SIZE_MAX: none */
    double lowest, highest;
    bool is_plain;               /* the number itself, which may be negative */
    const log_normal_sum *prior; /* NULL: uniform between the ends */
    double log_within;           /* ln of the share of the prior that lies there, or 0 */
} coordinate;

typedef struct noise_fit {
    study *star;
    const noise_fit_problem *problem;
    size_t n_columns, first_jitter; /* of a set */
    size_t n;                       /* coordinates */
    coordinate coordinates[MOST_COORDINATES];
    size_t n_rows;              /* observations, and values of indicators that are series */
    size_t width;               /* columns that the mean may move, and the residual */
    double *columns, *whitened; /* [n_rows][width] */
    double *state, *matrix, *left, *variances, *set;
    double *alpha, *beta; /* [n_rows], of series */
    noise_factor factor;
    equant_status wanted; /* an error once the caller has had enough: all that follows is quick */
} noise_fit;

/* For sets of one shape; what noise_fit_open made is closed by the caller, unless it failed. */
equant_status noise_fit_open(study *star, const noise_fit_problem *problem, const double *set,
                             noise_fit *fit);
void noise_fit_close(noise_fit *fit);

/* Coordinates from a set, and back; one within its range. */
void noise_fit_read(const noise_fit *fit, const double *set, double *x);
void noise_fit_write(const noise_fit *fit, const double *x, double *set);
double noise_fit_clamp(const coordinate *c, double x);

/* ln of the prior density of a coordinate of a term within its range. Amplitudes below their range
 * leave nothing to be seen: their prior is not normalised within it, and what lies below counts for
 * models without the term. */
double noise_fit_log_prior(const coordinate *c, double x);
/* ln of the prior odds of the terms that a fit has chosen against none of them. */
double noise_fit_log_odds(const noise_fit *fit);

/* - ln L, up to a constant, with the mean at its best to first order; infinite when the caller has
 * had enough. */
double noise_fit_objective(noise_fit *fit, const double *x);
/* In noise_curvature.c: the second derivatives of that by n coordinates, [n][n]: those that are not
 * at an end. */
void noise_fit_curvature(noise_fit *fit, const double *x, size_t n, const size_t *inside,
                         double *matrix);
/* Goes down from x, and returns the value there; of a memory with n = 0 nothing is known. */
double noise_fit_descend(noise_fit *fit, double *x, int max_iterations, double tolerance,
                         noise_fit_memory *known);

#endif
