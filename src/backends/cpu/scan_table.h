/* Velocities of one eccentricity as polynomials of the mean anomaly.
 *
 * All nodes of a layer of a scan share their eccentricity, and the M0 of those of one frequency
 * divide the turn into equal cells. An observation then lies at the same place of a different
 * cell for each of them; so the coefficients for neighbouring nodes are neighbours in memory,
 * and lanes over nodes load them as they are. Kepler's equation is solved for the table alone. */
#ifndef EQUANT_BACKENDS_CPU_SCAN_TABLE_H
#define EQUANT_BACKENDS_CPU_SCAN_TABLE_H

#include "backends/cpu/kernels.h"

/* Coefficients of a polynomial: enough for X and Y to be good to 6e-6 of their largest value in
 * single, where more would not fit into the first level of cache, and to 3e-14 in double. */
enum { SCAN_TABLE_TERMS_SINGLE = 3, SCAN_TABLE_TERMS_DOUBLE = 8 };

/* X and Y of scan_node.h at
 *   M = -pi + 2 pi (cell + (part + 1/2 + offset) / n_parts) / n_cells,    |offset| <= 1/2,
 * are sums of coefficient[part][X or Y][i][cell] offset^i. */
typedef struct scan_table {
    size_t n_cells;     /* as many as the layer has phases                          */
    size_t n_parts;     /* of a cell                                                */
    size_t stride;      /* cells and the first of them again: lanes may run over    */
    size_t part_stride; /* from one part to the next                                */
    void *coefficients; /* [n_parts][2][terms][stride], float or double as real is  */
} scan_table;

/* For the loops of `kernels`, by the solver of `exact`, which is one in double. *table must be
 * zero; on failure it can be (and must be) freed. */
equant_status scan_table_create(scan_table *table, const cpu_kernels *kernels,
                                const cpu_kernels *exact, double eccentricity, size_t n_phases);
void scan_table_free(scan_table *table);

/* X and Y of scan_node.h at n mean anomalies, by the solver of `exact`. */
void scan_table_orbit(const cpu_kernels *exact, size_t n, const double *M, const double *e,
                      double *X, double *Y);
/* As a function of complex M, E has its nearest singularity where e cos E = 1, straight above
 * pericentre: how far above. */
double scan_table_singularity(double eccentricity);

#endif
