/* Estimates of all nodes of a bin by folding (fold_layer.h): lanes over columns while sums are
 * made, over phases once they are. Everything is in single: estimates only say which nodes are
 * worth their sums (scan_loop.h). Lanes never meet, so estimates have the same bits on every
 * machine; where columns are few, several frequencies lie side by side in them. */
#ifndef EQUANT_BACKENDS_CPU_FOLD_FOLD_LOOP_H
#define EQUANT_BACKENDS_CPU_FOLD_FOLD_LOOP_H

#include "backends/cpu/fold/fourier_loop.h"
#include "backends/cpu/cpu_scan.h"
#include "physics/mean_anomaly.h"

#ifndef LANE_HAS_TRANSPOSE
/* columns[i] holds number i of each row. */
LANE_FUNCTION void f32_load_transposed(const float *const *rows, f32 *columns)
{
    for (size_t i = 0; i < F32_LANES; i++) {
        float column[F32_LANES];
        for (size_t j = 0; j < F32_LANES; j++)
            column[j] = rows[j][i];
        columns[i] = f32_load(column);
    }
}
#endif

/* ---- spreading ------------------------------------------------------------- */

/* What a spline gives to n_taps cells, times (n_taps - 1)!, at `offset` in [0, 1]. The number is a
 * constant where it is called, here and below. */
LANE_FUNCTION void fold_spline(int n_taps, f32 offset, f32 *taps)
{
    taps[0] = F32(1.0);
    for (int order = 2; order <= n_taps; order++) {
        taps[order - 1] = offset * taps[order - 2];
        for (int i = order - 2; i > 0; i--)
            taps[i] =
                lane_fma(offset + F32(order - 1 - i), taps[i - 1], (F32(1 + i) - offset) * taps[i]);
        taps[0] = (F32(1.0) - offset) * taps[0];
    }
}

/* First cells and taps of all observations. */
LANE_FUNCTION void fold_locate(const cpu_scan *scan, int n_taps, size_t n_cells, double frequency,
                               const cpu_scan_scratch *scratch)
{
    const f64 f = F64(frequency), zero = F64(0.0), half = F64(0.5), cells = F64(n_cells);
    const f64 centre = F64(0.5 * (double)n_cells - (n_taps / 2 - 1));
    const f64 cells_per_radian = F64((double)n_cells / MEAN_ANOMALY_TWO_PI);
    const fold_scratch *fold = &scratch->fold;
    for (size_t k = 0; k < scan->n_padded; k += F64_LANES) {
        f64 M = mean_anomaly_at_time_f64(f64_load(scan->time + k), f, zero, zero);
        f64 place = lane_fma(M, cells_per_radian, centre);
        place = lane_select(lane_less(place, zero), place + cells, place);
        f64 cell = lane_max(lane_round(place - half), zero);
        f64_store(scratch->cell_place + k, cell);
        f64_store_narrowed(fold->offsets + k, place - cell);
    }
    for (size_t k = 0; k < scan->n_padded; k++)
        scratch->cell[k] = (uint32_t)(int32_t)scratch->cell_place[k];
    for (size_t k = 0; k < scan->n_padded; k += F32_LANES) {
        f32 taps[FOLD_TAPS_MANY];
        fold_spline(n_taps, f32_load(fold->offsets + k), taps);
        for (int i = 0; i < n_taps; i++)
            f32_store(fold->taps + (size_t)i * scan->n_padded + k, taps[i]);
    }
}

/* Adds what a part of the rows gives to the cells. */
LANE_FUNCTION void fold_spread(const cpu_scan *scan, size_t n_taps, size_t part,
                               const cpu_scan_scratch *scratch)
{
    const size_t row_length = scan->n_fold_parts * F32_LANES;
    const float *row = scan->fold_rows + part * F32_LANES, *taps = scratch->fold.taps;
    float *cells = scratch->fold.cells;
    for (size_t k = 0; k < scan->n_obs; k++, row += row_length) {
        f32 values = f32_load(row);
        float *cell = cells + scratch->cell[k] * F32_LANES;
        for (size_t i = 0; i < n_taps; i++, cell += F32_LANES)
            f32_store(cell, lane_fma(F32(taps[i * scan->n_padded + k]), values, f32_load(cell)));
    }
}

/* Cells beyond the last are the first again. */
LANE_FUNCTION void fold_close(size_t n_taps, size_t n_cells, float *cells)
{
    for (size_t i = 0; i < n_taps; i++) {
        float *cell = cells + i * F32_LANES;
        f32_store(cell, f32_load(cell) + f32_load(cell + n_cells * F32_LANES));
    }
}

