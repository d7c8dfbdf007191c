#include "inference/record/record_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "text/ecsv_writer.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct ecsv_writer begin(FILE *stream, const record_tables_source *source, size_t n_columns,
                                const struct ecsv_column *columns)
{
    const struct ecsv_note note = {"t_ref", NULL, source->fit->summary.reference_time_days};
    return ecsv_writer_start(stream, n_columns, columns, 1, &note);
}

/* --- planets.ecsv ------------------------------------------------------------------------------
 */

/* Quantities with their errors, and at most so many fields beside them. */
enum { MOST_COLUMNS = 2 * QUANTITY_CATALOGUE_MOST + 20 };

typedef struct planet_columns {
    size_t n;
    struct ecsv_column columns[MOST_COLUMNS];
    char error_names[QUANTITY_CATALOGUE_MOST][RECORD_KEY_SIZE];
} planet_columns;

static const char *unit_or_null(const char *unit)
{
    return unit[0] ? unit : NULL;
}

static void add_quantities(planet_columns *made, record_kind kind)
{
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const equant_quantity_info *info = &quantity_catalogue_at(i)->info;
        if (!record_kind_has(kind, quantity_catalogue_at(i)))
            continue;
        const char *unit = unit_or_null(info->is_angle ? info->shown_unit : info->table_unit);
        snprintf(made->error_names[i], RECORD_KEY_SIZE, "%s_err", info->shown_name);
        made->columns[made->n++] =
            (struct ecsv_column){info->shown_name, ECSV_NUMBER, unit, info->meaning};
        made->columns[made->n++] =
            (struct ecsv_column){made->error_names[i], ECSV_NUMBER, unit, NULL};
    }
}

static void add_columns(planet_columns *made)
{
    for (size_t i = 0; i < fit_fields_planet.n_fields; i++) {
        const record_field *field = &fit_fields_planet.fields[i];
        if (record_kind_is_of_catalogue(field->kind))
            add_quantities(made, field->kind);
        else if (field->is_column)
            made->columns[made->n++] = (struct ecsv_column){
                field->key, field->kind == RECORD_TEXT ? ECSV_TEXT : ECSV_NUMBER,
                unit_or_null(field->unit), field->meaning};
    }
}

static void write_quantities(struct ecsv_writer *writer, record_kind kind,
                             const record_quantities *own)
{
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        double factor = quantity_catalogue_at(i)->info.shown_factor;
        if (!record_kind_has(kind, quantity_catalogue_at(i)))
            continue;
        ecsv_writer_number(writer, own->values[i] * factor);
        ecsv_writer_number(writer, own->errors[i] * factor);
    }
}

static void write_planet(struct ecsv_writer *writer, const char *row)
{
    for (size_t i = 0; i < fit_fields_planet.n_fields; i++) {
        const record_field *field = &fit_fields_planet.fields[i];
        const void *at = row + field->offset;
        if (record_kind_is_of_catalogue(field->kind)) {
            write_quantities(writer, field->kind, at);
        } else if (field->is_column && field->kind == RECORD_TEXT) {
            const char *text = *(const char *const *)at;
            ecsv_writer_text(writer, text ? text : "");
        } else if (field->is_column) {
            ecsv_writer_number(writer, *(const double *)at);
        }
    }
}

bool record_tables_planets(FILE *stream, const void *context)
{
    const record_tables_source *source = context;
    const record_list *planets = &source->document->planets;
    planet_columns layout = {.n = 0};
    add_columns(&layout);
    struct ecsv_writer writer = begin(stream, source, layout.n, layout.columns);
    for (size_t i = 0; i < planets->n; i++)
        write_planet(&writer, (const char *)planets->rows + i * sizeof(document_planet));
    return true;
}

/* --- parameters.ecsv, covariance.ecsv ----------------------------------------------------------
 */

/* A period at a limit has a bound, and no error. */
static double error_of(const equant_fit *fit, size_t column)
{
    size_t planet = column / N_ELEMENTS;
    bool is_open = planet < fit->n_planets && column % N_ELEMENTS == ELEMENT_PERIOD &&
                   fit->planets[planet].at_limit != EQUANT_LIMIT_NONE;
    return is_open ? NAN : sqrt(fit->covariance[column * fit->n_parameters + column]);
}

