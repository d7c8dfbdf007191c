/* The public function that makes a data set from arrays. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "core/dataset.h"
#include "core/status_fail.h"

typedef struct arrays {
    size_t n_obs;
    const double *time_days, *velocity, *uncertainty;
    const int *instrument;
} arrays;

/* ---- rows -------------------------------------------------------------- */

static equant_status add_instruments(dataset_builder *builder, size_t n, const char *const *names)
{
    for (size_t i = 0; i < n; i++) {
        char number[40];
        snprintf(number, sizeof number, "instrument %zu", i + 1);
        const char *name = names != NULL && names[i] != NULL ? names[i] : number;
        equant_status status = dataset_builder_add_instrument(builder, name);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

static equant_status check_instrument(size_t row, int instrument, size_t n_instruments)
{
    if (instrument >= 0 && (size_t)instrument < n_instruments)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "row %zu: instrument index %d is out of range: there are %zu, "
                       "counted from 0",
                       row, instrument, n_instruments);
}

/* Rows are counted from 0 here, as a caller with arrays does. */
static equant_status check_row(size_t row, double time_days, double velocity_m_s,
                               double uncertainty_m_s)
{
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    if (!isfinite(time_days))
        return status_fail(invalid, "row %zu: the time is not a finite number", row);
    if (!isfinite(velocity_m_s))
        return status_fail(invalid, "row %zu: the velocity is not a finite number", row);
    if (!isfinite(uncertainty_m_s))
        return status_fail(invalid, "row %zu: the uncertainty is not a finite number", row);
    if (uncertainty_m_s <= 0)
        return status_fail(invalid, "row %zu: the uncertainty is %g, but must be above zero", row,
                           uncertainty_m_s);
    return EQUANT_SUCCESS;
}

/* The rows that skip_bad_rows left out, for the warning. */
typedef struct skipped_rows {
    size_t n, first;
    char complaint[256]; /* about the first */
} skipped_rows;

static void note_skipped(skipped_rows *skipped, size_t row)
{
    if (skipped->n++ > 0)
        return;
    skipped->first = row;
    snprintf(skipped->complaint, sizeof skipped->complaint, "%s", equant_last_error());
}

/* One of the caller's, whose array has steps of the size that the first names. */
static equant_indicator indicator_of(const equant_dataset_options *options, size_t i)
{
    equant_indicator own;
    const char *first = (const char *)options->indicators;
    const size_t step = options->indicators->struct_size;
    const equant_indicator *given = (const void *)(first + i * step);
    memset(&own, 0, sizeof own);
    memcpy(&own, given, step < sizeof own ? step : sizeof own);
    return own;
}

static void set_indicators(dataset_builder *builder, const equant_dataset_options *options,
                           size_t row)
{
    size_t n = OPTION_OR_ZERO(options, equant_dataset_options, n_indicators);
    for (size_t i = 0; i < n; i++) {
        const equant_indicator given = indicator_of(options, i);
        double uncertainty = given.uncertainties != NULL ? given.uncertainties[row] : NAN;
        dataset_builder_set_indicator(builder, i, given.values[row], uncertainty);
    }
}

static equant_status add_rows(dataset_builder *builder, const arrays *given,
                              const equant_dataset_options *options, skipped_rows *skipped)
{
    double scale = builder->unit == EQUANT_UNIT_KM_S ? 1000.0 : 1.0;
    bool skips = OPTION_OR_ZERO(options, equant_dataset_options, skip_bad_rows);
    for (size_t k = 0; k < given->n_obs; k++) {
        double time_days = given->time_days[k], velocity_m_s = scale * given->velocity[k];
        double uncertainty_m_s = scale * given->uncertainty[k];
        int who = given->instrument != NULL ? given->instrument[k] : 0;
        equant_status status = check_instrument(k, who, builder->n_instruments);
        if (status != EQUANT_SUCCESS)
            return status;
        status = check_row(k, time_days, velocity_m_s, uncertainty_m_s);
        if (status != EQUANT_SUCCESS && skips) {
            note_skipped(skipped, k);
            continue;
        }
        if (status == EQUANT_SUCCESS)
            status = dataset_builder_add(builder, time_days, velocity_m_s, uncertainty_m_s, who);
        if (status != EQUANT_SUCCESS)
            return status;
        set_indicators(builder, options, k);
    }
    if (builder->n_obs == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "no row can be used; the first: %s",
                           skipped->complaint);
    return EQUANT_SUCCESS;
}

/* ---- indicators -------------------------------------------------------- */

static equant_status add_indicator(dataset_builder *builder, const equant_indicator *given)
{
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    if (given->name == NULL || given->name[0] == '\0' || given->values == NULL)
        return status_fail(invalid, "an indicator needs a name and values");
    size_t n_before = builder->indicators.n, index;
    equant_status status = indicator_set_find(&builder->indicators, given->name, &index);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index < n_before)
        return status_fail(invalid, "two indicators are called '%s'", given->name);
    return indicator_set_describe(&builder->indicators, index, given->label, given->unit);
}

