/* equant/noise.h: noise. What is correlated from one observation to the next, beside uncertainties
 * and jitters. */
#ifndef EQUANT_NOISE_H
#define EQUANT_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of correlated noise: "rotation", "night", ... Terms add up. "qp"
 * is amplitude^2 exp(-1/2 [sin^2(pi dt / period) / width^2 + dt^2 / decay^2]). */
typedef struct equant_noise_term_info {
    size_t struct_size;
    const char *name, *description;
    size_t n_parameters;
    int is_smooth;   /* the process has a derivative: rows may measure it */
    int is_rotation; /* its period is that in which the star turns        */
} equant_noise_term_info;

typedef struct equant_noise_parameter_info {
    size_t struct_size;
    const char *name, *unit, *description;
} equant_noise_parameter_info;

/* The catalogue of terms and of their parameters, in the order in which values are given. */
EQUANT_API size_t equant_n_noise_terms(void);
EQUANT_API equant_status equant_noise_term_at(size_t index, equant_noise_term_info *info);
EQUANT_API equant_status equant_noise_term_parameter(size_t term, size_t index,
                                                     equant_noise_parameter_info *info);

/* A sum of terms, with values. */
typedef struct equant_noise equant_noise;

/* From words: "rotation(amplitude=3, period=25, quality=1, extra_quality=0.5, mix=0.3),
 * night(amplitude=1.5)". Every parameter is named once, in any order. A rotation with a decay and a
 * width is the term mep, which has these. "white" has no terms. A term "exponential@1(...)" is of
 * the rows of instrument 1 alone, counted from 0: other rows know nothing of it, and those of other
 * instruments with such a term are independent of it. */
EQUANT_API equant_status equant_noise_create(const char *text, equant_noise **noise);
EQUANT_API void equant_noise_free(equant_noise *noise);

/* Its parameters, term by term: "rotation_period", "rotation_2_period" where a term comes twice,
 * "rotation@1_period" where it is of one instrument; NULL and NaN when out of range. Names are
 * valid as long as the noise. */
EQUANT_API size_t equant_noise_n_parameters(const equant_noise *noise);
EQUANT_API const char *equant_noise_parameter_name(const equant_noise *noise, size_t index);
EQUANT_API double equant_noise_parameter_value(const equant_noise *noise, size_t index);

/* Observations less a mean model, in the order of their times, which may be equal. A row measures
 * alpha G + beta dG/dt of the process G: velocities and activity indicators of a star that turns
 * share one G. */
typedef struct equant_noise_rows {
    size_t struct_size;
    size_t n;
    const double *time_days, *values; /* [n] */
    const double *variances;          /* [n]: uncertainty^2 + jitter^2                        */
    const double *alpha, *beta;       /* [n]; NULL: 1, and 0                                   */
    const int *instruments;           /* [n], from 0, whose nights are told apart; NULL: one   */
} equant_noise_rows;

/* ln L of the rows under n_sets sets of parameters, [n_sets][n_parameters]; NULL: one set, the
 * values of the text. Time grows with the number of rows, not with its cube, but for "qp", which
 * takes whole matrices and up to 3000 rows, here and in all that follows. Sets that no
 * covariance has (an amplitude that is not positive) and covariances that rounding has eaten get
 * -infinity. */
EQUANT_API equant_status equant_noise_log_likelihood(const equant_noise *noise,
                                                     const equant_noise_rows *rows, size_t n_sets,
                                                     const double *parameters,
                                                     double *log_likelihoods);

/* How ln L of the rows changes, at one set of parameters (NULL: the values of the text): with each
 * of them, [n_parameters], and with the variance of each row, [n]; what is NULL is not wanted. A
 * jitter s that rows share changes ln L by 2 s times the sum over them. Exact; rows with a beta and
 * "qp" take whole matrices, others three times the time of ln L. Where ln L is -infinity, so is
 * *log_likelihood, and derivatives are NaN. */
EQUANT_API equant_status equant_noise_differentiate(const equant_noise *noise,
                                                    const equant_noise_rows *rows,
                                                    const double *parameters,
                                                    double *log_likelihood, double *by_parameter,
                                                    double *by_variance);

/* What the values follow linearly beside the noise: offsets, slopes, indicators. */
typedef struct equant_noise_columns {
    size_t struct_size;
    size_t n;
    const double *columns;             /* [n][rows], one behind the other                        */
    const double *standard_deviations; /* [n], of normal priors about zero; NULL: flat, density 1 */
} equant_noise_columns;

/* Their coefficients [n] at the best, prior included, ln L there, and ln of the integral of L times
 * the prior over all of them; each may be NULL. Columns that are not independent of each other have
 * no coefficients, and are refused unless they have a prior. */
EQUANT_API equant_status equant_noise_follow(const equant_noise *noise,
                                             const equant_noise_rows *rows,
                                             const double *parameters,
                                             const equant_noise_columns *columns,
                                             double *coefficients, double *log_likelihood,
                                             double *log_marginal);

/* Values of the rows in units of what the noise leaves open given all earlier rows, [n]: L^-1 y,
 * C = L L' the covariance of noise and variances; uncorrelated, and of variance 1, where the noise
 * is as the model has it. NaN where no covariance has the parameters. */
EQUANT_API equant_status equant_noise_whiten(const equant_noise *noise,
                                             const equant_noise_rows *rows,
                                             const double *parameters, double *whitened);

/* Draws first, first + 1, ... of the noise at the times of the rows, [n_draws][rows->n]: the
 * process, and white noise of the given variances (NULL: none). rows->values is not read.
 * parameters: one set; NULL: the values of the text. Same seed, same draws, whatever their number;
 * they change with the number of rows. */
EQUANT_API equant_status equant_noise_draw(const equant_noise *noise, const equant_noise_rows *rows,
                                           const double *parameters, uint64_t seed, uint64_t first,
                                           size_t n_draws, double *values);

/* What the noise was at other times, given the rows: mean and variance [at->n] of alpha G + beta
 * dG/dt, either may be NULL. Of `at`, times in their order, alpha, beta and instruments are read;
 * with instruments, what is asked for includes their nights, as far as the rows know them, without
 * it nights are left out, for between them there are none. White noise is not predicted.
 * parameters: one set; NULL: the values of the text. A covariance that rounding has eaten gives
 * NaN. Takes time in proportion to rows times at. */
EQUANT_API equant_status equant_noise_predict(const equant_noise *noise,
                                              const equant_noise_rows *rows,
                                              const double *parameters, const equant_noise_rows *at,
                                              double *mean, double *variance);

#ifdef __cplusplus
}
#endif
#endif
