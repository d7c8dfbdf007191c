#include "data/reading_request.h"

#include <string.h>

#include "core/status_fail.h"
#include "data/text_number.h"
#include "model/indicator_catalogue.h"

/* ---- keys -------------------------------------------------------------- */

static const struct {
    const char *key;
    column_role role;
} role_keys[] = {{"time", COLUMN_TIME},
                 {"rv", COLUMN_VELOCITY},
                 {"err", COLUMN_UNCERTAINTY},
                 {"instrument", COLUMN_INSTRUMENT},
                 {"star", COLUMN_TARGET}};

static bool find_key(column_choice *choice)
{
    for (size_t i = 0; i < sizeof role_keys / sizeof role_keys[0]; i++)
        if (text_is_word(choice->key, role_keys[i].key)) {
            choice->role = role_keys[i].role;
            return true;
        }
    for (size_t i = 0; i < indicator_catalogue_n(); i++) {
        const char *name = indicator_catalogue_at(i)->name;
        size_t n = strlen(name);
        text_slice rest = {choice->key.start + n, choice->key.n >= n ? choice->key.n - n : 0};
        bool is_named = text_begins_with(choice->key, name);
        if (is_named && (rest.n == 0 || text_is_word(rest, "_err"))) {
            choice->indicator = (int)i;
            choice->is_indicator_uncertainty = rest.n > 0;
            return true;
        }
    }
    return false;
}

static bool is_chosen_twice(const reading_request *request, const column_choice *choice)
{
    for (size_t i = 0; i < request->n_choices; i++) {
        const column_choice *other = &request->choices[i];
        if (other->role == choice->role && other->indicator == choice->indicator &&
            other->is_indicator_uncertainty == choice->is_indicator_uncertainty)
            return true;
    }
    return false;
}

/* ---- entries ----------------------------------------------------------- */

static equant_status read_choice(reading_request *request, text_slice entry)
{
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    char shown[60];
    text_show(entry, shown, sizeof shown);
    const char *sign = entry.n > 0 ? memchr(entry.start, '=', entry.n) : NULL;
    if (sign == NULL)
        return status_fail(invalid,
                           "'%s' does not say which column is what; write KEY=COLUMN, as in "
                           "time=BJD,rv=3",
                           shown);
    size_t n_key = (size_t)(sign - entry.start);
    column_choice choice = {.role = COLUMN_OTHER,
                            .indicator = -1,
                            .key = text_trim((text_slice){entry.start, n_key}),
                            .column = text_trim((text_slice){sign + 1, entry.n - n_key - 1})};
    if (!find_key(&choice))
        return status_fail(invalid,
                           "'%s' is no kind of column; there are time, rv, err, instrument, star, "
                           "and indicators like s_index, fwhm, bis with s_index_err, ...",
                           text_show(choice.key, shown, sizeof shown));
    if (choice.column.n == 0)
        return status_fail(invalid, "no column stands behind '%s'", shown);
    choice.is_none = choice.role == COLUMN_TARGET && text_is_word(choice.column, "none");
    if (is_chosen_twice(request, &choice))
        return status_fail(invalid, "two columns are given for '%s'",
                           text_show(choice.key, shown, sizeof shown));
    request->choices[request->n_choices++] = choice;
    return EQUANT_SUCCESS;
}

static equant_status read_columns(const char *columns, reading_request *request)
{
    text_slice entries[READING_REQUEST_CHOICES];
    size_t n = text_cells((text_slice){columns, strlen(columns)}, TEXT_COMMA, entries,
                          READING_REQUEST_CHOICES);
    if (n == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the choice of columns is empty");
    if (n > READING_REQUEST_CHOICES)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%zu columns are too many to choose", n);
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        status = read_choice(request, entries[i]);
    return status;
}

equant_status reading_request_read(const equant_dataset_options *options, reading_request *request)
{
    *request = (reading_request){0};
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_unit unit = OPTION_OR_ZERO(options, equant_dataset_options, velocity_unit);
    if (unit != EQUANT_UNIT_FROM_FILE && unit != EQUANT_UNIT_M_S && unit != EQUANT_UNIT_KM_S)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%d is not a velocity unit", (int)unit);
    if (OPTION_OR_ZERO(options, equant_dataset_options, n_indicators) > 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "indicators are given with arrays; those of files are in the files");
    request->unit = unit;
    request->skips_bad_rows = OPTION_OR_ZERO(options, equant_dataset_options, skip_bad_rows);
    request->star = OPTION_OR_ZERO(options, equant_dataset_options, star);
    const char *columns = OPTION_OR_ZERO(options, equant_dataset_options, columns);
    return columns != NULL ? read_columns(columns, request) : EQUANT_SUCCESS;
}

/* ---- columns ----------------------------------------------------------- */

static bool is_same(text_slice a, text_slice b)
{
    return a.n == b.n && memcmp(a.start, b.start, a.n) == 0;
}

int reading_request_column(const column_choice *choice, const text_slice *names, size_t n,
                           size_t n_columns)
{
    for (size_t i = 0; i < n; i++)
        if (is_same(names[i], choice->column))
            return (int)i;
    char wanted[COLUMN_NAME_SIZE], name[COLUMN_NAME_SIZE];
    column_role_normal(choice->column, wanted);
    int number;
    bool is_number = text_number_read_small_integer(choice->column, &number);
    for (size_t i = 0; i < n && wanted[0] != '\0' && !is_number; i++) {
        column_role_normal(names[i], name);
        if (strcmp(name, wanted) == 0)
            return (int)i;
    }
    return is_number && number >= 1 && (size_t)number <= n_columns ? number - 1 : -1;
}
