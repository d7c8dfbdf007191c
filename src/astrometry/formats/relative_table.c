/* Positions of companions relative to their star: tables of orbitize (MJD, mas, degrees; separation
 * and position angle, or offsets) and of orvara (years, arcseconds, degrees). A position becomes
 * two rows, along the axes of its error ellipse, which are independent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/formats/gaia_transit.h"
#include "astrometry/formats/sky_date.h"
#include "astrometry/formats/sky_format.h"
#include "core/status_fail.h"
#include "model/circle.h"

enum { MOST_COLUMNS = 64, MOST_COMPANIONS = 16 };

typedef enum relative_column {
    COLUMN_EPOCH,
    COLUMN_OBJECT,
    COLUMN_SEP,
    COLUMN_SEP_ERR,
    COLUMN_PA,
    COLUMN_PA_ERR,
    COLUMN_SEP_PA_CORR,
    COLUMN_RA,
    COLUMN_RA_ERR,
    COLUMN_DEC,
    COLUMN_DEC_ERR,
    COLUMN_RA_DEC_CORR,
    COLUMN_RV,
    COLUMN_QUANT1,
    COLUMN_QUANT1_ERR,
    COLUMN_QUANT2,
    COLUMN_QUANT2_ERR,
    COLUMN_QUANT12_CORR,
    COLUMN_QUANT_TYPE,
    N_COLUMNS
} relative_column;

static const struct {
    const char *name;
    relative_column column;
} names[] = {
    {"epoch", COLUMN_EPOCH},
    {"object", COLUMN_OBJECT},
    {"sep", COLUMN_SEP},
    {"sep_err", COLUMN_SEP_ERR},
    {"pa", COLUMN_PA},
    {"pa_err", COLUMN_PA_ERR},
    {"seppa_corr", COLUMN_SEP_PA_CORR},
    {"raoff", COLUMN_RA},
    {"raoff_err", COLUMN_RA_ERR},
    {"decoff", COLUMN_DEC},
    {"decoff_err", COLUMN_DEC_ERR},
    {"radec_corr", COLUMN_RA_DEC_CORR},
    {"rv", COLUMN_RV},
    {"quant1", COLUMN_QUANT1},
    {"quant1_err", COLUMN_QUANT1_ERR},
    {"quant2", COLUMN_QUANT2},
    {"quant2_err", COLUMN_QUANT2_ERR},
    {"quant12_corr", COLUMN_QUANT12_CORR},
    {"quant_type", COLUMN_QUANT_TYPE},
    /* orvara's */
    {"date", COLUMN_EPOCH},
    {"err_sep", COLUMN_SEP_ERR},
    {"err_pa", COLUMN_PA_ERR},
    {"sep_pa_corr", COLUMN_SEP_PA_CORR},
    {"corr", COLUMN_SEP_PA_CORR},
    {"planetid", COLUMN_OBJECT},
};

typedef struct relative_table {
    const sky_input *input;
    bool is_orvara;
    text_delimiter delimiter;
    int place[N_COLUMNS]; /* -1: none */
    size_t n_columns;
    text_slice cells[MOST_COLUMNS];
    sky_builder companions[MOST_COMPANIONS];
    size_t n_without;     /* rows without a position */
    bool has_wide_angles; /* position angles that are known badly */
} relative_table;

/* ---- headings ---------------------------------------------------------- */

static bool has(const relative_table *table, relative_column column)
{
    return table->place[column] >= 0;
}

