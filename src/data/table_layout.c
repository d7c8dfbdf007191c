/* The guess of a format: columns by name where a table has names, else by place. */
#include "data/table_layout.h"

#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "core/time_name.h"
#include "data/formats/ecsv.h"
#include "data/layout_columns.h"
#include "data/table_preamble.h"
#include "data/text_number.h"
#include "data/velocity_unit.h"

/* Everything one search has at hand. */
typedef struct layout_search {
    const char *text;
    size_t n_bytes;
    const char *name;
    const reading_request *request;
    dataset_builder *builder;
    table_preamble preamble;
    table_layout *layout;
} layout_search;

static bool has(const table_layout *layout, column_role role)
{
    return layout->column[role] >= 0;
}

/* ---- columns by name --------------------------------------------------- */

static equant_status require_columns(const layout_search *search, size_t line,
                                     const text_slice *names, size_t n)
{
    static const struct {
        column_role role;
        const char *noun, *examples;
    } required[] = {
        {COLUMN_TIME, "times", "time, t, jd, bjd, mjd, rjd or epoch"},
        {COLUMN_VELOCITY, "velocities", "mnvel, rv, vel, vrad or velocity"},
        {COLUMN_UNCERTAINTY, "uncertainties", "errvel, rv_err, err, svrad, sigma or e_rv"},
    };
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        if (has(search->layout, required[i].role))
            continue;
        char listed[300];
        layout_columns_list(names, n, listed, sizeof listed);
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: no column of %s is named here (%s); call it %s, or choose "
                           "the columns",
                           search->name, line, required[i].noun, listed, required[i].examples);
    }
    return EQUANT_SUCCESS;
}

static equant_status warn_of_choices(const layout_search *search, const text_slice *names,
                                     const int *second)
{
    for (int role = COLUMN_TIME; role <= COLUMN_UNCERTAINTY; role++) {
        if (second[role] < 0)
            continue;
        char taken[40], other[40];
        equant_status status = dataset_builder_warn(
            search->builder, "%s: columns '%s' and '%s' mean the same; '%s' was taken",
            search->name, text_show(names[search->layout->column[role]], taken, sizeof taken),
            text_show(names[second[role]], other, sizeof other), taken);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

/* Where a corrected velocity stands beside another one. */
static equant_status warn_of_correction(const layout_search *search, const text_slice *names,
                                        size_t n)
{
    int taken = search->layout->column[COLUMN_VELOCITY];
    if (column_role_of(names[taken]).rank >= 0)
        return EQUANT_SUCCESS;
    for (size_t i = 0; i < n; i++)
        if ((int)i != taken && column_role_of(names[i]).role == COLUMN_VELOCITY) {
            char corrected[40], other[40];
            return dataset_builder_warn(
                search->builder, "%s: '%s' is the corrected velocity and was taken, not '%s'",
                search->name, text_show(names[taken], corrected, sizeof corrected),
                text_show(names[i], other, sizeof other));
        }
    return EQUANT_SUCCESS;
}

/* ---- units by name ----------------------------------------------------- */

/* A unit that is written down but is neither m/s nor km/s must not be guessed
 * over. Brackets may hold other things ("rv (corrected)"): those are ignored. */
static equant_status named_unit(const layout_search *search, size_t line, text_slice column,
                                text_slice unit, bool is_surely_unit, equant_unit *result)
{
    *result = velocity_unit_parse(unit);
    bool looks_like_unit = is_surely_unit || text_count(unit, '/') > 0;
    if (*result != EQUANT_UNIT_FROM_FILE || unit.n == 0 || !looks_like_unit)
        return EQUANT_SUCCESS;
    char column_shown[40], unit_shown[40];
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: the unit '%s' of column '%s' is neither m/s nor km/s; convert the "
                       "column, or give the unit of the velocities",
                       search->name, line, text_show(unit, unit_shown, sizeof unit_shown),
                       text_show(column, column_shown, sizeof column_shown));
}

/* Brackets behind a time mostly name its system, "Time (rjd)"; just what can
 * only be another unit than days is refused. */
static equant_status check_time_unit(const layout_search *search, size_t line, text_slice column)
{
    static const char *const other_units[] = {"s",  "sec",  "seconds", "min",   "minutes",
                                              "h",  "hr",   "hours",   "month", "months",
                                              "yr", "year", "years"};
    char unit[40], shown[40];
    bool is_other = false;
    if (search->preamble.is_ecsv) {
        ecsv_unit(search->text, search->n_bytes, column, unit, sizeof unit);
        is_other = unit[0] != '\0' && strcmp(unit, "d") != 0 && strcmp(unit, "day") != 0;
    } else {
        text_slice bracket = column_role_of(column).unit;
        text_show(bracket, unit, sizeof unit);
        for (size_t i = 0; i < sizeof other_units / sizeof other_units[0]; i++)
            is_other |= text_is_word(bracket, other_units[i]);
    }
    if (!is_other)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: the unit of column '%s' is '%s'; times must be in days",
                       search->name, line, text_show(column, shown, sizeof shown), unit);
}

