#include "data/formats/gaia_velocities.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "core/numbers/tcb_clock.h"
#include "data/formats/ecsv.h"
#include "data/table_preamble.h"
#include "data/tables/gaia_days.h"
#include "data/tables/gaia_names.h"
#include "data/text_array.h"
#include "data/text_number.h"

/* More transits of one source than the mission has. */
enum { MOST_TRANSITS = 1 << 16 };

typedef enum wanted_column {
    TIME,
    VELOCITY,
    ERROR,
    VALID,
    INVALID,
    SOURCE,
    N_WANTED
} wanted_column;

typedef struct velocity_table {
    const char *name; /* of the file */
    const reading_request *request;
    text_buffer *plain;
    text_delimiter delimiter;
    size_t n_columns;
    size_t place[N_WANTED]; /* n_columns: there is none */
    text_slice error_name;
    double zero_jd; /* of the times; NaN before the first */
    size_t line;
    size_t n_taken, n_invalid, n_without_velocity, n_without_error;
} velocity_table;

/* ---- columns ----------------------------------------------------------- */

static text_delimiter delimiter_of(const char *text, size_t n_bytes, text_slice header)
{
    text_delimiter found = table_preamble_delimiter(header);
    if (ecsv_is(text, n_bytes))
        return ecsv_delimiter(text, n_bytes);
    return found == TEXT_WHITESPACE && text_count(header, '\t') > 0 ? TEXT_TAB : found;
}

/* The names of the columns, without the units behind them; 0 where the text begins otherwise. */
static size_t read_header(const char *text, size_t n_bytes, text_lines *lines,
                          text_delimiter *delimiter, text_slice names[TEXT_MAX_CELLS])
{
    text_slice header = {text, 0};
    *lines = text_lines_begin(text, n_bytes);
    do
        if (!text_lines_next(lines, &header))
            return 0;
    while (table_preamble_is_comment(header));
    *delimiter = delimiter_of(text, n_bytes, header);
    size_t n = text_names(header, *delimiter, names, TEXT_MAX_CELLS);
    for (size_t i = 0; i < n && i < TEXT_MAX_CELLS; i++) {
        const char *bracket = names[i].n > 0 ? memchr(names[i].start, '[', names[i].n) : NULL;
        if (bracket != NULL)
            names[i] = text_trim((text_slice){names[i].start, (size_t)(bracket - names[i].start)});
    }
    return n <= TEXT_MAX_CELLS ? n : 0;
}

static size_t find(const text_slice *names, size_t n, gaia_word word)
{
    for (size_t i = 0; i < n; i++)
        if (gaia_word_of(GAIA_EPOCH_VELOCITIES, names[i]) == word)
            return i;
    return n;
}

static const column_choice *choice_of(const reading_request *request, column_role role)
{
    for (size_t i = 0; i < request->n_choices; i++)
        if (request->choices[i].indicator < 0 && request->choices[i].role == role)
            return &request->choices[i];
    return NULL;
}

bool gaia_velocities_is(const char *text, size_t n_bytes, const reading_request *request)
{
    text_slice names[TEXT_MAX_CELLS];
    text_lines lines;
    text_delimiter delimiter;
    if (choice_of(request, COLUMN_TIME) != NULL || choice_of(request, COLUMN_VELOCITY) != NULL)
        return false;
    size_t n = read_header(text, n_bytes, &lines, &delimiter, names);
    return find(names, n, GAIA_WORD_RV_TIME) < n && find(names, n, GAIA_WORD_RV) < n;
}

/* Of the three errors radial_velocity_error alone is corrected for what the pipeline
 * underestimates. The raw one is not, and that of simulated transits knows the template and not the
 * spectrum. */
static equant_status choose_error(velocity_table *table, const text_slice *names)
{
    static const gaia_word by_preference[] = {GAIA_WORD_RV_ERROR, GAIA_WORD_RV_SIMULATED_ERROR,
                                              GAIA_WORD_RV_RAW_ERROR};
    const column_choice *choice = choice_of(table->request, COLUMN_UNCERTAINTY);
    size_t n = table->n_columns, *place = &table->place[ERROR];
    char shown[60];
    *place = n;
    if (choice != NULL) {
        int chosen = reading_request_column(choice, names, n, 0);
        if (chosen < 0)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "%s: there is no column '%s' of uncertainties; Gaia's are "
                               "radial_velocity_error, raw_radial_velocity_error and "
                               "radial_velocity_mc_error",
                               table->name, text_show(choice->column, shown, sizeof shown));
        *place = (size_t)chosen;
    }
    for (size_t i = 0; i < sizeof by_preference / sizeof by_preference[0] && *place == n; i++)
        *place = find(names, n, by_preference[i]);
    if (*place == n)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: Gaia's velocities without uncertainties: there is no column "
                           "radial_velocity_error",
                           table->name);
    table->error_name = names[*place];
    return EQUANT_SUCCESS;
}

