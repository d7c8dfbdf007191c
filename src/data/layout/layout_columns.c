#include "data/layout/layout_columns.h"

#include <stdio.h>

#include "core/status_fail.h"
#include "data/text_number.h"

/* ---- by name ----------------------------------------------------------- */

void layout_columns_clear(table_layout *layout)
{
    for (int role = 0; role < COLUMN_N_ROLES; role++)
        layout->column[role] = -1;
    for (int i = 0; i < INDICATOR_CATALOGUE_MOST; i++)
        layout->indicator[i] = layout->indicator_uncertainty[i] = -1;
}

static int *indicator_place(table_layout *layout, int indicator, bool is_uncertainty)
{
    return is_uncertainty ? &layout->indicator_uncertainty[indicator]
                          : &layout->indicator[indicator];
}

void layout_columns_by_name(const text_slice *names, size_t n, table_layout *layout,
                            int second[COLUMN_N_ROLES])
{
    int rank[COLUMN_N_ROLES] = {0};
    layout_columns_clear(layout);
    for (int role = 0; role < COLUMN_N_ROLES; role++)
        second[role] = -1;
    for (size_t i = 0; i < n; i++) {
        column_meaning meaning = column_role_of(names[i]);
        if (meaning.indicator >= 0) {
            int *place =
                indicator_place(layout, meaning.indicator, meaning.is_indicator_uncertainty);
            *place = *place < 0 ? (int)i : *place;
        }
        if (meaning.role == COLUMN_OTHER)
            continue;
        int *best = &layout->column[meaning.role];
        if (*best < 0 || meaning.rank < rank[meaning.role]) {
            *best = (int)i;
            rank[meaning.role] = meaning.rank;
            second[meaning.role] = -1;
        } else if (meaning.rank == rank[meaning.role] && second[meaning.role] < 0) {
            second[meaning.role] = (int)i;
        }
    }
}

void layout_columns_list(const text_slice *names, size_t n, char *buffer, size_t n_buffer)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < n && used + 8 < n_buffer; i++) {
        char shown[40];
        text_show(names[i], shown, sizeof shown);
        int written = snprintf(buffer + used, n_buffer - used, "%s%s", i > 0 ? ", " : "",
                               shown[0] != '\0' ? shown : "(unnamed)");
        used += written > 0 ? (size_t)written : 0;
    }
}

/* ---- by choice --------------------------------------------------------- */

static equant_status fail_to_find(const column_choice *choice, const char *name, size_t line,
                                  const text_slice *names, size_t n, size_t n_columns)
{
    char key[40], column[40], listed[300];
    text_show(choice->key, key, sizeof key);
    text_show(choice->column, column, sizeof column);
    if (line == 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: there is no column '%s' for '%s': no column has a name here, and "
                           "numbers go from 1 to %zu",
                           name, column, key, n_columns);
    layout_columns_list(names, n, listed, sizeof listed);
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: there is no column '%s' for '%s'; by name there are %s, by number "
                       "1 to %zu",
                       name, line, column, key, listed, n_columns);
}

/* A column that the caller gave one part cannot play another that was merely recognised. */
static void take_from_others(table_layout *layout, int column)
{
    for (int role = 0; role < COLUMN_N_ROLES; role++)
        if (layout->column[role] == column)
            layout->column[role] = -1;
    for (int i = 0; i < INDICATOR_CATALOGUE_MOST; i++) {
        if (layout->indicator[i] == column)
            layout->indicator[i] = -1;
        if (layout->indicator_uncertainty[i] == column)
            layout->indicator_uncertainty[i] = -1;
    }
}

static int *chosen_place(table_layout *layout, const column_choice *choice)
{
    return choice->indicator < 0
               ? &layout->column[choice->role]
               : indicator_place(layout, choice->indicator, choice->is_indicator_uncertainty);
}

equant_status layout_columns_choose(const reading_request *request, const char *name, size_t line,
                                    const text_slice *names, size_t n, size_t n_columns,
                                    table_layout *layout)
{
    int column[READING_REQUEST_CHOICES];
    for (size_t i = 0; i < request->n_choices; i++) {
        const column_choice *choice = &request->choices[i];
        column[i] = choice->is_none ? -1 : reading_request_column(choice, names, n, n_columns);
        if (column[i] < 0 && !choice->is_none)
            return fail_to_find(choice, name, line, names, n, n_columns);
        for (size_t j = 0; j < i; j++)
            if (column[j] == column[i]) {
                char one[40], other[40];
                return status_fail(EQUANT_ERROR_FORMAT, "%s: '%s' and '%s' are the same column, %d",
                                   name, text_show(request->choices[j].key, one, sizeof one),
                                   text_show(choice->key, other, sizeof other), column[i] + 1);
            }
    }
    for (size_t i = 0; i < request->n_choices; i++)
        take_from_others(layout, column[i]);
    for (size_t i = 0; i < request->n_choices; i++)
        *chosen_place(layout, &request->choices[i]) = column[i];
    return EQUANT_SUCCESS;
}

/* ---- by contents ------------------------------------------------------- */

static bool is_number(text_slice cell)
{
    double value;
    return text_number_read(cell, &value) || text_number_is_not_finite(cell);
}

int layout_columns_prefer_numbers(const text_slice *names, size_t n, const text_slice *first_row,
                                  size_t n_cells, table_layout *layout)
{
    int *time = &layout->column[COLUMN_TIME], given_up = *time, best_rank = 0;
    if (given_up < 0 || (size_t)given_up >= n_cells || is_number(first_row[given_up]))
        return -1;
    for (size_t i = 0; i < n && i < n_cells; i++) {
        column_meaning meaning = column_role_of(names[i]);
        if (meaning.role != COLUMN_TIME || !is_number(first_row[i]))
            continue;
        if (*time == given_up || meaning.rank < best_rank) {
            *time = (int)i;
            best_rank = meaning.rank;
        }
    }
    return *time != given_up ? given_up : -1;
}

/* ---- what is left ------------------------------------------------------ */

static bool is_used(const table_layout *layout, int column)
{
    for (int role = 0; role < COLUMN_N_ROLES; role++)
        if (layout->column[role] == column && role != COLUMN_OTHER_FLAG)
            return true;
    for (int i = 0; i < INDICATOR_CATALOGUE_MOST; i++) {
        bool has_values = layout->indicator[i] >= 0;
        if (layout->indicator[i] == column ||
            (has_values && layout->indicator_uncertainty[i] == column))
            return true;
    }
    return false;
}

equant_status layout_columns_note_ignored(const text_slice *names, size_t n,
                                          const table_layout *layout, dataset_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        char shown[COLUMN_NAME_SIZE];
        text_show(names[i], shown, sizeof shown);
        if (shown[0] != '\0' && !is_used(layout, (int)i))
            status = dataset_builder_ignore(builder, shown);
    }
    return status;
}
