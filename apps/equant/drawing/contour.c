#include "drawing/contour.h"

#include <stdlib.h>

/* Marching squares. Lines cross edges of the grid: each crossing is left by one piece of a line
 * towards another crossing, with the high ground at its left, and is reached by one. So a line is
 * found by following `next` until it is back. */
struct tracer {
    size_t n_rows, n_columns; /* with a border of low ground around the heights */
    const double *heights;
    double level;
    size_t
        *next; /* [2 n_rows n_columns]: from crossing to crossing; NONE: there is no such piece */
};

#define NONE ((size_t)-1)

static double height_at(const struct tracer *tracer, size_t row, size_t column)
{
    bool is_border =
        row == 0 || column == 0 || row + 1 == tracer->n_rows || column + 1 == tracer->n_columns;
    return is_border ? 0.0 : tracer->heights[(row - 1) * (tracer->n_columns - 2) + column - 1];
}

static bool is_high(const struct tracer *tracer, size_t row, size_t column)
{
    return height_at(tracer, row, column) > tracer->level;
}

/* Edges by number: from a point to its right, and from a point upwards in rows. */
static size_t along(const struct tracer *tracer, size_t row, size_t column)
{
    return 2 * (row * tracer->n_columns + column);
}

static size_t across(const struct tracer *tracer, size_t row, size_t column)
{
    return along(tracer, row, column) + 1;
}

/* Pieces within the cell whose first corner is (row, column). Corners are bits, counted around
 * the cell: 1 at (row, column), 2 at the next column, 4 at both next, 8 at the next row. Edges are
 * counted in the same way, edge k from corner k on. */
static void trace_cell(struct tracer *tracer, size_t row, size_t column)
{
    /* From edge, to edge, for each pattern of corners; -1: no piece. */
    static const signed char pieces[16][4] = {
        {-1, -1, -1, -1}, {0, 3, -1, -1}, {1, 0, -1, -1}, {1, 3, -1, -1},
        {2, 1, -1, -1},   {0, 3, 2, 1},   {2, 0, -1, -1}, {2, 3, -1, -1},
        {3, 2, -1, -1},   {0, 2, -1, -1}, {1, 0, 3, 2},   {1, 2, -1, -1},
        {3, 1, -1, -1},   {0, 1, -1, -1}, {3, 0, -1, -1}, {-1, -1, -1, -1},
    };
    const size_t edges[4] = {along(tracer, row, column), across(tracer, row, column + 1),
                             along(tracer, row + 1, column), across(tracer, row, column)};
    unsigned pattern = (unsigned)is_high(tracer, row, column) |
                       (unsigned)is_high(tracer, row, column + 1) << 1 |
                       (unsigned)is_high(tracer, row + 1, column + 1) << 2 |
                       (unsigned)is_high(tracer, row + 1, column) << 3;
    for (size_t i = 0; i < 4 && pieces[pattern][i] >= 0; i += 2)
        tracer->next[edges[pieces[pattern][i]]] = edges[pieces[pattern][i + 1]];
}

/* Where a line crosses an edge, in units of the heights. */
static void tell(const struct tracer *tracer, size_t edge, bool is_first, contour_point on_point,
                 void *context)
{
    size_t point = edge / 2, row = point / tracer->n_columns, column = point % tracer->n_columns;
    bool goes_along = edge % 2 == 0;
    double from = height_at(tracer, row, column);
    double to = height_at(tracer, row + !goes_along, column + goes_along);
    double share = (tracer->level - from) / (to - from);
    on_point((double)column - 1.0 + (goes_along ? share : 0.0),
             (double)row - 1.0 + (goes_along ? 0.0 : share), is_first, context);
}

bool contour_trace(size_t n_rows, size_t n_columns, const double *heights, double level,
                   contour_point on_point, void *context)
{
    struct tracer tracer = {n_rows + 2, n_columns + 2, heights, level, NULL};
    size_t n_edges = 2 * tracer.n_rows * tracer.n_columns;
    tracer.next = malloc(n_edges * sizeof *tracer.next);
    if (tracer.next == NULL)
        return false;
    for (size_t i = 0; i < n_edges; i++)
        tracer.next[i] = NONE;
    for (size_t row = 0; row + 1 < tracer.n_rows; row++)
        for (size_t column = 0; column + 1 < tracer.n_columns; column++)
            trace_cell(&tracer, row, column);
    for (size_t i = 0; i < n_edges; i++) {
        bool is_first = true;
        for (size_t edge = i; tracer.next[edge] != NONE; is_first = false) {
            size_t next = tracer.next[edge];
            tell(&tracer, edge, is_first, on_point, context);
            tracer.next[edge] = NONE;
            edge = next;
        }
    }
    free(tracer.next);
    return true;
}
