/* The search for the layout of one table: what it has at hand. */
#ifndef EQUANT_DATA_LAYOUT_LAYOUT_SEARCH_H
#define EQUANT_DATA_LAYOUT_LAYOUT_SEARCH_H

#include "data/layout/table_layout.h"
#include "data/table_preamble.h"

typedef struct layout_search {
    const char *text;
    size_t n_bytes;
    const char *name;
    const reading_request *request;
    dataset_builder *builder;
    table_preamble preamble;
    table_layout *layout;
} layout_search;

#endif
