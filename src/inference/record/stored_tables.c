#include "inference/record/stored_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/dataset.h"
#include "core/decimal_text.h"
#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/time_name.h"
#include "inference/record/record_files.h"
#include "text/ecsv_reader.h"

/* A table of a folder. */
typedef struct stored_table {
    char *path, *text;
    struct ecsv_table table;
} stored_table;

static void close_table(stored_table *own)
{
    ecsv_reader_free(&own->table);
    free(own->text);
    free(own->path);
}

static equant_status open_table(const char *folder, record_file file, stored_table *own)
{
    *own = (stored_table){.path = record_files_path(folder, file)};
    if (!own->path)
        return status_out_of_memory();
    equant_status status = record_files_read(own->path, &own->text);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t line = ecsv_reader_read(own->text, &own->table);
    if (line == ECSV_READER_NO_MEMORY)
        return status_out_of_memory();
    return line == 0 ? EQUANT_SUCCESS
                     : status_fail(EQUANT_ERROR_FORMAT,
                                   "%s:%zu: this is no table that a fit leaves", own->path, line);
}

static equant_status not_of_one_fit(const stored_table *own)
{
    return status_fail(EQUANT_ERROR_FORMAT, "%s: this and %s are not of one fit", own->path,
                       record_files_name(RECORD_FILE_FIT));
}

static equant_status find(const stored_table *own, const char *name,
                          const struct ecsv_cells **found)
{
    *found = ecsv_reader_find(&own->table, name);
    return *found ? EQUANT_SUCCESS
                  : status_fail(EQUANT_ERROR_FORMAT, "%s: there is no column '%.60s'", own->path,
                                name);
}

/* The numbers of a column to every `stride`th place. */
static equant_status read_numbers(const stored_table *own, const char *name, size_t stride,
                                  double *values)
{
    const struct ecsv_cells *column;
    equant_status status = find(own, name, &column);
    for (size_t i = 0; status == EQUANT_SUCCESS && i < own->table.n_rows; i++) {
        char *end;
        values[i * stride] = decimal_text_read(column->cells[i], &end);
        if (end == column->cells[i] || *end)
            return status_fail(EQUANT_ERROR_FORMAT, "%s: '%.60s' in the column %s is no number",
                               own->path, column->cells[i], name);
    }
    return status;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static equant_status check_names(const stored_table *own, const equant_fit *fit)
{
    const struct ecsv_cells *names;
    equant_status status = find(own, "name", &names);
    if (status != EQUANT_SUCCESS)
        return status;
    if (own->table.n_rows != fit->n_parameters)
        return not_of_one_fit(own);
    for (size_t i = 0; i < fit->n_parameters; i++)
        if (strcmp(names->cells[i], fit->model->names[i]) != 0)
            return not_of_one_fit(own);
    return EQUANT_SUCCESS;
}

static equant_status read_covariance(const stored_table *own, equant_fit *fit)
{
    equant_status status = check_names(own, fit);
    for (size_t i = 0; i < fit->n_parameters && status == EQUANT_SUCCESS; i++)
        status = read_numbers(own, fit->model->names[i], fit->n_parameters, fit->covariance + i);
    return status;
}

equant_status stored_tables_parameters(const char *folder, equant_fit *fit)
{
    stored_table own;
    size_t n = fit->n_parameters = equant_model_n_parameters(fit->model);
    fit->parameters = calloc(n + 1, sizeof *fit->parameters);
    fit->covariance = calloc(n * n + 1, sizeof *fit->covariance);
    if (!fit->parameters || !fit->covariance)
        return status_out_of_memory();
    equant_status status = open_table(folder, RECORD_FILE_PARAMETERS, &own);
    if (status == EQUANT_SUCCESS)
        status = check_names(&own, fit);
    if (status == EQUANT_SUCCESS)
        status = read_numbers(&own, "value", 1, fit->parameters);
    close_table(&own);
    if (status != EQUANT_SUCCESS)
        return status;
    status = open_table(folder, RECORD_FILE_COVARIANCE, &own);
    if (status == EQUANT_SUCCESS)
        status = read_covariance(&own, fit);
    close_table(&own);
    return status;
}

/* ---- observations ---------------------------------------------------------------------------- */

static const char *const usual_columns[] = {"time",  "velocity", "uncertainty", "instrument",
                                            "model", "residual", "noise_m_s"};

static bool is_usual(const char *name)
{
    for (size_t i = 0; i < sizeof usual_columns / sizeof usual_columns[0]; i++)
        if (strcmp(name, usual_columns[i]) == 0)
            return true;
    return false;
}

static equant_status add_instruments(const fit_document *document, dataset_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    const document_instrument *own = document->instruments.rows;
    for (size_t i = 0; i < document->instruments.n && status == EQUANT_SUCCESS; i++)
        status = dataset_builder_add_instrument(builder, own[i].name);
    return status;
}

static equant_status find_instrument(const stored_table *own, const fit_document *document,
                                     const char *name, int *index)
{
    const document_instrument *known = document->instruments.rows;
    for (*index = 0; *index < (int)document->instruments.n; ++*index)
        if (strcmp(known[*index].name, name) == 0)
            return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: the instrument %.60s in it is not in %s: the two are not of one fit",
                       own->path, name, record_files_name(RECORD_FILE_FIT));
}

