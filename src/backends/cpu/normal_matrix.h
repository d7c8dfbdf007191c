/* The matrix of weighted products of columns over observations, J' W J, and what is left
 * of it when some of its columns are solved for.
 *
 * Term k of a sum is added to partial sum k mod 8, whatever the width of the machine, and
 * the eight are folded in halves: the bits do not depend on the lanes, nor on how columns
 * are gathered into panels. */
#ifndef EQUANT_BACKENDS_CPU_NORMAL_MATRIX_H
#define EQUANT_BACKENDS_CPU_NORMAL_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/cpu/kernels.h"

#define NORMAL_SUMS 8
/* Columns on the right of a panel of products: as many as leave all sums in registers. */
#define NORMAL_RIGHT (F64_LANES >= 8 ? CPU_PANEL : CPU_PANEL / 2)

/* Columns of n observations each, `stride` apart. */
typedef struct normal_columns {
    const double *first;
    size_t stride, n;
} normal_columns;

LANE_FUNCTION double normal_fold(const double sums[NORMAL_SUMS])
{
    double low = (sums[0] + sums[4]) + (sums[2] + sums[6]);
    double high = (sums[1] + sums[5]) + (sums[3] + sums[7]);
    return low + high;
}

/* Products of columns left ... left + CPU_PANEL - 1 with columns right ... right +
 * NORMAL_RIGHT - 1, to their places in the matrix and to the mirrored ones. */
LANE_FUNCTION void normal_products_panel(normal_columns columns, const double *weights, size_t left,
                                         size_t right, double *matrix, size_t size)
{
    double partial[CPU_PANEL][NORMAL_RIGHT][NORMAL_SUMS] __attribute__((aligned(64)));
    const double *l = columns.first + left * columns.stride;
    const double *r = columns.first + right * columns.stride;
    for (size_t g = 0; g < NORMAL_SUMS; g += F64_LANES) {
        f64 sums[CPU_PANEL][NORMAL_RIGHT];
        for (int i = 0; i < CPU_PANEL; i++)
            for (int j = 0; j < NORMAL_RIGHT; j++)
                sums[i][j] = F64(0.0);
        for (size_t k = g; k < columns.n; k += NORMAL_SUMS) {
            f64 w = f64_load(weights + k), right_k[NORMAL_RIGHT];
            for (size_t j = 0; j < NORMAL_RIGHT; j++)
                right_k[j] = f64_load(r + j * columns.stride + k);
            for (size_t i = 0; i < CPU_PANEL; i++) {
                f64 weighted = w * f64_load(l + i * columns.stride + k);
                for (size_t j = 0; j < NORMAL_RIGHT; j++)
                    sums[i][j] = lane_fma(weighted, right_k[j], sums[i][j]);
            }
        }
        for (int i = 0; i < CPU_PANEL; i++)
            for (int j = 0; j < NORMAL_RIGHT; j++)
                f64_store(partial[i][j] + g, sums[i][j]);
    }
    for (size_t i = 0; i < CPU_PANEL; i++)
        for (size_t j = 0; j < NORMAL_RIGHT; j++) {
            size_t row = left + i, column = right + j;
            if (row <= column)
                matrix[row * size + column] = matrix[column * size + row] =
                    normal_fold(partial[i][j]);
        }
}

/* Products of all columns before `n_left` with all columns from `first_right` on; those
 * below the diagonal follow from those above. n_left, first_right and n_columns are
 * multiples of CPU_PANEL. */
static void normal_products(normal_columns columns, const double *weights, size_t n_left,
                            size_t first_right, size_t n_columns, double *matrix, size_t size)
{
    for (size_t left = 0; left < n_left; left += CPU_PANEL)
        for (size_t right = left < first_right ? first_right : left; right < n_columns;
             right += NORMAL_RIGHT)
            normal_products_panel(columns, weights, left, right, matrix, size);
}

/* The sum of n numbers, a multiple of NORMAL_SUMS. */
static double normal_total(const double *terms, size_t n)
{
    double partial[NORMAL_SUMS] __attribute__((aligned(64)));
    for (size_t g = 0; g < NORMAL_SUMS; g += F64_LANES) {
        f64 sum = F64(0.0);
        for (size_t k = g; k < n; k += NORMAL_SUMS)
            sum = sum + f64_load(terms + k);
        f64_store(partial + g, sum);
    }
    return normal_fold(partial);
}

/* Weighted sums of single columns: their products with a column of ones. To row and column
 * `place` of the matrix. */
static void normal_sums(normal_columns columns, const double *weights, size_t n_columns,
                        size_t place, double *matrix, size_t size)
{
    for (size_t left = 0; left < n_columns; left += CPU_PANEL) {
        double partial[CPU_PANEL][NORMAL_SUMS] __attribute__((aligned(64)));
        const double *l = columns.first + left * columns.stride;
        for (size_t g = 0; g < NORMAL_SUMS; g += F64_LANES) {
            f64 sums[CPU_PANEL];
            for (int i = 0; i < CPU_PANEL; i++)
                sums[i] = F64(0.0);
            for (size_t k = g; k < columns.n; k += NORMAL_SUMS) {
                f64 w = f64_load(weights + k);
                for (size_t i = 0; i < CPU_PANEL; i++)
                    sums[i] = lane_fma(w, f64_load(l + i * columns.stride + k), sums[i]);
            }
            for (int i = 0; i < CPU_PANEL; i++)
                f64_store(partial[i] + g, sums[i]);
        }
        for (size_t i = 0; i < CPU_PANEL; i++) {
            double sum = normal_fold(partial[i]);
            matrix[(left + i) * size + place] = sum;
            matrix[place * size + left + i] = sum;
        }
    }
}

#endif
