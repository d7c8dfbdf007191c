#include "inference/sample/target/correlated_noise.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/dot_product.h"

struct correlated_noise {
    size_t n_obs;
    double *axes; /* [n_obs][n_obs]: row j is eigenvector j           */
    double *size; /* [n_obs]: eigenvalues of kernel + diag(sigma^2)    */
    double *ones; /* [n_obs]: the vector of ones along the axes        */
};

equant_status correlated_noise_covariance_take(const equant_quasi_periodic *quasi_periodic,
                                               correlated_noise_covariance *made)
{
    equant_status status = OPTIONS_CHECK(quasi_periodic);
    if (status != EQUANT_SUCCESS)
        return status;
    *made = (correlated_noise_covariance){
        .amplitude_m_s = OPTION_OR_ZERO(quasi_periodic, equant_quasi_periodic, amplitude_m_s),
        .period_days = OPTION_OR_ZERO(quasi_periodic, equant_quasi_periodic, period_days),
        .width = OPTION_OR_ZERO(quasi_periodic, equant_quasi_periodic, width),
        .decay_days = OPTION_OR_ZERO(quasi_periodic, equant_quasi_periodic, decay_days)};
    return EQUANT_SUCCESS;
}

void correlated_noise_free(correlated_noise *noise)
{
    if (!noise)
        return;
    free(noise->axes);
    free(noise->size);
    free(noise->ones);
    free(noise);
}

#ifdef EQUANT_HAVE_LAPACK

/* Eigenvalues and eigenvectors of a symmetric matrix, by divide and conquer. Fortran passes the
 * lengths of strings behind the arguments. */
void dsyevd_(const char *job, const char *triangle, const int *n, double *a, const int *lda,
             double *eigenvalues, double *work, const int *n_work, int *integer_work,
             const int *n_integer_work, int *info, size_t job_length, size_t triangle_length);

/* Its work array has 1 + 6 n + 2 n^2 elements, counted in 32 bits. */
enum { MAX_OBS = 30000 };

