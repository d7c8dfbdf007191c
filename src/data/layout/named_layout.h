/* Layouts of tables whose columns have names. */
#ifndef EQUANT_DATA_LAYOUT_NAMED_LAYOUT_H
#define EQUANT_DATA_LAYOUT_NAMED_LAYOUT_H

#include "data/layout/layout_search.h"

/* By the names in the header. */
equant_status named_layout_find(layout_search *search);

/* By names that stand in `line`, of a header or of a comment. */
equant_status named_layout_take(layout_search *search, size_t line, const text_slice *names,
                                size_t n);

#endif
