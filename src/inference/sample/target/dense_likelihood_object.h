/* What a dense likelihood is inside: for dense_likelihood.c, and for its derivatives in
 * dense_slopes.c. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_DENSE_LIKELIHOOD_OBJECT_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_DENSE_LIKELIHOOD_OBJECT_H

#include "core/dataset.h"
#include "inference/sample/target/dense_likelihood.h"
#include "noise/noise_slopes.h"
#include "noise/noise_tridiagonal.h"

/* Sets whose residuals are in memory at a time. */
enum { DENSE_BATCH = 1024 };

/* What a thread works with. */
typedef struct dense_worker {
    noise_factor factor; /* where each set has one of its own */
    double *variances;   /* [n_obs], likewise */
    double *jacobian;    /* [n_inner][n_obs], of the velocities; NULL before derivatives */
    noise_slopes slopes; /* likewise */
} dense_worker;

struct dense_likelihood {
    const equant_dataset *dataset;
    const parameter_layout *layout; /* of the model, which outlives this */
    equant_model *white;
    equant_evaluator *evaluator;
    noise_tridiagonal *fixed; /* NULL: a factor for each set */
    size_t n_inner;           /* columns of the model with white noise, which come first */
    bool is_marginal;
    bool *begins_night;
    int *night_place, n_night_places;
    int n_threads;
    dense_worker *workers;              /* [n_threads]; factors where each set has its own */
    double *sets, *residuals, *rotated; /* [BATCH][n_inner], [BATCH][n_obs] twice */
};

/* The residuals of up to DENSE_BATCH sets, which are left in `sets` and `residuals`. */
equant_status dense_likelihood_subtract(dense_likelihood *dense, size_t n, const double *sets);

/* The jitters of a set of the batch. */
const double *dense_likelihood_jitters(const dense_likelihood *dense, size_t set);

/* The process of a set of the batch, and sigma^2 + jitter^2; false where it has no ln L. */
bool dense_likelihood_process(const dense_likelihood *dense, size_t set, const double *noise,
                              noise_process *process, double *variances);

noise_factor_rows dense_likelihood_rows(const dense_likelihood *dense);

#endif
