/* Epochs of a double-lined binary. */
#ifndef EQUANT_BINARIES_SB2_DATA_H
#define EQUANT_BINARIES_SB2_DATA_H

#include <stdbool.h>

#include "equant.h"

enum { SB2_MOST_WARNINGS = 2, SB2_WARNING_LENGTH = 400 };

/* One epoch, in m/s; NaN where a column has no velocity. */
typedef struct sb2_row {
    double time_days, velocity[2], error[2];
    bool is_ordered;
} sb2_row;

struct equant_sb2 {
    size_t n, capacity;
    sb2_row *rows;
    double *columns; /* [5][n] for views */
    int *is_ordered;
    size_t n_warnings;
    char warnings[SB2_MOST_WARNINGS][SB2_WARNING_LENGTH];
};

/* Whether a row can be used; `place` ("FILE:LINE", "row 3") is for the sentence. */
equant_status sb2_row_check(const sb2_row *row, const char *place);

equant_status sb2_data_add(equant_sb2 *data, const sb2_row *row);

/* Makes the views, when all rows are there. */
equant_status sb2_data_settle(equant_sb2 *data);

__attribute__((format(printf, 2, 3))) void sb2_data_warn(equant_sb2 *data, const char *format, ...);

#endif
