/* The indicators of some rows of a data set, for making another one of these rows. */
#ifndef EQUANT_APP_INPUTS_INDICATOR_ROWS_H
#define EQUANT_APP_INPUTS_INDICATOR_ROWS_H

#include <stdbool.h>

#include "equant.h"

struct indicator_rows {
    size_t n;
    equant_indicator *indicators; /* [n]; texts are those of the data set */
    double *numbers;
};

/* Takes rows[n_rows] of every indicator; NULL means all rows. False when memory ran out. Free it
 * in either case. */
bool indicator_rows_take(const equant_dataset *dataset, size_t n_rows, const size_t *rows,
                         struct indicator_rows *taken);

void indicator_rows_free(struct indicator_rows *taken);

#endif
