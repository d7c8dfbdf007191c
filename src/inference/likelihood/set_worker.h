/* What one thread of a study works with to judge parameter sets. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_SET_WORKER_H
#define EQUANT_INFERENCE_LIKELIHOOD_SET_WORKER_H

#include "inference/likelihood/set_columns.h"

/* It keeps the factor of the noise that it has met last. */
struct set_worker {
    size_t n_columns; /* that there is room for */
    noise_factor factor;
    bool is_proper;                                /* false, too, before there is a factor */
    double *variances, *next_variances;            /* of rows */
    double *alpha, *beta, *next_alpha, *next_beta; /* likewise, of series */
    double *inner, *residuals, *jacobian, *columns, *state, *products;
    double *spread; /* the columns of all rows; NULL without series */
};

/* The worker of a study's thread, with room for the columns of a set and their residual. */
equant_status set_worker_require(study *star, const set_columns *from, set_worker **w);

/* Frees what a thread of a study works with; NULL: nothing. */
void set_worker_dismiss(set_worker *worker);

/* Factors the noise of a set, unless it is that of the set before: fits of orbits ask for the same
 * again and again. */
bool set_worker_factor(const study *star, const study_shape *shape, const set_columns *from,
                       const double *set, set_worker *w);

/* Whitens columns of velocities, [n_obs][width], the residual last, and multiplies them: the lower
 * triangle of [width][width] into the products. Where indicators are series, their rows take part
 * and their offsets follow. */
void set_worker_multiply(const study *star, size_t width, double *columns, set_worker *w);

#endif
