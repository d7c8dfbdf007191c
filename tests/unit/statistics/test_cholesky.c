/* The Cholesky factor of a matrix that was made from a known one, what is solved with it, and
 * matrices that have none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "statistics/cholesky.h"

enum { N = 12 };

/* A lower triangle with a diagonal above zero. */
static void make_triangle(double l[N * N])
{
    memset(l, 0, N * N * sizeof *l);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            l[i * N + j] = i == j ? 1.0 + 0.3 * (double)i : sin((double)(7 * i + 3 * j));
}

static void make_matrix(const double l[N * N], double a[N * N])
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            a[i * N + j] = 0.0;
            for (size_t k = 0; k < N; k++)
                a[i * N + j] += l[i * N + k] * l[j * N + k];
        }
}

static void the_factor_is_found(void **state)
{
    (void)state;
    double l[N * N], a[N * N];
    make_triangle(l);
    make_matrix(l, a);
    assert_true(cholesky_factor(N, 1e-12, a));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            assert_true(fabs(a[i * N + j] - l[i * N + j]) < 1e-10);
}

static void systems_are_solved(void **state)
{
    (void)state;
    double l[N * N], a[N * N], factor[N * N], x[N];
    make_triangle(l);
    make_matrix(l, a);
    memcpy(factor, a, sizeof factor);
    assert_true(cholesky_factor(N, 0.0, factor));
    for (size_t i = 0; i < N; i++) {
        x[i] = 0.0;
        for (size_t j = 0; j < N; j++)
            x[i] += a[i * N + j] * (double)(j + 1);
    }
    cholesky_solve_lower(N, factor, x);
    cholesky_solve_upper(N, factor, x);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(x[i] - (double)(i + 1)) < 1e-8);
}

/* The last row is the sum of the two before it. */
static void what_is_not_definite_is_refused(void **state)
{
    (void)state;
    double l[N * N], a[N * N];
    make_triangle(l);
    for (size_t j = 0; j < N; j++)
        l[(N - 1) * N + j] = l[(N - 2) * N + j] + l[(N - 3) * N + j];
    make_matrix(l, a);
    assert_false(cholesky_factor(N, 1e-12, a));
    make_triangle(l);
    make_matrix(l, a);
    a[5 * (N + 1)] = -1.0;
    assert_false(cholesky_factor(N, 0.0, a));
    a[5 * (N + 1)] = NAN;
    assert_false(cholesky_factor(N, 0.0, a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factor_is_found),
        cmocka_unit_test(systems_are_solved),
        cmocka_unit_test(what_is_not_definite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
