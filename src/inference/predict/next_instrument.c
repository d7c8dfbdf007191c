#include "inference/predict/next_instrument.h"

#include <stdlib.h>

#include "core/status_fail.h"

/* A tenth of what any spectrograph aims at; beyond the other, nothing is known. */
#define LEAST_UNCERTAINTY_M_S 1e-3
#define SPEED_OF_LIGHT_M_S 299792458.0

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static equant_status median_uncertainty(const equant_dataset *dataset, size_t instrument,
                                        double *median)
{
    size_t n_obs = equant_dataset_n_obs(dataset), n = 0;
    const int *made_by = equant_dataset_instruments(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    double *own = malloc(n_obs * sizeof *own);
    if (!own)
        return status_out_of_memory();
    for (size_t k = 0; k < n_obs; k++)
        if ((size_t)made_by[k] == instrument)
            own[n++] = sigma[k];
    qsort(own, n, sizeof *own, by_number);
    *median = n > 0 ? 0.5 * (own[(n - 1) / 2] + own[n / 2]) : 0.0;
    free(own);
    return n > 0 ? EQUANT_SUCCESS
                 : status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "instrument %zu has no observation whose uncertainty a new one "
                               "could have; say how large it is",
                               instrument + 1);
}

equant_status next_instrument_choose(const equant_dataset *dataset, size_t *instrument,
                                     double *uncertainty_m_s)
{
    size_t n = equant_dataset_n_instruments(dataset), n_obs = equant_dataset_n_obs(dataset);
    if (*instrument > n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the run has %zu instruments, and none has number %zu", n, *instrument);
    if (*uncertainty_m_s != 0.0 &&
        !(*uncertainty_m_s >= LEAST_UNCERTAINTY_M_S && *uncertainty_m_s <= SPEED_OF_LIGHT_M_S))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an uncertainty of %g m/s is that of no observation: it lies between "
                           "0.001 m/s and the speed of light",
                           *uncertainty_m_s);
    *instrument =
        *instrument > 0 ? *instrument - 1 : (size_t)equant_dataset_instruments(dataset)[n_obs - 1];
    return *uncertainty_m_s > 0.0 ? EQUANT_SUCCESS
                                  : median_uncertainty(dataset, *instrument, uncertainty_m_s);
}