static equant_status take_columns(velocity_table *table, const text_slice *names,
                                  dataset_builder *builder)
{
    static const gaia_word words[N_WANTED] = {
        [TIME] = GAIA_WORD_RV_TIME,       [VELOCITY] = GAIA_WORD_RV,
        [ERROR] = GAIA_WORD_RV_ERROR,     [VALID] = GAIA_WORD_RV_VALID,
        [INVALID] = GAIA_WORD_RV_INVALID, [SOURCE] = GAIA_WORD_RV_SOURCE_ID};
    for (int i = 0; i < N_WANTED; i++)
        table->place[i] = find(names, table->n_columns, words[i]);
    equant_status status = choose_error(table, names);
    for (size_t i = 0; i < table->n_columns && status == EQUANT_SUCCESS; i++) {
        bool is_taken = false;
        char shown[COLUMN_NAME_SIZE];
        for (int k = 0; k < N_WANTED; k++)
            is_taken |= table->place[k] == i;
        if (!is_taken)
            status = dataset_builder_ignore(builder, text_show(names[i], shown, sizeof shown));
    }
    return status;
}

/* ---- transits ---------------------------------------------------------- */

static bool is_flag(text_slice word, bool is_set)
{
    static const char *const words[2][3] = {{"false", "f", "0"}, {"true", "t", "1"}};
    for (size_t i = 0; i < 3; i++)
        if (text_is_word(word, words[is_set][i]))
            return true;
    return false;
}

static equant_status fail_time(const velocity_table *table, text_slice word, double time)
{
    char shown[60];
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: '%s' is no time of Gaia, which counts days since 2010.0%s",
                       table->name, table->line, text_show(word, shown, sizeof shown),
                       fabs(time) > 1e15  ? "; nanoseconds stand here"
                       : fabs(time) > 9e7 ? "; seconds stand here"
                                          : "");
}

static equant_status add_time(velocity_table *table, text_slice word)
{
    double time;
    char digits[40];
    if (!text_number_read(word, &time))
        return fail_time(table, word, 0.0);
    if (isnan(table->zero_jd))
        table->zero_jd = gaia_days_zero_jd(time);
    double jd = time + table->zero_jd;
    if (!gaia_days_is_time(jd))
        return fail_time(table, word, time);
    jd -= tcb_clock_ahead_days(jd);
    decimal_text_print(digits, sizeof digits, "%.17g", jd);
    text_buffer_add_word(table->plain, digits);
    return EQUANT_SUCCESS;
}

/* The archive keeps errors in single precision, and some files have them with the digits of double:
 * rounded, all give the same bits. */
static void add_error(velocity_table *table, text_slice word)
{
    double error = NAN;
    char digits[40];
    text_number_read(word, &error);
    decimal_text_print(digits, sizeof digits, "\t%.17g", (double)(float)error);
    text_buffer_add_word(table->plain, digits);
}

/* Whether a transit is of use; `counts` is false for stars that nobody wants. */
static bool is_of_use(velocity_table *table, const text_slice words[N_WANTED], bool counts)
{
    double value;
    bool is_invalid = is_flag(words[VALID], false) || is_flag(words[INVALID], true);
    bool has_velocity = text_number_read(words[VELOCITY], &value);
    bool has_error = text_number_read(words[ERROR], &value) && value > 1e-30 && value < 1e30;
    size_t *count = is_invalid      ? &table->n_invalid
                    : !has_velocity ? &table->n_without_velocity
                    : !has_error    ? &table->n_without_error
                                    : &table->n_taken;
    *count += counts;
    return count == &table->n_taken;
}

static equant_status add_transit(velocity_table *table, const text_slice words[N_WANTED])
{
    const char *star = table->request->star;
    bool has_source = table->place[SOURCE] < table->n_columns;
    bool counts = star == NULL || !has_source ||
                  (words[SOURCE].n == strlen(star) &&
                   memcmp(words[SOURCE].start, star, words[SOURCE].n) == 0);
    if (!is_of_use(table, words, counts))
        return EQUANT_SUCCESS;
    equant_status status = add_time(table, words[TIME]);
    text_buffer_add_word(table->plain, "\t");
    text_buffer_add(table->plain, words[VELOCITY]);
    add_error(table, words[ERROR]);
    text_buffer_add_word(table->plain, "\tGaia RVS");
    if (has_source) {
        text_buffer_add_word(table->plain, "\t");
        text_buffer_add(table->plain, words[SOURCE]);
    }
    text_buffer_add_word(table->plain, "\n");
    return status;
}

