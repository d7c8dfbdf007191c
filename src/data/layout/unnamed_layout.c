#include "data/layout/unnamed_layout.h"

#include <string.h>

#include "core/status_fail.h"
#include "data/layout/column_cells.h"
#include "data/layout/layout_columns.h"
#include "data/layout/named_layout.h"

/* A comment that names the columns: as many names as there are cells, or fewer
 * with the usual three in front. */
static bool find_comment_header(layout_search *search, size_t n_cells, text_slice *names, size_t *n,
                                size_t *line_number)
{
    text_lines lines = search->preamble.comments;
    text_slice line;
    bool is_found = false;
    text_slice candidate[TEXT_MAX_CELLS];
    while (text_lines_next(&lines, &line) && lines.number < search->preamble.first_row_line) {
        text_slice comment = table_preamble_comment(line);
        size_t count =
            text_names(comment, table_preamble_delimiter(comment), candidate, TEXT_MAX_CELLS);
        if (count < 3 || count > n_cells || count > TEXT_MAX_CELLS)
            continue;
        table_layout guess;
        int second[COLUMN_N_ROLES];
        layout_columns_by_name(candidate, count, &guess, second);
        const int *column = guess.column;
        bool has_three = column[COLUMN_TIME] >= 0 && column[COLUMN_VELOCITY] >= 0 &&
                         column[COLUMN_UNCERTAINTY] >= 0;
        bool in_order = column[COLUMN_TIME] == 0 && column[COLUMN_VELOCITY] == 1 &&
                        column[COLUMN_UNCERTAINTY] == 2;
        if (has_three && (count == n_cells || in_order)) {
            memcpy(names, candidate, count * sizeof *names);
            *n = count;
            *line_number = lines.number;
            is_found = true;
        }
    }
    return is_found;
}

/* What stands behind time, velocity and uncertainty. */
static equant_status find_instrument_by_position(layout_search *search)
{
    table_layout *layout = search->layout;
    cells_kind fourth = layout->n_columns > 3 ? column_cells_kind(search, 3) : CELLS_NUMBERS;
    cells_kind fifth = layout->n_columns > 4 ? column_cells_kind(search, 4) : CELLS_NUMBERS;
    bool has_flags = layout->n_columns > 4 && fourth != CELLS_TEXT && fourth != CELLS_NUMBERS &&
                     fifth != CELLS_TEXT && fifth != CELLS_NUMBERS;
    if (has_flags) {
        layout->format = "PyORBIT table";
        layout->column[COLUMN_INSTRUMENT] = 4;
    } else if (fourth == CELLS_TEXT) {
        layout->column[COLUMN_INSTRUMENT] = 3;
    } else if (fourth == CELLS_IDS) {
        layout->format = "orvara table";
        layout->column[COLUMN_INSTRUMENT] = 3;
    }
    size_t n_used = has_flags ? 5 : table_layout_has(layout, COLUMN_INSTRUMENT) ? 4 : 3;
    bool is_well_known = search->preamble.is_systemic && layout->n_columns == 3;
    if (is_well_known)
        return EQUANT_SUCCESS;
    static const char *const readings[] = {"time, velocity, uncertainty",
                                           "time, velocity, uncertainty, instrument",
                                           "time, velocity, uncertainty, jitter flag, offset flag"};
    return dataset_builder_warn(search->builder, "%s: no column is named; read as %s%s",
                                search->name, readings[n_used - 3],
                                layout->n_columns > n_used ? "; further columns are left out" : "");
}

/* What the caller does not choose keeps its usual place, unless that is taken. */
static equant_status choose_by_number(const layout_search *search)
{
    static const struct {
        column_role role;
        const char *key;
    } required[] = {{COLUMN_TIME, "time"}, {COLUMN_VELOCITY, "rv"}, {COLUMN_UNCERTAINTY, "err"}};
    table_layout *layout = search->layout;
    equant_status status =
        layout_columns_choose(search->request, search->name, 0, NULL, 0, layout->n_columns, layout);
    for (size_t i = 0; i < sizeof required / sizeof required[0] && status == EQUANT_SUCCESS; i++)
        if (!table_layout_has(layout, required[i].role))
            status = status_fail(EQUANT_ERROR_FORMAT,
                                 "%s: the usual column of '%s' was chosen for something else; "
                                 "choose '%s' too",
                                 search->name, required[i].key, required[i].key);
    return status;
}

/* Fewer digits are a date. */
enum { FEWEST_TRANSIT_DIGITS = 14 };

/* Velocities of Gaia's spectrograph: the number of a transit stands before the usual three. */
static bool has_transit_first(const text_slice *cells, size_t n_cells)
{
    bool is_number = n_cells == 4 && cells[0].n >= FEWEST_TRANSIT_DIGITS;
    for (size_t i = 0; is_number && i < cells[0].n; i++)
        is_number = cells[0].start[i] >= '0' && cells[0].start[i] <= '9';
    return is_number;
}

static equant_status layout_of_transits(layout_search *search)
{
    table_layout *layout = search->layout;
    layout_columns_clear(layout);
    layout->column[COLUMN_TIME] = 1;
    layout->column[COLUMN_VELOCITY] = 2;
    layout->column[COLUMN_UNCERTAINTY] = 3;
    layout->n_columns = 4;
    layout->format = "Gaia epoch velocities";
    layout->customary_unit = EQUANT_UNIT_KM_S;
    return dataset_builder_warn(search->builder,
                                "%s: no column is named; read as transit, time, velocity, "
                                "uncertainty in km/s",
                                search->name);
}

static equant_status layout_by_position(layout_search *search, size_t n_cells)
{
    table_layout *layout = search->layout;
    if (n_cells < 3)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: this row has %zu cell%s; a row needs time, velocity and "
                           "uncertainty",
                           search->name, search->preamble.first_row_line, n_cells,
                           n_cells == 1 ? "" : "s");
    layout_columns_clear(layout);
    layout->column[COLUMN_TIME] = 0;
    layout->column[COLUMN_VELOCITY] = 1;
    layout->column[COLUMN_UNCERTAINTY] = 2;
    layout->n_columns = n_cells;
    layout->format = search->preamble.is_systemic ? "Systemic .vels" : "plain columns";
    if (search->request->n_choices > 0)
        return choose_by_number(search);
    return find_instrument_by_position(search);
}

equant_status unnamed_layout_find(layout_search *search)
{
    table_layout *layout = search->layout;
    text_slice cells[TEXT_MAX_CELLS], names[TEXT_MAX_CELLS];
    size_t n_cells =
        table_preamble_cells(search->preamble.first_row, layout->delimiter, cells, TEXT_MAX_CELLS);
    while (n_cells > 0 && n_cells <= TEXT_MAX_CELLS && cells[n_cells - 1].n == 0)
        n_cells--; /* commas at the end of a row */
    size_t n_names, line;
    if (!find_comment_header(search, n_cells, names, &n_names, &line))
        return has_transit_first(cells, n_cells) && search->request->n_choices == 0
                   ? layout_of_transits(search)
                   : layout_by_position(search, n_cells);
    equant_status status = named_layout_take(search, line, names, n_names);
    if (status != EQUANT_SUCCESS || n_names == n_cells)
        return status;
    layout->n_columns = n_cells;
    if (!table_layout_has(layout, COLUMN_INSTRUMENT))
        return find_instrument_by_position(search);
    return EQUANT_SUCCESS;
}
