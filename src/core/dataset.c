/* Growing a data set row by row, sorting it, and looking into it. */
#include "core/dataset.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/rows/left_out_rows.h"
#include "core/status_fail.h"
#include "core/time_name.h"

/* ---- builder ----------------------------------------------------------- */

static char *copy_string(const char *start, size_t n)
{
    char *copy = malloc(n + 1);
    if (copy != NULL) {
        memcpy(copy, start, n);
        copy[n] = '\0';
    }
    return copy;
}

static void free_strings(char **strings, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(strings[i]);
    free(strings);
}

/* Takes ownership of `string`, which may be NULL after a failed allocation. */
static equant_status append_string(char ***strings, size_t *n, char *string)
{
    char **grown = string != NULL ? realloc(*strings, (*n + 1) * sizeof **strings) : NULL;
    if (grown == NULL) {
        free(string);
        return status_out_of_memory();
    }
    grown[(*n)++] = string;
    *strings = grown;
    return EQUANT_SUCCESS;
}

equant_status dataset_builder_instrument(dataset_builder *builder, const char *name, size_t n,
                                         int *index)
{
    for (size_t i = 0; i < builder->n_instruments; i++) {
        const char *known = builder->instrument_names[i];
        if (strncmp(known, name, n) == 0 && known[n] == '\0') {
            *index = (int)i;
            return EQUANT_SUCCESS;
        }
    }
    equant_status status =
        append_string(&builder->instrument_names, &builder->n_instruments, copy_string(name, n));
    if (status == EQUANT_SUCCESS)
        *index = (int)builder->n_instruments - 1;
    return status;
}

equant_status dataset_builder_add_instrument(dataset_builder *builder, const char *name)
{
    return append_string(&builder->instrument_names, &builder->n_instruments,
                         copy_string(name, strlen(name)));
}

static equant_status grow_doubles(double **array, size_t capacity)
{
    double *grown = realloc(*array, capacity * sizeof *grown);
    if (grown == NULL)
        return status_out_of_memory();
    *array = grown;
    return EQUANT_SUCCESS;
}

static equant_status grow(dataset_builder *builder)
{
    size_t capacity = builder->capacity == 0 ? 256 : 2 * builder->capacity;
    if (capacity > SIZE_MAX / (2 * sizeof(double)))
        return status_out_of_memory();
    double **columns[] = {&builder->time_days, &builder->velocity_m_s, &builder->uncertainty_m_s};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        equant_status status = grow_doubles(columns[i], capacity);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    int *instrument = realloc(builder->instrument, capacity * sizeof *instrument);
    if (instrument == NULL)
        return status_out_of_memory();
    builder->instrument = instrument;
    equant_status status = indicator_set_reserve(&builder->indicators, capacity);
    if (status == EQUANT_SUCCESS)
        builder->capacity = capacity;
    return status;
}

