#include "results/fit_tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/ecsv_writer.h"
#include "results/fit_folder.h"
#include "terminal/messages.h"
#include "files/output_file.h"
#include "stars/star_curve.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A table begun in its file. */
struct table_file {
    struct output_file file;
    struct ecsv_writer writer;
};

static int open_table(struct table_file *table, const struct star_result *star, const char *folder,
                      const char *name, size_t n_columns, const struct ecsv_column *columns)
{
    const struct ecsv_note notes[] = {{"t_ref", NULL, star->summary.reference_time_days}};
    int code = output_file_open(&table->file, folder, name, fit_folder_members);
    if (code == EXIT_CODE_OK)
        table->writer =
            ecsv_writer_start(table->file.stream, n_columns, columns, COUNT(notes), notes);
    return code;
}

/* --- planets.ecsv ------------------------------------------------------------ */

static const struct ecsv_column significance_columns[] = {
    {"fap", ECSV_NUMBER, NULL, "false-alarm probability, analytic"},
    {"delta_lnl", ECSV_NUMBER, NULL, "log-likelihood lost without it"},
    {"delta_bic", ECSV_NUMBER, NULL, "growth of the BIC without it"},
    {"probability", ECSV_NUMBER, NULL, "that it is there, by evidences"},
    {"fip", ECSV_NUMBER, NULL, "false inclusion: probability that it is not there"},
    {"period_days_bound", ECSV_NUMBER, "d", "of a period at a limit, which has no error"},
    {"at_limit", ECSV_TEXT, NULL, "end of the range at which the period lies: longest, shortest"},
};

/* What planets.ecsv consists of: quantities and their errors, with the significance between those
 * that need the mass of the star and those that do not. */
struct planet_table {
    size_t n_columns;
    struct ecsv_column columns[2 * QUANTITY_KIND_MOST + COUNT(significance_columns)];
    char error_names[QUANTITY_KIND_MOST][QUANTITY_KIND_NAME_SIZE];
};

static void add_columns(struct planet_table *table, bool needs_star_mass)
{
    for (size_t i = 0; i < quantity_kind_n(); i++) {
        equant_quantity_info kind = quantity_kind_at(i);
        if (!quantity_kind_is_of_planet(&kind) || (kind.needs_star_mass != 0) != needs_star_mass)
            continue;
        struct ecsv_column column = quantity_kind_column(&kind);
        table->columns[table->n_columns++] = column;
        snprintf(table->error_names[i], QUANTITY_KIND_NAME_SIZE, "%s_err", column.name);
        column.name = table->error_names[i];
        column.description = NULL;
        table->columns[table->n_columns++] = column;
    }
}

static void add_all_columns(struct planet_table *table)
{
    table->n_columns = 0;
    add_columns(table, false);
    for (size_t i = 0; i < COUNT(significance_columns); i++)
        table->columns[table->n_columns++] = significance_columns[i];
    add_columns(table, true);
}

static void write_quantities(struct ecsv_writer *writer, const struct star_planet *planet,
                             bool needs_star_mass)
{
    for (size_t i = 0; i < quantity_kind_n(); i++) {
        equant_quantity_info kind = quantity_kind_at(i);
        if (!quantity_kind_is_of_planet(&kind) || (kind.needs_star_mass != 0) != needs_star_mass)
            continue;
        ecsv_writer_number(writer, planet->values[i] * kind.shown_factor);
        ecsv_writer_number(writer, planet->errors[i] * kind.shown_factor);
    }
}

static void write_planet(struct ecsv_writer *writer, const struct star_planet *planet)
{
    const double significance[] = {planet->false_alarm,     planet->log_likelihood_gain,
                                   planet->delta_bic,       planet->probability,
                                   planet->false_inclusion, planet->period_days_bound};
    const char *limit = star_planet_limit_word(planet->at_limit);
    write_quantities(writer, planet, false);
    for (size_t i = 0; i < COUNT(significance); i++)
        ecsv_writer_number(writer, significance[i]);
    ecsv_writer_text(writer, limit != NULL ? limit : "");
    write_quantities(writer, planet, true);
}

static int write_planets(const struct star_result *star, const char *folder)
{
    struct planet_table layout;
    struct table_file table;
    add_all_columns(&layout);
    int code = open_table(&table, star, folder, "planets.ecsv", layout.n_columns, layout.columns);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t i = 0; i < star->n_planets; i++)
        write_planet(&table.writer, &star->planets[i]);
    return output_file_close(&table.file, EXIT_CODE_OK);
}

