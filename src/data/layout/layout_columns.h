/* Which column of a table plays which part: by the names in its header, and by what the caller
 * says. */
#ifndef EQUANT_DATA_LAYOUT_LAYOUT_COLUMNS_H
#define EQUANT_DATA_LAYOUT_LAYOUT_COLUMNS_H

#include "data/layout/table_layout.h"
#include "data/reading_request.h"

/* Sets roles and indicators of a layout from names; where several have one role, the lowest rank
 * and then the leftmost wins. second[role] tells of another of equal rank, or is -1. */
void layout_columns_by_name(const text_slice *names, size_t n, table_layout *layout,
                            int second[COLUMN_N_ROLES]);

/* Leaves a layout without any column. */
void layout_columns_clear(table_layout *layout);

/* Puts what the caller chose in place of what was recognised. Fails, with `name` and `line` of the
 * header, where there is no such column; `line` is 0 where the table has no names. */
equant_status layout_columns_choose(const reading_request *request, const char *name, size_t line,
                                    const text_slice *names, size_t n, size_t n_columns,
                                    table_layout *layout);

/* Where the times are written as dates and another column of times has numbers, takes that one.
 * Returns the column that was given up, or -1. */
int layout_columns_prefer_numbers(const text_slice *names, size_t n, const text_slice *first_row,
                                  size_t n_cells, table_layout *layout);

/* Notes the named columns that no part of the layout uses. */
equant_status layout_columns_note_ignored(const text_slice *names, size_t n,
                                          const table_layout *layout, dataset_builder *builder);

/* "a, b, (unnamed)", cut to fit. */
void layout_columns_list(const text_slice *names, size_t n, char *buffer, size_t n_buffer);

#endif
