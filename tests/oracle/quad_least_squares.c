#include "quad_least_squares.h"

#include <quadmath.h>

typedef __float128 square_matrix[QUAD_LEAST_SQUARES_MAX][QUAD_LEAST_SQUARES_MAX];

/* Gauss and Jordan with row pivots; the matrix has a unit diagonal, so a small
 * pivot means dependent columns. Destroys `matrix`. */
static bool invert(size_t n, square_matrix matrix, square_matrix inverse)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            inverse[i][j] = i == j;
    for (size_t column = 0; column < n; column++) {
        size_t best = column;
        for (size_t row = column + 1; row < n; row++)
            if (fabsq(matrix[row][column]) > fabsq(matrix[best][column]))
                best = row;
        if (!(fabsq(matrix[best][column]) > 1e-24Q))
            return false;
        for (size_t j = 0; j < n; j++) {
            __float128 swap = matrix[column][j];
            matrix[column][j] = matrix[best][j];
            matrix[best][j] = swap;
            swap = inverse[column][j];
            inverse[column][j] = inverse[best][j];
            inverse[best][j] = swap;
        }
        __float128 pivot = matrix[column][column];
        for (size_t j = 0; j < n; j++) {
            matrix[column][j] /= pivot;
            inverse[column][j] /= pivot;
        }
        for (size_t row = 0; row < n; row++) {
            __float128 factor = row == column ? 0 : matrix[row][column];
            for (size_t j = 0; j < n; j++) {
                matrix[row][j] -= factor * matrix[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    return true;
}

/* Largest row sum of absolute values. */
static __float128 matrix_norm(size_t n, square_matrix matrix)
{
    __float128 norm = 0;
    for (size_t i = 0; i < n; i++) {
        __float128 sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += fabsq(matrix[i][j]);
        norm = fmaxq(norm, sum);
    }
    return norm;
}

bool quad_least_squares_solve(size_t n_rows, size_t n_columns, const __float128 *design,
                              const __float128 *weights, const __float128 *targets,
                              __float128 *solution, double *inverse, double *condition)
{
    square_matrix normal, normal_inverse;
    __float128 scale[QUAD_LEAST_SQUARES_MAX];
    for (size_t i = 0; i < n_columns; i++) {
        for (size_t j = 0; j < n_columns; j++) {
            normal[i][j] = 0;
            for (size_t k = 0; k < n_rows; k++)
                normal[i][j] += design[i * n_rows + k] * weights[k] * design[j * n_rows + k];
        }
        if (!(normal[i][i] > 0))
            return false;
        scale[i] = sqrtq(normal[i][i]);
    }
    for (size_t i = 0; i < n_columns; i++)
        for (size_t j = 0; j < n_columns; j++)
            normal[i][j] /= scale[i] * scale[j];
    __float128 norm = matrix_norm(n_columns, normal);
    if (!invert(n_columns, normal, normal_inverse))
        return false;
    *condition = (double)(norm * matrix_norm(n_columns, normal_inverse));
    for (size_t i = 0; i < n_columns; i++) {
        solution[i] = 0;
        for (size_t k = 0; k < n_rows; k++) {
            __float128 weight = 0;
            for (size_t j = 0; j < n_columns; j++)
                weight += normal_inverse[i][j] / (scale[i] * scale[j]) * design[j * n_rows + k];
            weight *= weights[k];
            inverse[i * n_rows + k] = (double)weight;
            solution[i] += weight * targets[k];
        }
    }
    return true;
}
