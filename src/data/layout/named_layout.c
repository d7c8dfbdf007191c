#include "data/layout/named_layout.h"

#include <string.h>

#include "core/status_fail.h"
#include "data/formats/ecsv.h"
#include "data/layout/column_cells.h"
#include "data/layout/header_units.h"
#include "data/layout/layout_columns.h"

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
        if (table_layout_has(search->layout, required[i].role))
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

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), n_ending = strlen(ending);
    return n >= n_ending && strcmp(name + n - n_ending, ending) == 0;
}

static void name_format(layout_search *search, const text_slice *names)
{
    table_layout *layout = search->layout;
    bool is_pyorbit = table_layout_has(layout, COLUMN_JITTER_FLAG) &&
                      table_layout_has(layout, COLUMN_OFFSET_FLAG);
    bool is_orbitize = table_layout_has(layout, COLUMN_OBJECT) &&
                       text_is_word(names[layout->column[COLUMN_TIME]], "epoch");
    char velocity[COLUMN_NAME_SIZE], uncertainty[COLUMN_NAME_SIZE];
    column_role_normal(names[layout->column[COLUMN_VELOCITY]], velocity);
    column_role_normal(names[layout->column[COLUMN_UNCERTAINTY]], uncertainty);
    bool is_drs = ends_with(velocity, "rvc") && ends_with(uncertainty, "dvrms");
    if (search->preamble.is_ecsv) {
        layout->format = "ECSV";
    } else if (is_pyorbit) {
        layout->format = "PyORBIT table";
        if (!table_layout_has(layout, COLUMN_INSTRUMENT))
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
    } else if (is_drs) {
        layout->format = "DRS table";
        layout->is_drs = true;
    } else if (search->preamble.has_rule) {
        layout->format = "rdb table";
    } else if (table_layout_has(layout, COLUMN_INSTRUMENT) &&
               column_cells_kind(search, (size_t)layout->column[COLUMN_INSTRUMENT]) == CELLS_IDS) {
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
    int quality = table_layout_has(layout, COLUMN_QUALITY) ? layout->column[COLUMN_QUALITY]
                                                           : layout->column[COLUMN_SERVAL_FLAG];
    if (quality >= 0)
        layout->quality_name = names[quality];
    if (table_layout_has(layout, COLUMN_OTHER_FLAG))
        layout->flag_name = names[layout->column[COLUMN_OTHER_FLAG]];
}

static bool is_of_bank(const table_layout *layout)
{
    return strcmp(layout->format, "HARPS-RVBank table") == 0;
}

/* "object" is a number of orbitize, else the star. Which column is the star's is not told by its
 * name alone where the caller chose it. */
static void settle_target(const reading_request *request, table_layout *layout,
                          const text_slice *names)
{
    int *target = &layout->column[COLUMN_TARGET], *object = &layout->column[COLUMN_OBJECT];
    bool is_orbitize = strcmp(layout->format, "orbitize table") == 0;
    bool is_said = is_chosen(request, COLUMN_TARGET);
    if (is_orbitize && !is_said) {
        *target = -1;
    } else if (!is_orbitize) {
        bool is_doubted =
            *target < 0 || column_role_of(names[*target]).rank >= COLUMN_TARGET_DOUBTED;
        if (!is_said && is_doubted && *object >= 0)
            *target = *object;
        *object = -1;
    }
    if (*target < 0)
        return;
    column_meaning meaning = column_role_of(names[*target]);
    layout->target_name = names[*target];
    layout->is_target_doubted =
        !is_said && meaning.role == COLUMN_TARGET && meaning.rank >= COLUMN_TARGET_DOUBTED;
}

equant_status named_layout_take(layout_search *search, size_t line, const text_slice *names,
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
        status = header_units_find(search, line, names);
    if (status != EQUANT_SUCCESS)
        return status;
    header_units_of_indicators(search, names);
    header_units_time_name(search, names);
    layout->has_names = true;
    layout->n_columns = n;
    name_format(search, names);
    if (!is_of_bank(layout))
        layout->column[COLUMN_SERVAL_FLAG] = -1;
    settle_target(request, layout, names);
    note_names_of_judges(layout, names);
    return layout_columns_note_ignored(names, n, layout, search->builder);
}

equant_status named_layout_find(layout_search *search)
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
    return named_layout_take(search, preamble->header_line, names, n);
}
