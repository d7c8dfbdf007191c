/* From the rows of a table to observations in m/s. */
#include "data/table_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "data/table_layout.h"
#include "data/table_preamble.h"
#include "data/text_number.h"
#include "data/velocity_unit.h"

/* A column with more names than this is no column of instruments. */
enum { MAX_INSTRUMENTS = 1000, MAX_INSTRUMENT_NAME = 128 };

/* Larger numbers are slips, and their squares would overflow. */
static const double largest_sensible = 1e100;

typedef struct row_reader {
    const char *name;
    table_layout layout;
    dataset_builder *builder;
    size_t line;
    text_slice last_instrument; /* neighbours mostly share theirs: no search then */
    int last_index;
    size_t n_other_objects, n_without_velocity, n_distrusted;
} row_reader;

void table_reader_stem(const char *name, char *stem, size_t n_stem)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    size_t n = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
    text_show((text_slice){base, n}, stem, n_stem);
    if (stem[0] == '\0')
        snprintf(stem, n_stem, "data");
}

/* ---- one row ----------------------------------------------------------- */

static equant_status read_number(const row_reader *reader, text_slice cell, const char *noun,
                                 double *value)
{
    const equant_status format = EQUANT_ERROR_FORMAT;
    char shown[60];
    text_show(cell, shown, sizeof shown);
    if (cell.n == 0)
        return status_fail(format, "%s:%zu: the %s is missing; fill it in or remove the row",
                           reader->name, reader->line, noun);
    if (text_number_is_not_finite(cell))
        return status_fail(format, "%s:%zu: the %s is '%s'; remove the row or give a number",
                           reader->name, reader->line, noun, shown);
    if (!text_number_read(cell, value))
        return status_fail(format,
                           "%s:%zu: '%s' is not a number, but stands where the %s belongs%s",
                           reader->name, reader->line, shown, noun,
                           reader->layout.has_names ? ""
                                                    : "; a table without column names has rows "
                                                      "of time, velocity, uncertainty");
    if (!(fabs(*value) < largest_sensible))
        return status_fail(format, "%s:%zu: the %s '%s' is too large to be meant", reader->name,
                           reader->line, noun, shown);
    return EQUANT_SUCCESS;
}

/* The name in a cell; Python's b'j' is j. */
static text_slice instrument_name(text_slice cell)
{
    bool is_bytes = cell.n >= 3 && cell.start[0] == 'b' &&
                    (cell.start[1] == '\'' || cell.start[1] == '"') &&
                    cell.start[cell.n - 1] == cell.start[1];
    return is_bytes ? text_trim((text_slice){cell.start + 2, cell.n - 3}) : cell;
}

/* Within quotes a doubled one stands for one, as our own tables write it. */
static void join_doubled_quotes(char *name)
{
    char *to = name;
    for (const char *from = name; *from != '\0'; from++) {
        *to++ = *from;
        if (from[0] == '"' && from[1] == '"')
            from++;
    }
    *to = '\0';
}

static equant_status find_instrument(row_reader *reader, text_slice cell, int *index)
{
    if (cell.n > 0 && cell.n == reader->last_instrument.n &&
        memcmp(cell.start, reader->last_instrument.start, cell.n) == 0) {
        *index = reader->last_index;
        return EQUANT_SUCCESS;
    }
    char shown[MAX_INSTRUMENT_NAME];
    text_show(instrument_name(cell), shown, sizeof shown);
    join_doubled_quotes(shown);
    if (shown[0] == '\0')
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: the name of the instrument is missing",
                           reader->name, reader->line);
    equant_status status = dataset_builder_instrument(reader->builder, shown, strlen(shown), index);
    if (status != EQUANT_SUCCESS)
        return status;
    if (reader->builder->n_instruments > MAX_INSTRUMENTS)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: more than %d instruments; column %d ('%s') seems to be "
                           "something else",
                           reader->name, reader->line, MAX_INSTRUMENTS,
                           reader->layout.column[COLUMN_INSTRUMENT] + 1, shown);
    reader->last_instrument = cell;
    reader->last_index = *index;
    return EQUANT_SUCCESS;
}

static equant_status check_n_cells(const row_reader *reader, const text_slice *cells, size_t n)
{
    size_t expected = reader->layout.n_columns;
    while (n > expected && n <= TEXT_MAX_CELLS && cells[n - 1].n == 0)
        n--; /* commas at the end of a row */
    if (n == expected)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: this row has %zu cell%s where %zu belong%s; mend or remove it",
                       reader->name, reader->line, n, n == 1 ? "" : "s", expected,
                       expected == 1 ? "s" : "");
}

/* In an orbitize table just the rows of the star (object 0) with a velocity
 * are of use; the others are astrometry, or the companion's. */
