/* The columns x and y of a group of nodes at a strip of observations: from the table of their
 * layer, or cosines and sines of circles; and, where the noise is correlated, whitened. */
#ifndef EQUANT_BACKENDS_CPU_SCAN_COLUMNS_H
#define EQUANT_BACKENDS_CPU_SCAN_COLUMNS_H

#include "backends/cpu/cpu_scan.h"
#include "physics/mean_anomaly.h"
#include "physics/scan_node.h"
#include "physics/sin_cos.h"

#if REAL_IS_DOUBLE
#define SCAN_TERMS SCAN_TABLE_TERMS_DOUBLE
#else
#define SCAN_TERMS SCAN_TABLE_TERMS_SINGLE
#endif

/* The mean anomaly for M0 = 0. */
LANE_FUNCTION wide scan_mean_anomaly(wide t, wide f)
{
    return mean_anomaly_at_time_f64(t, f, WIDE(0.0), WIDE(0.0));
}

/* Where the observations lie in the table of a layer, for the node M0 = 0. */
LANE_FUNCTION void scan_locate(const cpu_scan *scan, const scan_table *table, double frequency,
                               const cpu_scan_scratch *scratch)
{
    const double n_cells = (double)table->n_cells, n_parts = (double)table->n_parts;
    const wide f = WIDE(frequency);
    const wide cells_per_radian = WIDE(n_cells / MEAN_ANOMALY_TWO_PI), half = WIDE(0.5);
    const wide last_cell = WIDE(n_cells - 1.0), last_part = WIDE(n_parts - 1.0);
    scalar *offset = scratch->offset;
    for (size_t k = 0; k < scan->n_padded; k += WIDE_LANES) {
        wide M = scan_mean_anomaly(wide_load_double(scan->time + k), f);
        wide place = lane_fma(M, cells_per_radian, WIDE(0.5 * n_cells));
        wide cell = lane_min(lane_max(lane_round(place - half), WIDE(0.0)), last_cell);
        place = lane_fma(place - cell, WIDE(n_parts), -half);
        wide part = lane_min(lane_max(lane_round(place), WIDE(0.0)), last_part);
        wide_store_double(scratch->cell_place + k, cell);
        wide_store_double(scratch->part_place + k, part);
        real_store_wide(offset + k, place - part);
    }
    uint32_t part_stride = (uint32_t)table->part_stride;
    for (size_t k = 0; k < scan->n_padded; k++) {
        scratch->cell[k] = (uint32_t)(int32_t)scratch->cell_place[k];
        scratch->part[k] = (uint32_t)(int32_t)scratch->part_place[k] * part_stride;
    }
}

/* A sum of c[i stride] offset^i. */
LANE_FUNCTION real scan_polynomial(const scalar *c, size_t stride, real offset)
{
    real value = real_load(c + (SCAN_TERMS - 1) * stride);
    for (int i = SCAN_TERMS - 2; i >= 0; i--)
        value = lane_fma(value, offset, real_load(c + (size_t)i * stride));
    return value;
}

/* x and y of the nodes phase ... phase + REAL_LANES - 1 at observation k. */
LANE_FUNCTION void scan_columns(const scan_table *table, size_t phase, size_t k,
                                const cpu_scan_scratch *scratch, real weight, real *x, real *y)
{
    size_t cell = scratch->cell[k] + phase;
    cell -= cell >= table->n_cells ? table->n_cells : 0;
    const scalar *c = (const scalar *)table->coefficients + scratch->part[k] + cell;
    real offset = REAL(((const scalar *)scratch->offset)[k]);
    *x = weight * scan_polynomial(c, table->stride, offset);
    *y = weight * scan_polynomial(c + SCAN_TERMS * table->stride, table->stride, offset);
}

/* Columns of REAL_LANES circles at n observations. */
LANE_FUNCTION void scan_circle_columns(const cpu_scan *scan, const double *frequency, size_t first,
                                       size_t n, const cpu_scan_scratch *scratch)
{
    const scalar *row = (const scalar *)scan->rows + first * scan->row_length;
    scalar *x = scratch->x, *y = scratch->y;
    for (size_t k = 0; k < n; k++, row += scan->row_length) {
        wide t = WIDE(scan->time[first + k]);
        scalar M[REAL_LANES];
        for (size_t i = 0; i < REAL_LANES; i += WIDE_LANES)
            real_store_wide(M + i, scan_mean_anomaly(t, wide_load_double(frequency + i)));
        real angle = real_load(M), size = lane_abs(angle), size_minus_sin, one_minus_cos;
        real weight = REAL(row[SCAN_ROW_WEIGHT]);
        sin_cos_versed(size, &size_minus_sin, &one_minus_cos);
        real_store(x + k * REAL_LANES, weight * (REAL(1.0) - one_minus_cos));
        real_store(y + k * REAL_LANES, weight * lane_flip_sign(size - size_minus_sin, angle));
    }
}

/* What the nodes of a group have in common. */
typedef struct scan_group {
    const scan_table *table; /* NULL: circles, whose columns lie in the scratch */
    size_t phase;            /* of the first of them                            */
} scan_group;

/* ---- correlated noise ------------------------------------------------------ */

/* Takes from x what the state of a block of m predicts of it. */
LANE_FUNCTION real scan_innovation(int m, const scalar *row, const real *f, real x)
{
    for (int i = 0; i < m; i++)
        x = lane_fma(-REAL(row[i]), f[i], x);
    return x;
}