/* What cannot be an observation. */
static equant_status check_row(const stored_table *own, const double *row)
{
    if (isfinite(row[0]) && isfinite(row[1]) && isfinite(row[2]) && row[2] > 0.0)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: an observation in it has no time, velocity or "
                       "uncertainty",
                       own->path);
}

static equant_status add_rows(const stored_table *own, const fit_document *document,
                              dataset_builder *builder)
{
    enum { N = 3 }; /* time, velocity, uncertainty */
    const struct ecsv_cells *instruments;
    size_t n = own->table.n_rows;
    double *numbers = calloc(N * n + 1, sizeof *numbers);
    if (!numbers)
        return status_out_of_memory();
    equant_status status = find(own, "instrument", &instruments);
    for (size_t i = 0; i < N && status == EQUANT_SUCCESS; i++)
        status = read_numbers(own, usual_columns[i], N, numbers + i);
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
        const double *row = numbers + N * k;
        int instrument;
        status = find_instrument(own, document, instruments->cells[k], &instrument);
        if (status == EQUANT_SUCCESS)
            status = check_row(own, row);
        if (status == EQUANT_SUCCESS)
            status = dataset_builder_add(builder, row[0], row[1], row[2], instrument);
    }
    free(numbers);
    return status;
}

/* The unit of an indicator: tables say which are velocities, the catalogue knows the others. */
static equant_status describe(dataset_builder *builder, size_t index, const char *unit)
{
    indicator_set *set = &builder->indicators;
    bool is_velocity = strcmp(unit, "m / s") == 0,
         is_usually = strcmp(set->columns[index].unit, "m/s") == 0;
    return is_velocity == is_usually
               ? EQUANT_SUCCESS
               : indicator_set_describe(set, index, NULL, is_velocity ? "m/s" : "");
}

static equant_status add_indicator(const stored_table *own, const struct ecsv_cells *column,
                                   const char *error_name, dataset_builder *builder)
{
    size_t n = own->table.n_rows, index;
    double *numbers = calloc(2 * n + 1, sizeof *numbers);
    if (!numbers)
        return status_out_of_memory();
    equant_status status = read_numbers(own, column->name, 1, numbers);
    if (status == EQUANT_SUCCESS)
        status = read_numbers(own, error_name, 1, numbers + n);
    if (status == EQUANT_SUCCESS)
        status = indicator_set_find(&builder->indicators, column->name, &index);
    if (status == EQUANT_SUCCESS)
        status = describe(builder, index, column->unit);
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++)
        indicator_set_put(&builder->indicators, index, k, numbers[k], numbers[n + k]);
    free(numbers);
    return status;
}

