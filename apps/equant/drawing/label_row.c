#include "drawing/label_row.h"

bool label_row_take(struct label_row *row, double x, double width)
{
    double left = x - 0.5 * width, right = x + 0.5 * width;
    if (row->n == LABEL_ROW_MOST)
        return false;
    for (size_t i = 0; i < row->n; i++)
        if (right >= row->ends[i][0] && left <= row->ends[i][1])
            return false;
    row->ends[row->n][0] = left;
    row->ends[row->n++][1] = right;
    return true;
}
