/* From the rows of a table to observations in m/s. */
#include "data/table_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/formats/gaia_velocities.h"
#include "data/layout/table_layout.h"
#include "data/missing_value.h"
#include "data/table_preamble.h"
#include "data/table_translation.h"
#include "data/table_unit.h"
#include "data/text_number.h"

/* A column with more names than this is no column of instruments. */
enum { MAX_INSTRUMENTS = 1000, MAX_INSTRUMENT_NAME = 128, BAD_ROWS_TOLD = 5 };

/* Larger numbers are slips, and their squares would overflow. */
static const double largest_sensible = 1e100;

/* The rows that the caller's skip_bad_rows left out. */
typedef struct bad_rows {
    size_t n;
    size_t lines[BAD_ROWS_TOLD];
    char complaint[300]; /* about the first */
} bad_rows;

typedef struct row_reader {
    const char *name;
    const reading_request *request;
    table_layout layout;
    dataset_builder *builder;
    size_t line;
    text_slice last_instrument; /* neighbours mostly share theirs: no search then */
    int last_index;
    size_t indicator[INDICATOR_CATALOGUE_MOST]; /* their places in the builder */
    size_t n_other_objects, n_without_velocity, n_distrusted, n_rows;
    bad_rows bad;
    text_slice first_flag; /* of the column whose meaning nobody knows */
    bool flags_differ;
    text_slice first_target, other_target, last_target;
    size_t other_target_line, n_of_star, n_targets; /* n_targets: runs of rows of one star */
} row_reader;

void table_reader_stem(const char *name, char *stem, size_t n_stem)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;
    size_t n = strlen(base);
    if (n > 3 && strcmp(base + n - 3, ".gz") == 0)
        n -= 3;
    for (size_t i = n; i-- > 1;)
        if (base[i] == '.') {
            n = i;
            break;
        }
    text_show((text_slice){base, n}, stem, n_stem);
    if (stem[0] == '\0')
        snprintf(stem, n_stem, "data");
}

/* ---- one row ----------------------------------------------------------- */

/* "2015-05-28T03:12:45" or "2015-05-28". */
static bool looks_like_date(text_slice cell)
{
    static const char pattern[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof pattern - 1; i++) {
        if (i >= cell.n)
            return false;
        bool is_digit = cell.start[i] >= '0' && cell.start[i] <= '9';
        if (pattern[i] == 'd' ? !is_digit : cell.start[i] != pattern[i])
            return false;
    }
    return true;
}

