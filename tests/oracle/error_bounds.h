/* How far a result of finite precision may lie from the oracle's: elementary
 * errors of a precision, carried through the model to velocities, linear terms,
 * chi-square and likelihood. Bounds are first order with a safety factor, and
 * fall back to "anything the orbit can do" where first order does not hold. */
#ifndef ORACLE_ERROR_BOUNDS_H
#define ORACLE_ERROR_BOUNDS_H

#include "oracle.h"

/* Elementary errors, each absolute or relative as its name says. */
typedef struct error_budget {
    double phase;         /* relative, of t - t_ref and of turns since t_ref  */
    double mean_absolute; /* of the mean anomaly, in radians                  */
    double mean_relative; /* of the mean anomaly brought to [-pi, pi]         */
    double eccentric;     /* absolute, of E, in radians                       */
    double eccentricity;  /* relative, of e                                   */
    double value;         /* relative, of velocities and their products       */
    double sum;           /* relative, added to a sum by each of its terms    */
    double solution;      /* relative, of arithmetic that solves for terms    */
    double difference;    /* of chi-square, relative to the sum of squares that it is taken from
                             where solved terms are subtracted after the sum */
} error_budget;

/* Bounds of one parameter set. */
typedef struct error_bounds {
    double chi_square, log_likelihood;
    double *linear;   /* [n_linear] */
    double *velocity; /* [n_obs]; the residual's is the same */
} error_bounds;

/* Writes bounds; its arrays are the caller's, of the lengths noted above. */
void error_bounds_compute(const oracle_data *data, const oracle_model *model,
                          const double *parameters, const oracle_result *result,
                          const error_budget *budget, error_bounds *bounds);

#endif
