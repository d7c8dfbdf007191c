/* Columns whitened by a factored process, against a dense Cholesky decomposition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "noise/noise_catalogue.h"
#include "noise/noise_factor.h"

enum { N = 60, N_COLUMNS = 3 };
#define TWO_PI 6.283185307179586476925286766559

static double times[N], variances[N], columns[N][N_COLUMNS];
static int instruments[N];
static bool begins_night[N];

/* Pairs of exposures, by two instruments in turn. */
static int make_rows(void **state)
{
    (void)state;
    for (int k = 0; k < N; k++) {
        instruments[k] = k / 2 % 2;
        begins_night[k] = k % 2 == 0;
        times[k] = 1.9 * (k / 2) + 0.05 * (k % 2) + 0.3 * sin(0.7 * (k / 2));
        variances[k] = 1.0 + 0.3 * cos(0.9 * k);
        for (int j = 0; j < N_COLUMNS; j++)
            columns[k][j] = sin(1.3 * k * (j + 1) + 0.2 * j) + 0.1 * j;
    }
    return 0;
}

static double matern52(double x)
{
    return (1.0 + x + x * x / 3.0) * exp(-x);
}

/* The covariance of the process that the test makes, written down once more. */
static double covariance(int i, int j)
{
    double tau = fabs(times[i] - times[j]), c = 0.5 * TWO_PI / (13.0 * 2.0);
    double w = c * sqrt(4.0 * 2.0 * 2.0 - 1.0);
    double sum = 9.0 * exp(-c * tau) * (cos(w * tau) + c / w * sin(w * tau));
    sum += 4.0 * matern52(sqrt(5.0) * tau / 40.0) + 1.44 * exp(-tau / 3.0);
    if (i / 2 == j / 2)
        sum += 2.25;
    return sum + (i == j ? variances[i] : 0.0);
}

static noise_process make_process(void)
{
    noise_process made = {.n_blocks = 0};
    noise_catalogue_expand(noise_catalogue_find("sho", 3), (double[]){3.0, 13.0, 2.0}, 2, &made);
    noise_catalogue_expand(noise_catalogue_find("matern52", 8), (double[]){2.0, 40.0}, 2, &made);
    noise_catalogue_expand(noise_catalogue_find("exponential", 11), (double[]){1.2, 3.0}, 2, &made);
    noise_catalogue_expand(noise_catalogue_find("night", 5), (double[]){1.5}, 2, &made);
    return made;
}

static void as_a_dense_matrix(void **state)
{
    (void)state;
    static double l[N][N];
    double log_determinant = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = covariance(i, j);
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    for (int i = 0; i < N; i++)
        log_determinant += 2.0 * log(l[i][i]);
    noise_process process = make_process();
    noise_factor_rows rows = {
        .n = N, .time_days = times, .instruments = instruments, .begins_night = begins_night};
    noise_factor factor;
    assert_int_equal(noise_factor_create(N, (size_t)process.n_states, false, &factor),
                     EQUANT_SUCCESS);
    assert_true(noise_factor_make(&factor, &process, &rows, variances));
    assert_true(fabs(factor.log_determinant - log_determinant) < 1e-11 * fabs(log_determinant));
    double whitened[N][N_COLUMNS], scratch[N_COLUMNS * (NOISE_PROCESS_MOST_STATES + 1)];
    memcpy(whitened, columns, sizeof whitened);
    noise_factor_whiten(&factor, N_COLUMNS, &whitened[0][0], scratch);
    for (int c = 0; c < N_COLUMNS; c++) {
        double z[N];
        for (int i = 0; i < N; i++) {
            z[i] = columns[i][c];
            for (int k = 0; k < i; k++)
                z[i] -= l[i][k] * z[k];
            z[i] /= l[i][i];
            if (!(fabs(whitened[i][c] - z[i]) < 1e-12))
                fail_msg("row %d, column %d: %.17g is not %.17g", i, c, whitened[i][c], z[i]);
        }
    }
    /* C times C^-1 of a column is the column. */
    double solved[N];
    for (int i = 0; i < N; i++)
        solved[i] = columns[i][1];
    noise_factor_solve(&factor, solved, scratch);
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++)
            sum += covariance(i, j) * solved[j];
        assert_true(fabs(sum - columns[i][1]) < 1e-11);
    }
    noise_factor_free(&factor);
}

/* What is no covariance is told, not computed with. */
static void no_covariance(void **state)
{
    (void)state;
    noise_process process = make_process();
    noise_factor_rows rows = {.n = N, .time_days = times};
    double none[N];
    for (int k = 0; k < N; k++)
        none[k] = -20.0;
    noise_factor factor;
    assert_int_equal(noise_factor_create(N, (size_t)process.n_states, false, &factor),
                     EQUANT_SUCCESS);
    assert_false(noise_factor_make(&factor, &process, &rows, none));
    noise_factor_free(&factor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_dense_matrix),
        cmocka_unit_test(no_covariance),
    };
    return cmocka_run_group_tests_name("noise factor", tests, make_rows, NULL);
}
