/* equant/target.h: targets. The posterior as a function, for samplers of others. */
#ifndef EQUANT_TARGET_H
#define EQUANT_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/model.h"
#include "equant/noise.h"
#include "equant/priors.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The posterior as a function: points in, logarithms of densities out; what emcee, dynesty and
 * their like ask for (docs/samplers.md). Data, model and priors bound to an engine, with its
 * working memory: one call at a time per target. */
typedef struct equant_target equant_target;

/* What a point is: one dimension for each parameter that the priors leave free, in the order of
 * the parameters. */
typedef enum equant_space {
    EQUANT_SPACE_SMOOTH = 0,    /* of each planet ln P, y cos lambda, sqrt(e) cos omega,
                                   sqrt(e) sin omega, y sin lambda, with lambda = M0 + omega and
                                   y = ln(1 + K / scale); offsets and trend as they are; jitters
                                   s as ln(1 + s / scale); parameters of noise by their logarithms,
                                   decays in turns. No angle, no edge at K = 0 or e = 0: for
                                   walkers                                                 */
    EQUANT_SPACE_PARAMETERS = 1 /* the parameters as they are, angles within the bounds of
                                   their priors: for nested sampling                       */
} equant_space;

typedef struct equant_target_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                                  */
    size_t n_planets;
    equant_trend trend;
    const equant_priors *priors; /* of the same planets and trend; NULL: "ford-gregory"     */
    int marginalise_offsets;     /* 1: integrated out; their priors must be uniform         */
    equant_space space;
    const char *noise; /* as in equant_priors_options, parameters being dimensions; NULL: that
                          of the priors. Offsets are then integrated out only beside a "qp" of
                          fixed parameters and one instrument                             */
} equant_target_options;

/* Copies what it needs: data set and priors may be freed afterwards. options may be NULL. Priors
 * that fix everything are EQUANT_ERROR_INVALID_ARGUMENT. */
EQUANT_API equant_status equant_target_create(const equant_dataset *dataset,
                                              const equant_target_options *options,
                                              equant_target **target);
EQUANT_API void equant_target_free(equant_target *target);

/* Dimensions of a point, with their names, e.g. "sqrt_e_cos_omega_1", or those of the parameters;
 * NULL when out of range. */
EQUANT_API size_t equant_target_n_dimensions(const equant_target *target);
EQUANT_API const char *equant_target_dimension_name(const equant_target *target, size_t dimension);

/* Columns of a parameter set: elements, offsets unless integrated out, trend, jitters, noise,
 * with what the priors fix among them. NULL when out of range. */
EQUANT_API size_t equant_target_n_parameters(const equant_target *target);
EQUANT_API const char *equant_target_parameter_name(const equant_target *target, size_t column);

/* Of n points, [n][n_dimensions] row by row, into out[n]:
 *   the prior       its normalised density in the dimensions of the space, Jacobian included;
 *   the likelihood  Gaussian, with its normalisation and with offsets integrated out where that
 *                   was asked for;
 *   the sum of both, ln of the posterior's density but for a constant.
 * -inf outside the prior, and for what is not a number. With a named backend each result depends
 * on its own point alone, not on n or the number of threads. n = 0 does nothing. */
EQUANT_API equant_status equant_target_log_prior(equant_target *target, size_t n,
                                                 const double *points, double *out);
EQUANT_API equant_status equant_target_log_likelihood(equant_target *target, size_t n,
                                                      const double *points, double *out);
EQUANT_API equant_status equant_target_log_probability(equant_target *target, size_t n,
                                                       const double *points, double *out);

/* Where values and derivatives go; NULL members are not computed. */
typedef struct equant_target_derivatives {
    size_t struct_size;
    double *log_prior, *log_likelihood, *log_probability; /* [n]                       */
    double *log_prior_gradient, *log_likelihood_gradient,
        *log_probability_gradient; /* [n][n_dimensions], by the dimensions of the space */
} equant_target_derivatives;

/* The same of n points with their derivatives, in double precision whatever the engine's, for
 * samplers that follow gradients: those of white noise and of noise terms, of offsets integrated
 * out, and of the prior with its Jacobian. Exact but for rounding. Outside the prior, and where
 * the likelihood is zero, values are -inf as above and gradients NaN. On a GPU those of white
 * noise run there, others on the processor. */
EQUANT_API equant_status equant_target_differentiate(equant_target *target, size_t n,
                                                     const double *points,
                                                     const equant_target_derivatives *derivatives);

/* Points of the prior from points of the unit cube, [n][n_dimensions] both, so that what is uniform
 * in the cube is distributed as the prior is: for nested sampling. Each dimension is the cumulative
 * probability of its parameter; that of K at the P and e of its row, on which its limit may depend.
 * An M0 whose prior is a whole turn counts from -omega: its dimension is that of lambda, which data
 * know better. Rows that reach outside the cube give NaN. */
EQUANT_API equant_status equant_target_from_unit_cube(equant_target *target, size_t n,
                                                      const double *cube, double *points);
/* 1 where the two ends of a dimension of the cube are the same place: an angle whose prior is a
 * whole turn. */
EQUANT_API int equant_target_cube_wraps(const equant_target *target, size_t dimension);

/* Points first, first + 1, ... drawn from the prior: the same whoever asks for them. */
EQUANT_API equant_status equant_target_draw(equant_target *target, uint64_t seed, uint64_t first,
                                            size_t n, double *points);

/* Parameter sets [n][n_parameters] of points, NaN outside the prior; and points of parameter sets,
 * inside the prior or not. */
EQUANT_API equant_status equant_target_to_parameters(equant_target *target, size_t n,
                                                     const double *points, double *parameters);
EQUANT_API equant_status equant_target_from_parameters(equant_target *target, size_t n,
                                                       const double *parameters, double *points);

#ifdef __cplusplus
}
#endif
#endif