static bool is_of_no_use(row_reader *reader, const text_slice *cells)
{
    int object_column = reader->layout.column[COLUMN_OBJECT];
    if (object_column < 0)
        return false;
    double object;
    bool is_star = text_number_read(cells[object_column], &object) && object == 0;
    text_slice velocity = cells[reader->layout.column[COLUMN_VELOCITY]];
    bool has_velocity = velocity.n > 0 && !text_is_word(velocity, "nan");
    reader->n_without_velocity += !has_velocity;
    reader->n_other_objects += has_velocity && !is_star;
    return !has_velocity || !is_star;
}

/* A row that says of itself that it is bad. */
static bool is_distrusted(row_reader *reader, const text_slice *cells)
{
    int quality = reader->layout.column[COLUMN_QUALITY];
    bool is_bad = quality >= 0 &&
                  (text_is_word(cells[quality], "false") || text_is_word(cells[quality], "0"));
    reader->n_distrusted += is_bad;
    return is_bad;
}

static bool is_left_out(row_reader *reader, const text_slice *cells)
{
    return is_of_no_use(reader, cells) || is_distrusted(reader, cells);
}

static equant_status read_row(row_reader *reader, text_slice line)
{
    const table_layout *layout = &reader->layout;
    text_slice cells[TEXT_MAX_CELLS];
    size_t n = table_preamble_cells(line, layout->delimiter, cells, TEXT_MAX_CELLS);
    equant_status status = check_n_cells(reader, cells, n);
    if (status != EQUANT_SUCCESS || is_left_out(reader, cells))
        return status;
    double time, velocity, uncertainty;
    status = read_number(reader, cells[layout->column[COLUMN_TIME]], "time", &time);
    if (status == EQUANT_SUCCESS)
        status = read_number(reader, cells[layout->column[COLUMN_VELOCITY]], "velocity", &velocity);
    if (status == EQUANT_SUCCESS)
        status = read_number(reader, cells[layout->column[COLUMN_UNCERTAINTY]], "uncertainty",
                             &uncertainty);
    if (status != EQUANT_SUCCESS)
        return status;
    if (uncertainty <= 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: the uncertainty is %g, but must be above zero; correct or "
                           "remove the row",
                           reader->name, reader->line, uncertainty);
    int instrument = 0;
    if (layout->column[COLUMN_INSTRUMENT] >= 0)
        status = find_instrument(reader, cells[layout->column[COLUMN_INSTRUMENT]], &instrument);
    if (status != EQUANT_SUCCESS)
        return status;
    return dataset_builder_add(reader->builder, time, velocity, uncertainty, instrument);
}

/* ---- all rows ---------------------------------------------------------- */

static equant_status report_left_out(row_reader *reader)
{
    equant_status status = EQUANT_SUCCESS;
    if (reader->n_without_velocity > 0)
        status = dataset_builder_warn(reader->builder, "%s: rows without a velocity, left out: %zu",
                                      reader->name, reader->n_without_velocity);
    if (status == EQUANT_SUCCESS && reader->n_other_objects > 0)
        status = dataset_builder_warn(
            reader->builder, "%s: velocities of other objects than the star, left out: %zu",
            reader->name, reader->n_other_objects);
    if (status == EQUANT_SUCCESS && reader->n_distrusted > 0)
        status = dataset_builder_warn(reader->builder,
                                      "%s: rows that column 'drs_qc' marks as bad, left out: %zu",
                                      reader->name, reader->n_distrusted);
    return status;
}

