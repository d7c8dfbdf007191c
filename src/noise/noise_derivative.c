/* How ln L changes with the noise: backwards through the recursion where states carry it, by whole
 * matrices otherwise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "noise/noise_rows.h"
#include "noise/noise_whole.h"
#include "statistics/noise_gradient.h"

#define LN_TWO_PI 1.8378770664093454836

/* What is asked for, and of what. */
typedef struct derivative {
    const equant_noise *noise;
    const equant_noise_rows *given;
    const noise_rows *rows;
    noise_kinds kinds;
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

/* ---- by states ---------------------------------------------------------------------------------
 */

typedef struct carried_memory {
    double *gaps, *kept;
    int *places;
} carried_memory;

static void walk(derivative *wanted, const carried_memory *memory)
{
    const size_t n = wanted->given->n;
    const noise_adjoint_rows rows = {.n = n,
                                     .gap_days = memory->gaps,
                                     .values = wanted->given->values,
                                     .variances = wanted->given->variances,
                                     .night_place = memory->places,
                                     .begins_night = wanted->rows->begins_night,
                                     .owners = wanted->rows->of_factor.owners};
    noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS];
    double chi_square, log_determinant;
    for (size_t k = 0; k < n; k++) {
        const double *time = wanted->given->time_days;
        memory->gaps[k] = k > 0 ? time[k] - time[k - 1] : 0.0;
        memory->places[k] =
            wanted->rows->of_factor.instruments ? wanted->rows->of_factor.instruments[k] : 0;
    }
    if (!noise_adjoint_forward(&wanted->process, &rows, memory->kept, &chi_square,
                               &log_determinant)) {
        fill_nothing(wanted);
        return;
    }
    wanted->log_likelihood = -0.5 * (chi_square + log_determinant + (double)n * LN_TWO_PI);
    noise_adjoint_backward(&wanted->process, &rows, memory->kept, -0.5, -0.5, NULL,
                           wanted->by_variance, by_block);
    for (size_t i = 0; i < wanted->noise->n_parameters && wanted->by_parameter; i++)
        wanted->by_parameter[i] = noise_gradient_parameter(&wanted->kinds, wanted->values, i,
                                                           wanted->rows->n_instruments, by_block);
}

static equant_status differentiate_carried(derivative *wanted)
{
    size_t n = wanted->given->n, size = noise_adjoint_kept((size_t)wanted->process.n_states);
    carried_memory memory = {.gaps = malloc(n * sizeof(double)),
                             .kept = malloc(n * size * sizeof(double)),
                             .places = malloc(n * sizeof(int))};
    equant_status status =
        memory.gaps && memory.kept && memory.places ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        walk(wanted, &memory);
    free(memory.gaps);
    free(memory.kept);
    free(memory.places);
    return status;
}

/* ---- by matrices -------------------------------------------------------------------------------
 */

static void slopes_of_parameters(derivative *wanted, const double *slopes,
                                 const noise_factor *factor)
{
    noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS];
    noise_whole_slopes_of_blocks(factor, &wanted->process, slopes, by_block);
    for (size_t i = 0; i < wanted->noise->n_parameters; i++)
        wanted->by_parameter[i] = noise_gradient_parameter(&wanted->kinds, wanted->values, i,
                                                           wanted->rows->n_instruments, by_block);
}

static void multiply_out(derivative *wanted, noise_factor *factor, double *inverse, double *slopes,
                         double *vectors)
{
    size_t n = wanted->given->n;
    double *whitened = vectors, *solved = vectors + n, chi_square = 0.0;
    if (!noise_whole_decompose(factor, &wanted->process, &wanted->rows->of_factor,
                               wanted->given->variances)) {
        fill_nothing(wanted);
        return;
    }
    memcpy(whitened, wanted->given->values, n * sizeof *whitened);
    noise_whole_whiten(factor, 1, whitened);
    for (size_t k = 0; k < n; k++)
        chi_square += whitened[k] * whitened[k];
    wanted->log_likelihood = -0.5 * (chi_square + factor->log_determinant + (double)n * LN_TWO_PI);
    noise_whole_differentiate(factor, whitened, solved, inverse, slopes);
    for (size_t k = 0; k < n && wanted->by_variance; k++)
        wanted->by_variance[k] = slopes[k * n + k];
    if (wanted->by_parameter)
        slopes_of_parameters(wanted, slopes, factor);
}

static equant_status differentiate_whole(derivative *wanted)
{
    size_t n = wanted->given->n;
    noise_factor factor;
    equant_status status = noise_factor_create(n, 1, &factor);
    if (status == EQUANT_SUCCESS)
        status = noise_factor_make_whole(&factor);
    bool has_room = status == EQUANT_SUCCESS;
    double *inverse = has_room ? malloc(n * n * sizeof *inverse) : NULL,
           *slopes = has_room ? malloc(n * n * sizeof *slopes) : NULL,
           *vectors = has_room ? malloc(2 * n * sizeof *vectors) : NULL;
    if (has_room && (!inverse || !slopes || !vectors))
        status = status_out_of_memory();
    factor.n_rows = n;
    if (status == EQUANT_SUCCESS)
        multiply_out(wanted, &factor, inverse, slopes, vectors);
    free(inverse);
    free(slopes);
    free(vectors);
    noise_factor_free(&factor);
    return status;
}

/* ---- both --------------------------------------------------------------------------------------
 */

/* Rows that see the process itself, as the recursion backwards takes them. */
static bool is_plain(const noise_factor_rows *rows)
{
    for (size_t k = 0; k < rows->n; k++)
        if ((rows->alpha && rows->alpha[k] != 1.0) || (rows->beta && rows->beta[k] != 0.0))
            return false;
    return true;
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
    for (size_t t = 0; t < noise->n_terms; t++)
        wanted->kinds.kind[wanted->kinds.n++] = noise_catalogue_number(noise->terms[t].kind);
    if (!noise_sum_process(noise, wanted->values, rows.n_instruments, &wanted->process))
        fill_nothing(wanted);
    else if (!noise_sum_is_whole(noise) && is_plain(&rows.of_factor))
        status = differentiate_carried(wanted);
    else
        status = differentiate_whole(wanted);
    if (status == EQUANT_SUCCESS && log_likelihood)
        *log_likelihood = wanted->log_likelihood;
    free(wanted);
    noise_rows_close(&rows);
    return status;
}
