/* Draws from a noise: white numbers, coloured by the factor of its covariance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "noise/noise_rows.h"
#include "statistics/random_draw.h"

/* Of the variance of a row, where it has less white noise than that: two rows at one time would
 * leave D = 0, or less by rounding. A hundred-thousandth of the amplitude is seen by nobody. */
#define LEAST_SHARE 1e-10

static double process_variance(const noise_process *process, const noise_factor_rows *rows,
                               size_t k)
{
    double u[NOISE_PROCESS_MOST_STATES], v[NOISE_PROCESS_MOST_STATES], sum = 0.0;
    noise_row row = {.alpha = rows->alpha ? rows->alpha[k] : 1.0,
                     .beta = rows->beta ? rows->beta[k] : 0.0,
                     .instrument = rows->instruments ? rows->instruments[k] : 0,
                     .owner = rows->owners ? rows->owners[k] : 0};
    for (int b = 0; b < process->n_blocks; b++)
        sum += noise_block_view(&process->block[b], &row, u, v);
    return sum;
}

static equant_status factor_rows(const noise_process *process, const noise_factor_rows *rows,
                                 const double *variances, noise_workspace *work)
{
    double largest = 0.0; /* rows that see no term have a little of it, too */
    for (size_t k = 0; k < rows->n; k++)
        largest = fmax(largest, process_variance(process, rows, k));
    for (size_t k = 0; k < rows->n; k++) {
        double own = process_variance(process, rows, k);
        work->columns[k] =
            fmax(variances ? variances[k] : 0.0, LEAST_SHARE * (own > 0.0 ? own : largest));
    }
    if (!noise_factor_make(&work->factor, process, rows, work->columns))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "these parameters leave no covariance that numbers can carry: give "
                           "rows more variance of their own");
    return EQUANT_SUCCESS;
}

static void draw(uint64_t seed, uint64_t number, noise_workspace *work, double *values)
{
    size_t n = work->factor.n_rows;
    random_stream stream = {.seed = seed, .purpose = RANDOM_PURPOSE_NOISE, .substream = 1};
    for (size_t k = 0; k < n; k++) {
        random_uniforms pair = random_uniforms_at(stream, number * ((n + 1) / 2) + k / 2);
        values[k] = random_normal_quantile(pair.half[k % 2]);
    }
    noise_factor_colour(&work->factor, 1, values, work->state);
}

equant_status equant_noise_draw(const equant_noise *noise, const equant_noise_rows *given,
                                const double *parameters, uint64_t seed, uint64_t first,
                                size_t n_draws, double *values)
{
    if (!noise || !given || !values)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a draw needs noise, rows and a place to put it");
    noise_rows rows;
    equant_status status = noise_rows_open(noise, given, NOISE_ROWS_TIMES, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    noise_process process;
    noise_workspace work;
    status = noise_workspace_create(given->n, 1, noise_sum_is_whole(noise), &work);
    if (status == EQUANT_SUCCESS &&
        !noise_sum_process(noise, parameters ? parameters : noise->values, rows.n_instruments,
                           &process))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "no noise has these parameters: there is nothing to draw");
    if (status == EQUANT_SUCCESS)
        status = factor_rows(&process, &rows.of_factor, given->variances, &work);
    for (size_t i = 0; i < n_draws && status == EQUANT_SUCCESS; i++)
        draw(seed, first + i, &work, values + i * given->n);
    noise_workspace_free(&work);
    noise_rows_close(&rows);
    return status;
}