static equant_status find_named_units(const layout_search *search, size_t line,
                                      const text_slice *names)
{
    table_layout *layout = search->layout;
    bool is_ecsv = search->preamble.is_ecsv;
    equant_status status = check_time_unit(search, line, names[layout->column[COLUMN_TIME]]);
    if (status != EQUANT_SUCCESS || search->request->unit != EQUANT_UNIT_FROM_FILE)
        return status;
    struct {
        column_role role;
        equant_unit *unit;
    } columns[] = {{COLUMN_VELOCITY, &layout->velocity_unit},
                   {COLUMN_UNCERTAINTY, &layout->uncertainty_unit}};
    for (size_t i = 0; i < 2; i++) {
        text_slice column = names[layout->column[columns[i].role]];
        text_slice unit = column_role_of(column).unit;
        char from_ecsv[40];
        if (is_ecsv) {
            ecsv_unit(search->text, search->n_bytes, column, from_ecsv, sizeof from_ecsv);
            unit = (text_slice){from_ecsv, strlen(from_ecsv)};
        }
        status = named_unit(search, line, column, unit, is_ecsv, columns[i].unit);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

/* Units of line widths and bisector spans; other words in brackets say nothing. */
static void find_indicator_units(const layout_search *search, const text_slice *names)
{
    table_layout *layout = search->layout;
    for (size_t i = 0; i < indicator_catalogue_n(); i++) {
        if (layout->indicator[i] < 0 || !indicator_catalogue_at(i)->is_velocity)
            continue;
        text_slice column = names[layout->indicator[i]], unit = column_role_of(column).unit;
        char from_ecsv[40];
        if (search->preamble.is_ecsv) {
            ecsv_unit(search->text, search->n_bytes, column, from_ecsv, sizeof from_ecsv);
            unit = (text_slice){from_ecsv, strlen(from_ecsv)};
        }
        layout->indicator_unit[i] = velocity_unit_parse(unit);
    }
}

/* Headings name the system of their times; in ECSV, where "time" is as good a name as any, the
 * description may. */
static void find_time_name(const layout_search *search, const text_slice *names)
{
    text_slice column = names[search->layout->column[COLUMN_TIME]];
    search->layout->time_name = time_name_find(column.start, column.n);
    if (search->layout->time_name != NULL || !search->preamble.is_ecsv)
        return;
    char description[80];
    ecsv_description(search->text, search->n_bytes, column, description, sizeof description);
    search->layout->time_name = time_name_find(description, strlen(description));
}

/* ---- what a column holds ------------------------------------------------ */

typedef enum cells_kind {
    CELLS_NUMBERS,
    CELLS_TEXT,
    CELLS_FLAGS, /* small integers from -1 on */
    CELLS_IDS    /* small integers that leave none out: 0, 1, 2 or 1, 2, 3 */
} cells_kind;

static bool are_consecutive(const bool *is_used, int n)
{
    int first = is_used[0] ? 0 : 1, last = first;
    while (last < n && is_used[last])
        last++;
    for (int i = last; i < n; i++)
        if (is_used[i])
            return false;
    return last > first;
}

/* Looks at a whole column: one row alone cannot tell an id from a number. */
static cells_kind kind_of_column(const layout_search *search, size_t column)
{
    enum { MAX_IDS = 100 };
    bool is_used[MAX_IDS] = {false};
    bool are_ids = true;
    text_lines lines = search->layout->rows;
    text_slice line, cells[8];
    while (text_lines_next(&lines, &line)) {
        if (table_preamble_is_comment(line))
            continue;
        size_t n = table_preamble_cells(line, search->layout->delimiter, cells, 8);
        if (column >= n || column >= 8)
            continue;
        int id;
        double number;
        if (text_number_read_small_integer(cells[column], &id) && id >= -1 && id < MAX_IDS) {
            are_ids &= id >= 0;
            is_used[id >= 0 ? id : 0] = true;
        } else if (!text_number_read(cells[column], &number)) {
            return CELLS_TEXT;
        } else {
            return CELLS_NUMBERS;
        }
    }
    return are_ids && are_consecutive(is_used, MAX_IDS) ? CELLS_IDS : CELLS_FLAGS;
}

/* ---- tables with a header ---------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), n_ending = strlen(ending);
    return n >= n_ending && strcmp(name + n - n_ending, ending) == 0;
}

static void name_format(layout_search *search, const text_slice *names)
{
    table_layout *layout = search->layout;
    bool is_pyorbit = has(layout, COLUMN_JITTER_FLAG) && has(layout, COLUMN_OFFSET_FLAG);
    bool is_orbitize =
        has(layout, COLUMN_OBJECT) && text_is_word(names[layout->column[COLUMN_TIME]], "epoch");
    char velocity[COLUMN_NAME_SIZE], uncertainty[COLUMN_NAME_SIZE];
    column_role_normal(names[layout->column[COLUMN_VELOCITY]], velocity);
    column_role_normal(names[layout->column[COLUMN_UNCERTAINTY]], uncertainty);
    bool is_drs = ends_with(velocity, "rvc") && ends_with(uncertainty, "dvrms");
    if (!is_orbitize)
        layout->column[COLUMN_OBJECT] = -1;
    if (search->preamble.is_ecsv) {
        layout->format = "ECSV";
    } else if (is_pyorbit) {
        layout->format = "PyORBIT table";
        if (!has(layout, COLUMN_INSTRUMENT))
            layout->column[COLUMN_INSTRUMENT] = layout->column[COLUMN_OFFSET_FLAG];
    } else if (is_orbitize) {
        layout->format = "orbitize table";
        layout->customary_unit = EQUANT_UNIT_KM_S;
    } else if (text_is_word(names[layout->column[COLUMN_UNCERTAINTY]], "errvel")) {
        layout->format = "RadVel table";
        layout->customary_unit = EQUANT_UNIT_M_S;
    } else if (text_is_word(names[layout->column[COLUMN_VELOCITY]], "avc")) {
        layout->format = "CARMENES table";
        layout->customary_unit = EQUANT_UNIT_M_S;
    } else if (strncmp(velocity, "rv_mlc", 6) == 0 || strncmp(velocity, "rv_drs", 6) == 0) {
        layout->format = "HARPS-RVBank table";
        layout->customary_unit = EQUANT_UNIT_M_S;
        layout->is_of_bank = true;
    } else if (is_drs) {
        layout->format = "DRS table";
        layout->is_drs = true;
    } else if (search->preamble.has_rule) {
        layout->format = "rdb table";
    } else if (has(layout, COLUMN_INSTRUMENT) &&
               kind_of_column(search, (size_t)layout->column[COLUMN_INSTRUMENT]) == CELLS_IDS) {
        layout->format = "orvara table";
    } else {
        layout->format = "named columns";
    }
}

/* Takes numbers where the times that the names speak of are dates. */
static equant_status settle_time(const layout_search *search, const text_slice *names, size_t n,
                                 int second[COLUMN_N_ROLES])
{
    text_slice cells[TEXT_MAX_CELLS];
    size_t n_cells = table_preamble_cells(search->preamble.first_row, search->layout->delimiter,
                                          cells, TEXT_MAX_CELLS);
    int dates = layout_columns_prefer_numbers(
        names, n, cells, n_cells < TEXT_MAX_CELLS ? n_cells : TEXT_MAX_CELLS, search->layout);
    if (dates < 0)
        return EQUANT_SUCCESS;
    second[COLUMN_TIME] = -1;
    char given_up[40], taken[40];
    return dataset_builder_warn(
        search->builder, "%s: column '%s' holds no numbers; the times are those of '%s'",
        search->name, text_show(names[dates], given_up, sizeof given_up),
        text_show(names[search->layout->column[COLUMN_TIME]], taken, sizeof taken));
}

static void forget_choices_made(const reading_request *request, int second[COLUMN_N_ROLES])
{
    for (size_t i = 0; i < request->n_choices; i++)
        if (request->choices[i].indicator < 0)
            second[request->choices[i].role] = -1;
}

static bool is_chosen(const reading_request *request, column_role role)
{
    for (size_t i = 0; i < request->n_choices; i++)
        if (request->choices[i].indicator < 0 && request->choices[i].role == role)
            return true;
    return false;
}

static void note_names_of_judges(table_layout *layout, const text_slice *names)
{
    int quality = has(layout, COLUMN_QUALITY) ? layout->column[COLUMN_QUALITY]
                                              : layout->column[COLUMN_SERVAL_FLAG];
    if (quality >= 0)
        layout->quality_name = names[quality];
    if (has(layout, COLUMN_OTHER_FLAG))
        layout->flag_name = names[layout->column[COLUMN_OTHER_FLAG]];
}

static equant_status layout_by_names(layout_search *search, size_t line, const text_slice *names,
                                     size_t n)
{
    const reading_request *request = search->request;
    table_layout *layout = search->layout;
    int second[COLUMN_N_ROLES];
    layout_columns_by_name(names, n, layout, second);
    equant_status status = settle_time(search, names, n, second);
    if (status == EQUANT_SUCCESS)
        status = layout_columns_choose(request, search->name, line, names, n, n, layout);
    if (status == EQUANT_SUCCESS)
        status = require_columns(search, line, names, n);
    forget_choices_made(request, second);
    if (status == EQUANT_SUCCESS)
        status = warn_of_choices(search, names, second);
    if (status == EQUANT_SUCCESS && !is_chosen(request, COLUMN_VELOCITY))
        status = warn_of_correction(search, names, n);
    if (status == EQUANT_SUCCESS)
        status = find_named_units(search, line, names);
    if (status != EQUANT_SUCCESS)
        return status;
    find_indicator_units(search, names);
    find_time_name(search, names);
    layout->has_names = true;
    layout->n_columns = n;
    name_format(search, names);
    if (!layout->is_of_bank)
        layout->column[COLUMN_TARGET] = layout->column[COLUMN_SERVAL_FLAG] = -1;
    note_names_of_judges(layout, names);
    return layout_columns_note_ignored(names, n, layout, search->builder);
}

static equant_status layout_by_header(layout_search *search)
{
    const table_preamble *preamble = &search->preamble;
    table_layout *layout = search->layout;
    text_delimiter delimiter = table_preamble_delimiter(preamble->header);
    if (preamble->is_ecsv) {
        delimiter = layout->delimiter = ecsv_delimiter(search->text, search->n_bytes);
    } else if (delimiter == TEXT_WHITESPACE) {
        /* Tabs that agree are meant: cells between them may be empty or hold blanks. */
        size_t n_tabs = text_count(preamble->header, '\t');
        if (n_tabs > 0 && n_tabs == text_count(preamble->first_row, '\t'))
            delimiter = layout->delimiter = TEXT_TAB;
    }
    text_slice names[TEXT_MAX_CELLS];
    text_slice header = table_preamble_without_comment(preamble->header, delimiter);
    size_t n = text_names(header, delimiter, names, TEXT_MAX_CELLS);
    if (n > TEXT_MAX_CELLS)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: %zu columns are too many: %d at most",
                           search->name, preamble->header_line, n, TEXT_MAX_CELLS);
    while (n > 0 && names[n - 1].n == 0)
        n--; /* commas at the end of the line */
    return layout_by_names(search, preamble->header_line, names, n);
}

/* ---- tables without a header ------------------------------------------- */

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
    cells_kind fourth = layout->n_columns > 3 ? kind_of_column(search, 3) : CELLS_NUMBERS;
    cells_kind fifth = layout->n_columns > 4 ? kind_of_column(search, 4) : CELLS_NUMBERS;
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
    size_t n_used = has_flags ? 5 : has(layout, COLUMN_INSTRUMENT) ? 4 : 3;
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
        if (!has(layout, required[i].role))
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

static equant_status layout_without_header(layout_search *search)
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
    equant_status status = layout_by_names(search, line, names, n_names);
    if (status != EQUANT_SUCCESS || n_names == n_cells)
        return status;
    layout->n_columns = n_cells;
    if (!has(layout, COLUMN_INSTRUMENT))
        return find_instrument_by_position(search);
    return EQUANT_SUCCESS;
}

