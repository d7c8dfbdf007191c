#include "data/layout/column_cells.h"

#include "data/text_number.h"

static bool are_consecutive(const bool *is_used, int n)
{
    int first = is_used[0] ? 0 : 1, last = first;
    while (last < n && is_used[last])
        last++;
    for (int i = last; i < n; i++)
        if (is_used[i])
            return false;
    return last > first;
}

cells_kind column_cells_kind(const layout_search *search, size_t column)
{
    enum { MAX_IDS = 100 };
    bool is_used[MAX_IDS] = {false};
    bool are_ids = true;
    text_lines lines = search->layout->rows;
    text_slice line, cells[8];
    while (text_lines_next(&lines, &line)) {
        if (table_preamble_is_comment(line))
            continue;
        size_t n = table_preamble_cells(line, search->layout->delimiter, cells, 8);
        if (column >= n || column >= 8)
            continue;
        int id;
        double number;
        if (text_number_read_small_integer(cells[column], &id) && id >= -1 && id < MAX_IDS) {
            are_ids &= id >= 0;
            is_used[id >= 0 ? id : 0] = true;
        } else if (!text_number_read(cells[column], &number)) {
            return CELLS_TEXT;
        } else {
            return CELLS_NUMBERS;
        }
    }
    return are_ids && are_consecutive(is_used, MAX_IDS) ? CELLS_IDS : CELLS_FLAGS;
}