/* --- parameters.ecsv, covariance.ecsv ----------------------------------------- */

static int write_parameters(const struct star_result *star, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"name", ECSV_TEXT, NULL, NULL},
        {"value", ECSV_NUMBER, NULL, NULL},
        {"uncertainty", ECSV_NUMBER, NULL, "standard error; 0 where the value was kept"},
        {"unit", ECSV_TEXT, NULL, NULL},
    };
    const equant_model *model = equant_fit_model(star->fit);
    struct table_file table;
    int code = open_table(&table, star, folder, "parameters.ecsv", COUNT(columns), columns);
    if (code != EXIT_CODE_OK)
        return code;
    size_t n = equant_model_n_parameters(model);
    for (size_t i = 0; i < n; i++) {
        const char *name = equant_model_parameter_name(model, i);
        double error = sqrt(equant_fit_covariance(star->fit)[i * n + i]);
        struct star_parameter parameter = {equant_fit_parameters(star->fit)[i], error};
        star_result_parameter(star, name, &parameter); /* a period at a limit has no error */
        ecsv_writer_text(&table.writer, name);
        ecsv_writer_number(&table.writer, parameter.value);
        ecsv_writer_number(&table.writer, parameter.uncertainty);
        ecsv_writer_text(&table.writer, quantity_kind_at(quantity_kind_index(name)).table_unit);
    }
    return output_file_close(&table.file, EXIT_CODE_OK);
}

static int write_covariance(const struct star_result *star, const char *folder)
{
    const equant_model *model = equant_fit_model(star->fit);
    const double *covariance = equant_fit_covariance(star->fit);
    size_t n = equant_model_n_parameters(model);
    struct ecsv_column *columns = calloc(n + 1, sizeof *columns);
    if (columns == NULL)
        return messages_out_of_memory();
    columns[0] = (struct ecsv_column){"name", ECSV_TEXT, NULL, NULL};
    for (size_t i = 0; i < n; i++)
        columns[i + 1] =
            (struct ecsv_column){equant_model_parameter_name(model, i), ECSV_NUMBER, NULL, NULL};
    struct table_file table;
    int code = open_table(&table, star, folder, "covariance.ecsv", n + 1, columns);
    free(columns);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t i = 0; i < n; i++) {
        ecsv_writer_text(&table.writer, equant_model_parameter_name(model, i));
        for (size_t j = 0; j < n; j++)
            ecsv_writer_number(&table.writer, covariance[i * n + j]);
    }
    return output_file_close(&table.file, EXIT_CODE_OK);
}

/* --- residuals.ecsv, curve.ecsv ------------------------------------------------ */

enum { INDICATOR_NAME_SIZE = 64 };

/* The columns of indicators and of their uncertainties, which readers know by these names. */
struct indicator_columns {
    size_t n;
    struct ecsv_column *columns; /* [n] */
    char (*names)[INDICATOR_NAME_SIZE];
};

static bool describe_indicators(const equant_dataset *dataset, struct indicator_columns *made)
{
    size_t n = equant_dataset_n_indicators(dataset);
    made->n = 2 * n;
    made->columns = calloc(made->n + 1, sizeof *made->columns);
    made->names = calloc(made->n + 1, sizeof *made->names);
    if (made->columns == NULL || made->names == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
        const char *unit = strcmp(indicator->unit, "m/s") == 0 ? "m / s" : NULL;
        snprintf(made->names[2 * i], INDICATOR_NAME_SIZE, "%s", indicator->name);
        snprintf(made->names[2 * i + 1], INDICATOR_NAME_SIZE, "%s_err", indicator->name);
        for (size_t j = 2 * i; j < 2 * i + 2; j++)
            made->columns[j] = (struct ecsv_column){made->names[j], ECSV_NUMBER, unit, NULL};
    }
    return true;
}

static void write_residual_rows(struct ecsv_writer *writer, const struct star_result *star)
{
    const equant_dataset *dataset = star->dataset;
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        size_t instrument = (size_t)equant_dataset_instruments(dataset)[k];
        ecsv_writer_number(writer, equant_dataset_times_days(dataset)[k]);
        ecsv_writer_number(writer, equant_dataset_velocities_m_s(dataset)[k]);
        ecsv_writer_number(writer, equant_dataset_uncertainties_m_s(dataset)[k]);
        ecsv_writer_text(writer, equant_dataset_instrument_name(dataset, instrument));
        ecsv_writer_number(writer, star->model_m_s[k]);
        ecsv_writer_number(writer, star->residual_m_s[k]);
        if (star->noise.process_m_s != NULL)
            ecsv_writer_number(writer, star->noise.process_m_s[k]);
        for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++) {
            const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
            ecsv_writer_number(writer, indicator->values[k]);
            ecsv_writer_number(writer, indicator->uncertainties[k]);
        }
    }
}

