#include "inference/likelihood/small_matrix.h"

#include <math.h>
#include <string.h>

#include "model/machine_clones.h"

/* Below this share of its own diagonal a pivot is rounding. */
#define NEGLIGIBLE_PIVOT 1e-13

/* Rows that are added together: a product is then loaded and stored once for all of them. */
enum { ROWS_TOGETHER = 4 };

MACHINE_CLONES static void add_rows(size_t n, const double *rows, size_t stride,
                                    double *restrict products)
{
    const double *second = rows + n, *third = second + n, *fourth = third + n;
    for (size_t i = 0; i < n; i++) {
        double a = rows[i], b = second[i], c = third[i], d = fourth[i];
        double *restrict to = products + i * stride;
        for (size_t j = 0; j <= i; j++)
            to[j] += (a * rows[j] + b * second[j]) + (c * third[j] + d * fourth[j]);
    }
}

void small_matrix_products(size_t n_rows, size_t n, const double *rows, size_t stride,
                           double *products)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        memset(products + i * stride, 0, (i + 1) * sizeof *products);
    for (; k + ROWS_TOGETHER <= n_rows; k += ROWS_TOGETHER)
        add_rows(n, rows + k * n, stride, products);
    for (; k < n_rows; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                products[i * stride + j] += rows[k * n + i] * rows[k * n + j];
}

/* A matrix of more unknowns is factored row by row. */
enum { MOST_BY_COLUMNS = 128 };

/* Makes row i, whose entries left of the diagonal are those of the factor, end with its pivot, or
 * drops it. Pivots are weighed against `whole`, or against the diagonal itself where that is NULL.
 */
static bool end_row(size_t n, size_t i, const double *whole, double *a)
{
    double *row = a + i * n, pivot = row[i], reference = whole ? whole[i] : pivot;
    for (size_t k = 0; k < i; k++)
        pivot -= row[k] * row[k];
    if (pivot > NEGLIGIBLE_PIVOT * reference && isfinite(pivot)) {
        row[i] = sqrt(pivot);
        return true;
    }
    memset(row, 0, (i + 1) * sizeof *row);
    return false;
}

static size_t factor_by_rows(size_t n, const double *whole, double *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        for (size_t j = 0; j < i; j++) {
            const double *other = a + j * n;
            double sum = row[j];
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = other[j] > 0.0 ? sum / other[j] : 0.0;
        }
        kept += end_row(n, i, whole, a);
    }
    return kept;
}

/* The same sums in the same order, but those of a row side by side: a column of the factor is
 * taken from all that is right of it as soon as it is known. */
MACHINE_CLONES static size_t factor_by_columns(size_t n, const double *whole, double *restrict a)
{
    double column[MOST_BY_COLUMNS];
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        bool is_kept = end_row(n, k, whole, a);
        double pivot = a[k * n + k];
        kept += is_kept;
        for (size_t i = k + 1; i < n; i++) {
            double *restrict row = a + i * n;
            double own = is_kept ? row[k] / pivot : 0.0;
            row[k] = column[i] = own;
            for (size_t j = k + 1; j < i; j++)
                row[j] -= own * column[j];
        }
    }
    return kept;
}

static size_t factor(size_t n, const double *whole, double *a)
{
    return n <= MOST_BY_COLUMNS ? factor_by_columns(n, whole, a) : factor_by_rows(n, whole, a);
}

size_t small_matrix_factor(size_t n, double *a)
{
    return factor(n, NULL, a);
}

size_t small_matrix_factor_against(size_t n, const double *whole, double *a)
{
    return factor(n, whole, a);
}

void small_matrix_solve(size_t n, const double *factor, double *b)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = factor + i * n;
        double sum = b[i];
        for (size_t k = 0; k < i; k++)
            sum -= row[k] * b[k];
        b[i] = row[i] > 0.0 ? sum / row[i] : 0.0;
    }
    for (size_t i = n; i-- > 0;) {
        double sum = b[i], pivot = factor[i * n + i];
        for (size_t k = i + 1; k < n; k++)
            sum -= factor[k * n + i] * b[k];
        b[i] = pivot > 0.0 ? sum / pivot : 0.0;
    }
}

void small_matrix_invert(size_t n, const double *factor, double *inverse)
{
    for (size_t i = 0; i < n; i++) {
        double *row = inverse + i * n; /* the inverse is symmetric: column i is row i */
        memset(row, 0, n * sizeof *row);
        row[i] = 1.0;
        small_matrix_solve(n, factor, row);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (!(factor[i * n + i] > 0.0) || !(factor[j * n + j] > 0.0))
                inverse[i * n + j] = NAN;
}
