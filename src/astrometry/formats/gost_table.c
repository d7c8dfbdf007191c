/* Tables of Gaia's observation forecast tool (GOST): when and along which angle Gaia looks, without
 * what it sees. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/formats/sky_date.h"
#include "astrometry/formats/sky_format.h"
#include "core/status_fail.h"
#include "data/text_number.h"
#include "data/text_table.h"

enum { MOST_COLUMNS = 64, MOST_NAME = 128 };

typedef enum gost_column {
    GOST_TARGET,
    GOST_ANGLE,
    GOST_PARALLAX,
    GOST_TIME,
    N_COLUMNS
} gost_column;

static const char *const beginnings[N_COLUMNS] = {
    [GOST_TARGET] = "target",
    [GOST_ANGLE] = "scanangle[rad]",
    [GOST_PARALLAX] = "parallaxfactoralongscan",
    [GOST_TIME] = "observationtimeatbarycentre",
};

typedef struct gost_table {
    const sky_input *input;
    int place[N_COLUMNS];
    size_t n_columns;
    text_slice cells[MOST_COLUMNS];
    char target[MOST_NAME];
    sky_builder builder;
} gost_table;

static bool take_names(gost_table *table, text_slice line)
{
    table->n_columns = text_cells(line, TEXT_COMMA, table->cells, MOST_COLUMNS);
    if (table->n_columns > MOST_COLUMNS)
        return false;
    for (int i = 0; i < N_COLUMNS; i++) {
        table->place[i] = -1;
        for (size_t k = 0; k < table->n_columns && table->place[i] < 0; k++)
            if (text_begins_with(table->cells[k], beginnings[i]))
                table->place[i] = (int)k;
        if (table->place[i] < 0)
            return false;
    }
    return true;
}

static bool gost_table_is(const char *head, size_t n_bytes)
{
    gost_table table;
    text_lines lines = text_lines_begin(head, n_bytes);
    text_slice line;
    return text_lines_next(&lines, &line) && take_names(&table, line);
}

static int compare_times(const void *left, const void *right)
{
    const sky_row *a = left, *b = right;
    return (a->time_days > b->time_days) - (a->time_days < b->time_days);
}

/* Scans that are listed twice count once; listed twice, they would weigh twice. */
static size_t drop_repeats(sky_builder *builder)
{
    static const double second_days = 1.0 / 86400;
    size_t kept = 0, n = builder->n_rows;
    qsort(builder->rows, n, sizeof *builder->rows, compare_times);
    for (size_t k = 0; k < n; k++)
        if (kept == 0 ||
            builder->rows[k].time_days - builder->rows[kept - 1].time_days > second_days)
            builder->rows[kept++] = builder->rows[k];
    builder->n_rows = kept;
    return n - kept;
}

static equant_status finish(gost_table *table)
{
    sky_builder *builder = &table->builder;
    if (builder->n_rows == 0)
        return EQUANT_SUCCESS;
    size_t n_repeats = drop_repeats(builder);
    builder->reference_jd = EQUANT_SKY_GAIA_JD;
    equant_status status = sky_builder_set_name(builder, table->target);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(builder, "GOST scans");
    if (status == EQUANT_SUCCESS)
        status = sky_builder_remark(builder, "a forecast: when and along which angle Gaia looks, "
                                             "without a measurement; some of these scans never "
                                             "became data");
    if (status == EQUANT_SUCCESS && n_repeats > 0)
        status = sky_builder_remark(builder, "left out: %zu scans within a second of another",
                                    n_repeats);
    equant_astrometry *made = NULL;
    if (status == EQUANT_SUCCESS)
        status = sky_builder_finish(builder, &made);
    return status == EQUANT_SUCCESS ? sky_queue_put(table->input->queue, made) : status;
}

static equant_status take_row(gost_table *table, text_slice line, size_t number)
{
    size_t n = text_cells(line, TEXT_COMMA, table->cells, MOST_COLUMNS);
    double jd = NAN, angle = NAN, factor = NAN;
    if (n != table->n_columns || !text_number_read(table->cells[table->place[GOST_TIME]], &jd) ||
        !text_number_read(table->cells[table->place[GOST_ANGLE]], &angle) ||
        !text_number_read(table->cells[table->place[GOST_PARALLAX]], &factor) || jd < 2.4e6 ||
        !sky_date_is_near(jd - EQUANT_SKY_GAIA_JD))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: a scan of GOST has %zu cells, with numbers for angle, parallax "
                           "factor and barycentric date",
                           table->input->path, number, table->n_columns);
    char target[MOST_NAME];
    text_show(table->cells[table->place[GOST_TARGET]], target, sizeof target);
    equant_status status = EQUANT_SUCCESS;
    if (strcmp(target, table->target) != 0) {
        status = finish(table);
        sky_builder_free(&table->builder);
        memcpy(table->target, target, sizeof target);
    }
    if (status != EQUANT_SUCCESS)
        return status;
    return sky_builder_add(&table->builder, (sky_row){.time_days = jd - EQUANT_SKY_GAIA_JD,
                                                      .uncertainty_mas = 1,
                                                      .angle_rad = angle,
                                                      .parallax_factor = factor,
                                                      .kind = EQUANT_SKY_SCAN,
                                                      .transit = (int64_t)table->builder.n_rows});
}

static equant_status gost_table_read(const char *text, size_t n_bytes, const sky_input *input)
{
    gost_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return status_out_of_memory();
    table->input = input;
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    equant_status status = EQUANT_SUCCESS;
    bool has_names = text_lines_next(&lines, &line) && take_names(table, line);
    while (has_names && status == EQUANT_SUCCESS && text_lines_next(&lines, &line))
        if (text_trim(line).n > 0)
            status = take_row(table, line, lines.number);
    if (status == EQUANT_SUCCESS)
        status = finish(table);
    sky_builder_free(&table->builder);
    free(table);
    return status;
}

const sky_format gost_table_format = {.is = gost_table_is, .read_text = gost_table_read};
