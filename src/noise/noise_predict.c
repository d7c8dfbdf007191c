/* What the noise was at other times, given the rows: a column of covariances for each of them, and
 * the factor of the rows. */
#include "noise/noise_predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/nights.h"
#include "noise/noise_rows.h"

/* Times that are predicted together. */
enum { AT_ONCE = 32 };

static noise_place place_of(const noise_factor_rows *rows, const double *nights, size_t k)
{
    return (noise_place){.time_days = rows->time_days[k],
                         .night = nights[k],
                         .alpha = rows->alpha ? rows->alpha[k] : 1.0,
                         .beta = rows->beta ? rows->beta[k] : 0.0,
                         .instrument = rows->instruments ? rows->instruments[k] : 0,
                         .owner = rows->owners ? rows->owners[k] : 0};
}

typedef struct prediction {
    const noise_process *process;
    const noise_factor_rows *rows, *at;
    double *row_nights, *at_nights;
    noise_workspace whitened; /* the values, then covariances */
} prediction;

static void prediction_free(prediction *work)
{
    free(work->row_nights);
    free(work->at_nights);
    noise_workspace_free(&work->whitened);
}

static equant_status prediction_create(prediction *work)
{
    size_t n = work->rows->n;
    work->row_nights = calloc(n, sizeof(double));
    work->at_nights = calloc(work->at->n, sizeof(double));
    if (!work->row_nights || !work->at_nights)
        return status_out_of_memory();
    equant_status status = noise_workspace_create(
        n, AT_ONCE + 1, noise_covariance_is_whole(work->process), &work->whitened);
    const int *own = work->rows->instruments, *asked = work->at->instruments;
    if (status == EQUANT_SUCCESS &&
        (nights_number(n, work->rows->time_days, own, n, work->rows->time_days, own,
                       work->row_nights) != EQUANT_SUCCESS ||
         nights_number(n, work->rows->time_days, own, work->at->n, work->at->time_days, asked,
                       work->at_nights) != EQUANT_SUCCESS))
        status = status_out_of_memory();
    return status;
}

/* Times first ... first + n - 1 of those that are asked for. */
static void predict_some(prediction *work, const double *values, size_t first, size_t n,
                         double *mean, double *variance)
{
    size_t n_rows = work->rows->n, width = n + 1;
    double *columns = work->whitened.columns;
    for (size_t k = 0; k < n_rows; k++) {
        const noise_place row = place_of(work->rows, work->row_nights, k);
        columns[k * width] = values[k];
        for (size_t j = 0; j < n; j++) {
            const noise_place wanted = place_of(work->at, work->at_nights, first + j);
            columns[k * width + 1 + j] = noise_covariance(work->process, &row, &wanted);
        }
    }
    noise_factor_whiten(&work->whitened.factor, width, columns, work->whitened.state);
    for (size_t j = 0; j < n; j++) {
        const noise_place wanted = place_of(work->at, work->at_nights, first + j);
        double sum = 0.0, left = noise_covariance(work->process, &wanted, &wanted);
        for (size_t k = 0; k < n_rows; k++) {
            double own = columns[k * width + 1 + j];
            sum += own * columns[k * width];
            left -= own * own;
        }
        if (mean)
            mean[first + j] = sum;
        if (variance)
            variance[first + j] = left > 0.0 ? left : 0.0;
    }
}

static void predict_all(prediction *work, const double *values, const double *variances,
                        double *mean, double *variance)
{
    size_t n = work->at->n;
    bool is_there = noise_factor_make(&work->whitened.factor, work->process, work->rows, variances);
    for (size_t first = 0; first < n && is_there; first += AT_ONCE)
        predict_some(work, values, first, n - first < AT_ONCE ? n - first : AT_ONCE, mean,
                     variance);
    for (size_t j = 0; j < n && !is_there; j++) {
        if (mean)
            mean[j] = NAN;
        if (variance)
            variance[j] = NAN;
    }
}

equant_status noise_predict_rows(const noise_process *process, const noise_factor_rows *rows,
                                 const double *values, const double *variances,
                                 const noise_factor_rows *at, double *mean, double *variance)
{
    prediction work = {.process = process, .rows = rows, .at = at};
    equant_status status = prediction_create(&work);
    if (status == EQUANT_SUCCESS)
        predict_all(&work, values, variances, mean, variance);
    prediction_free(&work);
    return status;
}

/* Nights of other instruments than those of the rows, and nights where nobody says whose, have no
 * block: what is asked for there sees none of them. */
enum { NOBODY = -1 };

static equant_status name_nobody(const noise_rows *rows, noise_factor_rows *at, int **made)
{
    *made = malloc(at->n * sizeof **made);
    if (!*made)
        return status_out_of_memory();
    for (size_t j = 0; j < at->n; j++)
        (*made)[j] = at->instruments && at->instruments[j] < rows->n_instruments
                         ? at->instruments[j]
                         : NOBODY;
    at->instruments = at->owners = *made;
    return EQUANT_SUCCESS;
}

equant_status equant_noise_predict(const equant_noise *noise, const equant_noise_rows *given,
                                   const double *parameters, const equant_noise_rows *at,
                                   double *mean, double *variance)
{
    if (!noise || !given || !at)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a prediction needs noise, rows and times");
    noise_rows rows, wanted = {.begins_night = NULL};
    noise_process process;
    int *instruments = NULL;
    equant_status status = noise_rows_open(noise, given, NOISE_ROWS_VALUES, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    status = noise_rows_open(noise, at, NOISE_ROWS_TIMES, &wanted);
    if (status == EQUANT_SUCCESS)
        status = name_nobody(&rows, &wanted.of_factor, &instruments);
    if (status == EQUANT_SUCCESS &&
        !noise_sum_process(noise, parameters ? parameters : noise->values, rows.n_instruments,
                           &process))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "no noise has these parameters: there is nothing to predict");
    if (status == EQUANT_SUCCESS)
        status = noise_predict_rows(&process, &rows.of_factor, given->values, given->variances,
                                    &wanted.of_factor, mean, variance);
    free(instruments);
    noise_rows_close(&wanted);
    noise_rows_close(&rows);
    return status;
}