bool record_tables_parameters(FILE *stream, const void *context)
{
    static const struct ecsv_column columns[] = {
        {"name", ECSV_TEXT, NULL, NULL},
        {"value", ECSV_NUMBER, NULL, NULL},
        {"uncertainty", ECSV_NUMBER, NULL, "standard error; 0: held fixed"},
        {"unit", ECSV_TEXT, NULL, NULL},
    };
    const record_tables_source *source = context;
    const equant_fit *fit = source->fit;
    struct ecsv_writer writer = begin(stream, source, COUNT(columns), columns);
    for (size_t i = 0; i < fit->n_parameters; i++) {
        const quantity_kind *kind = quantity_catalogue_find(fit->model->names[i]);
        ecsv_writer_text(&writer, fit->model->names[i]);
        ecsv_writer_number(&writer, fit->parameters[i]);
        ecsv_writer_number(&writer, error_of(fit, i));
        ecsv_writer_text(&writer, kind ? kind->info.table_unit : "");
    }
    return true;
}

bool record_tables_covariance(FILE *stream, const void *context)
{
    const record_tables_source *source = context;
    const equant_fit *fit = source->fit;
    size_t n = fit->n_parameters;
    struct ecsv_column *columns = calloc(n + 1, sizeof *columns);
    if (!columns)
        return false;
    columns[0] = (struct ecsv_column){"name", ECSV_TEXT, NULL, NULL};
    for (size_t i = 0; i < n; i++)
        columns[i + 1] = (struct ecsv_column){fit->model->names[i], ECSV_NUMBER, NULL, NULL};
    struct ecsv_writer writer = begin(stream, source, n + 1, columns);
    free(columns);
    for (size_t i = 0; i < n; i++) {
        ecsv_writer_text(&writer, fit->model->names[i]);
        for (size_t j = 0; j < n; j++)
            ecsv_writer_number(&writer, fit->covariance[i * n + j]);
    }
    return true;
}

/* --- residuals.ecsv ----------------------------------------------------------------------------
 */

/* The columns of indicators and of their uncertainties, which readers know by these names. */
static void describe_indicators(const equant_dataset *dataset, char (*names)[RECORD_KEY_SIZE],
                                struct ecsv_column *columns)
{
    for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++) {
        const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
        const char *unit = strcmp(indicator->unit, "m/s") == 0 ? "m / s" : NULL;
        snprintf(names[2 * i], RECORD_KEY_SIZE, "%s", indicator->name);
        snprintf(names[2 * i + 1], RECORD_KEY_SIZE, "%s_err", indicator->name);
        for (size_t j = 2 * i; j < 2 * i + 2; j++)
            columns[j] = (struct ecsv_column){names[j], ECSV_NUMBER, unit, NULL};
    }
}

static void write_rows(struct ecsv_writer *writer, const record_tables_source *source)
{
    const equant_dataset *dataset = source->dataset;
    const equant_fit *fit = source->fit;
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        size_t instrument = (size_t)equant_dataset_instruments(dataset)[k];
        ecsv_writer_number(writer, equant_dataset_times_days(dataset)[k]);
        ecsv_writer_number(writer, equant_dataset_velocities_m_s(dataset)[k]);
        ecsv_writer_number(writer, equant_dataset_uncertainties_m_s(dataset)[k]);
        ecsv_writer_text(writer, equant_dataset_instrument_name(dataset, instrument));
        ecsv_writer_number(writer, fit->velocities_m_s[k]);
        ecsv_writer_number(writer, fit->residuals_m_s[k]);
        if (fit->noise.n_parameters > 0)
            ecsv_writer_number(writer, fit->noise.process_m_s[k]);
        for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++) {
            const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
            ecsv_writer_number(writer, indicator->values[k]);
            ecsv_writer_number(writer, indicator->uncertainties[k]);
        }
    }
}

bool record_tables_residuals(FILE *stream, const void *context)
{
    const record_tables_source *source = context;
    const struct ecsv_column usual[] = {
        {"time", ECSV_NUMBER, "d", equant_dataset_time_name(source->dataset)},
        {"velocity", ECSV_NUMBER, "m / s", "as observed"},
        {"uncertainty", ECSV_NUMBER, "m / s", "as stated, without jitter"},
        {"instrument", ECSV_TEXT, NULL, NULL},
        {"model", ECSV_NUMBER, "m / s", "planets, trend and offset"},
        {"residual", ECSV_NUMBER, "m / s", "velocity minus model"},
        {"noise_m_s", ECSV_NUMBER, "m / s", "contribution of correlated noise to the residual"},
    };
    size_t n_usual = COUNT(usual) - (source->fit->noise.n_parameters == 0),
           n = n_usual + 2 * equant_dataset_n_indicators(source->dataset);
    struct ecsv_column *columns = calloc(n, sizeof *columns);
    char(*names)[RECORD_KEY_SIZE] = calloc(n, sizeof *names);
    bool has_memory = columns && names;
    if (has_memory) {
        memcpy(columns, usual, n_usual * sizeof *usual);
        describe_indicators(source->dataset, names, columns + n_usual);
        struct ecsv_writer writer = begin(stream, source, n, columns);
        write_rows(&writer, source);
    }
    free(columns);
    free(names);
    return has_memory;
}