static equant_status check(const correlated_noise_covariance *wanted, size_t n_obs)
{
    if (!(wanted->amplitude_m_s >= 0.0 && isfinite(wanted->amplitude_m_s) &&
          wanted->period_days > 0.0 && isfinite(wanted->period_days) && wanted->width > 0.0 &&
          isfinite(wanted->width) && wanted->decay_days > 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "correlated noise needs an amplitude >= 0 and a period, a width and a "
                           "decay > 0");
    if (n_obs > MAX_OBS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "correlated noise is for up to %d observations, and there are %zu",
                           MAX_OBS, n_obs);
    return EQUANT_SUCCESS;
}

static double covariance(const correlated_noise_covariance *wanted, double dt)
{
    double across = sin(PI * dt / wanted->period_days) / wanted->width;
    double apart = dt / wanted->decay_days;
    return wanted->amplitude_m_s * wanted->amplitude_m_s *
           exp(-0.5 * (across * across + apart * apart));
}

static void fill_covariance(const correlated_noise_covariance *wanted,
                            const equant_dataset *dataset, double *matrix)
{
    const double *time = equant_dataset_times_days(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    size_t n = equant_dataset_n_obs(dataset);
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k <= j; k++) {
            double value = covariance(wanted, time[j] - time[k]);
            matrix[j * n + k] = matrix[k * n + j] = j == k ? value + sigma[j] * sigma[j] : value;
        }
}

/* Rounding may lower an eigenvalue below that of the uncertainties alone; the kernel cannot. */
static void raise_eigenvalues(const equant_dataset *dataset, correlated_noise *noise)
{
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    double least = INFINITY;
    for (size_t k = 0; k < noise->n_obs; k++)
        least = fmin(least, sigma[k] * sigma[k]);
    for (size_t j = 0; j < noise->n_obs; j++)
        noise->size[j] = fmax(noise->size[j], least);
}

static equant_status decompose(correlated_noise *noise)
{
    int n = (int)noise->n_obs, n_integers = 3 + 5 * n, info = 0;
    int n_work = 1 + 6 * n + 2 * n * n;
    double *work = malloc((size_t)n_work * sizeof *work);
    int *integers = malloc((size_t)n_integers * sizeof *integers);
    if (work && integers)
        dsyevd_("V", "L", &n, noise->axes, &n, noise->size, work, &n_work, integers, &n_integers,
                &info, 1, 1);
    equant_status status = EQUANT_SUCCESS;
    if (!work || !integers)
        status = status_out_of_memory();
    else if (info != 0)
        status = status_fail(EQUANT_ERROR_INTERNAL,
                             "the covariance of the noise could not be decomposed (%d)", info);
    free(work);
    free(integers);
    return status;
}

static equant_status fill(const correlated_noise_covariance *wanted, const equant_dataset *dataset,
                          correlated_noise *noise)
{
    size_t n = noise->n_obs;
    noise->axes = malloc(n * n * sizeof *noise->axes);
    noise->size = malloc(n * sizeof *noise->size);
    noise->ones = malloc(n * sizeof *noise->ones);
    double *ones = malloc(n * sizeof *ones);
    equant_status status = EQUANT_SUCCESS;
    if (!noise->axes || !noise->size || !noise->ones || !ones) {
        status = status_out_of_memory();
    } else {
        fill_covariance(wanted, dataset, noise->axes);
        status = decompose(noise);
    }
    if (status == EQUANT_SUCCESS) {
        raise_eigenvalues(dataset, noise);
        for (size_t k = 0; k < n; k++)
            ones[k] = 1.0;
        correlated_noise_rotate(noise, 1, ones, noise->ones);
    }
    free(ones);
    return status;
}

equant_status correlated_noise_create(const correlated_noise_covariance *wanted,
                                      const equant_dataset *dataset, correlated_noise **made)
{
    equant_status status = check(wanted, equant_dataset_n_obs(dataset));
    if (status != EQUANT_SUCCESS)
        return status;
    correlated_noise *noise = calloc(1, sizeof *noise);
    if (!noise)
        return status_out_of_memory();
    noise->n_obs = equant_dataset_n_obs(dataset);
    status = fill(wanted, dataset, noise);
    if (status != EQUANT_SUCCESS) {
        correlated_noise_free(noise);
        return status;
    }
    *made = noise;
    return EQUANT_SUCCESS;
}

#else

equant_status correlated_noise_create(const correlated_noise_covariance *wanted,
                                      const equant_dataset *dataset, correlated_noise **made)
{
    (void)wanted;
    (void)dataset;
    (void)made;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "this library was built without LAPACK and knows no correlated noise");
}

#endif

void correlated_noise_rotate(const correlated_noise *noise, size_t n_sets, const double *residuals,
                             double *rotated)
{
    size_t n = noise->n_obs;
    for (size_t j = 0; j < n; j++)
        for (size_t s = 0; s < n_sets; s++)
            rotated[s * n + j] = dot_product(n, noise->axes + j * n, residuals + s * n);
}

/* Sums over the axes, with u the rotated vector of ones. */
typedef struct axis_sums {
    double zz, uz, uu; /* of products over l + s^2 */
    double log_size;   /* of ln(l + s^2)           */
} axis_sums;

static axis_sums sum_over_axes(const correlated_noise *noise, const double *rotated,
                               double jitter_m_s)
{
    axis_sums sums = {.zz = 0.0};
    double variance = jitter_m_s * jitter_m_s;
    for (size_t j = 0; j < noise->n_obs; j++) {
        double size = noise->size[j] + variance, z = rotated[j], u = noise->ones[j];
        sums.zz += z * z / size;
        sums.uz += u * z / size;
        sums.uu += u * u / size;
        sums.log_size += log(size);
    }
    return sums;
}

static double log_gaussian(const correlated_noise *noise, const axis_sums *sums)
{
    return -0.5 * (sums->zz + sums->log_size + (double)noise->n_obs * LOG_TWO_PI);
}

double correlated_noise_log_likelihood(const correlated_noise *noise, const double *rotated,
                                       double jitter_m_s)
{
    axis_sums sums = sum_over_axes(noise, rotated, jitter_m_s);
    return log_gaussian(noise, &sums);
}

double correlated_noise_log_marginal(const correlated_noise *noise, const double *rotated,
                                     double jitter_m_s)
{
    axis_sums sums = sum_over_axes(noise, rotated, jitter_m_s);
    return log_gaussian(noise, &sums) + 0.5 * sums.uz * sums.uz / sums.uu -
           0.5 * (log(sums.uu) - LOG_TWO_PI);
}
