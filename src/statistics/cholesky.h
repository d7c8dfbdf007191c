/* The Cholesky factor of a symmetric positive definite matrix, A = L L', and what is solved with it
 * (Golub & Van Loan, Matrix Computations, section 4.2). Matrices are [n][n] by rows, of which the
 * lower triangle counts. inference/likelihood/small_matrix.h has the same for semidefinite ones. */
#ifndef EQUANT_STATISTICS_CHOLESKY_H
#define EQUANT_STATISTICS_CHOLESKY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Replaces A by L. False where less than the share `negligible` of a diagonal is left for its
 * pivot, or nothing: a row is then, to rounding, a sum of those before it. */
static inline bool cholesky_factor(size_t n, double negligible, double *a)
{
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n, whole = row[i];
        for (size_t j = 0; j <= i; j++) {
            const double *other = a + j * n;
            double sum = row[j];
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (i == j && !(sum > negligible * whole))
                return false;
            row[j] = i == j ? sqrt(sum) : sum / other[j];
        }
    }
    return true;
}

/* Replaces x by L^-1 x. */
static inline void cholesky_solve_lower(size_t n, const double *factor, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= factor[i * n + k] * x[k];
        x[i] /= factor[i * n + i];
    }
}

/* Replaces x by L'^-1 x. */
static inline void cholesky_solve_upper(size_t n, const double *factor, double *x)
{
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= factor[k * n + i] * x[k];
        x[i] /= factor[i * n + i];
    }
}

#endif
