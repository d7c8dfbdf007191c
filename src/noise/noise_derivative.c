/* How ln L changes with the parameters of the noise and with the variances of rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "noise/noise_rows.h"
#include "noise/noise_slopes.h"
#include "statistics/noise_gradient.h"

/* What is asked for, and of what. */
typedef struct derivative {
    const equant_noise *noise;
    const equant_noise_rows *given;
    const noise_rows *rows;
    double values[NOISE_SUM_MOST_PARAMETERS];
    noise_process process;
    double log_likelihood;
    double *by_parameter, *by_variance; /* as the caller wants them; NULL: not at all */
} derivative;

static void fill_nothing(derivative *wanted)
{
    wanted->log_likelihood = -INFINITY;
    for (size_t i = 0; i < wanted->noise->n_parameters && wanted->by_parameter; i++)
        wanted->by_parameter[i] = NAN;
    for (size_t k = 0; k < wanted->given->n && wanted->by_variance; k++)
        wanted->by_variance[k] = NAN;
}

static void fill(derivative *wanted, const noise_slopes *slopes)
{
    noise_kinds kinds = {.n = 0};
    for (size_t t = 0; t < wanted->noise->n_terms; t++)
        kinds.kind[kinds.n++] = noise_catalogue_number(wanted->noise->terms[t].kind);
    for (size_t i = 0; i < wanted->noise->n_parameters && wanted->by_parameter; i++)
        wanted->by_parameter[i] = noise_gradient_parameter(
            &kinds, wanted->values, i, wanted->rows->n_instruments, slopes->by_block);
    if (wanted->by_variance)
        memcpy(wanted->by_variance, slopes->by_variance,
               wanted->given->n * sizeof *wanted->by_variance);
}

static equant_status differentiate(derivative *wanted)
{
    const noise_factor_rows *rows = &wanted->rows->of_factor;
    bool is_whole = noise_slopes_need_whole(&wanted->process, rows);
    noise_factor factor = {.n_rows = 0};
    noise_slopes slopes = {.solved = NULL};
    equant_status status =
        is_whole ? noise_factor_create(rows->n, 1, true, &factor) : EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS)
        status = noise_slopes_create(rows->n, (size_t)wanted->process.n_states, is_whole, &slopes);
    if (status == EQUANT_SUCCESS) {
        wanted->log_likelihood = noise_slopes_find(&wanted->process, rows, wanted->given->values,
                                                   wanted->given->variances, &factor, &slopes);
        if (isfinite(wanted->log_likelihood))
            fill(wanted, &slopes);
        else
            fill_nothing(wanted);
    }
    noise_slopes_free(&slopes);
    noise_factor_free(&factor);
    return status;
}

equant_status equant_noise_differentiate(const equant_noise *noise, const equant_noise_rows *given,
                                         const double *parameters, double *log_likelihood,
                                         double *by_parameter, double *by_variance)
{
    if (!noise || !given)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a derivative needs noise and rows");
    noise_rows rows;
    equant_status status = noise_rows_open(noise, given, NOISE_ROWS_VALUES, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    derivative *wanted = calloc(1, sizeof *wanted);
    if (!wanted) {
        noise_rows_close(&rows);
        return status_out_of_memory();
    }
    *wanted = (derivative){.noise = noise,
                           .given = given,
                           .rows = &rows,
                           .by_parameter = by_parameter,
                           .by_variance = by_variance};
    memcpy(wanted->values, parameters ? parameters : noise->values,
           noise->n_parameters * sizeof *wanted->values);
    if (!noise_sum_process(noise, wanted->values, rows.n_instruments, &wanted->process))
        fill_nothing(wanted);
    else
        status = differentiate(wanted);
    if (status == EQUANT_SUCCESS && log_likelihood)
        *log_likelihood = wanted->log_likelihood;
    free(wanted);
    noise_rows_close(&rows);
    return status;
}
