/* Tables with one measurement a row: named columns, among them the flattened tables of Gaia's
 * pre-release; the table of Gaia BH3, without names; and five columns without names. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/formats/gaia_transit.h"
#include "astrometry/formats/sky_column.h"
#include "astrometry/formats/sky_date.h"
#include "astrometry/formats/sky_format.h"
#include "core/status_fail.h"
#include "data/text_number.h"
#include "model/circle.h"

enum { MOST_COLUMNS = 256 };

/* Abscissae and uncertainties from here on stand for none. */
#define SENTINEL_MAS 1e6

typedef enum angle_unit { ANGLE_UNKNOWN, ANGLE_DEGREES, ANGLE_RADIANS } angle_unit;

/* What a table looks like, and the source that is being read from it. */
typedef struct column_table {
    const sky_input *input;
    const char *format;
    text_delimiter delimiter;
    size_t n_columns;
    int place[SKY_N_COLUMNS]; /* of each column; -1: none */
    angle_unit unit;
    bool has_date, is_guessed;
    sky_date date;
    sky_builder builder;
    size_t n_read, n_rejected, n_unusable;
    size_t first_unusable; /* its line */
    text_slice cells[MOST_COLUMNS];
} column_table;

/* ---- what a table looks like ------------------------------------------- */

static text_delimiter delimiter_of(text_slice line)
{
    return text_count(line, ',') > 0    ? TEXT_COMMA
           : text_count(line, ';') > 0  ? TEXT_SEMICOLON
           : text_count(line, '\t') > 0 ? TEXT_TAB
                                        : TEXT_WHITESPACE;
}

static bool has_needed(const column_table *table)
{
    return table->place[SKY_TIME] >= 0 && table->place[SKY_ABSCISSA] >= 0 &&
           table->place[SKY_UNCERTAINTY] >= 0 && table->place[SKY_ANGLE] >= 0;
}

static void clear_places(column_table *table)
{
    for (int i = 0; i < SKY_N_COLUMNS; i++)
        table->place[i] = -1;
    table->unit = ANGLE_UNKNOWN;
    table->has_date = false;
}

/* Notes what the headings of times and angles say of them. */
static void note_units(column_table *table, const text_slice *names)
{
    text_slice angle = names[table->place[SKY_ANGLE]], time = names[table->place[SKY_TIME]];
    if (sky_column_says(angle, "deg") || sky_column_says(angle, "degrees"))
        table->unit = ANGLE_DEGREES;
    else if (sky_column_says(angle, "rad") || sky_column_says(angle, "radians"))
        table->unit = ANGLE_RADIANS;
    if (sky_column_says(time, "mjd")) {
        table->date = SKY_DATE_MJD;
        table->has_date = true;
    } else if (sky_column_says(time, "rjd")) {
        table->date = SKY_DATE_RJD;
        table->has_date = true;
    }
}

/* Takes a line of headings; false when it is none of such a table. */
static bool take_names(column_table *table, text_slice line)
{
    table->delimiter = delimiter_of(line);
    table->n_columns = text_names(line, table->delimiter, table->cells, MOST_COLUMNS);
    clear_places(table);
    if (table->n_columns > MOST_COLUMNS)
        return false;
    for (size_t i = 0; i < table->n_columns; i++) {
        sky_column column = sky_column_of(table->cells[i]);
        if (column != SKY_NO_COLUMN && table->place[column] < 0)
            table->place[column] = (int)i;
    }
    if (!has_needed(table))
        return false;
    note_units(table, table->cells);
    table->format = "named columns of abscissae";
    return true;
}

static bool are_numbers(const text_slice *cells, size_t n)
{
    double number;
    for (size_t i = 0; i < n; i++)
        if (!text_number_read(cells[i], &number) && !text_number_is_not_finite(cells[i]))
            return false;
    return true;
}

/* transit, ccd, JD, w, sigma, parallax factor, psi in degrees, outlier: a transit's number, then
 * one of ten CCDs, then a Julian date. */
