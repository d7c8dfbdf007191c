/* Tables with two velocities at each epoch: a row each, or Gaia's arrays with a row for each
 * source. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binaries/sb2_data.h"
#include "core/numbers/tcb_clock.h"
#include "core/status_fail.h"
#include "data/tables/gaia_days.h"
#include "data/tables/gaia_rows.h"
#include "data/text_array.h"
#include "data/text_number.h"
#include "data/velocity_unit.h"
#include "platform/system_file.h"

/* Lines that lie closer than this are one line to nearly all spectrographs, so that velocities of
 * two stars that spread over less than 3 km/s are none in m/s, and none spread over 3000 km/s. */
#define LEAST_SPREAD_M_S 3000.0

enum { MOST_TRANSITS = 1 << 16, N_WORDS = 6, VALUES = 1 };

static const gaia_word needed[] = {GAIA_WORD_SB2_RV1, GAIA_WORD_SB2_RV1_ERROR, GAIA_WORD_SB2_RV2,
                                   GAIA_WORD_SB2_RV2_ERROR};

/* What is known of the table that is read. */
typedef struct sb2_table {
    gaia_rows *rows;
    equant_sb2 *data;
    int64_t wanted, source_id; /* 0: any; none so far */
    bool is_gaia;
    gaia_word words[N_WORDS]; /* time, the needed ones, is_ordered */
    double zero_jd;
    equant_unit unit; /* of headings */
    size_t n_empty;
} sb2_table;

/* ---- rows --------------------------------------------------------------------------------------
 */

static equant_status bjd_of(sb2_table *table, double *time)
{
    double given = *time;
    if (isnan(table->zero_jd))
        table->zero_jd = gaia_days_zero_jd(given);
    double jd = given + table->zero_jd;
    if (!gaia_days_is_time(jd))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: %.17g is no time of Gaia, which counts days since 2010.0",
                           gaia_rows_place(table->rows), given);
    *time = jd - tcb_clock_ahead_days(jd);
    return EQUANT_SUCCESS;
}

static double number_of(sb2_table *table, int i, text_slice word)
{
    double value;
    if (text_number_read(word, &value))
        return value;
    if (!text_array_is_missing(word))
        gaia_rows_refuse(table->rows, table->words[i], word, "no number");
    return NAN;
}

static bool is_true(text_slice word)
{
    return text_is_word(word, "true") || text_is_word(word, "t") || text_is_word(word, "1");
}

/* One epoch of one word for each column. */
static equant_status add_epoch(sb2_table *table, const text_slice words[N_WORDS])
{
    double number[N_WORDS - 1];
    for (int i = 0; i < N_WORDS - 1; i++)
        number[i] = number_of(table, i, words[i]);
    sb2_row row = {.time_days = number[0],
                   .velocity = {number[VALUES], number[VALUES + 2]},
                   .error = {number[VALUES + 1], number[VALUES + 3]},
                   .is_ordered = is_true(words[N_WORDS - 1])};
    for (int i = 0; i < 2 && table->is_gaia; i++) /* the archive has velocities without errors */
        if (!(row.error[i] > 0.0))
            row.velocity[i] = NAN;
    table->n_empty += isnan(row.velocity[0]) && isnan(row.velocity[1]);
    if (isnan(row.velocity[0]) && isnan(row.velocity[1]))
        return EQUANT_SUCCESS;
    equant_status status = sb2_row_check(&row, gaia_rows_place(table->rows));
    if (status == EQUANT_SUCCESS && table->is_gaia)
        status = bjd_of(table, &row.time_days);
    return status == EQUANT_SUCCESS ? sb2_data_add(table->data, &row) : status;
}

static equant_status add_epochs(sb2_table *table)
{
    text_slice rest[N_WORDS], words[N_WORDS];
    size_t n = 1, n_words[N_WORDS] = {0};
    for (int i = 0; i < N_WORDS; i++) {
        text_slice cell = rest[i] = gaia_rows_cell(table->rows, table->words[i]);
        words[i] = (text_slice){"", 0};
        while (n_words[i] <= MOST_TRANSITS && text_array_next(&cell, &words[i]))
            n_words[i]++;
        n = n_words[i] > n ? n_words[i] : n;
    }
    for (int i = 0; i < N_WORDS; i++)
        if (n > MOST_TRANSITS || (n_words[i] > 1 && n_words[i] != n))
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s: arrays of %zu and %zu values; all must have one for each "
                               "transit",
                               gaia_rows_place(table->rows), n, n_words[i]);
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
        for (int i = 0; i < N_WORDS; i++)
            if (n_words[i] > 1 || k == 0)
                text_array_next(&rest[i], &words[i]);
        status = add_epoch(table, words);
    }
    return status;
}

static equant_status add_row(sb2_table *table)
{
    int64_t id;
    equant_status status = gaia_rows_id(table->rows, GAIA_WORD_SB2_SOURCE_ID, &id);
    if (status != EQUANT_SUCCESS || (table->wanted != 0 && id != 0 && id != table->wanted))
        return status;
    if (id != 0 && table->source_id != 0 && id != table->source_id)
        return status_fail(
            EQUANT_ERROR_FORMAT, "%s: source %lld, and %lld before it; one of them is to be named",
            gaia_rows_place(table->rows), (long long)id, (long long)table->source_id);
    table->source_id = id != 0 ? id : table->source_id;
    return add_epochs(table);
}