static equant_status add_indicators(dataset_builder *builder, const equant_dataset_options *options)
{
    size_t n = OPTION_OR_ZERO(options, equant_dataset_options, n_indicators);
    if (n > 0 && OPTION_OR_ZERO(options, equant_dataset_options, indicators) == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%zu indicators, but their array is NULL",
                           n);
    equant_status status = n > 0 ? OPTIONS_CHECK(options->indicators) : EQUANT_SUCCESS;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        const equant_indicator given = indicator_of(options, i);
        status = add_indicator(builder, &given);
    }
    return status;
}

/* ---- the whole --------------------------------------------------------- */

static equant_status warn_of_skipped(dataset_builder *builder, const skipped_rows *skipped)
{
    if (skipped->n == 0)
        return EQUANT_SUCCESS;
    return dataset_builder_warn(builder, "rows that cannot be used, left out: %zu; the first: %s",
                                skipped->n, skipped->complaint);
}

equant_status equant_dataset_from_arrays(size_t n_obs, const double *time_days,
                                         const double *velocity, const double *uncertainty,
                                         const int *instrument, size_t n_instruments,
                                         const char *const *instrument_names,
                                         const equant_dataset_options *options,
                                         equant_dataset **dataset)
{
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    if (dataset == NULL || time_days == NULL || velocity == NULL || uncertainty == NULL)
        return status_fail(invalid, "times, velocities, uncertainties and the place for the data "
                                    "set must be given: one of them is NULL");
    if (n_obs == 0)
        return status_fail(invalid, "a data set needs at least one observation");
    if (instrument == NULL && n_instruments > 1)
        return status_fail(invalid,
                           "%zu instruments, but no array that says who made which "
                           "observation",
                           n_instruments);
    if (instrument != NULL && n_instruments == 0)
        return status_fail(invalid, "instrument indices were given, but n_instruments is 0");
    if (n_instruments > INT32_MAX)
        return status_fail(invalid, "%zu instruments are too many", n_instruments);
    if (OPTIONS_CHECK(options) != EQUANT_SUCCESS)
        return invalid;
    equant_unit unit = OPTION_OR_ZERO(options, equant_dataset_options, velocity_unit);
    if (unit != EQUANT_UNIT_FROM_FILE && unit != EQUANT_UNIT_M_S && unit != EQUANT_UNIT_KM_S)
        return status_fail(invalid, "%d is not a velocity unit", (int)unit);

    dataset_builder builder = {.unit = unit};
    skipped_rows skipped = {0};
    equant_status status =
        add_instruments(&builder, n_instruments == 0 ? 1 : n_instruments, instrument_names);
    if (status == EQUANT_SUCCESS)
        status = add_indicators(&builder, options);
    if (status == EQUANT_SUCCESS)
        status = add_rows(&builder, &(arrays){n_obs, time_days, velocity, uncertainty, instrument},
                          options, &skipped);
    if (status == EQUANT_SUCCESS)
        status = warn_of_skipped(&builder, &skipped);
    if (status != EQUANT_SUCCESS) {
        dataset_builder_free(&builder);
        return status;
    }
    return dataset_builder_finish(&builder, options, dataset);
}

equant_status equant_dataset_with_uncertainties(const equant_dataset *dataset,
                                                const double *uncertainties_m_s,
                                                equant_dataset **made)
{
    if (dataset == NULL || uncertainties_m_s == NULL || made == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "other uncertainties need a data set, their values and a place for the "
                           "new data set: one of them is NULL");
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .velocity_unit = EQUANT_UNIT_M_S,
                                            .has_reference_time = 1,
                                            .reference_time_days = dataset->reference_time_days,
                                            .n_indicators = dataset->indicators.n,
                                            .indicators = dataset->indicator_views,
                                            .time_name = dataset->time_name};
    equant_status status =
        equant_dataset_from_arrays(dataset->n_obs, dataset->time_days, dataset->velocity_m_s,
                                   uncertainties_m_s, dataset->instrument, dataset->n_instruments,
                                   (const char *const *)dataset->instrument_names, &options, made);
    if (status == EQUANT_SUCCESS)
        (*made)->unit = dataset->unit;
    return status;
}