static bool take_bh3(column_table *table, text_slice line)
{
    static const sky_column order[] = {SKY_TRANSIT,  SKY_NO_COLUMN,   SKY_TIME,
                                       SKY_ABSCISSA, SKY_UNCERTAINTY, SKY_PARALLAX_FACTOR,
                                       SKY_ANGLE,    SKY_REJECTED};
    enum { N = sizeof order / sizeof order[0] };
    int ccd;
    double jd;
    table->delimiter = TEXT_WHITESPACE;
    table->n_columns = text_cells(line, TEXT_WHITESPACE, table->cells, MOST_COLUMNS);
    if (table->n_columns != N || !are_numbers(table->cells, N) || table->cells[0].n < 15 ||
        !text_number_read_small_integer(table->cells[1], &ccd) || ccd < 0 || ccd > 10 ||
        !text_number_read(table->cells[2], &jd) || jd < 2.4e6)
        return false;
    clear_places(table);
    for (int i = 0; i < N; i++)
        if (order[i] != SKY_NO_COLUMN)
            table->place[order[i]] = i;
    table->unit = ANGLE_DEGREES;
    table->format = "table of Gaia BH3";
    return true;
}

static bool take_five(column_table *table, text_slice line)
{
    static const sky_column order[] = {SKY_TIME, SKY_ABSCISSA, SKY_UNCERTAINTY, SKY_ANGLE,
                                       SKY_PARALLAX_FACTOR};
    enum { N = sizeof order / sizeof order[0] };
    table->delimiter = delimiter_of(line);
    table->n_columns = text_cells(line, table->delimiter, table->cells, MOST_COLUMNS);
    if (table->n_columns != N || !are_numbers(table->cells, N))
        return false;
    clear_places(table);
    for (int i = 0; i < N; i++)
        table->place[order[i]] = i;
    table->format = "five columns of abscissae";
    table->is_guessed = true;
    return true;
}

/* Finds the headings: the first line that is no comment, or the last comment before numbers. Leaves
 * `lines` in front of the first row. */
static bool take_head(column_table *table, text_lines *lines, bool may_guess)
{
    text_slice first, comment;
    text_lines before;
    if (!text_lines_head(lines, &first, &comment, &before))
        return false;
    if (take_names(table, first))
        return true;
    *lines = before; /* this one is a row already */
    if (comment.start != NULL && take_names(table, comment)) {
        table->delimiter = delimiter_of(first);
        return true;
    }
    return take_bh3(table, first) || (may_guess && take_five(table, first));
}

static bool is_table(const char *head, size_t n_bytes, bool may_guess)
{
    column_table table;
    text_lines lines = text_lines_begin(head, n_bytes);
    return take_head(&table, &lines, may_guess);
}

static bool column_table_is(const char *head, size_t n_bytes)
{
    return is_table(head, n_bytes, false);
}

static bool five_columns_is(const char *head, size_t n_bytes)
{
    return is_table(head, n_bytes, true);
}

/* ---- rows -------------------------------------------------------------- */

/* A cell as a number: NaN where it is empty or says so. False for any other word. */
static bool read_number(const column_table *table, sky_column column, double *number)
{
    int place = table->place[column];
    *number = 0;
    if (place < 0)
        return true;
    gaia_cell cell;
    bool is_good = gaia_cell_read(table->cells[place], GAIA_ABSCISSA, &cell) && cell.n == 1;
    *number = is_good ? cell.real[0] : NAN;
    return is_good;
}

/* Numbers of transits and sources have more digits than a double. */
static bool read_whole(const column_table *table, sky_column column, int64_t *number)
{
    int place = table->place[column];
    *number = 0;
    if (place < 0)
        return true;
    gaia_cell cell;
    bool is_good = gaia_cell_read(table->cells[place], GAIA_SOURCE_ID, &cell) && cell.n == 1;
    *number = is_good ? cell.whole[0] : 0;
    return is_good && !isnan(cell.real[0]);
}

/* Cells of a row before their units are known. */
static bool read_row(column_table *table, sky_row *row, bool *is_rejected, int64_t *source_id,
                     int *bad_place)
{
    double flag = 0, used = 1;
    const struct {
        sky_column column;
        double *value;
    } numbers[] = {{SKY_TIME, &row->time_days},
                   {SKY_ABSCISSA, &row->abscissa_mas},
                   {SKY_UNCERTAINTY, &row->uncertainty_mas},
                   {SKY_ANGLE, &row->angle_rad},
                   {SKY_PARALLAX_FACTOR, &row->parallax_factor},
                   {SKY_COLOUR_FACTOR, &row->colour_factor},
                   {SKY_REJECTED, &flag},
                   {SKY_USED, &used}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        *bad_place = table->place[numbers[i].column];
        if (!read_number(table, numbers[i].column, numbers[i].value))
            return false;
    }
    *is_rejected = flag != 0 || (table->place[SKY_USED] >= 0 && used != 1);
    *bad_place = table->place[SKY_TRANSIT];
    if (!read_whole(table, SKY_TRANSIT, &row->transit))
        return false;
    *bad_place = table->place[SKY_SOURCE];
    return read_whole(table, SKY_SOURCE, source_id);
}