static equant_status read_number(const row_reader *reader, text_slice cell, const char *noun,
                                 double *value)
{
    const equant_status format = EQUANT_ERROR_FORMAT;
    char shown[60];
    text_show(cell, shown, sizeof shown);
    if (cell.n == 0)
        return status_fail(format,
                           "%s:%zu: the %s is missing; fill it in, remove the row, or "
                           "skip bad rows",
                           reader->name, reader->line, noun);
    if (text_number_is_not_finite(cell))
        return status_fail(format,
                           "%s:%zu: the %s is '%s'; remove the row, give a number, or "
                           "skip bad rows",
                           reader->name, reader->line, noun, shown);
    if (looks_like_date(cell))
        return status_fail(format,
                           "%s:%zu: the %s is a date, '%s'; days are counted here (JD, BJD, MJD): "
                           "add such a column, or choose the columns",
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
    bool is_twice = reader->layout.delimiter == TEXT_COMMA && n > expected && n <= 2 * expected;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: this row has %zu cell%s where %zu belong%s; mend or remove it, or "
                       "skip bad rows%s",
                       reader->name, reader->line, n, n == 1 ? "" : "s", expected,
                       expected == 1 ? "s" : "",
                       is_twice ? "; where commas are decimal signs, semicolons or tabs must "
                                  "set the cells apart"
                                : "");
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

/* A row of which its pipeline says that it is bad: not trusted by the DRS, or flagged by SERVAL,
 * whose 0 is good and whose other numbers tell what is wrong. */
static bool is_distrusted(row_reader *reader, const text_slice *cells)
{
    int quality = reader->layout.column[COLUMN_QUALITY];
    int flag = reader->layout.column[COLUMN_SERVAL_FLAG];
    double value;
    bool is_bad = quality >= 0 && (text_is_word(cells[quality], "false") ||
                                   (text_number_read(cells[quality], &value) && value == 0));
    is_bad |= flag >= 0 && text_number_read(cells[flag], &value) && value != 0;
    reader->n_distrusted += is_bad;
    return is_bad;
}

static bool is_same(text_slice a, text_slice b)
{
    return a.n == b.n && memcmp(a.start, b.start, a.n) == 0;
}

/* Notes where a table of many stars comes to another one. */
static void note_target(row_reader *reader, const text_slice *cells)
{
    int column = reader->layout.column[COLUMN_TARGET];
    if (column < 0)
        return;
    text_slice cell = cells[column];
    reader->n_targets += reader->n_targets == 0 || !is_same(cell, reader->last_target);
    if (reader->n_targets == 1) {
        reader->first_target = cell;
    } else if (reader->other_target_line == 0) {
        reader->other_target = cell;
        reader->other_target_line = reader->line;
    }
    reader->last_target = cell;
    reader->n_rows++;
}

/* Where the caller wants the rows of one star, those of others. */
static bool is_of_another_star(row_reader *reader, const text_slice *cells)
{
    const char *star = reader->request->star;
    if (star == NULL)
        return false;
    text_slice wanted = {star, strlen(star)};
    bool is_other = !is_same(cells[reader->layout.column[COLUMN_TARGET]], wanted);
    reader->n_of_star += !is_other;
    return is_other;
}

/* Notes whether a flag that nobody explained tells rows apart. */
static void note_other_flag(row_reader *reader, const text_slice *cells)
{
    int column = reader->layout.column[COLUMN_OTHER_FLAG];
    if (column < 0)
        return;
    text_slice first = reader->first_flag, cell = cells[column];
    if (first.start == NULL)
        reader->first_flag = cell;
    else if (first.n != cell.n || memcmp(first.start, cell.start, cell.n) != 0)
        reader->flags_differ = true;
}

static bool is_left_out(row_reader *reader, const text_slice *cells)
{
    return is_of_another_star(reader, cells) || is_of_no_use(reader, cells) ||
           is_distrusted(reader, cells);
}

/* What is no number is no measurement: "nan", "--", "\\nodata", an empty cell. */
static double number_or_nan(text_slice cell)
{
    double value;
    return text_number_read(cell, &value) && fabs(value) < largest_sensible ? value : NAN;
}

static void read_indicators(row_reader *reader, const text_slice *cells)
{
    const table_layout *layout = &reader->layout;
    for (size_t i = 0; i < indicator_catalogue_n(); i++) {
        if (layout->indicator[i] < 0)
            continue;
        int error = layout->indicator_uncertainty[i];
        dataset_builder_set_indicator(reader->builder, reader->indicator[i],
                                      number_or_nan(cells[layout->indicator[i]]),
                                      error >= 0 ? number_or_nan(cells[error]) : NAN);
    }
}

static equant_status read_row(row_reader *reader, text_slice line)
{
    const table_layout *layout = &reader->layout;
    text_slice cells[TEXT_MAX_CELLS];
    size_t n = table_preamble_cells(line, layout->delimiter, cells, TEXT_MAX_CELLS);
    equant_status status = check_n_cells(reader, cells, n);
    if (status == EQUANT_SUCCESS)
        note_target(reader, cells);
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
                           "remove the row, or skip bad rows",
                           reader->name, reader->line, uncertainty);
    int instrument = 0;
    if (layout->column[COLUMN_INSTRUMENT] >= 0)
        status = find_instrument(reader, cells[layout->column[COLUMN_INSTRUMENT]], &instrument);
    if (status == EQUANT_SUCCESS)
        status = dataset_builder_add(reader->builder, time, velocity, uncertainty, instrument);
    if (status != EQUANT_SUCCESS)
        return status;
    note_other_flag(reader, cells);
    read_indicators(reader, cells);
    return EQUANT_SUCCESS;
}

/* ---- all rows ---------------------------------------------------------- */

static const char *quality_name(const row_reader *reader, char shown[40])
{
    return text_show(reader->layout.quality_name, shown, 40);
}

static equant_status report_bad(row_reader *reader)
{
    const bad_rows *bad = &reader->bad;
    char lines[160] = "";
    size_t n_told = bad->n < BAD_ROWS_TOLD ? bad->n : BAD_ROWS_TOLD;
    for (size_t i = 0; i < n_told; i++) {
        size_t used = strlen(lines);
        snprintf(lines + used, sizeof lines - used, "%s%zu", i > 0 ? ", " : "", bad->lines[i]);
    }
    if (bad->n == 0)
        return EQUANT_SUCCESS;
    return dataset_builder_warn(
        reader->builder,
        "%s: rows that cannot be used, left out: %zu, line%s %s%s; in the first, %s", reader->name,
        bad->n, bad->n == 1 ? "" : "s", lines, bad->n > n_told ? ", ..." : "", bad->complaint);
}