static equant_status read_rows(row_reader *reader)
{
    text_lines lines = reader->layout.rows;
    text_slice line;
    while (text_lines_next(&lines, &line)) {
        if (table_preamble_is_comment(line))
            continue;
        reader->line = lines.number;
        equant_status status = read_row(reader, line);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    if (reader->builder->n_obs == 0 && reader->n_distrusted > 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: column 'drs_qc' marks every row as bad",
                           reader->name);
    if (reader->builder->n_obs == 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: the table has no velocities of the star (object 0)", reader->name);
    return report_left_out(reader);
}

/* ---- unit -------------------------------------------------------------- */

/* A stated unit is kept, but doubted where the numbers speak against it: no
 * spectrograph reaches 0.05 m/s, and uncertainties above 1 km/s around a mean
 * near zero are what differential velocities in m/s look like. */
static equant_status doubt_stated_unit(const row_reader *reader, equant_unit unit,
                                       const velocity_statistics *statistics)
{
    double median = statistics->median_uncertainty;
    bool is_too_small = unit == EQUANT_UNIT_M_S && median < 0.05;
    bool is_too_large =
        unit == EQUANT_UNIT_KM_S && median > 1 && fabs(statistics->mean) < statistics->spread;
    if (!is_too_small && !is_too_large)
        return EQUANT_SUCCESS;
    const char *stated = velocity_unit_name(unit);
    return dataset_builder_warn(reader->builder,
                                "%s: the file says %s, but uncertainties around %g %s are hard to "
                                "believe; if it is wrong, correct the file or give the unit %s",
                                reader->name, stated, median, stated,
                                is_too_small ? "km/s" : "m/s");
}

static equant_status guess_unit(const row_reader *reader, const velocity_statistics *statistics,
                                equant_unit *unit)
{
    *unit = velocity_unit_guess(statistics);
    if (*unit == reader->layout.customary_unit)
        return EQUANT_SUCCESS;
    bool is_km_s = *unit == EQUANT_UNIT_KM_S;
    return dataset_builder_warn(
        reader->builder, "%s: no unit is given; read as %s; if that is wrong, give the unit %s",
        reader->name, is_km_s ? "km/s, which the numbers look like" : "m/s, as is usual",
        is_km_s ? "m/s" : "km/s");
}

static equant_status doubt_uncertainties(const row_reader *reader,
                                         const velocity_statistics *statistics, double ratio)
{
    bool is_odd = reader->builder->n_obs > 2 &&
                  statistics->median_uncertainty * ratio > 10 * statistics->spread;
    if (!is_odd)
        return EQUANT_SUCCESS;
    return dataset_builder_warn(reader->builder,
                                "%s: the uncertainties are far larger than the velocities differ; "
                                "are both columns in the same unit?",
                                reader->name);
}

static void scale(double *values, size_t n, double factor)
{
    for (size_t k = 0; k < n; k++)
        values[k] *= factor;
}

/* Order of belief: the caller, the header of the column, the custom of the
 * format, the numbers themselves. */
static equant_status settle_unit(row_reader *reader, equant_unit forced)
{
    dataset_builder *builder = reader->builder;
    const table_layout *layout = &reader->layout;
    velocity_statistics statistics;
    if (!velocity_unit_statistics(builder->n_obs, builder->velocity_m_s, builder->uncertainty_m_s,
                                  &statistics))
        return status_out_of_memory();
    equant_unit velocity = layout->velocity_unit, uncertainty = layout->uncertainty_unit;
    equant_status status = EQUANT_SUCCESS;
    if (forced != EQUANT_UNIT_FROM_FILE) {
        velocity = uncertainty = forced;
    } else if (velocity == EQUANT_UNIT_FROM_FILE && uncertainty == EQUANT_UNIT_FROM_FILE) {
        if (layout->customary_unit == EQUANT_UNIT_KM_S)
            velocity = EQUANT_UNIT_KM_S;
        else
            status = guess_unit(reader, &statistics, &velocity);
    } else if (velocity == EQUANT_UNIT_FROM_FILE) {
        velocity = uncertainty;
    }
    if (uncertainty == EQUANT_UNIT_FROM_FILE)
        uncertainty = velocity;
    if (status == EQUANT_SUCCESS && layout->velocity_unit != EQUANT_UNIT_FROM_FILE)
        status = doubt_stated_unit(reader, uncertainty, &statistics);
    double velocity_scale = velocity_unit_scale(velocity);
    double uncertainty_scale = velocity_unit_scale(uncertainty);
    if (status == EQUANT_SUCCESS)
        status = doubt_uncertainties(reader, &statistics, uncertainty_scale / velocity_scale);
    scale(builder->velocity_m_s, builder->n_obs, velocity_scale);
    scale(builder->uncertainty_m_s, builder->n_obs, uncertainty_scale);
    builder->unit = velocity;
    return status;
}

/* ---- the whole --------------------------------------------------------- */

static equant_status name_instrument_of_file(const row_reader *reader)
{
    char shown[MAX_INSTRUMENT_NAME];
    int index;
    text_show(reader->layout.instrument, shown, sizeof shown);
    if (shown[0] == '\0')
        table_reader_stem(reader->name, shown, sizeof shown);
    return dataset_builder_instrument(reader->builder, shown, strlen(shown), &index);
}

equant_status table_reader_read(const char *text, size_t n_bytes, const char *name,
                                equant_unit forced_unit, dataset_builder *builder,
                                bool *has_instrument_column)
{
    row_reader reader = {.name = name, .builder = builder};
    bool is_forced = forced_unit != EQUANT_UNIT_FROM_FILE;
    equant_status status =
        table_layout_find(text, n_bytes, name, is_forced, builder, &reader.layout);
    if (status != EQUANT_SUCCESS)
        return status;
    *has_instrument_column = reader.layout.column[COLUMN_INSTRUMENT] >= 0;
    if (!*has_instrument_column)
        status = name_instrument_of_file(&reader);
    if (status == EQUANT_SUCCESS)
        status = read_rows(&reader);
    if (status == EQUANT_SUCCESS)
        status = settle_unit(&reader, forced_unit);
    if (status == EQUANT_SUCCESS)
        status = dataset_builder_set_format(builder, reader.layout.format);
    return status;
}
