/* The matrix of weighted products of columns over observations, and what is left of it when some
 * of its columns are solved for: as on processors (normal_matrix.h), by the threads of a team. */
#ifndef EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_MATRIX_CUH
#define EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_MATRIX_CUH

#include "backends/cuda/derivatives/derivative_fit.cuh"

/* Columns on either side of a panel of products. */
#define MATRIX_PANEL 4

/* The sum over a warp, the same for all of its threads. */
LANE_FUNCTION double matrix_warp_sum(double term)
{
    for (int distance = 16; distance > 0; distance /= 2)
        term += __shfl_xor_sync(0xffffffffu, term, distance);
    return term;
}

LANE_FUNCTION void matrix_store(const derivative_workspace &at, size_t i, size_t j, double value)
{
    at.matrix[i * at.matrix_size + j] = at.matrix[j * at.matrix_size + i] = value;
}

/* Products of columns left, left + 1, ... with right, right + 1, ..., by a warp. Beyond the last
 * column it is taken again, for results that are not written. */
LANE_FUNCTION void matrix_panel(const cuda_layout &layout, const derivative_workspace &at,
                                size_t left, size_t right)
{
    const double *l[MATRIX_PANEL], *r[MATRIX_PANEL];
    double sums[MATRIX_PANEL][MATRIX_PANEL] = {};
    for (int i = 0; i < MATRIX_PANEL; i++) {
        l[i] = at.columns + min(left + i, at.n_columns - 1) * layout.n_obs;
        r[i] = at.columns + min(right + i, at.n_columns - 1) * layout.n_obs;
    }
#pragma unroll 4
    for (size_t k = threadIdx.x % 32; k < layout.n_obs; k += 32) {
        double w = at.weights[k], right_k[MATRIX_PANEL];
#pragma unroll
        for (int j = 0; j < MATRIX_PANEL; j++)
            right_k[j] = r[j][k];
#pragma unroll
        for (int i = 0; i < MATRIX_PANEL; i++) {
            double weighted = w * l[i][k];
#pragma unroll
            for (int j = 0; j < MATRIX_PANEL; j++)
                sums[i][j] = lane_fma(weighted, right_k[j], sums[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < MATRIX_PANEL; i++)
#pragma unroll
        for (int j = 0; j < MATRIX_PANEL; j++) {
            double sum = matrix_warp_sum(sums[i][j]);
            size_t row = left + i, column = right + j;
            if (threadIdx.x % 32 == 0 && row <= column && column < at.n_columns)
                matrix_store(at, row, column, sum);
        }
}

/* Products of a column with the ones of an instrument, by a warp. */
LANE_FUNCTION void matrix_instrument(const cuda_layout &layout, const derivative_workspace &at,
                                     size_t instrument, size_t column)
{
    const cuda_segment &segment = layout.segments[instrument];
    const double *values = at.columns + min(column, at.n_columns - 1) * layout.n_obs;
    bool ones = column == at.n_columns; /* its own */
    double sum = 0.0;
    for (size_t k = segment.first + threadIdx.x % 32; k < segment.end; k += 32)
        sum = lane_fma(at.weights[k], ones ? 1.0 : values[k], sum);
    sum = matrix_warp_sum(sum);
    size_t place = at.n_columns + instrument;
    if (threadIdx.x % 32 == 0)
        matrix_store(at, ones ? place : column, place, sum);
}

/* Products of all columns, or, where only gradients are wanted, those with the residuals, which
 * are the last. */
LANE_FUNCTION void matrix_products(const cuda_layout &layout, const derivative_workspace &at,
                                   bool all)
{
    size_t warp = team_warp(), n_panels = (at.n_columns - 1) / MATRIX_PANEL + 1, turn = 0;
    for (size_t left = 0; left < n_panels; left++)
        for (size_t right = all ? left : n_panels - 1; right < n_panels; right++) {
            if (turn == warp)
                matrix_panel(layout, at, left * MATRIX_PANEL, right * MATRIX_PANEL);
            turn = turn + 1 < team_n_warps() ? turn + 1 : 0;
        }
    size_t n_products = at.n_columns + 1;
    for (size_t i = warp; i < layout.n_segments * n_products; i += team_n_warps())
        matrix_instrument(layout, at, i / n_products, i % n_products);
    size_t n = layout.n_segments; /* instruments have no observation in common */
    for (size_t i = team_thread(); i < n * n; i += team_n_threads())
        if (i / n != i % n)
            at.matrix[(at.n_columns + i / n) * at.matrix_size + at.n_columns + i % n] = 0.0;
    team_wait();
}

/* Solves for column `pivot`, as normal_sweep does: a row per thread. */
LANE_FUNCTION void matrix_sweep(const derivative_workspace &at, size_t pivot, double scale)
{
    const double negligible = 1e-12;
    size_t size = at.matrix_size;
    double *row = at.matrix + pivot * size, diagonal = row[pivot];
    bool determined = diagonal > negligible * scale;
    double inverse = determined ? 1.0 / diagonal : 0.0;
    for (size_t i = team_thread(); i < size; i += team_n_threads()) {
        double *other = at.matrix + i * size;
        if (i == pivot)
            continue;
        double factor = other[pivot] * inverse;
        for (size_t j = 0; determined && j < size; j++)
            other[j] -= factor * row[j];
        other[pivot] = factor;
    }
    team_wait(); /* all have read the row */
    for (size_t j = team_thread(); j < size; j += team_n_threads())
        row[j] = j == pivot ? -inverse : row[j] * inverse;
    team_wait();
}

/* Takes away what the solved offsets and the solved trend explain of all other columns. */
LANE_FUNCTION void matrix_eliminate(const cuda_layout &layout, const derivative_workspace &at)
{
    size_t trend = layout.model.columns[TERM_ORBITS].n;
    double scale[2] = {0.0, 0.0};
    for (int j = 0; j < layout.model.trend_order; j++)
        scale[j] = at.matrix[(trend + j) * at.matrix_size + trend + j];
    team_wait(); /* before anything is solved for */
    for (size_t i = 0; !layout.model.given[TERM_OFFSETS] && i < layout.n_segments; i++)
        matrix_sweep(at, at.n_columns + i, 0.0);
    for (int j = 0; !layout.model.given[TERM_TREND] && j < layout.model.trend_order; j++)
        matrix_sweep(at, trend + j, scale[j]);
}

#endif
