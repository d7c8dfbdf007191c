/* Labels side by side, none over another: who comes first has its place. */
#ifndef EQUANT_APP_DRAWING_LABEL_ROW_H
#define EQUANT_APP_DRAWING_LABEL_ROW_H

#include <stdbool.h>
#include <stddef.h>

enum { LABEL_ROW_MOST = 64 };

struct label_row {
    size_t n;
    double ends[LABEL_ROW_MOST][2];
};

/* Takes the place for a label of that width about x; false, and nothing is taken, where another one
 * stands there, or where there are too many. */
bool label_row_take(struct label_row *row, double x, double width);

#endif