static int write_residuals(const struct star_result *star, const char *folder)
{
    static const struct ecsv_column usual[] = {
        {"time", ECSV_NUMBER, "d", NULL}, /* described below */
        {"velocity", ECSV_NUMBER, "m / s", "as observed"},
        {"uncertainty", ECSV_NUMBER, "m / s", "as stated, without jitter"},
        {"instrument", ECSV_TEXT, NULL, NULL},
        {"model", ECSV_NUMBER, "m / s", "planets, trend and offset"},
        {"residual", ECSV_NUMBER, "m / s", "velocity minus model"},
        {"noise_m_s", ECSV_NUMBER, "m / s", "of the residual, what correlated noise explains"},
    };
    size_t n_usual = COUNT(usual) - (star->noise.process_m_s == NULL);
    struct indicator_columns indicators = {0};
    struct ecsv_column *columns = NULL;
    int code = EXIT_CODE_OK;
    if (describe_indicators(star->dataset, &indicators))
        columns = calloc(n_usual + indicators.n, sizeof *columns);
    if (columns == NULL)
        code = messages_out_of_memory();
    struct table_file table;
    if (code == EXIT_CODE_OK) {
        memcpy(columns, usual, n_usual * sizeof *usual);
        columns[0].description = equant_dataset_time_name(star->dataset);
        memcpy(columns + n_usual, indicators.columns, indicators.n * sizeof *columns);
        code = open_table(&table, star, folder, "residuals.ecsv", n_usual + indicators.n, columns);
    }
    free(columns);
    free(indicators.columns);
    free(indicators.names);
    if (code != EXIT_CODE_OK)
        return code;
    write_residual_rows(&table.writer, star);
    return output_file_close(&table.file, EXIT_CODE_OK);
}

static int write_curve_rows(const struct star_result *star, const struct star_curve *curve,
                            const char *folder)
{
    enum { NAME_SIZE = 32 };
    size_t n_columns = 2 + curve->n_planets;
    struct ecsv_column *columns = calloc(n_columns, sizeof *columns);
    char(*names)[NAME_SIZE] = calloc(n_columns, sizeof *names);
    if (columns == NULL || names == NULL) {
        free(columns);
        free(names);
        return messages_out_of_memory();
    }
    columns[0] =
        (struct ecsv_column){"time", ECSV_NUMBER, "d", equant_dataset_time_name(star->dataset)};
    columns[1] = (struct ecsv_column){"velocity", ECSV_NUMBER, "m / s", "planets and trend"};
    for (size_t i = 0; i < curve->n_planets; i++) {
        snprintf(names[i], NAME_SIZE, "planet_%zu", i + 1);
        columns[2 + i] = (struct ecsv_column){names[i], ECSV_NUMBER, "m / s", NULL};
    }
    struct table_file table;
    int code = open_table(&table, star, folder, "curve.ecsv", n_columns, columns);
    free(columns);
    free(names);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t k = 0; k < curve->n; k++) {
        ecsv_writer_number(&table.writer, curve->time_days[k]);
        ecsv_writer_number(&table.writer, curve->total_m_s[k]);
        for (size_t i = 0; i < curve->n_planets; i++)
            ecsv_writer_number(&table.writer, curve->planets_m_s[i * curve->n + k]);
    }
    return output_file_close(&table.file, EXIT_CODE_OK);
}

static int write_curve(const struct star_result *star, const char *folder)
{
    enum { MOST_POINTS = 20000 };
    struct star_curve curve;
    int code = star_curve_create(star, 0.0, MOST_POINTS, &curve);
    if (code == EXIT_CODE_OK)
        code = write_curve_rows(star, &curve, folder);
    star_curve_free(&curve);
    return code;
}

int fit_tables_write(const struct star_result *star, const char *folder)
{
    int (*const writers[])(const struct star_result *, const char *) = {
        write_planets, write_parameters, write_covariance, write_residuals, write_curve};
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < COUNT(writers) && code == EXIT_CODE_OK; i++)
        code = writers[i](star, folder);
    return code;
}