/* Every other column that has another with its errors. */
static equant_status add_indicators(const stored_table *own, dataset_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < own->table.n_columns && status == EQUANT_SUCCESS; i++) {
        const struct ecsv_cells *column = &own->table.columns[i];
        char error_name[RECORD_KEY_SIZE];
        snprintf(error_name, sizeof error_name, "%s_err", column->name);
        if (!is_usual(column->name) && ecsv_reader_find(&own->table, error_name))
            status = add_indicator(own, column, error_name, builder);
    }
    return status;
}

/* Warnings are those of the data that were fitted, and no others. */
static equant_status keep_warnings(const fit_document *document, equant_dataset *dataset)
{
    const char *const *texts = document->warnings.rows;
    for (size_t i = 0; i < dataset->n_warnings; i++)
        free(dataset->warnings[i]);
    free(dataset->warnings);
    dataset->n_warnings = 0;
    dataset->warnings = calloc(document->warnings.n + 1, sizeof *dataset->warnings);
    if (!dataset->warnings)
        return status_out_of_memory();
    for (size_t i = 0; i < document->warnings.n; i++) {
        char *copy = strdup(texts[i]);
        if (!copy)
            return status_out_of_memory();
        dataset->warnings[dataset->n_warnings++] = copy;
    }
    return EQUANT_SUCCESS;
}

static equant_status make_dataset(const stored_table *own, const fit_document *document,
                                  equant_dataset **dataset)
{
    dataset_builder builder = {0};
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .has_reference_time = 1,
                                            .reference_time_days = document->reference_time_days};
    const struct ecsv_cells *time;
    equant_status status = find(own, usual_columns[0], &time);
    if (status == EQUANT_SUCCESS)
        status = add_instruments(document, &builder);
    if (status == EQUANT_SUCCESS)
        status = add_rows(own, document, &builder);
    if (status == EQUANT_SUCCESS)
        status = add_indicators(own, &builder);
    if (status != EQUANT_SUCCESS) {
        dataset_builder_free(&builder);
        return status;
    }
    builder.time_name = time_name_find(time->description, strlen(time->description));
    status = dataset_builder_finish(&builder, &options, dataset);
    return status == EQUANT_SUCCESS ? keep_warnings(document, *dataset) : status;
}

/* What the fit says of each observation. */
static equant_status read_predictions(const stored_table *own, equant_fit *fit)
{
    size_t n = own->table.n_rows;
    equant_status status = EQUANT_SUCCESS;
    struct {
        const char *name;
        double **values;
        bool may_be_missing;
    } columns[] = {{"model", &fit->velocities_m_s, false},
                   {"residual", &fit->residuals_m_s, false},
                   {"noise_m_s", &fit->noise.process_m_s, true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0] && status == EQUANT_SUCCESS; i++) {
        *columns[i].values = calloc(n + 1, sizeof(double));
        if (!*columns[i].values)
            return status_out_of_memory();
        if (!columns[i].may_be_missing || ecsv_reader_find(&own->table, columns[i].name))
            status = read_numbers(own, columns[i].name, 1, *columns[i].values);
    }
    return status;
}

equant_status stored_tables_residuals(const char *folder, const fit_document *document,
                                      equant_fit *fit, equant_dataset **dataset)
{
    stored_table own;
    equant_status status = open_table(folder, RECORD_FILE_RESIDUALS, &own);
    if (status == EQUANT_SUCCESS && own.table.n_rows != document->n_obs)
        status = not_of_one_fit(&own);
    if (status == EQUANT_SUCCESS)
        status = make_dataset(&own, document, dataset);
    if (status == EQUANT_SUCCESS)
        status = read_predictions(&own, fit);
    close_table(&own);
    return status;
}