/* The state of a block of m at the next row, from what is new in this one. */
LANE_FUNCTION void scan_remember(int m, const scalar *row, real z, real *f)
{
    real next[3];
    for (int i = 0; i < m; i++) {
        const scalar *r = row + m + i * m;
        next[i] = REAL(r[0]) * f[0];
        for (int j = 1; j < m; j++)
            next[i] = lane_fma(REAL(r[j]), f[j], next[i]);
        next[i] = lane_fma(REAL(row[m + m * m + i]), z, next[i]);
    }
    for (int i = 0; i < m; i++)
        f[i] = next[i];
}

/* One row of a column: what is new in x; the state moves on. */
LANE_FUNCTION real scan_whiten_row(scan_noise_shape shape, const scalar *row, real x, real *f)
{
    const scalar *pairs = row + SCAN_NOISE_SINGLE * shape.n_singles;
    const scalar *triples = pairs + SCAN_NOISE_PAIR * shape.n_pairs;
    real *f_pairs = f + shape.n_singles, *f_triples = f_pairs + 2 * shape.n_pairs;
    for (int b = 0; b < shape.n_singles; b++)
        x = scan_innovation(1, row + SCAN_NOISE_SINGLE * b, f + b, x);
    for (int b = 0; b < shape.n_pairs; b++)
        x = scan_innovation(2, pairs + SCAN_NOISE_PAIR * b, f_pairs + 2 * b, x);
    for (int b = 0; b < shape.n_triples; b++)
        x = scan_innovation(3, triples + SCAN_NOISE_TRIPLE * b, f_triples + 3 * b, x);
    for (int b = 0; b < shape.n_singles; b++)
        scan_remember(1, row + SCAN_NOISE_SINGLE * b, x, f + b);
    for (int b = 0; b < shape.n_pairs; b++)
        scan_remember(2, pairs + SCAN_NOISE_PAIR * b, x, f_pairs + 2 * b);
    for (int b = 0; b < shape.n_triples; b++)
        scan_remember(3, triples + SCAN_NOISE_TRIPLE * b, x, f_triples + 3 * b);
    return x;
}

/* Columns of orbits at n observations, where those of circles lie. */
LANE_FUNCTION void scan_orbit_columns(const cpu_scan *scan, scan_group group, size_t first,
                                      size_t n, const cpu_scan_scratch *scratch)
{
    const scalar *row = (const scalar *)scan->rows + first * scan->row_length;
    scalar *x_column = scratch->x, *y_column = scratch->y;
    for (size_t k = 0; k < n; k++, row += scan->row_length) {
        real x, y;
        scan_columns(group.table, group.phase, first + k, scratch, REAL(row[SCAN_ROW_WEIGHT]), &x,
                     &y);
        real_store(x_column + k * REAL_LANES, x);
        real_store(y_column + k * REAL_LANES, y);
    }
}

/* The columns of a strip, whitened in their place. The shape is a constant where it is called, so
 * that states stay in registers. */
LANE_FUNCTION void scan_whiten(const cpu_scan *scan, size_t first, size_t n, scan_noise_shape shape,
                               const cpu_scan_scratch *scratch)
{
    const scalar *noise = (const scalar *)scan->noise_rows + first * scan->noise_length;
    scalar *x_column = scratch->x, *y_column = scratch->y, *state = scratch->state;
    const int n_states = shape.n_singles + 2 * shape.n_pairs + 3 * shape.n_triples;
    real fx[BACKEND_SCAN_MOST_STATES], fy[BACKEND_SCAN_MOST_STATES];
    for (int i = 0; i < n_states; i++) {
        fx[i] = real_load(state + i * REAL_LANES);
        fy[i] = real_load(state + (n_states + i) * REAL_LANES);
    }
    for (size_t k = 0; k < n; k++, noise += scan->noise_length) {
        real x = real_load(x_column + k * REAL_LANES), y = real_load(y_column + k * REAL_LANES);
        real_store(x_column + k * REAL_LANES, scan_whiten_row(shape, noise, x, fx));
        real_store(y_column + k * REAL_LANES, scan_whiten_row(shape, noise, y, fy));
    }
    for (int i = 0; i < n_states; i++) {
        real_store(state + i * REAL_LANES, fx[i]);
        real_store(state + (n_states + i) * REAL_LANES, fy[i]);
    }
}

#define SCAN_WHITEN(singles, pairs)                                                                \
    case SCAN_NOISE_KIND(singles, pairs):                                                          \
        scan_whiten(scan, first, n, (scan_noise_shape){singles, pairs, 0}, scratch);               \
        break;

/* Nights, oscillators, rotations and MEP, with nights or without, have a loop of their own. */
static void scan_whiten_strip(const cpu_scan *scan, scan_group group, size_t first, size_t n,
                              const cpu_scan_scratch *scratch)
{
    if (group.table)
        scan_orbit_columns(scan, group, first, n, scratch);
    switch (scan->noise_kind) {
        SCAN_WHITEN(1, 0)
        SCAN_WHITEN(0, 1)
        SCAN_WHITEN(0, 2)
        SCAN_WHITEN(1, 2)
        SCAN_WHITEN(0, 3)
        SCAN_WHITEN(1, 3)
    default:
        scan_whiten(scan, first, n, scan->noise, scratch);
    }
}

#endif
