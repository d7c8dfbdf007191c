#include "data/missing_value.h"

#include <math.h>

#include "model/indicator_catalogue.h"

static bool is_nines(double value)
{
    double size = fabs(value);
    return size == 999.0 || size == 9999.0 || size == 99999.0 || size == 999999.0;
}

/* What the values are that stand for themselves. */
typedef struct value_range {
    double smallest, largest; /* NaN: there is none */
} value_range;

static bool may_stand_for_none(double value, const indicator_info *info)
{
    return is_nines(value) || (info->has_one_sign && (value == 0.0 || value == -1.0));
}

static value_range range_of(const indicator_column *column, size_t n, const indicator_info *info)
{
    value_range range = {NAN, NAN};
    for (size_t k = 0; k < n; k++)
        if (!may_stand_for_none(column->values[k], info)) {
            range.smallest = fmin(range.smallest, column->values[k]);
            range.largest = fmax(range.largest, column->values[k]);
        }
    return range;
}

static bool stands_for_none(double value, value_range others, const indicator_info *info)
{
    bool is_outside = !(value >= others.smallest && value <= others.largest);
    if (!may_stand_for_none(value, info) || !is_outside)
        return false;
    if (is_nines(value))
        return true;
    bool are_positive = others.smallest > 0.0, are_negative = others.largest < 0.0;
    bool is_alone = isnan(others.smallest);
    return is_alone || are_positive || (are_negative && value == 0.0);
}

equant_status missing_value_remove(const char *name, size_t i, dataset_builder *builder)
{
    const indicator_column *column = &builder->indicators.columns[i];
    const indicator_info *info = indicator_catalogue_find(column->name);
    if (info == NULL)
        return EQUANT_SUCCESS;
    const value_range others = range_of(column, builder->n_obs, info);
    size_t n = 0;
    double first = NAN;
    for (size_t k = 0; k < builder->n_obs; k++) {
        if (!stands_for_none(column->values[k], others, info))
            continue;
        first = n++ == 0 ? column->values[k] : first;
        column->values[k] = column->uncertainties[k] = NAN;
    }
    return n == 0 ? EQUANT_SUCCESS
                  : dataset_builder_warn(builder,
                                         "%s: values of %s such as %g, which stand for none, are "
                                         "taken as missing: %zu",
                                         name, info->label, first, n);
}
