/* Small symmetric systems: against their construction, and where they have no unique
 * solution. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/likelihood/small_matrix.h"
#include "oracle/random_system.h"

enum { MOST = 24, ROWS = 40 };

/* The normal matrix of measurements [n][ROWS]. */
static void make_normal(size_t n, double columns[][ROWS], double *matrix)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            matrix[i * n + j] = 0.0;
            for (size_t k = 0; k < ROWS; k++)
                matrix[i * n + j] += columns[i][k] * columns[j][k];
        }
}

/* Random measurements of n unknowns, each `growth` times as strong as the one before. */
static void draw_columns(random_system *random, size_t n, double growth, double columns[][ROWS])
{
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < ROWS; k++)
            columns[j][k] = pow(growth, (double)j) * random_system_between(random, -1.0, 1.0);
}

static void multiply(size_t n, const double *matrix, const double *vector, double *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            out[i] += matrix[i * n + j] * vector[j];
    }
}

/* Units of the unknowns do not matter. */
static void solves_what_it_factors(void **state)
{
    (void)state;
    random_system random = {1};
    static double columns[MOST][ROWS], matrix[MOST * MOST], factor[MOST * MOST];
    for (size_t n = 1; n <= MOST; n++) {
        const double growth = n % 2 ? 1.0 : 30.0;
        double truth[MOST], b[MOST];
        draw_columns(&random, n, growth, columns);
        make_normal(n, columns, matrix);
        for (size_t i = 0; i < n; i++)
            truth[i] = random_system_between(&random, 1.0, 5.0) / pow(growth, (double)i);
        multiply(n, matrix, truth, b);
        memcpy(factor, matrix, n * n * sizeof *factor);
        assert_int_equal(small_matrix_factor(n, factor), n);
        small_matrix_solve(n, factor, b);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(b[i] / truth[i] - 1.0) < 1e-12);
    }
}

/* The factor is in the lower triangle, and the upper one is left alone. */
static void factor_of_a_known_matrix(void **state)
{
    (void)state;
    double a[9] = {4.0, 2.0, -2.0, 2.0, 10.0, 5.0, -2.0, 5.0, 21.0};
    const double expected[9] = {2.0, 2.0, -2.0, 1.0, 3.0, 5.0, -1.0, 2.0, 4.0};
    assert_int_equal(small_matrix_factor(3, a), 3);
    for (size_t i = 0; i < 9; i++)
        assert_true(fabs(a[i] - expected[i]) < 1e-15);
}

static void inverse_times_matrix_is_one(void **state)
{
    (void)state;
    random_system random = {2};
    static double columns[MOST][ROWS], matrix[MOST * MOST], factor[MOST * MOST];
    static double inverse[MOST * MOST];
    for (size_t n = 1; n <= MOST; n++) {
        draw_columns(&random, n, 1.0, columns);
        make_normal(n, columns, matrix);
        memcpy(factor, matrix, n * n * sizeof *factor);
        assert_int_equal(small_matrix_factor(n, factor), n);
        small_matrix_invert(n, factor, inverse);
        for (size_t i = 0; i < n; i++) {
            double row[MOST];
            multiply(n, matrix, inverse + i * n, row);
            for (size_t j = 0; j < n; j++) {
                assert_true(fabs(row[j] - (i == j)) < 1e-11);
                assert_true(fabs(inverse[i * n + j] - inverse[j * n + i]) <
                            1e-12 * fabs(inverse[i * n + i]));
            }
        }
    }
}

/* Unknown 2 is measured only together with unknown 0, and nothing measures unknown 4: the
 * others take the solution over, and the measurements are still reproduced. */
static void unknowns_that_cannot_be_told_are_dropped(void **state)
{
    (void)state;
    enum { N = 5 };
    random_system random = {3};
    static double columns[N][ROWS];
    double matrix[N * N], factor[N * N], inverse[N * N], measured[N], solved[N], back[N];
    const double truth[N] = {1.0, -2.0, 3.0, 0.5, 7.0};
    draw_columns(&random, N, 1.0, columns);
    for (size_t k = 0; k < ROWS; k++) {
        columns[2][k] = -4.0 * columns[0][k];
        columns[4][k] = 0.0;
    }
    make_normal(N, columns, matrix);
    multiply(N, matrix, truth, measured);
    memcpy(factor, matrix, sizeof factor);
    memcpy(solved, measured, sizeof solved);
    assert_int_equal(small_matrix_factor(N, factor), 3);
    small_matrix_solve(N, factor, solved);
    assert_true(solved[2] == 0.0 && solved[4] == 0.0);
    assert_true(fabs(solved[0] - (truth[0] - 4.0 * truth[2])) < 1e-12);
    multiply(N, matrix, solved, back);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(back[i] - measured[i]) < 1e-12 * (1.0 + fabs(measured[i])));
    small_matrix_invert(N, factor, inverse);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            assert_int_equal(isnan(inverse[i * N + j]) != 0, i == 2 || i == 4 || j == 2 || j == 4);
}

static void nothing_measured_gives_zeros(void **state)
{
    (void)state;
    double matrix[4] = {0.0}, b[2] = {1.0, -1.0};
    assert_int_equal(small_matrix_factor(2, matrix), 0);
    small_matrix_solve(2, matrix, b);
    assert_true(b[0] == 0.0 && b[1] == 0.0);
    assert_int_equal(small_matrix_factor(0, matrix), 0);
}

/* A measurement that went wrong takes its own unknown with it and no other. */
static void numbers_that_are_none_are_dropped(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -1.0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double matrix[9] = {4.0, 0.0, 2.0, bad[i], bad[i], 0.0, 2.0, 0.0, 10.0};
        double b[3] = {8.0, 1.0, 22.0};
        assert_int_equal(small_matrix_factor(3, matrix), 2);
        small_matrix_solve(3, matrix, b);
        assert_true(fabs(b[0] - 1.0) < 1e-14 && b[1] == 0.0 && fabs(b[2] - 2.0) < 1e-14);
    }
}

/* Products of columns that are given row by row, for any number of rows. */
static void products_of_columns(void **state)
{
    (void)state;
    enum { WIDE = 7, STRIDE = 9 };
    random_system random = {1};
    double columns[WIDE][ROWS], rows[ROWS * WIDE], made[WIDE * STRIDE];
    draw_columns(&random, WIDE, 1.0, columns);
    for (size_t n_rows = 0; n_rows <= ROWS; n_rows += n_rows < 9 ? 1 : 31) {
        for (size_t k = 0; k < ROWS; k++)
            for (size_t i = 0; i < WIDE; i++)
                rows[k * WIDE + i] = columns[i][k];
        small_matrix_products(n_rows, WIDE, rows, STRIDE, made);
        for (size_t i = 0; i < WIDE; i++)
            for (size_t j = 0; j <= i; j++) {
                double sum = 0.0;
                for (size_t k = 0; k < n_rows; k++)
                    sum += columns[i][k] * columns[j][k];
                assert_true(fabs(made[i * STRIDE + j] - sum) < 1e-13);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_columns),
        cmocka_unit_test(solves_what_it_factors),
        cmocka_unit_test(factor_of_a_known_matrix),
        cmocka_unit_test(inverse_times_matrix_is_one),
        cmocka_unit_test(unknowns_that_cannot_be_told_are_dropped),
        cmocka_unit_test(nothing_measured_gives_zeros),
        cmocka_unit_test(numbers_that_are_none_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
