#include "core/indicator_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/indicator_catalogue.h"

static void free_column(indicator_column *column)
{
    free(column->name);
    free(column->label);
    free(column->unit);
    free(column->values);
    free(column->uncertainties);
}

static void clear_rows(indicator_column *column, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        column->values[k] = column->uncertainties[k] = NAN;
}

static equant_status add(indicator_set *set, const char *name)
{
    indicator_column *grown = realloc(set->columns, (set->n + 1) * sizeof *grown);
    if (grown == NULL)
        return status_out_of_memory();
    set->columns = grown;
    const indicator_info *known = indicator_catalogue_find(name);
    indicator_column column = {
        .name = strdup(name),
        .label = strdup(known != NULL ? known->label : name),
        .unit = strdup(known != NULL ? known->unit : ""),
        .values = malloc((set->capacity + 1) * sizeof *column.values),
        .uncertainties = malloc((set->capacity + 1) * sizeof *column.uncertainties),
    };
    if (column.name == NULL || column.label == NULL || column.unit == NULL ||
        column.values == NULL || column.uncertainties == NULL) {
        free_column(&column);
        return status_out_of_memory();
    }
    clear_rows(&column, 0, set->capacity);
    grown[set->n++] = column;
    return EQUANT_SUCCESS;
}

equant_status indicator_set_find(indicator_set *set, const char *name, size_t *index)
{
    for (*index = 0; *index < set->n; ++*index)
        if (strcmp(set->columns[*index].name, name) == 0)
            return EQUANT_SUCCESS;
    return add(set, name);
}

static equant_status replace_text(char **text, const char *by)
{
    char *copy = strdup(by);
    if (copy == NULL)
        return status_out_of_memory();
    free(*text);
    *text = copy;
    return EQUANT_SUCCESS;
}

equant_status indicator_set_describe(indicator_set *set, size_t index, const char *label,
                                     const char *unit)
{
    indicator_column *column = &set->columns[index];
    equant_status status = label != NULL ? replace_text(&column->label, label) : EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS && unit != NULL)
        status = replace_text(&column->unit, unit);
    return status;
}

equant_status indicator_set_reserve(indicator_set *set, size_t capacity)
{
    for (size_t i = 0; i < set->n; i++) {
        double **arrays[] = {&set->columns[i].values, &set->columns[i].uncertainties};
        for (size_t j = 0; j < 2; j++) {
            double *grown = realloc(*arrays[j], (capacity + 1) * sizeof *grown);
            if (grown == NULL)
                return status_out_of_memory();
            *arrays[j] = grown;
        }
        clear_rows(&set->columns[i], set->capacity, capacity);
    }
    set->capacity = capacity;
    return EQUANT_SUCCESS;
}

void indicator_set_put(indicator_set *set, size_t index, size_t row, double value,
                       double uncertainty)
{
    bool is_known = isfinite(value);
    bool is_measured = is_known && isfinite(uncertainty) && uncertainty > 0;
    set->columns[index].values[row] = is_known ? value : NAN;
    set->columns[index].uncertainties[row] = is_measured ? uncertainty : NAN;
}

static bool is_empty(const indicator_column *column, size_t n_rows)
{
    for (size_t k = 0; k < n_rows; k++)
        if (!isnan(column->values[k]))
            return false;
    return true;
}

void indicator_set_drop_empty(indicator_set *set, size_t n_rows)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < set->n; i++) {
        if (is_empty(&set->columns[i], n_rows))
            free_column(&set->columns[i]);
        else
            set->columns[n_kept++] = set->columns[i];
    }
    set->n = n_kept;
}

equant_indicator *indicator_set_views(const indicator_set *set)
{
    equant_indicator *views = calloc(set->n + 1, sizeof *views);
    for (size_t i = 0; views != NULL && i < set->n; i++) {
        const indicator_column *column = &set->columns[i];
        views[i] = (equant_indicator){.struct_size = sizeof *views,
                                      .name = column->name,
                                      .label = column->label,
                                      .unit = column->unit,
                                      .values = column->values,
                                      .uncertainties = column->uncertainties};
    }
    return views;
}

void indicator_set_free(indicator_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        free_column(&set->columns[i]);
    free(set->columns);
    *set = (indicator_set){0};
}