/* ---- the whole --------------------------------------------------------- */

equant_status table_layout_find(const char *text, size_t n_bytes, const char *name,
                                const reading_request *request, dataset_builder *builder,
                                table_layout *layout)
{
    bool unit_is_forced = request->unit != EQUANT_UNIT_FROM_FILE;
    layout_search search = {.text = text,
                            .n_bytes = n_bytes,
                            .name = name,
                            .request = request,
                            .builder = builder,
                            .layout = layout};
    equant_status status = table_preamble_read(text, n_bytes, name, &search.preamble);
    if (status != EQUANT_SUCCESS)
        return status;
    const table_preamble *preamble = &search.preamble;
    *layout = (table_layout){
        .delimiter = table_preamble_delimiter(preamble->first_row),
        .instrument = preamble->instrument.n > 0 ? preamble->instrument : preamble->telescope,
        .rows = preamble->rows,
    };
    status = preamble->header.n > 0 ? layout_by_header(&search) : layout_without_header(&search);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!unit_is_forced && layout->velocity_unit == EQUANT_UNIT_FROM_FILE &&
        layout->uncertainty_unit == EQUANT_UNIT_FROM_FILE)
        layout->velocity_unit = velocity_unit_parse(preamble->value_units);
    return EQUANT_SUCCESS;
}
