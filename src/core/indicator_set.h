/* The activity indicators of a data set: columns beside the velocities, with a value and an
 * uncertainty for each row, NaN where a row has none. */
#ifndef EQUANT_CORE_INDICATOR_SET_H
#define EQUANT_CORE_INDICATOR_SET_H

#include <stdbool.h>

#include "equant.h"

/* What one of them consists of, owned by its set. */
typedef struct indicator_column {
    char *name, *label, *unit;
    double *values, *uncertainties; /* [capacity of the set] */
} indicator_column;

/* Zero-initialise. */
typedef struct indicator_set {
    size_t n, capacity; /* capacity: rows that there is room for */
    indicator_column *columns;
} indicator_set;

/* Index of the indicator called `name`, added when new: all rows are then without it. Label and
 * unit are those of the catalogue, or the name and none. */
equant_status indicator_set_find(indicator_set *set, const char *name, size_t *index);

/* Gives an indicator another label or unit; NULL leaves what it has. */
equant_status indicator_set_describe(indicator_set *set, size_t index, const char *label,
                                     const char *unit);

/* Makes room for `capacity` rows, the new ones without any indicator. */
equant_status indicator_set_reserve(indicator_set *set, size_t capacity);

/* Sets one row. What is not finite becomes NaN, and so does an uncertainty that is not above
 * zero. */
void indicator_set_put(indicator_set *set, size_t index, size_t row, double value,
                       double uncertainty);

/* Takes out the indicators that have no value in n_rows rows. */
void indicator_set_drop_empty(indicator_set *set, size_t n_rows);

/* Views for the public API, in one allocation; NULL when memory ran out. */
equant_indicator *indicator_set_views(const indicator_set *set);

void indicator_set_free(indicator_set *set);

#endif