static equant_status report_left_out(row_reader *reader)
{
    char shown[40];
    equant_status status = EQUANT_SUCCESS;
    if (reader->n_without_velocity > 0)
        status = dataset_builder_warn(reader->builder, "%s: rows without a velocity, left out: %zu",
                                      reader->name, reader->n_without_velocity);
    if (status == EQUANT_SUCCESS && reader->n_other_objects > 0)
        status = dataset_builder_warn(
            reader->builder, "%s: velocities of other objects than the star, left out: %zu",
            reader->name, reader->n_other_objects);
    if (status == EQUANT_SUCCESS && reader->n_distrusted > 0)
        status = dataset_builder_warn(
            reader->builder, "%s: rows that column '%s' marks as bad, left out: %zu", reader->name,
            quality_name(reader, shown), reader->n_distrusted);
    if (status == EQUANT_SUCCESS && reader->flags_differ)
        status = dataset_builder_warn(
            reader->builder,
            "%s: column '%s' may tell good rows from bad; how is not known here, and no row was "
            "left out for it",
            reader->name, text_show(reader->layout.flag_name, shown, sizeof shown));
    return status == EQUANT_SUCCESS ? report_bad(reader) : status;
}

/* Keeps what a warning will say of a bad row, in place of failing. */
static void skip_bad_row(row_reader *reader)
{
    bad_rows *bad = &reader->bad;
    if (bad->n < BAD_ROWS_TOLD)
        bad->lines[bad->n] = reader->line;
    if (bad->n++ > 0)
        return;
    const char *sentence = equant_last_error();
    size_t n_name = strlen(reader->name);
    if (strncmp(sentence, reader->name, n_name) == 0 && strchr(sentence + n_name, ' ') != NULL)
        sentence = strchr(sentence + n_name, ' ') + 1;
    snprintf(bad->complaint, sizeof bad->complaint, "%.*s", (int)strcspn(sentence, ";"), sentence);
}

/* A column "name" or "id" that is different in nearly every row names rows, and no stars. */
static bool names_several_stars(const row_reader *reader)
{
    return reader->other_target_line > 0 &&
           (!reader->layout.is_target_doubted || reader->n_rows >= 2 * reader->n_targets);
}

static equant_status check_star(const row_reader *reader)
{
    char column[40], first[40], other[40];
    text_show(reader->layout.target_name, column, sizeof column);
    text_show(reader->first_target, first, sizeof first);
    text_show(reader->other_target, other, sizeof other);
    if (reader->request->star != NULL && reader->n_of_star == 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: no row is of the star '%s'; column '%s' begins with '%s'",
                           reader->name, reader->request->star, column, first);
    if (reader->request->star == NULL && names_several_stars(reader))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: this file has several stars: column '%s' says '%s' here and "
                           "'%s' before; choose one star, or read one star after the other",
                           reader->name, reader->other_target_line, column, other, first);
    return EQUANT_SUCCESS;
}

/* Rows of one star, and at least one of them. */
static equant_status check_rows(const row_reader *reader)
{
    char shown[40];
    equant_status status = check_star(reader);
    if (status != EQUANT_SUCCESS)
        return status;
    if (reader->builder->n_obs > 0)
        return EQUANT_SUCCESS;
    if (reader->bad.n > 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: no row can be used; in the first, %s",
                           reader->name, reader->bad.lines[0], reader->bad.complaint);
    if (reader->n_distrusted > 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: column '%s' marks every row as bad",
                           reader->name, quality_name(reader, shown));
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: the table has no velocities of the star (object 0)", reader->name);
}

static equant_status read_rows(row_reader *reader)
{
    if (reader->request->star != NULL && reader->layout.column[COLUMN_TARGET] < 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: no column names the star of each row, and '%s' is asked for; "
                           "choose the columns",
                           reader->name, reader->request->star);
    text_lines lines = reader->layout.rows;
    text_slice line;
    while (text_lines_next(&lines, &line)) {
        if (table_preamble_is_comment(line))
            continue;
        reader->line = lines.number;
        equant_status status = read_row(reader, line);
        if (status == EQUANT_ERROR_FORMAT && reader->request->skips_bad_rows)
            skip_bad_row(reader);
        else if (status != EQUANT_SUCCESS)
            return status;
    }
    equant_status status = check_rows(reader);
    if (status != EQUANT_SUCCESS)
        return status;
    return report_left_out(reader);
}