/* Spreads a group of columns at n frequencies of a bin from j on; several have lanes of their own,
 * and one group. */
LANE_FUNCTION void fold_spread_all(const cpu_scan *scan, int n_taps, size_t first, size_t bin,
                                   size_t j, size_t n, size_t group,
                                   const cpu_scan_scratch *scratch)
{
    const cpu_scan_layer *layer = &scan->layers[first];
    const size_t n_cells = layer->fold.n_cells;
    float *cells = scratch->fold.cells;
    memset(cells, 0, (n_cells + (size_t)n_taps) * F32_LANES * sizeof *cells);
    for (size_t i = 0; i < n; i++) {
        if (group == 0)
            fold_locate(scan, n_taps, n_cells, cpu_scan_frequency(scan, &layer->grid, bin, j + i),
                        scratch);
        fold_spread(scan, (size_t)n_taps, group + i, scratch);
    }
    fold_close((size_t)n_taps, n_cells, cells);
}

/* ---- harmonics ------------------------------------------------------------- */

/* Adds harmonic h of the sums to row h, and harmonic -h to row -h, modulo the phases. Twice the
 * spectrum of the cells from that of the pairs of them:
 *   2 V_h = Z_h + Z*_{n-h} - i exp(-2 pi i h / 2n) (Z_h - Z*_{n-h}). */
LANE_FUNCTION void fold_harmonic(const fold_layer *layer, const float *pairs, const float *weights,
                                 size_t h, fourier_number *row, fourier_number *opposite)
{
    const fourier_plan *plan = &layer->cells;
    fourier_number a = fourier_load(pairs + plan->places[h] * FOURIER_STRIDE);
    fourier_number b =
        fourier_load(pairs + plan->places[h > 0 ? plan->length - h : 0] * FOURIER_STRIDE);
    fourier_number sum = {a.re + b.re, a.im - b.im}, difference = {a.re - b.re, a.im + b.im};
    fourier_number turned = fourier_turn(difference, layer->turns + 2 * h);
    fourier_number V = fourier_add(sum, turned), conjugate = {V.re, -V.im};
    const float *own = weights + 2 * h * layer->weights_stride;
    *row = fourier_fma(f32_load(own), V, *row);
    *opposite = fourier_fma(f32_load(own + layer->weights_stride), conjugate, *opposite);
}

/* The spectrum of the sums, folded to as many rows as there are phases. */
LANE_FUNCTION void fold_harmonics(const fold_layer *layer, size_t group, const float *pairs,
                                  float *sums)
{
    const size_t n_special = layer->weights_stride / F32_LANES - 1;
    const size_t n_harmonics = layer->cells.length, n_phases = layer->n_phases;
    const float *weights = layer->weights + (group < n_special ? group : n_special) * F32_LANES;
    for (size_t j = 0; 2 * j <= n_phases; j++) {
        fourier_number row = {F32(0.0), F32(0.0)}, opposite = row;
        size_t other = j == 0 ? 0 : n_phases - j;
        for (size_t h = j; h < n_harmonics; h += n_phases)
            fold_harmonic(layer, pairs, weights, h, &row, &opposite);
        if (other == j) {
            row = fourier_add(row, opposite);
        } else {
            for (size_t h = other; h < n_harmonics; h += n_phases)
                fold_harmonic(layer, pairs, weights, h, &opposite, &row);
            fourier_store(sums + other * FOURIER_STRIDE, opposite);
        }
        fourier_store(sums + j * FOURIER_STRIDE, row);
    }
}

/* ---- nodes ----------------------------------------------------------------- */

/* The normal equations of scan_node.h, lanes over phases. */
typedef struct fold_equations {
    f32 xx, xy, yy, xr, yr, x2, y2;
} fold_equations;

LANE_FUNCTION fold_equations fold_load(const float *p)
{
    return (fold_equations){f32_load(p),
                            f32_load(p + F32_LANES),
                            f32_load(p + 2 * F32_LANES),
                            f32_load(p + 3 * F32_LANES),
                            f32_load(p + 4 * F32_LANES),
                            f32_load(p + 5 * F32_LANES),
                            f32_load(p + 6 * F32_LANES)};
}

LANE_FUNCTION void fold_store(float *p, const fold_equations *equations)
{
    f32_store(p, equations->xx);
    f32_store(p + F32_LANES, equations->xy);
    f32_store(p + 2 * F32_LANES, equations->yy);
    f32_store(p + 3 * F32_LANES, equations->xr);
    f32_store(p + 4 * F32_LANES, equations->yr);
    f32_store(p + 5 * F32_LANES, equations->x2);
    f32_store(p + 6 * F32_LANES, equations->y2);
}