/* ---- files -------------------------------------------------------------------------------------
 */

static equant_status begin(const char *path, sb2_table *table)
{
    equant_status status = gaia_rows_open(path, GAIA_DOUBLE_VELOCITIES,
                                          sizeof needed / sizeof *needed, needed, &table->rows);
    if (status != EQUANT_SUCCESS)
        return status;
    table->is_gaia = gaia_rows_has(table->rows, GAIA_WORD_SB2_GAIA_TIME);
    table->zero_jd = NAN;
    table->words[0] = table->is_gaia ? GAIA_WORD_SB2_GAIA_TIME : GAIA_WORD_SB2_TIME;
    memcpy(table->words + VALUES, needed, sizeof needed);
    table->words[N_WORDS - 1] = GAIA_WORD_SB2_ORDERED;
    const char *unit = gaia_rows_unit(table->rows, GAIA_WORD_SB2_RV1);
    table->unit = velocity_unit_parse((text_slice){unit, strlen(unit)});
    if (table->is_gaia)
        table->unit = EQUANT_UNIT_KM_S;
    return gaia_rows_has(table->rows, table->words[0])
               ? EQUANT_SUCCESS
               : status_fail(EQUANT_ERROR_FORMAT, "%s: there is no column of times, such as bjd",
                             path);
}

/* To m/s: the rows of one file, from `first` on. */
static void scale(const char *path, sb2_table *table, equant_unit forced, size_t first)
{
    double low = INFINITY, high = -INFINITY;
    equant_unit unit = forced != EQUANT_UNIT_FROM_FILE ? forced : table->unit;
    for (size_t k = first; k < table->data->n; k++)
        for (int i = 0; i < 2; i++) {
            low = fmin(low, table->data->rows[k].velocity[i]);
            high = fmax(high, table->data->rows[k].velocity[i]);
        }
    if (unit == EQUANT_UNIT_FROM_FILE) {
        unit = high - low < LEAST_SPREAD_M_S ? EQUANT_UNIT_KM_S : EQUANT_UNIT_M_S;
        sb2_data_warn(table->data, "%s: no unit of velocities is told; they are taken as %s", path,
                      velocity_unit_name(unit));
    }
    for (size_t k = first; k < table->data->n; k++)
        for (int i = 0; i < 2; i++) {
            table->data->rows[k].velocity[i] *= velocity_unit_scale(unit);
            table->data->rows[k].error[i] *= velocity_unit_scale(unit);
        }
}

static equant_status read_file(const char *path, sb2_table *table, equant_unit forced)
{
    size_t first = table->data->n;
    bool is_there = true;
    equant_status status = begin(path, table);
    while (status == EQUANT_SUCCESS && is_there) {
        status = gaia_rows_next(table->rows, &is_there);
        if (status == EQUANT_SUCCESS && is_there)
            status = add_row(table);
    }
    gaia_rows_close(table->rows);
    table->rows = NULL;
    if (status == EQUANT_SUCCESS)
        scale(path, table, forced, first);
    return status;
}

static equant_status read_all(size_t n_paths, const char *const *paths,
                              const equant_sb2_reading *options, equant_sb2 *data)
{
    sb2_table table = {.data = data,
                       .wanted = OPTION_OR_ZERO(options, equant_sb2_reading, source_id)};
    equant_unit forced = OPTIONS_HAVE(options, equant_sb2_reading, velocity_unit)
                             ? options->velocity_unit
                             : EQUANT_UNIT_FROM_FILE;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n_paths && status == EQUANT_SUCCESS; i++)
        status = read_file(paths[i], &table, forced);
    if (status == EQUANT_SUCCESS && data->n == 0)
        status =
            status_fail(EQUANT_ERROR_FORMAT, "%s: there are no epochs with velocities", paths[0]);
    if (status == EQUANT_SUCCESS && table.n_empty > 0)
        sb2_data_warn(data, "%zu epochs without a velocity are left out", table.n_empty);
    return status == EQUANT_SUCCESS ? sb2_data_settle(data) : status;
}

equant_status equant_sb2_read(size_t n_paths, const char *const *paths,
                              const equant_sb2_reading *options, equant_sb2 **data)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    if (n_paths == 0 || paths == NULL || data == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a double-lined binary needs names of files and a place for it");
    equant_sb2 *made = calloc(1, sizeof *made);
    status = made ? read_all(n_paths, paths, options, made) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        *data = made;
    else
        equant_sb2_free(made);
    return status;
}

int equant_sb2_recognises(const char *path)
{
    system_file_facts facts;
    gaia_rows *rows = NULL;
    if (path == NULL || !system_file_find(path, &facts) ||
        (!facts.is_regular && !facts.is_folder) || /* a pipe is read once */
        gaia_rows_open(path, GAIA_DOUBLE_VELOCITIES, 2,
                       (const gaia_word[]){GAIA_WORD_SB2_RV1, GAIA_WORD_SB2_RV2},
                       &rows) != EQUANT_SUCCESS)
        return 0;
    gaia_rows_close(rows);
    return 1;
}