/* ---- indicators -------------------------------------------------------- */

static equant_status open_indicators(row_reader *reader)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < indicator_catalogue_n() && status == EQUANT_SUCCESS; i++)
        if (reader->layout.indicator[i] >= 0)
            status = indicator_set_find(&reader->builder->indicators,
                                        indicator_catalogue_at(i)->name, &reader->indicator[i]);
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

/* Which star the rows are of, where a column says so. */
static equant_status note_star(const row_reader *reader)
{
    char shown[COLUMN_NAME_SIZE];
    bool is_told = reader->n_targets == 1 && !reader->layout.is_target_doubted;
    if (reader->request->star != NULL)
        return dataset_builder_set_star(reader->builder, reader->request->star, 0.0);
    if (!is_told || reader->first_target.n == 0)
        return EQUANT_SUCCESS;
    text_show(reader->first_target, shown, sizeof shown);
    return dataset_builder_set_star(reader->builder, shown, 0.0);
}

static equant_status read_plain(const char *text, size_t n_bytes, const char *name,
                                const reading_request *request, dataset_builder *builder,
                                bool *has_instrument_column)
{
    row_reader reader = {.name = name, .request = request, .builder = builder};
    equant_status status = table_layout_find(text, n_bytes, name, request, builder, &reader.layout);
    if (status != EQUANT_SUCCESS)
        return status;
    *has_instrument_column = reader.layout.column[COLUMN_INSTRUMENT] >= 0;
    if (!*has_instrument_column)
        status = name_instrument_of_file(&reader);
    if (status == EQUANT_SUCCESS)
        status = open_indicators(&reader);
    if (status == EQUANT_SUCCESS)
        status = read_rows(&reader);
    for (size_t i = 0; i < indicator_catalogue_n() && status == EQUANT_SUCCESS; i++)
        if (reader.layout.indicator[i] >= 0)
            status = missing_value_remove(name, reader.indicator[i], builder);
    if (status == EQUANT_SUCCESS)
        status = note_star(&reader);
    if (status == EQUANT_SUCCESS)
        status = table_unit_settle(name, &reader.layout, request->unit, builder);
    if (status == EQUANT_SUCCESS)
        status = table_unit_settle_indicators(name, &reader.layout, reader.indicator, builder);
    if (status == EQUANT_SUCCESS)
        status = dataset_builder_set_format(builder, reader.layout.format);
    builder->time_name = reader.layout.time_name;
    return status;
}

static equant_status read_gaia_velocities(const char *text, size_t n_bytes, const char *name,
                                          const reading_request *request, dataset_builder *builder,
                                          bool *has_instrument_column)
{
    text_buffer plain = {0};
    equant_status status = gaia_velocities_translate(text, n_bytes, name, request, builder, &plain);
    if (status == EQUANT_SUCCESS)
        status = read_plain(plain.text, plain.n, name, request, builder, has_instrument_column);
    if (status == EQUANT_SUCCESS)
        status = dataset_builder_set_format(builder, "Gaia epoch velocities");
    text_buffer_free(&plain);
    return status;
}

equant_status table_reader_read(const char *text, size_t n_bytes, const char *name,
                                const reading_request *request, dataset_builder *builder,
                                bool *has_instrument_column)
{
    table_translation translation;
    bool is_translated;
    if (gaia_velocities_is(text, n_bytes, request))
        return read_gaia_velocities(text, n_bytes, name, request, builder, has_instrument_column);
    equant_status status =
        table_translation_make(text, n_bytes, name, &is_translated, &translation);
    if (status == EQUANT_SUCCESS && translation.warning != NULL)
        status = dataset_builder_warn(builder, "%s: %s", name, translation.warning);
    if (status == EQUANT_SUCCESS)
        status = read_plain(is_translated ? translation.text.text : text,
                            is_translated ? translation.text.n : n_bytes, name, request, builder,
                            has_instrument_column);
    if (status == EQUANT_SUCCESS && translation.format != NULL)
        status = dataset_builder_set_format(builder, translation.format);
    text_buffer_free(&translation.text);
    return status;
}
