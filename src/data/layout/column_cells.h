/* What the cells of a column hold. */
#ifndef EQUANT_DATA_LAYOUT_COLUMN_CELLS_H
#define EQUANT_DATA_LAYOUT_COLUMN_CELLS_H

#include "data/layout/layout_search.h"

typedef enum cells_kind {
    CELLS_NUMBERS,
    CELLS_TEXT,
    CELLS_FLAGS, /* small integers from -1 on */
    CELLS_IDS    /* small integers that leave none out: 0, 1, 2 or 1, 2, 3 */
} cells_kind;

/* Looks at a whole column: one row alone cannot tell an id from a number. */
cells_kind column_cells_kind(const layout_search *search, size_t column);

#endif
