/* Derivatives of dense likelihoods. With C = K + diag(sigma^2 + s^2) and x = C^-1 r,
 *
 *   d ln L = x' dv + 1/2 sum_kl (x_k x_l - C^-1_kl) dC_kl
 *
 * for velocities v of the model; where offsets are integrated out x lacks its share of a constant.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "inference/sample/target/dense_likelihood_object.h"
#include "model/dot_product.h"
#include "parallel/parallel_for.h"
#include "statistics/noise_gradient.h"

static equant_status reserve(dense_likelihood *dense)
{
    size_t n = dense->dataset->n_obs;
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < dense->n_threads && status == EQUANT_SUCCESS; i++) {
        dense_worker *own = &dense->workers[i];
        if (!own->jacobian)
            own->jacobian = malloc((dense->n_inner + 1) * n * sizeof(double));
        if (!own->slopes.solved)
            status = noise_slopes_create(n, 1, !dense->fixed, &own->slopes);
        if (status == EQUANT_SUCCESS && !own->jacobian)
            status = status_out_of_memory();
    }
    return status;
}

/* Orbits, offsets and trend: what is not noise. */
static void fill_by_mean(const dense_likelihood *dense, const dense_worker *own, double *gradient)
{
    size_t n = dense->dataset->n_obs, n_mean = parameter_layout_first_noise(dense->layout);
    for (size_t i = 0; i < n_mean; i++)
        gradient[i] = dot_product(n, own->jacobian + i * n, own->slopes.solved);
}

/* Noise that all sets share: one instrument, whose jitter alone is left. */
static double differentiate_shared(const dense_likelihood *dense, size_t set, dense_worker *own,
                                   double *gradient)
{
    size_t n = dense->dataset->n_obs, first = parameter_layout_first_noise(dense->layout);
    double jitter = *dense_likelihood_jitters(dense, set), by_variance;
    double log_likelihood = noise_tridiagonal_differentiate(
        dense->fixed, dense->is_marginal, dense->residuals + set * n, jitter, own->slopes.work,
        own->slopes.solved, &by_variance);
    memset(gradient + first, 0, (dense->layout->n_parameters - first) * sizeof *gradient);
    gradient[first] = 2.0 * jitter * by_variance;
    fill_by_mean(dense, own, gradient);
    return log_likelihood;
}

/* Jitters, and parameters of the terms. */
static void fill_by_noise(const dense_likelihood *dense, const double *jitters, const double *noise,
                          const noise_slopes *slopes, double *gradient)
{
    const parameter_layout *layout = dense->layout;
    size_t n = dense->dataset->n_obs, n_values = layout->columns[TERM_NOISE].n;
    double *by_jitter = gradient + parameter_layout_first(layout, TERM_JITTERS),
           *by_value = gradient + parameter_layout_first(layout, TERM_NOISE),
           values[NOISE_KIND_MOST_TERMS * NOISE_KIND_MOST_PARAMETERS];
    memset(by_jitter, 0, layout->columns[TERM_JITTERS].n * sizeof *by_jitter);
    for (size_t k = 0; k < n; k++) {
        int instrument = dense->dataset->instrument[k];
        by_jitter[instrument] += 2.0 * jitters[instrument] * slopes->by_variance[k];
    }
    memcpy(values, noise, n_values * sizeof *values);
    for (size_t i = 0; i < n_values; i++)
        by_value[i] = noise_gradient_parameter(&layout->noise, values, i, dense->n_night_places,
                                               slopes->by_block);
}

static double differentiate_own(const dense_likelihood *dense, size_t set, const double *noise,
                                dense_worker *with, double *gradient)
{
    const noise_factor_rows rows = dense_likelihood_rows(dense);
    noise_process process;
    if (!dense_likelihood_process(dense, set, noise, &process, with->variances))
        return -INFINITY;
    double log_likelihood = noise_slopes_find(&process, &rows, dense->residuals + set * rows.n,
                                              with->variances, &with->factor, &with->slopes);
    if (!isfinite(log_likelihood))
        return log_likelihood;
    fill_by_mean(dense, with, gradient);
    fill_by_noise(dense, dense_likelihood_jitters(dense, set), noise, &with->slopes, gradient);
    return log_likelihood;
}

/* Sets of the batch from `first` on, whose Jacobians lie in as many workers. */
typedef struct group {
    const dense_likelihood *dense;
    size_t first;
    const double *parameters;
    double *log_likelihood, *gradient;
} group;

static void differentiate_some(void *context, size_t first, size_t end, int thread)
{
    const group *of = context;
    const dense_likelihood *dense = of->dense;
    const size_t width = dense->layout->n_parameters,
                 place = parameter_layout_first(dense->layout, TERM_NOISE);
    (void)thread;
    for (size_t i = first; i < end; i++) {
        size_t set = of->first + i;
        double *own = of->gradient + set * width;
        dense_worker *with = &dense->workers[i];
        of->log_likelihood[set] =
            dense->fixed
                ? differentiate_shared(dense, set, with, own)
                : differentiate_own(dense, set, of->parameters + set * width + place, with, own);
        if (isfinite(of->log_likelihood[set]))
            continue;
        of->log_likelihood[set] = -INFINITY;
        for (size_t j = 0; j < width; j++)
            own[j] = NAN;
    }
}

static void differentiate_group(const dense_likelihood *dense, size_t first, size_t n,
                                const double *parameters, double *log_likelihood, double *gradient)
{
    group of = {dense, first, parameters, log_likelihood, gradient};
    parallel_for((int)n, n, 1, differentiate_some, &of);
}

static equant_status differentiate_batch(dense_likelihood *dense, size_t n,
                                         const double *parameters, double *log_likelihood,
                                         double *gradient)
{
    size_t n_threads = (size_t)dense->n_threads;
    equant_status status = dense_likelihood_subtract(dense, n, parameters);
    for (size_t first = 0; first < n && status == EQUANT_SUCCESS; first += n_threads) {
        size_t count = n - first < n_threads ? n - first : n_threads;
        for (size_t i = 0; i < count && status == EQUANT_SUCCESS; i++) {
            const equant_derivatives wanted = {.struct_size = sizeof wanted,
                                               .jacobian = dense->workers[i].jacobian};
            status =
                equant_evaluator_differentiate(dense->evaluator, EQUANT_BASIS_ELEMENTS, 1,
                                               dense->sets + (first + i) * dense->n_inner, &wanted);
        }
        if (status == EQUANT_SUCCESS)
            differentiate_group(dense, first, count, parameters, log_likelihood, gradient);
    }
    return status;
}

equant_status dense_likelihood_differentiate(dense_likelihood *dense, size_t n_sets,
                                             const double *parameters, double *log_likelihood,
                                             double *gradient)
{
    const size_t width = dense->layout->n_parameters;
    equant_status status = reserve(dense);
    for (size_t done = 0; done < n_sets && status == EQUANT_SUCCESS; done += DENSE_BATCH) {
        size_t n = n_sets - done < DENSE_BATCH ? n_sets - done : DENSE_BATCH;
        status = differentiate_batch(dense, n, parameters + done * width, log_likelihood + done,
                                     gradient + done * width);
    }
    return status;
}