equant_status dataset_builder_add(dataset_builder *builder, double time_days, double velocity_m_s,
                                  double uncertainty_m_s, int instrument)
{
    if (builder->n_obs == builder->capacity) {
        equant_status status = grow(builder);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    size_t k = builder->n_obs++;
    builder->time_days[k] = time_days;
    builder->velocity_m_s[k] = velocity_m_s;
    builder->uncertainty_m_s[k] = uncertainty_m_s;
    builder->instrument[k] = instrument;
    return EQUANT_SUCCESS;
}

void dataset_builder_set_indicator(dataset_builder *builder, size_t index, double value,
                                   double uncertainty)
{
    indicator_set_put(&builder->indicators, index, builder->n_obs - 1, value, uncertainty);
}

equant_status dataset_builder_ignore(dataset_builder *builder, const char *column)
{
    for (size_t i = 0; i < builder->n_ignored_columns; i++)
        if (strcmp(builder->ignored_columns[i], column) == 0)
            return EQUANT_SUCCESS;
    return append_string(&builder->ignored_columns, &builder->n_ignored_columns,
                         copy_string(column, strlen(column)));
}

equant_status dataset_builder_warn(dataset_builder *builder, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    decimal_text_vprint(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return append_string(&builder->warnings, &builder->n_warnings,
                         copy_string(sentence, strlen(sentence)));
}

equant_status dataset_builder_set_format(dataset_builder *builder, const char *format)
{
    char *copy = copy_string(format, strlen(format));
    if (copy == NULL)
        return status_out_of_memory();
    free(builder->format);
    builder->format = copy;
    return EQUANT_SUCCESS;
}

equant_status dataset_builder_set_star(dataset_builder *builder, const char *name, double mass)
{
    char *copy = copy_string(name, strlen(name));
    if (copy == NULL)
        return status_out_of_memory();
    free(builder->star_name);
    builder->star_name = copy;
    builder->star_mass = mass;
    return EQUANT_SUCCESS;
}

void dataset_builder_free(dataset_builder *builder)
{
    free(builder->time_days);
    free(builder->velocity_m_s);
    free(builder->uncertainty_m_s);
    free(builder->instrument);
    free_strings(builder->instrument_names, builder->n_instruments);
    indicator_set_free(&builder->indicators);
    free_strings(builder->ignored_columns, builder->n_ignored_columns);
    free_strings(builder->warnings, builder->n_warnings);
    free(builder->format);
    free(builder->star_name);
    *builder = (dataset_builder){0};
}

/* ---- order in time ----------------------------------------------------- */

typedef struct timed_row {
    double time_days;
    size_t row;
} timed_row;

/* The row breaks ties, which makes qsort stable. */
static int compare_timed_rows(const void *left, const void *right)
{
    const timed_row *a = left, *b = right;
    if (a->time_days != b->time_days)
        return a->time_days < b->time_days ? -1 : 1;
    return a->row < b->row ? -1 : 1;
}

static bool is_sorted(const dataset_builder *builder)
{
    for (size_t k = 1; k < builder->n_obs; k++)
        if (builder->time_days[k] < builder->time_days[k - 1])
            return false;
    return true;
}

/* `scratch` has room for n_obs doubles. */
static void permute_doubles(double *values, const timed_row *order, size_t n, double *scratch)
{
    memcpy(scratch, values, n * sizeof *values);
    for (size_t k = 0; k < n; k++)
        values[k] = scratch[order[k].row];
}

static void permute_ints(int *values, const timed_row *order, size_t n, int *scratch)
{
    memcpy(scratch, values, n * sizeof *values);
    for (size_t k = 0; k < n; k++)
        values[k] = scratch[order[k].row];
}

static equant_status sort_by_time(dataset_builder *builder)
{
    if (is_sorted(builder))
        return EQUANT_SUCCESS;
    size_t n = builder->n_obs;
    timed_row *order = calloc(n, sizeof *order);
    double *scratch = calloc(n, sizeof *scratch);
    if (order == NULL || scratch == NULL) {
        free(order);
        free(scratch);
        return status_out_of_memory();
    }
    for (size_t k = 0; k < n; k++)
        order[k] = (timed_row){builder->time_days[k], k};
    qsort(order, n, sizeof *order, compare_timed_rows);
    permute_doubles(builder->time_days, order, n, scratch);
    permute_doubles(builder->velocity_m_s, order, n, scratch);
    permute_doubles(builder->uncertainty_m_s, order, n, scratch);
    permute_ints(builder->instrument, order, n, (int *)scratch);
    for (size_t i = 0; i < builder->indicators.n; i++) {
        permute_doubles(builder->indicators.columns[i].values, order, n, scratch);
        permute_doubles(builder->indicators.columns[i].uncertainties, order, n, scratch);
    }
    free(order);
    free(scratch);
    return EQUANT_SUCCESS;
}

/* The weighted mean epoch, where offsets and trend are least correlated. An
 * integer has so few mantissa bits that time - t_ref is exact in double.
 * Weights are relative to the best observation, so that none overflows. */
static double choose_reference_time(size_t n, const double *time_days,
                                    const double *uncertainty_m_s)
{
    double smallest = uncertainty_m_s[0];
    for (size_t k = 1; k < n; k++)
        smallest = fmin(smallest, uncertainty_m_s[k]);
    double first = time_days[0], sum = 0, sum_weights = 0;
    for (size_t k = 0; k < n; k++) {
        double ratio = smallest / uncertainty_m_s[k];
        double weight = ratio * ratio;
        sum += weight * (time_days[k] - first);
        sum_weights += weight;
    }
    double mean = rint(first + sum / sum_weights);
    return isfinite(mean) ? mean : rint(time_days[n / 2]);
}

equant_dataset dataset_at_own_epoch(const equant_dataset *dataset)
{
    equant_dataset view = *dataset;
    view.reference_time_days =
        choose_reference_time(view.n_obs, view.time_days, view.uncertainty_m_s);
    return view;
}

/* ---- from builder to data set ------------------------------------------ */

static equant_status warn_about_unused_instruments(dataset_builder *builder, const size_t *counts)
{
    for (size_t i = 0; i < builder->n_instruments; i++) {
        if (counts[i] > 0)
            continue;
        equant_status status = dataset_builder_warn(builder, "instrument %s has no observations",
                                                    builder->instrument_names[i]);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

/* What the caller calls the times goes before what the files do. */
static equant_status settle_time_name(dataset_builder *builder,
                                      const equant_dataset_options *options)
{
    const char *given = OPTION_OR_ZERO(options, equant_dataset_options, time_name);
    const char *found = given != NULL ? time_name_find(given, strlen(given)) : NULL;
    if (given != NULL && found == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "times are called JD, BJD, HJD or MJD, not '%.40s'", given);
    if (found != NULL)
        builder->time_name = found;
    else if (builder->time_name == NULL)
        builder->time_name = time_name_usual;
    return EQUANT_SUCCESS;
}

static equant_status finish(dataset_builder *builder, const equant_dataset_options *options,
                            equant_dataset **dataset)
{
    bool is_given = OPTION_OR_ZERO(options, equant_dataset_options, has_reference_time);
    double given = OPTION_OR_ZERO(options, equant_dataset_options, reference_time_days);
    if (is_given && !isfinite(given))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the reference time is not finite");
    if (builder->n_obs == 0)
        return status_fail(EQUANT_ERROR_FORMAT, "there are no observations");
    if (builder->format == NULL && dataset_builder_set_format(builder, "") != EQUANT_SUCCESS)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    equant_status status = settle_time_name(builder, options);
    if (status == EQUANT_SUCCESS)
        status = left_out_rows_apply(options, builder);
    if (status == EQUANT_SUCCESS)
        status = sort_by_time(builder);
    if (status != EQUANT_SUCCESS)
        return status;

    indicator_set_drop_empty(&builder->indicators, builder->n_obs);
    equant_dataset *made = calloc(1, sizeof *made);
    size_t *counts = calloc(builder->n_instruments + 1, sizeof *counts);
    row_kind *kinds = malloc((builder->n_instruments + 1) * sizeof *kinds);
    equant_indicator *views = indicator_set_views(&builder->indicators);
    bool has_memory = made != NULL && counts != NULL && kinds != NULL && views != NULL;
    for (size_t i = 0; has_memory && i < builder->n_instruments; i++)
        kinds[i] = ROW_VELOCITY;
    for (size_t k = 0; has_memory && k < builder->n_obs; k++)
        counts[builder->instrument[k]]++;
    status = has_memory ? warn_about_unused_instruments(builder, counts) : status_out_of_memory();
    if (status != EQUANT_SUCCESS) {
        free(made);
        free(counts);
        free(kinds);
        free(views);
        return status;
    }
    *made = (equant_dataset){
        .n_obs = builder->n_obs,
        .time_days = builder->time_days,
        .velocity_m_s = builder->velocity_m_s,
        .uncertainty_m_s = builder->uncertainty_m_s,
        .instrument = builder->instrument,
        .n_instruments = builder->n_instruments,
        .instrument_names = builder->instrument_names,
        .instrument_n_obs = counts,
        .kind = kinds,
        .reference_time_days = is_given ? given
                                        : choose_reference_time(builder->n_obs, builder->time_days,
                                                                builder->uncertainty_m_s),
        .unit = builder->unit == EQUANT_UNIT_KM_S ? EQUANT_UNIT_KM_S : EQUANT_UNIT_M_S,
        .time_name = builder->time_name,
        .format = builder->format,
        .indicators = builder->indicators,
        .indicator_views = views,
        .n_ignored_columns = builder->n_ignored_columns,
        .ignored_columns = builder->ignored_columns,
        .n_warnings = builder->n_warnings,
        .warnings = builder->warnings,
        .n_left_out = builder->n_left_out,
        .star_name = builder->star_name,
        .star_mass = builder->star_mass,
    };
    *builder = (dataset_builder){0};
    *dataset = made;
    return EQUANT_SUCCESS;
}

equant_status dataset_builder_finish(dataset_builder *builder,
                                     const equant_dataset_options *options,
                                     equant_dataset **dataset)
{
    equant_status status = finish(builder, options, dataset);
    dataset_builder_free(builder);
    return status;
}

/* ---- looking in -------------------------------------------------------- */

void equant_dataset_free(equant_dataset *dataset)
{
    if (dataset == NULL)
        return;
    free(dataset->time_days);
    free(dataset->velocity_m_s);
    free(dataset->uncertainty_m_s);
    free(dataset->instrument);
    free_strings(dataset->instrument_names, dataset->n_instruments);
    free(dataset->instrument_n_obs);
    free(dataset->kind);
    free(dataset->format);
    free(dataset->star_name);
    indicator_set_free(&dataset->indicators);
    free(dataset->indicator_views);
    free_strings(dataset->ignored_columns, dataset->n_ignored_columns);
    free_strings(dataset->warnings, dataset->n_warnings);
    free(dataset);
}

size_t equant_dataset_n_obs(const equant_dataset *dataset)
{
    return dataset ? dataset->n_obs : 0;
}

const double *equant_dataset_times_days(const equant_dataset *dataset)
{
    return dataset ? dataset->time_days : NULL;
}

const double *equant_dataset_velocities_m_s(const equant_dataset *dataset)
{
    return dataset ? dataset->velocity_m_s : NULL;
}

const double *equant_dataset_uncertainties_m_s(const equant_dataset *dataset)
{
    return dataset ? dataset->uncertainty_m_s : NULL;
}

const char *equant_dataset_time_name(const equant_dataset *dataset)
{
    return dataset ? dataset->time_name : NULL;
}

const int *equant_dataset_instruments(const equant_dataset *dataset)
{
    return dataset ? dataset->instrument : NULL;
}

double equant_dataset_reference_time_days(const equant_dataset *dataset)
{
    return dataset ? dataset->reference_time_days : NAN;
}

size_t equant_dataset_n_instruments(const equant_dataset *dataset)
{
    return dataset ? dataset->n_instruments : 0;
}

const char *equant_dataset_instrument_name(const equant_dataset *dataset, size_t index)
{
    if (!dataset)
        return NULL;
    return index < dataset->n_instruments ? dataset->instrument_names[index] : NULL;
}

size_t equant_dataset_instrument_n_obs(const equant_dataset *dataset, size_t index)
{
    if (!dataset)
        return 0;
    return index < dataset->n_instruments ? dataset->instrument_n_obs[index] : 0;
}

size_t equant_dataset_n_indicators(const equant_dataset *dataset)
{
    return dataset ? dataset->indicators.n : 0;
}

const equant_indicator *equant_dataset_indicator(const equant_dataset *dataset, size_t index)
{
    if (!dataset)
        return NULL;
    return index < dataset->indicators.n ? &dataset->indicator_views[index] : NULL;
}

size_t equant_dataset_n_left_out(const equant_dataset *dataset)
{
    return dataset ? dataset->n_left_out : 0;
}

const char *equant_dataset_star_name(const equant_dataset *dataset)
{
    if (!dataset)
        return NULL;
    return dataset->star_name ? dataset->star_name : "";
}

double equant_dataset_star_mass(const equant_dataset *dataset)
{
    return dataset ? dataset->star_mass : NAN;
}

size_t equant_dataset_n_ignored_columns(const equant_dataset *dataset)
{
    return dataset ? dataset->n_ignored_columns : 0;
}

const char *equant_dataset_ignored_column(const equant_dataset *dataset, size_t index)
{
    if (!dataset)
        return NULL;
    return index < dataset->n_ignored_columns ? dataset->ignored_columns[index] : NULL;
}

equant_unit equant_dataset_unit(const equant_dataset *dataset)
{
    return dataset ? dataset->unit : EQUANT_UNIT_FROM_FILE;
}

const char *equant_dataset_format(const equant_dataset *dataset)
{
    return dataset ? dataset->format : NULL;
}

size_t equant_dataset_n_warnings(const equant_dataset *dataset)
{
    return dataset ? dataset->n_warnings : 0;
}

const char *equant_dataset_warning(const equant_dataset *dataset, size_t index)
{
    if (!dataset)
        return NULL;
    return index < dataset->n_warnings ? dataset->warnings[index] : NULL;
}
