/* The minimum of a smooth function of a few numbers within ranges, by its values alone: slopes by
 * differences, curvature learnt on the way (Broyden, Fletcher, Goldfarb, Shanno). */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_DESCENT_H
#define EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_DESCENT_H

#include <stddef.h>

enum { DESCENT_MOST = 40 };

/* A value; infinite where there is none. */
typedef double descent_function(void *context, const double *x);

typedef struct descent_problem {
    descent_function *function;
    void *context;
    size_t n;                       /* up to DESCENT_MOST */
    const double *lowest, *highest; /* [n] */
    int max_iterations;
    double tolerance; /* of the value, below which a step gains nothing worth another */
} descent_problem;

/* Improves x [n], which lies within the ranges, and returns the value there. */
double descent_minimise(const descent_problem *problem, double *x);

#endif
