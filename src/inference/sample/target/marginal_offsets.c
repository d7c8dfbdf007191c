#include "inference/sample/target/marginal_offsets.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/circle.h"

/* Sums run in this many parts by index, which compilers turn into vector code. */
enum { N_PARTS = 8 };

struct marginal_offsets {
    size_t n_instruments;
    size_t *begin;    /* [n_instruments + 1], of the variances of each instrument */
    double *variance; /* [n_obs], by instrument */
    double log_width;
};

static equant_status sum_widths(const priors *priors_of_star, marginal_offsets *offsets)
{
    size_t first = parameter_layout_first(priors_layout(priors_of_star), TERM_OFFSETS);
    for (size_t i = 0; i < offsets->n_instruments; i++) {
        const prior_density *prior = priors_of_column(priors_of_star, first + i);
        if (prior->kind != PRIOR_UNIFORM)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "offsets can be integrated out where their priors are uniform, and "
                               "that of %s is not",
                               priors_column_name(priors_of_star, first + i));
        if (offsets->begin[i + 1] > offsets->begin[i])
            offsets->log_width += log(prior->upper - prior->lower);
    }
    return EQUANT_SUCCESS;
}

static void sort_variances(const equant_dataset *dataset, marginal_offsets *offsets)
{
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    const int *instrument = equant_dataset_instruments(dataset);
    size_t n = 0;
    for (size_t i = 0; i < offsets->n_instruments; i++) {
        offsets->begin[i] = n;
        for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
            if (instrument[k] == (int)i)
                offsets->variance[n++] = sigma[k] * sigma[k];
    }
    offsets->begin[offsets->n_instruments] = n;
}

equant_status marginal_offsets_create(const equant_dataset *dataset, const priors *priors_of_star,
                                      marginal_offsets **made)
{
    marginal_offsets *offsets = calloc(1, sizeof *offsets);
    if (!offsets)
        return status_out_of_memory();
    offsets->n_instruments = equant_dataset_n_instruments(dataset);
    offsets->begin = calloc(offsets->n_instruments + 1, sizeof *offsets->begin);
    offsets->variance = calloc(equant_dataset_n_obs(dataset), sizeof *offsets->variance);
    equant_status status = EQUANT_SUCCESS;
    if (!offsets->begin || !offsets->variance) {
        status = status_out_of_memory();
    } else {
        sort_variances(dataset, offsets);
        status = sum_widths(priors_of_star, offsets);
    }
    if (status != EQUANT_SUCCESS) {
        marginal_offsets_free(offsets);
        return status;
    }
    *made = offsets;
    return EQUANT_SUCCESS;
}

void marginal_offsets_free(marginal_offsets *offsets)
{
    if (!offsets)
        return;
    free(offsets->begin);
    free(offsets->variance);
    free(offsets);
}

static double sum_of_weights(size_t n, const double *variance, double jitter_variance)
{
    double part[N_PARTS] = {0.0};
    size_t k = 0;
    for (; k + N_PARTS <= n; k += N_PARTS)
        for (size_t i = 0; i < N_PARTS; i++)
            part[i] += 1.0 / (variance[k + i] + jitter_variance);
    for (size_t i = 0; k < n; k++, i++)
        part[i] += 1.0 / (variance[k] + jitter_variance);
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

double marginal_offsets_log_factor(const marginal_offsets *offsets, const double *jitter_m_s)
{
    double factor = -offsets->log_width;
    for (size_t i = 0; i < offsets->n_instruments; i++) {
        size_t n = offsets->begin[i + 1] - offsets->begin[i];
        if (n == 0)
            continue;
        double weights =
            sum_of_weights(n, offsets->variance + offsets->begin[i], jitter_m_s[i] * jitter_m_s[i]);
        factor -= 0.5 * log(weights / TWO_PI);
    }
    return factor;
}

/* Of -1/2 ln W: s sum w^2 / W. */
void marginal_offsets_add_slopes(const marginal_offsets *offsets, const double *jitter_m_s,
                                 double *slopes)
{
    for (size_t i = 0; i < offsets->n_instruments; i++) {
        double weights = 0.0, squares = 0.0;
        for (size_t k = offsets->begin[i]; k < offsets->begin[i + 1]; k++) {
            double weight = 1.0 / (offsets->variance[k] + jitter_m_s[i] * jitter_m_s[i]);
            weights += weight;
            squares += weight * weight;
        }
        if (weights > 0.0)
            slopes[i] += jitter_m_s[i] * squares / weights;
    }
}

double marginal_offsets_log_width(const marginal_offsets *offsets)
{
    return offsets->log_width;
}
