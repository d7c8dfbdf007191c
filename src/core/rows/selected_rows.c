/* The public equant_dataset_select and equant_dataset_without: some rows of a data set, with all
 * that is known of it. */
#include <stdlib.h>

#include "core/dataset.h"
#include "core/status_fail.h"

static equant_status check_rows(const equant_dataset *dataset, size_t n_rows, const size_t *rows)
{
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    if (n_rows == 0)
        return status_fail(invalid, "no observation is left, and a data set has at least one");
    for (size_t k = 0; k < n_rows; k++)
        if (rows[k] >= dataset->n_obs || (k > 0 && rows[k] <= rows[k - 1]))
            return status_fail(invalid,
                               "rows of a data set are chosen in their order, each once, counted "
                               "from 0 to %zu",
                               dataset->n_obs - 1);
    return EQUANT_SUCCESS;
}

/* Instruments that have rows, in their order; place[i] is where the i-th goes. */
static equant_status add_instruments(const equant_dataset *dataset, size_t n_rows,
                                     const size_t *rows, int *place, dataset_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < n_rows; k++)
        place[dataset->instrument[rows[k]]] = 1;
    for (size_t i = 0; i < dataset->n_instruments && status == EQUANT_SUCCESS; i++) {
        bool has_rows = place[i] != 0;
        place[i] = (int)builder->n_instruments;
        if (has_rows)
            status = dataset_builder_add_instrument(builder, dataset->instrument_names[i]);
    }
    return status;
}

static equant_status add_indicators(const equant_dataset *dataset, dataset_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < dataset->indicators.n && status == EQUANT_SUCCESS; i++) {
        const indicator_column *column = &dataset->indicators.columns[i];
        size_t index;
        status = indicator_set_find(&builder->indicators, column->name, &index);
        if (status == EQUANT_SUCCESS)
            status =
                indicator_set_describe(&builder->indicators, index, column->label, column->unit);
    }
    return status;
}

static equant_status add_row(const equant_dataset *dataset, size_t row, const int *place,
                             dataset_builder *builder)
{
    equant_status status =
        dataset_builder_add(builder, dataset->time_days[row], dataset->velocity_m_s[row],
                            dataset->uncertainty_m_s[row], place[dataset->instrument[row]]);
    for (size_t i = 0; i < dataset->indicators.n && status == EQUANT_SUCCESS; i++)
        dataset_builder_set_indicator(builder, i, dataset->indicators.columns[i].values[row],
                                      dataset->indicators.columns[i].uncertainties[row]);
    return status;
}

static equant_status add_words(const equant_dataset *dataset, dataset_builder *builder)
{
    equant_status status = dataset_builder_set_format(builder, dataset->format);
    for (size_t i = 0; i < dataset->n_ignored_columns && status == EQUANT_SUCCESS; i++)
        status = dataset_builder_ignore(builder, dataset->ignored_columns[i]);
    for (size_t i = 0; i < dataset->n_warnings && status == EQUANT_SUCCESS; i++)
        status = dataset_builder_warn(builder, "%s", dataset->warnings[i]);
    if (status == EQUANT_SUCCESS && dataset->star_name != NULL)
        status = dataset_builder_set_star(builder, dataset->star_name, dataset->star_mass);
    builder->unit = dataset->unit;
    builder->n_left_out = dataset->n_left_out;
    return status;
}

/* Rows of a data set as a new one, for which options may leave out some more. */
static equant_status copy_rows(const equant_dataset *dataset, size_t n_rows, const size_t *rows,
                               const equant_dataset_options *options, equant_dataset **made)
{
    dataset_builder builder = {0};
    int *place = calloc(dataset->n_instruments + 1, sizeof *place);
    equant_status status = place != NULL ? add_instruments(dataset, n_rows, rows, place, &builder)
                                         : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = add_indicators(dataset, &builder);
    for (size_t k = 0; k < n_rows && status == EQUANT_SUCCESS; k++)
        status = add_row(dataset, rows[k], place, &builder);
    if (status == EQUANT_SUCCESS)
        status = add_words(dataset, &builder);
    free(place);
    if (status != EQUANT_SUCCESS) {
        dataset_builder_free(&builder);
        return status;
    }
    return dataset_builder_finish(&builder, options, made);
}

/* Options that keep what a data set has. */
static equant_dataset_options options_of(const equant_dataset *dataset)
{
    return (equant_dataset_options){.struct_size = sizeof(equant_dataset_options),
                                    .has_reference_time = 1,
                                    .reference_time_days = dataset->reference_time_days,
                                    .time_name = dataset->time_name};
}

equant_status equant_dataset_select(const equant_dataset *dataset, size_t n_rows,
                                    const size_t *rows, equant_dataset **made)
{
    if (dataset == NULL || made == NULL || (rows == NULL && n_rows > 0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a data set, its rows and a place for the new one must be given: one "
                           "is NULL");
    equant_status status = check_rows(dataset, n_rows, rows);
    if (status != EQUANT_SUCCESS)
        return status;
    const equant_dataset_options options = options_of(dataset);
    return copy_rows(dataset, n_rows, rows, &options, made);
}

equant_status equant_dataset_without(const equant_dataset *dataset, size_t n_times,
                                     const equant_time_span *times, size_t n_transits,
                                     const equant_transit_times *transits, equant_dataset **made)
{
    if (dataset == NULL || made == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a data set and a place for the new one must be given: one is NULL");
    equant_dataset_options options = options_of(dataset);
    options.n_left_out_times = n_times;
    options.left_out_times = times;
    options.n_left_out_transits = n_transits;
    options.left_out_transits = transits;
    size_t *rows = malloc(dataset->n_obs * sizeof *rows);
    if (rows == NULL)
        return status_out_of_memory();
    for (size_t k = 0; k < dataset->n_obs; k++)
        rows[k] = k;
    equant_status status = copy_rows(dataset, dataset->n_obs, rows, &options, made);
    free(rows);
    return status;
}
