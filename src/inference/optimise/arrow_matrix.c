#include "inference/optimise/arrow_matrix.h"

#include <math.h>

#include "inference/likelihood/small_matrix.h"

static size_t n_together(const arrow_matrix *a)
{
    return a->n - a->n_apart;
}

/* Where an unknown of those together stands among all. */
static size_t column_of(const arrow_matrix *a, size_t i)
{
    return i < a->first ? i : i + a->n_apart;
}

size_t arrow_matrix_size(size_t n, size_t n_apart)
{
    return (n - n_apart) * n + n_apart;
}

arrow_matrix arrow_matrix_in(double *storage, size_t n, size_t first, size_t n_apart)
{
    size_t m = n - n_apart;
    return (arrow_matrix){.n = n,
                          .first = first,
                          .n_apart = n_apart,
                          .together = storage,
                          .side = storage + m * m,
                          .apart = storage + m * n};
}

void arrow_matrix_load(arrow_matrix *made, const double *full, size_t stride)
{
    size_t m = n_together(made), q = made->n_apart;
    for (size_t i = 0; i < m; i++) {
        const double *row = full + column_of(made, i) * stride;
        for (size_t j = 0; j < m; j++)
            made->together[i * m + j] = row[column_of(made, j)];
        for (size_t j = 0; j < q; j++)
            made->side[i * q + j] = row[made->first + j];
    }
    for (size_t j = 0; j < q; j++)
        made->apart[j] = full[(made->first + j) * (stride + 1)];
}

/* Of two rows or columns, `stride` apart within each. */
static void turn(size_t n, size_t stride, double cosine, double sine, double *one, double *other)
{
    for (size_t k = 0; k < n * stride; k += stride) {
        double x = one[k], y = other[k];
        one[k] = cosine * x + sine * y;
        other[k] = cosine * y - sine * x;
    }
}

void arrow_matrix_turn(arrow_matrix *a, size_t i, double cosine, double sine)
{
    size_t m = n_together(a), q = a->n_apart, r = i < a->first ? i : i - q;
    turn(m, 1, cosine, sine, a->together + r * m, a->together + (r + 1) * m);
    turn(m, m, cosine, sine, a->together + r, a->together + r + 1);
    turn(q, 1, cosine, sine, a->side + r * q, a->side + (r + 1) * q);
}

void arrow_matrix_take_off(const arrow_matrix *a, const double *known, double *right)
{
    size_t m = n_together(a), q = a->n_apart;
    for (size_t i = 0; i < m; i++) {
        double x = known[column_of(a, i)];
        if (x == 0.0)
            continue;
        for (size_t j = 0; j < m; j++)
            right[column_of(a, j)] -= a->together[i * m + j] * x;
        for (size_t j = 0; j < q; j++)
            right[a->first + j] -= a->side[i * q + j] * x;
    }
}

double arrow_matrix_square(const arrow_matrix *a, const double *x)
{
    size_t m = n_together(a), q = a->n_apart;
    const double *apart = x + a->first;
    double sum = 0.0;
    for (size_t i = 0; i < m; i++) {
        double xi = x[column_of(a, i)], row = 0.0;
        for (size_t j = 0; j < m; j++)
            row += a->together[i * m + j] * x[column_of(a, j)];
        for (size_t j = 0; j < q; j++)
            row += 2.0 * a->side[i * q + j] * apart[j];
        sum += xi * row;
    }
    for (size_t j = 0; j < q; j++)
        sum += a->apart[j] * apart[j] * apart[j];
    return sum;
}

static double over(double numerator, double denominator)
{
    return denominator > 0.0 ? numerator / denominator : 0.0;
}

/* What the unknowns apart leave of the product of two rows of the side. */
static double through_apart(const arrow_matrix *a, const double *row, const double *other)
{
    double sum = 0.0;
    for (size_t j = 0; j < a->n_apart; j++)
        sum += over(row[j] * other[j], a->apart[j]);
    return sum;
}

/* What is left of the wanted unknowns together, in their order, once those apart are eliminated.
 * Returns how many they are. */
static size_t reduce(const arrow_matrix *a, const bool *is_wanted, const bool *is_damped,
                     double damping, const double *right, double *work)
{
    size_t m = n_together(a), q = a->n_apart, n = 0, r = 0;
    for (size_t i = 0; i < m; i++)
        n += is_wanted[column_of(a, i)];
    double *diagonal = work + n * n, *rest = diagonal + n;
    for (size_t i = 0; i < m; i++) {
        size_t column = column_of(a, i), c = 0;
        const double *side = a->side + i * q, *together = a->together + i * m;
        if (!is_wanted[column])
            continue;
        diagonal[r] = (is_damped[column] ? 1.0 + damping : 1.0) * together[i];
        for (size_t j = 0; j < i; j++)
            if (is_wanted[column_of(a, j)])
                work[r * n + c++] = together[j] - through_apart(a, side, a->side + j * q);
        work[r * n + r] = diagonal[r] - through_apart(a, side, side);
        rest[r++] = right[column] - through_apart(a, side, right + a->first);
    }
    return n;
}

void arrow_matrix_solve(const arrow_matrix *a, const bool *is_wanted, const bool *is_damped,
                        double damping, const double *right, double *solution, double *work)
{
    size_t m = n_together(a), q = a->n_apart;
    size_t n = reduce(a, is_wanted, is_damped, damping, right, work);
    double *diagonal = work + n * n, *rest = diagonal + n;
    small_matrix_factor_against(n, diagonal, work);
    small_matrix_solve(n, work, rest);
    for (size_t i = 0; i < m; i++) {
        size_t column = column_of(a, i);
        solution[column] = is_wanted[column] ? *rest++ : 0.0;
    }
    for (size_t j = 0; j < q; j++) {
        double left = right[a->first + j];
        for (size_t i = 0; i < m; i++)
            left -= a->side[i * q + j] * solution[column_of(a, i)];
        solution[a->first + j] = over(left, a->apart[j]);
    }
}