/* What one column is in them. */
LANE_FUNCTION void fold_column(fold_equations *equations, size_t column, f32 x, f32 y)
{
    if (column == FOLD_COLUMN_XX) {
        equations->xx = equations->x2 = x;
        equations->xy = y;
    } else if (column == FOLD_COLUMN_YY) {
        equations->yy = equations->y2 = x;
    } else if (column == FOLD_COLUMN_RESIDUAL) {
        equations->xr = x;
        equations->yr = y;
    } else {
        equations->xx = lane_fma(-x, x, equations->xx);
        equations->xy = lane_fma(-x, y, equations->xy);
        equations->yy = lane_fma(-y, y, equations->yy);
    }
}

/* The sums of as many phases as there are lanes, lanes over phases: those of lane i are x[i] and
 * y[i]. */
LANE_FUNCTION void fold_sums(const fold_layer *layer, size_t phase, const float *sums, f32 *x,
                             f32 *y)
{
    const float *rows[F32_LANES], *rows_low[F32_LANES];
    for (size_t i = 0; i < F32_LANES; i++) {
        rows[i] = sums + layer->phases.places[phase + i] * FOURIER_STRIDE;
        rows_low[i] = rows[i] + F32_LANES;
    }
    f32_load_transposed(rows, x);
    f32_load_transposed(rows_low, y);
}

/* Puts the sums of a group of columns into the equations of all phases. is_base: of the base all,
 * a constant where it is called. */
LANE_FUNCTION void fold_collect(const fold_layer *layer, size_t group, bool is_base,
                                const float *sums, float *equations)
{
    for (size_t phase = 0; phase < layer->n_phases; phase += F32_LANES) {
        f32 x[F32_LANES], y[F32_LANES];
        float *place = equations + phase * FOLD_EQUATIONS;
        fold_sums(layer, phase, sums, x, y);
        fold_equations collected = fold_load(place);
        for (size_t i = 0; i < F32_LANES; i++)
            fold_column(&collected, is_base ? FOLD_COLUMN_BASE : group * F32_LANES + i, x[i], y[i]);
        fold_store(place, &collected);
    }
}

/* The same where n frequencies lie side by side, each with n_columns lanes; `stride` is from the
 * equations of one to those of the next. */
LANE_FUNCTION void fold_collect_several(const fold_layer *layer, size_t n, size_t n_columns,
                                        const float *sums, float *equations, size_t stride)
{
    for (size_t phase = 0; phase < layer->n_phases; phase += F32_LANES) {
        f32 x[F32_LANES], y[F32_LANES];
        fold_sums(layer, phase, sums, x, y);
        for (size_t f = 0; f < n; f++) {
            const f32 *own_x = x + f * n_columns, *own_y = y + f * n_columns;
            fold_equations collected;
            fold_column(&collected, FOLD_COLUMN_XX, own_x[FOLD_COLUMN_XX], own_y[FOLD_COLUMN_XX]);
            fold_column(&collected, FOLD_COLUMN_YY, own_x[FOLD_COLUMN_YY], own_y[FOLD_COLUMN_YY]);
            fold_column(&collected, FOLD_COLUMN_RESIDUAL, own_x[FOLD_COLUMN_RESIDUAL],
                        own_y[FOLD_COLUMN_RESIDUAL]);
            for (size_t i = FOLD_COLUMN_BASE; i < n_columns; i++)
                fold_column(&collected, FOLD_COLUMN_BASE, own_x[i], own_y[i]);
            fold_store(equations + f * stride + phase * FOLD_EQUATIONS, &collected);
        }
    }
}

/* Errors of sums as shares of |x| and |y|, and the share below which what the base leaves of a
 * column is not told from them. */
#define FOLD_ERROR 2e-5
#define FOLD_LEAST 1e-3

/* b' F^-1 b, rather too much than too little: where F is nearly singular, unknown. */
LANE_FUNCTION f32 fold_estimate(const fold_equations *of)
{
    f32 determinant = lane_fma(of->xx, of->yy, -(of->xy * of->xy));
    f32 trace = lane_fma(of->xx, of->y2, of->yy * of->x2);
    f32 twice = (of->xr + of->xr) * of->yr;
    f32 fall =
        lane_fma(of->xr * of->xr, of->yy, lane_fma(of->yr * of->yr, of->xx, -(twice * of->xy)));
    f32 per = lane_divide(F32(1.0), determinant);
    f32 excess = lane_fma(F32(FOLD_ERROR) * trace, per, F32(1.0));
    return lane_select(lane_less(F32(FOLD_LEAST) * trace, determinant), fall * per * excess,
                       F32(FOLD_UNKNOWN));
}