static size_t count_words(text_slice cell)
{
    text_slice word;
    size_t n = 0;
    while (n <= MOST_TRANSITS && text_array_next(&cell, &word))
        n++;
    return n;
}

/* A row: one transit, or the arrays of a source. What stands once is of all its transits. */
static equant_status add_row(velocity_table *table, const text_slice *cells)
{
    text_slice rest[N_WANTED], words[N_WANTED];
    size_t n_words[N_WANTED], n = 1;
    for (int i = 0; i < N_WANTED; i++) {
        bool is_there = table->place[i] < table->n_columns;
        rest[i] = is_there ? cells[table->place[i]] : (text_slice){"", 0};
        words[i] = (text_slice){"", 0};
        n_words[i] = count_words(rest[i]);
        n = n_words[i] > n ? n_words[i] : n;
    }
    for (int i = 0; i < N_WANTED; i++)
        if (n > MOST_TRANSITS || (n_words[i] > 1 && n_words[i] != n))
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s:%zu: the arrays of this row have %zu and %zu values; all must "
                               "have one for each transit",
                               table->name, table->line, n, n_words[i]);
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
        for (int i = 0; i < N_WANTED; i++)
            if (k == 0 || n_words[i] > 1)
                text_array_next(&rest[i], &words[i]);
        status = add_transit(table, words);
    }
    return status;
}

static equant_status add_rows(velocity_table *table, text_lines *lines)
{
    text_slice line, cells[TEXT_MAX_CELLS];
    while (text_lines_next(lines, &line)) {
        if (table_preamble_is_comment(line))
            continue;
        table->line = lines->number;
        size_t n = table_preamble_cells(line, table->delimiter, cells, TEXT_MAX_CELLS);
        if (n != table->n_columns)
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s:%zu: this row has %zu cells where %zu belong", table->name,
                               table->line, n, table->n_columns);
        equant_status status = add_row(table, cells);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

/* ---- what was done ----------------------------------------------------- */

static void list_left_out(const velocity_table *table, char *words, size_t n_bytes)
{
    const struct {
        size_t n;
        const char *why;
    } reasons[] = {
        {table->n_invalid, "marked as not valid"},
        {table->n_without_velocity, "without a velocity (emission lines, or none found)"},
        {table->n_without_error, "without an uncertainty"}};
    words[0] = '\0';
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        size_t used = strlen(words);
        if (reasons[i].n > 0)
            snprintf(words + used, n_bytes - used, "%s%zu %s", used > 0 ? ", " : "", reasons[i].n,
                     reasons[i].why);
    }
}

static equant_status report(const velocity_table *table, dataset_builder *builder)
{
    char left_out[200], shown[COLUMN_NAME_SIZE];
    list_left_out(table, left_out, sizeof left_out);
    if (table->n_taken == 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: no velocity of Gaia can be used: %s",
                           table->name, left_out[0] != '\0' ? left_out : "there are no rows");
    equant_status status = dataset_builder_warn(
        builder,
        "%s: Gaia's velocities: times from TCB to TDB%s, uncertainties from %s; the zero point of "
        "a star is uncertain by 0.11 km/s, which is in its offset",
        table->name, table->zero_jd == GAIA_DAYS_EPOCH_JD ? "" : " (they are Julian dates)",
        text_show(table->error_name, shown, sizeof shown));
    if (status == EQUANT_SUCCESS && left_out[0] != '\0')
        status = dataset_builder_warn(builder, "%s: transits left out: %s", table->name, left_out);
    return status;
}

equant_status gaia_velocities_translate(const char *text, size_t n_bytes, const char *name,
                                        const reading_request *request, dataset_builder *builder,
                                        text_buffer *plain)
{
    text_slice names[TEXT_MAX_CELLS];
    text_lines lines;
    velocity_table table = {.name = name, .request = request, .plain = plain, .zero_jd = NAN};
    table.n_columns = read_header(text, n_bytes, &lines, &table.delimiter, names);
    equant_status status = take_columns(&table, names, builder);
    if (status != EQUANT_SUCCESS)
        return status;
    text_buffer_add_word(plain, "bjd_tdb\tradial_velocity [km/s]\t");
    text_buffer_add(plain, table.error_name);
    text_buffer_add_word(plain, " [km/s]\tinstrument");
    if (table.place[SOURCE] < table.n_columns)
        text_buffer_add_word(plain, "\tsource_id");
    text_buffer_add_word(plain, "\n");
    status = add_rows(&table, &lines);
    if (status == EQUANT_SUCCESS && plain->has_failed)
        status = status_out_of_memory();
    return status == EQUANT_SUCCESS ? report(&table, builder) : status;
}
