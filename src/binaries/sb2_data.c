#include "binaries/sb2_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/memory_size.h"
#include "core/status_fail.h"

enum { N_COLUMNS = 5, PLACE_LENGTH = 32 };

equant_status sb2_row_check(const sb2_row *row, const char *place)
{
    if (!isfinite(row->time_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%s: there is no time", place);
    for (int i = 0; i < 2; i++)
        if (isfinite(row->velocity[i]) && !(row->error[i] > 0.0 && isfinite(row->error[i])))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "%s: velocity %d has no uncertainty above zero", place, i + 1);
    return EQUANT_SUCCESS;
}

equant_status sb2_data_add(equant_sb2 *data, const sb2_row *row)
{
    if (data->n == data->capacity) {
        size_t more = 2 * data->capacity + 64;
        void *grown = realloc(data->rows, memory_size_times(more, sizeof *data->rows));
        if (grown == NULL)
            return status_out_of_memory();
        data->rows = grown;
        data->capacity = more;
    }
    data->rows[data->n++] = *row;
    return EQUANT_SUCCESS;
}

equant_status sb2_data_settle(equant_sb2 *data)
{
    size_t n = data->n;
    data->columns = malloc(memory_size_times(n, N_COLUMNS * sizeof *data->columns));
    data->is_ordered = malloc(memory_size_times(n, sizeof *data->is_ordered));
    if (data->columns == NULL || data->is_ordered == NULL)
        return status_out_of_memory();
    for (size_t k = 0; k < n; k++) {
        const sb2_row *row = &data->rows[k];
        data->columns[k] = row->time_days;
        for (size_t i = 0; i < 2; i++) {
            data->columns[(1 + 2 * i) * n + k] = row->velocity[i];
            data->columns[(2 + 2 * i) * n + k] = row->error[i];
        }
        data->is_ordered[k] = row->is_ordered;
    }
    return EQUANT_SUCCESS;
}

void sb2_data_warn(equant_sb2 *data, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (data->n_warnings < SB2_MOST_WARNINGS)
        vsnprintf(data->warnings[data->n_warnings++], SB2_WARNING_LENGTH, format, arguments);
    va_end(arguments);
}

static equant_status add_rows(const equant_sb2_rows *rows, equant_sb2 *made)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < rows->n_rows && status == EQUANT_SUCCESS; k++) {
        const sb2_row row = {.time_days = rows->time_days[k],
                             .velocity = {rows->velocity_1_m_s[k], rows->velocity_2_m_s[k]},
                             .error = {rows->uncertainty_1_m_s[k], rows->uncertainty_2_m_s[k]},
                             .is_ordered = rows->is_ordered != NULL && rows->is_ordered[k]};
        char place[PLACE_LENGTH];
        snprintf(place, sizeof place, "row %zu", k);
        status = sb2_row_check(&row, place);
        if (status == EQUANT_SUCCESS)
            status = sb2_data_add(made, &row);
    }
    return status;
}

equant_status equant_sb2_create(const equant_sb2_rows *rows, equant_sb2 **data)
{
    equant_sb2_rows own;
    equant_status status = OPTIONS_CHECK(rows);
    if (status != EQUANT_SUCCESS)
        return status;
    OPTIONS_TAKE(own, rows);
    if (data == NULL || own.n_rows == 0 || own.time_days == NULL || own.velocity_1_m_s == NULL ||
        own.velocity_2_m_s == NULL || own.uncertainty_1_m_s == NULL ||
        own.uncertainty_2_m_s == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a double-lined binary needs times, two velocities and their "
                           "uncertainties, and a place for them");
    equant_sb2 *made = calloc(1, sizeof *made);
    status = made ? add_rows(&own, made) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = sb2_data_settle(made);
    if (status == EQUANT_SUCCESS)
        *data = made;
    else
        equant_sb2_free(made);
    return status;
}

void equant_sb2_free(equant_sb2 *data)
{
    if (data == NULL)
        return;
    free(data->rows);
    free(data->columns);
    free(data->is_ordered);
    free(data);
}

equant_status equant_sb2_rows_of(const equant_sb2 *data, equant_sb2_rows *rows)
{
    if (data == NULL || rows == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are no epochs to look at");
    equant_status status = OPTIONS_CHECK(rows);
    if (status != EQUANT_SUCCESS)
        return status;
    const double *columns = data->columns;
    equant_sb2_rows own = {.n_rows = data->n,
                           .time_days = columns,
                           .velocity_1_m_s = columns + data->n,
                           .uncertainty_1_m_s = columns + 2 * data->n,
                           .velocity_2_m_s = columns + 3 * data->n,
                           .uncertainty_2_m_s = columns + 4 * data->n,
                           .is_ordered = data->is_ordered};
    OPTIONS_FILL(own, rows);
    return EQUANT_SUCCESS;
}

const char *equant_sb2_warning(const equant_sb2 *data, size_t index)
{
    return data != NULL && index < data->n_warnings ? data->warnings[index] : NULL;
}
