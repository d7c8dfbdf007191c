/* Edges of cells in proportion to each other, of maps of periods and sizes. */
#ifndef EQUANT_MODEL_CELL_EDGES_H
#define EQUANT_MODEL_CELL_EDGES_H

#include <math.h>
#include <stddef.h>

/* n + 1 edges of n cells from low to high, of equal ratio. */
static inline void cell_edges_fill(size_t n, double low, double high, double *edges)
{
    for (size_t i = 0; i <= n; i++)
        edges[i] = low * pow(high / low, (double)i / (double)n);
}

#endif