static bool is_usable(const sky_row *row)
{
    return isfinite(row->time_days) && isfinite(row->abscissa_mas) &&
           isfinite(row->uncertainty_mas) && isfinite(row->angle_rad) &&
           isfinite(row->parallax_factor) && isfinite(row->colour_factor) &&
           row->uncertainty_mas > 0 && row->uncertainty_mas < SENTINEL_MAS &&
           fabs(row->abscissa_mas) < SENTINEL_MAS;
}

/* ---- a source ---------------------------------------------------------- */

/* No scan angle list of degrees stays within a turn of radians. */
static equant_status settle_angles(column_table *table)
{
    sky_builder *builder = &table->builder;
    bool is_told = table->unit != ANGLE_UNKNOWN;
    angle_unit unit = is_told ? table->unit : ANGLE_RADIANS;
    for (size_t k = 0; k < builder->n_rows && !is_told; k++)
        if (fabs(builder->rows[k].angle_rad) > TWO_PI + 1e-6)
            unit = ANGLE_DEGREES;
    for (size_t k = 0; k < builder->n_rows && unit == ANGLE_DEGREES; k++)
        builder->rows[k].angle_rad *= PI / 180;
    if (is_told)
        return EQUANT_SUCCESS;
    return sky_builder_remark(builder, "scan angles: read as %s, by their size",
                              unit == ANGLE_RADIANS ? "radians" : "degrees");
}

static equant_status settle_times(column_table *table)
{
    sky_builder *builder = &table->builder;
    sky_date date = table->has_date ? table->date : sky_date_guess(builder->rows[0].time_days);
    for (size_t k = 0; k < builder->n_rows; k++) {
        double given = builder->rows[k].time_days;
        builder->rows[k].time_days = sky_date_days(date, given, EQUANT_SKY_GAIA_JD);
        if (!sky_date_is_near(builder->rows[k].time_days))
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s: a time of %.17g is not a date in %s, which the %s; give JD, "
                               "MJD, Julian years or days since J2017.5",
                               table->input->path, given, sky_date_name(date),
                               table->has_date ? "heading says" : "first time looks like");
    }
    return sky_builder_remark(builder, "times: %s, taken as TCB at the barycentre%s",
                              sky_date_name(date), table->has_date ? "" : ", by their size");
}

static int compare_rows(const void *left, const void *right)
{
    const sky_row *a = left, *b = right;
    const double differences[] = {a->time_days - b->time_days, a->angle_rad - b->angle_rad,
                                  a->abscissa_mas - b->abscissa_mas};
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return 0;
}

/* Rows that say the same as another one count once. */
static equant_status drop_repeats(sky_builder *builder)
{
    size_t kept = 0, n = builder->n_rows;
    qsort(builder->rows, n, sizeof *builder->rows, compare_rows);
    for (size_t k = 0; k < n; k++)
        if (kept == 0 || compare_rows(&builder->rows[kept - 1], &builder->rows[k]) != 0)
            builder->rows[kept++] = builder->rows[k];
    builder->n_rows = kept;
    return kept == n ? EQUANT_SUCCESS
                     : sky_builder_remark(builder,
                                          "left out: %zu rows that repeat time, angle and abscissa "
                                          "of another",
                                          n - kept);
}

static equant_status remark_on_rows(column_table *table)
{
    sky_builder *builder = &table->builder;
    equant_status status = EQUANT_SUCCESS;
    if (table->is_guessed)
        status = sky_builder_remark(builder, "columns without names: read as time, abscissa, "
                                             "uncertainty, scan angle and parallax factor");
    if (status == EQUANT_SUCCESS && table->n_rejected > 0)
        status = sky_builder_remark(builder,
                                    "left out: %zu of %zu measurements that the file marks as "
                                    "outliers or not used",
                                    table->n_rejected, table->n_read);
    if (status == EQUANT_SUCCESS && table->n_unusable > 0)
        status = sky_builder_remark(
            builder,
            "left out: %zu measurements without finite numbers, or with an "
            "uncertainty that is not above zero, or with 1e6 mas and more, which "
            "stand for none; the first is in line %zu",
            table->n_unusable, table->first_unusable);
    if (status == EQUANT_SUCCESS && table->place[SKY_PARALLAX_FACTOR] < 0)
        status =
            sky_builder_remark(builder, "no column of parallax factors: the parallax cannot be "
                                        "solved for");
    return status;
}