/* The largest estimate of each BACKEND_SCAN_PHASES phases. */
LANE_FUNCTION void fold_estimates(const fold_layer *layer, const float *equations, float *estimates)
{
    for (size_t phase = 0; phase < layer->n_phases; phase += BACKEND_SCAN_PHASES) {
        f32 most = F32(0.0);
        for (size_t i = 0; i < BACKEND_SCAN_PHASES; i += F32_LANES) {
            fold_equations here = fold_load(equations + (phase + i) * FOLD_EQUATIONS);
            most = lane_max(most, fold_estimate(&here));
        }
        float lanes[F32_LANES], largest = 0.0f;
        f32_store(lanes, most);
        for (size_t i = 0; i < F32_LANES; i++)
            largest = lanes[i] > largest ? lanes[i] : largest;
        *estimates++ = largest;
    }
}

/* The layer of a family at or behind `l` that has this bin; n_layers: there is none. */
static size_t fold_member(const cpu_scan *scan, size_t family, size_t l, size_t bin)
{
    while (l < scan->n_layers &&
           (scan->layers[l].fold.n_cells == 0 || scan->layers[l].fold.family != family ||
            bin >= scan->layers[l].grid.n_bins))
        l++;
    return l;
}

/* All phases of n frequencies of a bin from j on, in all layers of the family of `first`, which is
 * the first of it to have this bin. */
static void fold_frequencies(const cpu_scan *scan, size_t first, size_t bin, size_t j, size_t n,
                             const cpu_scan_scratch *scratch, float *estimates)
{
    const fold_scratch *fold = &scratch->fold;
    const size_t family = scan->layers[first].fold.family;
    const size_t stride = FOLD_EQUATIONS * fold->n_equations;
    const fold_layer *shared = &scan->layers[first].fold;
    for (size_t group = 0; group < scan->n_fold_groups; group++) {
        if (shared->n_taps == FOLD_TAPS_FEW)
            fold_spread_all(scan, FOLD_TAPS_FEW, first, bin, j, n, group, scratch);
        else
            fold_spread_all(scan, FOLD_TAPS_MANY, first, bin, j, n, group, scratch);
        fourier_transform(&shared->cells, fold->cells);
        for (size_t l = first; l < scan->n_layers; l = fold_member(scan, family, l + 1, bin)) {
            const fold_layer *layer = &scan->layers[l].fold;
            float *equations = fold->equations + FOLD_EQUATIONS * layer->first_equation;
            fold_harmonics(layer, group, fold->cells, fold->sums);
            fourier_transform(&layer->phases, fold->sums);
            if (F32_LANES > 2 * FOLD_COLUMN_BASE && scan->n_fold_side > 1)
                fold_collect_several(layer, n, scan->n_fold_columns, fold->sums, equations, stride);
            else if (group * F32_LANES < FOLD_COLUMN_BASE)
                fold_collect(layer, group, false, fold->sums, equations);
            else
                fold_collect(layer, group, true, fold->sums, equations);
        }
    }
    for (size_t l = first; l < scan->n_layers; l = fold_member(scan, family, l + 1, bin)) {
        const fold_layer *layer = &scan->layers[l].fold;
        for (size_t i = 0; i < n; i++)
            fold_estimates(
                layer, fold->equations + i * stride + FOLD_EQUATIONS * layer->first_equation,
                estimates + layer->first_estimate + (j + i) * fold_layer_estimates(layer));
    }
}

/* All layers of a bin that are folded: cpu_kernels.fold. */
static void fold_bin(const cpu_scan *scan, size_t bin, const cpu_scan_scratch *scratch,
                     float *estimates)
{
    for (size_t l = 0; l < scan->n_layers; l++) {
        const cpu_scan_layer *layer = &scan->layers[l];
        if (layer->fold.n_cells == 0 || fold_member(scan, layer->fold.family, 0, bin) != l)
            continue;
        const size_t n = layer->grid.n_frequencies, most = scan->n_fold_side;
        for (size_t j = 0; j < n; j += most)
            fold_frequencies(scan, l, bin, j, n - j < most ? n - j : most, scratch, estimates);
    }
}

#endif