static bool take_names(relative_table *table, text_slice line)
{
    table->delimiter = text_count(line, ',') > 0 ? TEXT_COMMA : TEXT_WHITESPACE;
    table->n_columns = text_cells(line, table->delimiter, table->cells, MOST_COLUMNS);
    for (int i = 0; i < N_COLUMNS; i++)
        table->place[i] = -1;
    if (table->n_columns > MOST_COLUMNS)
        return false;
    for (size_t i = 0; i < table->n_columns; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            if (text_is_word(table->cells[i], names[k].name))
                table->place[names[k].column] = (int)i;
    table->is_orvara = table->n_columns > 0 && text_is_word(table->cells[0], "date");
    bool has_polar = has(table, COLUMN_SEP) && has(table, COLUMN_SEP_ERR) &&
                     has(table, COLUMN_PA) && has(table, COLUMN_PA_ERR);
    bool has_offsets = has(table, COLUMN_RA) && has(table, COLUMN_RA_ERR) &&
                       has(table, COLUMN_DEC) && has(table, COLUMN_DEC_ERR);
    bool has_either = has(table, COLUMN_QUANT_TYPE) && has(table, COLUMN_QUANT1) &&
                      has(table, COLUMN_QUANT1_ERR) && has(table, COLUMN_QUANT2) &&
                      has(table, COLUMN_QUANT2_ERR);
    return has(table, COLUMN_EPOCH) && has(table, COLUMN_OBJECT) &&
           (has_polar || has_offsets || has_either);
}

/* Headings are the first line that is no comment, or the last comment before it. */
static bool take_head(relative_table *table, text_lines *lines)
{
    text_slice first, comment;
    text_lines before;
    if (!text_lines_head(lines, &first, &comment, &before))
        return false;
    if (take_names(table, first))
        return true;
    *lines = before;
    return comment.start != NULL && take_names(table, comment);
}

/* ---- cells ------------------------------------------------------------- */

/* NaN for an empty cell and where there is no such column; false for a word. */
static bool read_number(const relative_table *table, relative_column column, double *number)
{
    gaia_cell cell;
    *number = NAN;
    if (!has(table, column))
        return true;
    if (!gaia_cell_read(table->cells[table->place[column]], GAIA_ABSCISSA, &cell) || cell.n != 1)
        return false;
    *number = cell.real[0];
    return true;
}

/* A position with its errors and their correlation, in the units of the table. */
typedef struct position {
    bool is_polar;
    double first, first_err, second, second_err, correlation;
} position;

static bool read_columns(const relative_table *table, const relative_column columns[5],
                         position *it)
{
    return read_number(table, columns[0], &it->first) &&
           read_number(table, columns[1], &it->first_err) &&
           read_number(table, columns[2], &it->second) &&
           read_number(table, columns[3], &it->second_err) &&
           read_number(table, columns[4], &it->correlation);
}

static bool is_whole(const position *it)
{
    return isfinite(it->first) && isfinite(it->second);
}

/* The position of a row in whichever columns it stands; false for words that are no numbers. */
static bool read_position(const relative_table *table, position *it)
{
    static const relative_column polar[] = {COLUMN_SEP, COLUMN_SEP_ERR, COLUMN_PA, COLUMN_PA_ERR,
                                            COLUMN_SEP_PA_CORR};
    static const relative_column offsets[] = {COLUMN_RA, COLUMN_RA_ERR, COLUMN_DEC, COLUMN_DEC_ERR,
                                              COLUMN_RA_DEC_CORR};
    static const relative_column either[] = {COLUMN_QUANT1, COLUMN_QUANT1_ERR, COLUMN_QUANT2,
                                             COLUMN_QUANT2_ERR, COLUMN_QUANT12_CORR};
    *it = (position){.is_polar = true, .first = NAN};
    if (has(table, COLUMN_QUANT_TYPE)) {
        text_slice type = table->cells[table->place[COLUMN_QUANT_TYPE]];
        it->is_polar = text_is_word(type, "seppa");
        return (!it->is_polar && !text_is_word(type, "radec")) || read_columns(table, either, it);
    }
    if (has(table, COLUMN_SEP) && !read_columns(table, polar, it))
        return false;
    if (is_whole(it) || !has(table, COLUMN_RA))
        return true;
    it->is_polar = false;
    return read_columns(table, offsets, it);
}

/* ---- rows -------------------------------------------------------------- */

/* A point (u, v) with variances and covariance, u along the position angle `angle_rad` and v a
 * quarter of a turn on, as two rows along the axes of its ellipse. */
static equant_status add_point(sky_builder *builder, double time_days, double angle_rad, double u,
                               double v, double var_u, double var_v, double covariance)
{
    double turn = covariance == 0 ? 0 : 0.5 * atan2(2 * covariance, var_u - var_v);
    equant_status status = EQUANT_SUCCESS;
    for (int axis = 0; axis < 2 && status == EQUANT_SUCCESS; axis++) {
        double c = cos(turn), s = sin(turn);
        double variance = var_u * c * c + 2 * covariance * c * s + var_v * s * s;
        if (axis == 1) {
            variance = var_u * s * s - 2 * covariance * c * s + var_v * c * c;
            double along = c;
            c = -s;
            s = along;
        }
        sky_row row = {.time_days = time_days,
                       .abscissa_mas = u * c + v * s,
                       .uncertainty_mas = sqrt(variance),
                       .angle_rad = angle_rad + turn + axis * HALF_PI,
                       .kind = EQUANT_SKY_COMPANION,
                       .transit = (int64_t)builder->n_rows};
        status = sky_builder_add(builder, row);
    }
    return status;
}

static equant_status add_position(relative_table *table, sky_builder *builder, double time_days,
                                  const position *it)
{
    double correlation = isfinite(it->correlation) ? it->correlation : 0;
    if (!it->is_polar) /* u towards North, v towards East */
        return add_point(builder, time_days, 0, it->second, it->first,
                         it->second_err * it->second_err, it->first_err * it->first_err,
                         correlation * it->first_err * it->second_err);
    double to_mas = table->is_orvara ? 1000 : 1, degree = PI / 180;
    double separation = to_mas * it->first, radial = to_mas * it->first_err;
    double across = separation * it->second_err * degree;
    table->has_wide_angles = table->has_wide_angles || it->second_err > 5;
    return add_point(builder, time_days, it->second * degree, separation, 0, radial * radial,
                     across * across, correlation * radial * across);
}

static equant_status refuse(const relative_table *table, size_t line, const char *why)
{
    return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: %s", table->input->path, line, why);
}

static equant_status take_row(relative_table *table, text_slice line, size_t number)
{
    size_t n = text_cells(line, table->delimiter, table->cells, MOST_COLUMNS);
    if (n != table->n_columns)
        return refuse(table, number, "this row has not as many cells as there are columns");
    double epoch, object;
    position it;
    if (!read_number(table, COLUMN_EPOCH, &epoch) || !read_number(table, COLUMN_OBJECT, &object) ||
        !read_position(table, &it))
        return refuse(table, number, "a cell of this row is no number");
    if (!is_whole(&it)) {
        table->n_without++;
        return EQUANT_SUCCESS;
    }
    double first = table->is_orvara ? 0 : 1; /* orbitize has the star as object 0 */
    if (!(object >= first && object < first + MOST_COMPANIONS) || !isfinite(epoch))
        return refuse(table, number, "a position needs a date, and the number of a companion");
    if (!(it.first_err > 0 && it.second_err > 0) || fabs(it.correlation) >= 1 ||
        (it.is_polar && it.first <= 0))
        return refuse(table, number,
                      "separation and errors of a position must be above zero, and "
                      "their correlation within -1 and 1");
    sky_date date = table->is_orvara ? SKY_DATE_YEAR : sky_date_guess(epoch);
    double time_days = sky_date_days(date, epoch, EQUANT_SKY_GAIA_JD);
    if (!sky_date_is_near(time_days))
        return refuse(table, number,
                      table->is_orvara ? "the date of a position is not a year, as orvara has it"
                                       : "the date of a position is neither MJD nor JD");
    return add_position(table, &table->companions[(size_t)(object - first)], time_days, &it);
}

/* ---- sources ----------------------------------------------------------- */

static equant_status remark(const relative_table *table, sky_builder *builder)
{
    equant_status status = sky_builder_remark(
        builder,
        "companion minus star, two rows for each position, along the axes of its error "
        "ellipse; %s",
        table->is_orvara ? "orvara's units: years, arcseconds, degrees"
                         : "orbitize's units: mas, degrees");
    if (status == EQUANT_SUCCESS && table->n_without > 0)
        status = sky_builder_remark(builder,
                                    "not read here: %zu rows without a position, such as "
                                    "velocities",
                                    table->n_without);
    if (status == EQUANT_SUCCESS && table->has_wide_angles)
        status = sky_builder_remark(builder, "some position angles have errors above 5 degrees, "
                                             "where a straight axis is a rough one");
    return status;
}

static equant_status finish(relative_table *table, size_t companion)
{
    sky_builder *builder = &table->companions[companion];
    char name[32];
    snprintf(name, sizeof name, "companion %zu", companion + 1);
    builder->reference_jd = EQUANT_SKY_GAIA_JD;
    equant_status status = sky_builder_set_name(builder, name);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(builder, table->is_orvara ? "orvara positions"
                                                                  : "orbitize positions");
    if (status == EQUANT_SUCCESS)
        status = remark(table, builder);
    equant_astrometry *made = NULL;
    if (status == EQUANT_SUCCESS)
        status = sky_builder_finish(builder, &made);
    return status == EQUANT_SUCCESS ? sky_queue_put(table->input->queue, made) : status;
}

static equant_status relative_table_read(const char *text, size_t n_bytes, const sky_input *input)
{
    relative_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return status_out_of_memory();
    table->input = input;
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    equant_status status = EQUANT_SUCCESS;
    bool has_head = take_head(table, &lines);
    while (has_head && status == EQUANT_SUCCESS && text_lines_next(&lines, &line)) {
        text_slice trimmed = text_trim(line);
        if (trimmed.n > 0 && trimmed.start[0] != '#')
            status = take_row(table, trimmed, lines.number);
    }
    size_t n_made = 0;
    for (size_t i = 0; i < MOST_COMPANIONS && status == EQUANT_SUCCESS; i++)
        if (table->companions[i].n_rows > 0) {
            status = finish(table, i);
            n_made++;
        }
    if (status == EQUANT_SUCCESS && n_made == 0 && table->n_without > 0)
        input->queue->n_left_out++;
    for (size_t i = 0; i < MOST_COMPANIONS; i++)
        sky_builder_free(&table->companions[i]);
    free(table);
    return status;
}

/* ---- recognition ------------------------------------------------------- */

/* Whether a row has a velocity of the star: such a file is one of velocities as well. */
static bool has_star_velocity(relative_table *table, text_lines lines)
{
    text_slice line;
    while (text_lines_next(&lines, &line)) {
        text_slice trimmed = text_trim(line);
        double object, velocity;
        if (trimmed.n == 0 || trimmed.start[0] == '#' ||
            text_cells(trimmed, table->delimiter, table->cells, MOST_COLUMNS) != table->n_columns)
            continue;
        bool is_velocity = has(table, COLUMN_QUANT_TYPE) &&
                           text_is_word(table->cells[table->place[COLUMN_QUANT_TYPE]], "rv");
        if (read_number(table, COLUMN_OBJECT, &object) && object == 0 &&
            read_number(table, COLUMN_RV, &velocity) && (is_velocity || isfinite(velocity)))
            return true;
    }
    return false;
}

static bool is_relative(const char *head, size_t n_bytes, bool may_have_velocities)
{
    relative_table table;
    text_lines lines = text_lines_begin(head, n_bytes);
    return take_head(&table, &lines) &&
           (may_have_velocities || table.is_orvara || !has_star_velocity(&table, lines));
}

static bool relative_table_is(const char *head, size_t n_bytes)
{
    return is_relative(head, n_bytes, false);
}

static bool relative_with_velocities_is(const char *head, size_t n_bytes)
{
    return is_relative(head, n_bytes, true);
}

const sky_format relative_table_format = {.is = relative_table_is,
                                          .read_text = relative_table_read};
const sky_format relative_with_velocities_format = {
    .is = relative_with_velocities_is, .is_guess = true, .read_text = relative_table_read};