static equant_status finish(column_table *table)
{
    sky_builder *builder = &table->builder;
    if (table->n_read == 0)
        return EQUANT_SUCCESS;
    if (builder->n_rows == 0) {
        table->input->queue->n_left_out++;
        return EQUANT_SUCCESS;
    }
    char name[32] = "";
    if (builder->source_id != 0)
        snprintf(name, sizeof name, "Gaia %" PRId64, builder->source_id);
    builder->reference_jd = EQUANT_SKY_GAIA_JD;
    builder->has_colour = table->place[SKY_COLOUR_FACTOR] >= 0;
    equant_status status = sky_builder_set_name(builder, name);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(builder, table->format);
    if (status == EQUANT_SUCCESS)
        status = remark_on_rows(table);
    if (status == EQUANT_SUCCESS)
        status = settle_times(table);
    if (status == EQUANT_SUCCESS)
        status = settle_angles(table);
    if (status == EQUANT_SUCCESS)
        status = drop_repeats(builder);
    equant_astrometry *made = NULL;
    if (status == EQUANT_SUCCESS)
        status = sky_builder_finish(builder, &made);
    return status == EQUANT_SUCCESS ? sky_queue_put(table->input->queue, made) : status;
}

static equant_status change_source(column_table *table, int64_t source_id, size_t line)
{
    equant_status status = finish(table);
    sky_builder_free(&table->builder);
    table->builder.source_id = source_id;
    table->n_read = table->n_rejected = table->n_unusable = 0;
    bool is_new = true;
    if (status == EQUANT_SUCCESS)
        status = sky_queue_note(table->input->queue, source_id, &is_new);
    if (status == EQUANT_SUCCESS && !is_new)
        status = status_fail(EQUANT_ERROR_FORMAT,
                             "%s:%zu: the rows of source %" PRId64
                             " do not stand together; sort the table by source_id",
                             table->input->path, line, source_id);
    return status;
}

static equant_status take_row(column_table *table, text_slice line, size_t number)
{
    size_t n = text_cells(line, table->delimiter, table->cells, MOST_COLUMNS);
    if (n != table->n_columns)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: this row has %zu cells where the table has %zu columns",
                           table->input->path, number, n, table->n_columns);
    sky_row row = {0};
    bool is_rejected;
    int64_t source_id;
    int bad_place;
    char shown[40];
    if (!read_row(table, &row, &is_rejected, &source_id, &bad_place))
        return status_fail(
            EQUANT_ERROR_FORMAT, "%s:%zu: '%s' in column %d is no %snumber%s", table->input->path,
            number, text_show(table->cells[bad_place], shown, sizeof shown), bad_place + 1,
            bad_place == table->place[SKY_SOURCE] || bad_place == table->place[SKY_TRANSIT]
                ? "whole "
                : "",
            bad_place == table->place[SKY_SOURCE] || bad_place == table->place[SKY_TRANSIT]
                ? " of 64 bits; floating-point numbers keep too few digits of it"
                : "");
    if (table->input->source_id != 0 && source_id != table->input->source_id &&
        table->place[SKY_SOURCE] >= 0)
        return EQUANT_SUCCESS;
    if (source_id != table->builder.source_id) {
        equant_status status = change_source(table, source_id, number);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    if (table->place[SKY_TRANSIT] < 0)
        row.transit = (int64_t)table->n_read;
    table->n_read++;
    if (is_rejected && !table->input->keeps_rejected) {
        table->n_rejected++;
        return EQUANT_SUCCESS;
    }
    if (is_usable(&row))
        return sky_builder_add(&table->builder, row);
    if (table->n_unusable++ == 0)
        table->first_unusable = number;
    return EQUANT_SUCCESS;
}

static equant_status read_rows(column_table *table, text_lines *lines)
{
    text_slice line;
    while (text_lines_next(lines, &line)) {
        text_slice trimmed = text_trim(line);
        if (trimmed.n == 0 || trimmed.start[0] == '#')
            continue;
        equant_status status = take_row(table, trimmed, lines->number);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return finish(table);
}

static equant_status read_table(const char *text, size_t n_bytes, const sky_input *input)
{
    column_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return status_out_of_memory();
    table->input = input;
    text_lines lines = text_lines_begin(text, n_bytes);
    equant_status status = EQUANT_SUCCESS;
    if (take_head(table, &lines, true))
        status = read_rows(table, &lines);
    sky_builder_free(&table->builder);
    free(table);
    return status;
}

const sky_format column_table_format = {.is = column_table_is, .read_text = read_table};
const sky_format five_columns_format = {
    .is = five_columns_is, .is_guess = true, .read_text = read_table};
