/* Lines of equal height on a grid. */
#ifndef EQUANT_APP_DRAWING_CONTOUR_H
#define EQUANT_APP_DRAWING_CONTOUR_H

#include <stdbool.h>
#include <stddef.h>

/* Called for each point of each line; `is_first` begins a new one. The last point of a line is
 * followed by its first. */
typedef void (*contour_point)(double column, double row, bool is_first, void *context);

/* Closed lines around all that is higher than `level` in heights[n_rows][n_columns], in units of
 * the grid: (0, 0) is its first point. Beyond the grid everything is taken to be low, so that
 * lines close there, up to one unit outside. Returns false without memory. */
bool contour_trace(size_t n_rows, size_t n_columns, const double *heights, double level,
                   contour_point on_point, void *context);

#endif
