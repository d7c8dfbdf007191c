#include "data/layout/header_units.h"

#include <string.h>

#include "core/status_fail.h"
#include "core/time_name.h"
#include "data/formats/ecsv.h"
#include "data/velocity_unit.h"

enum { UNIT_SIZE = 40 };

/* As an ECSV header tells it, into `told`, else from the brackets behind a name. */
static text_slice unit_of(const layout_search *search, text_slice column, char told[UNIT_SIZE])
{
    if (!search->preamble.is_ecsv)
        return column_role_of(column).unit;
    ecsv_unit(search->text, search->n_bytes, column, told, UNIT_SIZE);
    return (text_slice){told, strlen(told)};
}

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

equant_status header_units_find(const layout_search *search, size_t line, const text_slice *names)
{
    table_layout *layout = search->layout;
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
        char told[UNIT_SIZE];
        status = named_unit(search, line, column, unit_of(search, column, told),
                            search->preamble.is_ecsv, columns[i].unit);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

void header_units_of_indicators(const layout_search *search, const text_slice *names)
{
    table_layout *layout = search->layout;
    for (size_t i = 0; i < indicator_catalogue_n(); i++) {
        if (layout->indicator[i] < 0 || !indicator_catalogue_at(i)->is_velocity)
            continue;
        char told[UNIT_SIZE];
        text_slice unit = unit_of(search, names[layout->indicator[i]], told);
        layout->indicator_unit[i] = velocity_unit_parse(unit);
    }
}

void header_units_time_name(const layout_search *search, const text_slice *names)
{
    text_slice column = names[search->layout->column[COLUMN_TIME]];
    search->layout->time_name = time_name_find(column.start, column.n);
    if (search->layout->time_name != NULL || !search->preamble.is_ecsv)
        return;
    char description[80];
    ecsv_description(search->text, search->n_bytes, column, description, sizeof description);
    search->layout->time_name = time_name_find(description, strlen(description));
}
