#include "noise/noise_rows.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/nights.h"

static bool measures_derivatives(const equant_noise_rows *given)
{
    const double *beta = OPTION_OR_ZERO(given, equant_noise_rows, beta);
    for (size_t k = 0; beta && k < given->n; k++)
        if (beta[k] != 0.0)
            return true;
    return false;
}

static bool is_number(const double *numbers, size_t k)
{
    return !numbers || isfinite(numbers[k]);
}

static equant_status check_numbers(const equant_noise_rows *given, noise_rows_need need)
{
    const double *values = need == NOISE_ROWS_VALUES ? given->values : NULL;
    for (size_t k = 0; k < given->n; k++) {
        if (!isfinite(given->time_days[k]) || !is_number(values, k) ||
            !is_number(given->variances, k) || (given->variances && given->variances[k] < 0.0))
            return status_fail(
                EQUANT_ERROR_INVALID_ARGUMENT,
                "row %zu has a time or a value that is no number, or a variance that "
                "is none",
                k + 1);
        if (k > 0 && given->time_days[k] < given->time_days[k - 1])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "row %zu is earlier than the one before", k + 1);
    }
    return EQUANT_SUCCESS;
}

static equant_status check(const equant_noise *noise, const equant_noise_rows *given,
                           noise_rows_need need)
{
    equant_status status = OPTIONS_CHECK(given);
    if (status != EQUANT_SUCCESS)
        return status;
    bool has_times =
        OPTIONS_HAVE(given, equant_noise_rows, variances) && given->n > 0 && given->time_days;
    if (need == NOISE_ROWS_TIMES && !has_times)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "rows of noise need times");
    if (need == NOISE_ROWS_VALUES && (!has_times || !given->values || !given->variances))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "rows of noise need times, values and variances");
    status = check_numbers(given, need);
    for (size_t t = 0; t < noise->n_terms && status == EQUANT_SUCCESS; t++)
        if (!noise->terms[t].kind->is_smooth && measures_derivatives(given))
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "'%s' has no derivative, and beta asks for it",
                                 noise->terms[t].kind->name);
    return status;
}

equant_status noise_rows_open(const equant_noise *noise, const equant_noise_rows *given,
                              noise_rows_need need, noise_rows *rows)
{
    *rows = (noise_rows){.n_instruments = 1};
    equant_status status = check(noise, given, need);
    if (status != EQUANT_SUCCESS)
        return status;
    const int *instruments = OPTION_OR_ZERO(given, equant_noise_rows, instruments);
    rows->begins_night = malloc(given->n * sizeof *rows->begins_night);
    status = rows->begins_night ? nights_find(given->n, given->time_days, instruments,
                                              rows->begins_night, &rows->n_instruments)
                                : EQUANT_ERROR_OUT_OF_MEMORY;
    if (status == EQUANT_ERROR_OUT_OF_MEMORY)
        status = status_out_of_memory();
    else if (status != EQUANT_SUCCESS)
        status = status_fail(status, "numbers of instruments go from 0 to %d",
                             (int)NIGHTS_MOST_INSTRUMENTS - 1);
    if (status == EQUANT_SUCCESS)
        status = noise_sum_check_room(noise, rows->n_instruments);
    if (status != EQUANT_SUCCESS) {
        noise_rows_close(rows);
        return status;
    }
    rows->of_factor = (noise_factor_rows){.n = given->n,
                                          .time_days = given->time_days,
                                          .alpha = OPTION_OR_ZERO(given, equant_noise_rows, alpha),
                                          .beta = OPTION_OR_ZERO(given, equant_noise_rows, beta),
                                          .instruments = instruments,
                                          .begins_night = rows->begins_night,
                                          .owners = instruments};
    return EQUANT_SUCCESS;
}

void noise_rows_close(noise_rows *rows)
{
    free(rows->begins_night);
    rows->begins_night = NULL;
}

equant_status noise_workspace_create(size_t n_rows, size_t width, bool is_whole,
                                     noise_workspace *work)
{
    *work = (noise_workspace){
        .columns = malloc(n_rows * width * sizeof *work->columns),
        .state = malloc((NOISE_PROCESS_MOST_STATES + 1) * width * sizeof *work->state)};
    if (!work->columns || !work->state)
        return status_out_of_memory();
    return noise_factor_create(n_rows, NOISE_PROCESS_MOST_STATES, is_whole, &work->factor);
}

void noise_workspace_free(noise_workspace *work)
{
    free(work->columns);
    free(work->state);
    noise_factor_free(&work->factor);
}
