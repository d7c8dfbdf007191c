/* Draws of noise: their covariance is that of the formula, seeds and numbers of draws, refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N = 12, DRAWS = 40000 };

static double times[N], alpha[N], beta[N], variances[N];
static int instruments[N];

/* Nights of three exposures by two telescopes that take turns; two rows at one time. */
static int make_rows(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        times[i] = 2455000.6 + 2.0 * (i / 3) + 0.05 * (i % 3);
        alpha[i] = i % 2 ? 1.0 : -0.7;
        beta[i] = i % 3 ? 2.0 : 0.0;
        variances[i] = 0.04 * i;
        instruments[i] = (i / 3) % 2;
    }
    times[4] = times[3];
    return 0;
}

static equant_noise_rows rows_at_times(void)
{
    return (equant_noise_rows){
        .struct_size = sizeof(equant_noise_rows), .n = N, .time_days = times};
}

static double *draw(const char *text, const equant_noise_rows *rows, uint64_t seed, uint64_t first,
                    size_t n_draws)
{
    equant_noise *noise;
    double *values = malloc(n_draws * rows->n * sizeof *values);
    assert_non_null(values);
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_SUCCESS);
    assert_int_equal(equant_noise_draw(noise, rows, NULL, seed, first, n_draws, values),
                     EQUANT_SUCCESS);
    equant_noise_free(noise);
    return values;
}

/* Every mean is zero and every product of two rows has the mean of the matrix, to five of its own
 * standard deviations. */
static void assert_covariance(const double *values, double c[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.0, product = 0.0;
            for (size_t d = 0; d < DRAWS; d++) {
                sum += values[d * N + i];
                product += values[d * N + i] * values[d * N + j];
            }
            double spread = sqrt((c[i][i] * c[j][j] + c[i][j] * c[i][j]) / DRAWS);
            if (!(fabs(product / DRAWS - c[i][j]) <= 5.0 * spread))
                fail_msg("rows %d and %d: %g is not %g +- %g", i, j, product / DRAWS, c[i][j],
                         spread);
            assert_true(fabs(sum / DRAWS) <= 5.0 * sqrt(c[i][i] / DRAWS));
        }
}

static void nights_and_a_decay(void **state)
{
    (void)state;
    double c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = (i / 3 == j / 3 ? 1.5 * 1.5 : 0.0) +
                      4.0 * exp(-fabs(times[i] - times[j]) / 3.0) + (i == j ? variances[i] : 0.0);
    equant_noise_rows rows = rows_at_times();
    rows.variances = variances;
    rows.instruments = instruments;
    double *values =
        draw("night(amplitude=1.5), exponential(amplitude=2, decay=3)", &rows, 7, 0, DRAWS);
    assert_covariance(values, c);
    free(values);
}

/* k = (1 + x + x^2 / 3) e^(-x) of x = c |tau|; k' and k'' by hand. */
static void a_process_and_its_derivative(void **state)
{
    (void)state;
    double c[N][N], s = sqrt(5.0) / 4.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double tau = times[i] - times[j], x = s * fabs(tau), decay = 9.0 * exp(-x);
            double k = decay * (1.0 + x + x * x / 3.0);
            double slope = -decay * s * s * tau * (1.0 + x) / 3.0;
            double bend = -decay * s * s * (1.0 + x - x * x) / 3.0;
            c[i][j] = alpha[i] * alpha[j] * k + (beta[i] * alpha[j] - alpha[i] * beta[j]) * slope -
                      beta[i] * beta[j] * bend;
        }
    equant_noise_rows rows = rows_at_times();
    rows.alpha = alpha;
    rows.beta = beta;
    double *values = draw("matern52(amplitude=3, decay=4)", &rows, 8, 0, DRAWS);
    assert_covariance(values, c);
    free(values);
}

/* A telescope has one offset in a night, and two rows at one time see the same. */
static void without_white_noise_a_night_is_one_number(void **state)
{
    (void)state;
    equant_noise_rows rows = rows_at_times();
    double *values = draw("night(amplitude=2)", &rows, 1, 0, 1);
    for (int i = 0; i < N; i++)
        assert_true(fabs(values[i] - values[3 * (i / 3)]) < 2e-4);
    assert_true(fabs(values[0] - values[3]) > 1e-3);
    free(values);
}

static void seeds_and_numbers(void **state)
{
    (void)state;
    const char *text = "rotation(amplitude=3,period=25,quality=1,extra_quality=0.5,mix=0.3)";
    equant_noise_rows rows = rows_at_times();
    double *all = draw(text, &rows, 5, 0, 6), *some = draw(text, &rows, 5, 2, 3),
           *other = draw(text, &rows, 6, 0, 1);
    assert_memory_equal(some, all + 2 * N, 3 * N * sizeof *all);
    assert_true(all[0] != other[0] && all[0] != all[N]);
    free(all);
    free(some);
    free(other);
}

static void parameters_of_ones_own(void **state)
{
    (void)state;
    equant_noise *noise;
    equant_noise_rows rows = rows_at_times();
    const double twice[] = {4.0, 3.0}, none[] = {-1.0, 3.0};
    double found[N];
    assert_int_equal(equant_noise_create("exponential(amplitude=2, decay=3)", &noise),
                     EQUANT_SUCCESS);
    double *once = draw("exponential(amplitude=2, decay=3)", &rows, 5, 0, 1);
    assert_int_equal(equant_noise_draw(noise, &rows, twice, 5, 0, 1, found), EQUANT_SUCCESS);
    for (int i = 0; i < N; i++)
        assert_true(fabs(found[i] - 2.0 * once[i]) < 1e-9);
    assert_int_equal(equant_noise_draw(noise, &rows, none, 5, 0, 1, found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "no noise has these parameters"));
    rows.time_days = NULL;
    assert_int_equal(equant_noise_draw(noise, &rows, NULL, 5, 0, 1, found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_noise_draw(noise, NULL, NULL, 5, 0, 1, found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    free(once);
    equant_noise_free(noise);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nights_and_a_decay),
        cmocka_unit_test(a_process_and_its_derivative),
        cmocka_unit_test(without_white_noise_a_night_is_one_number),
        cmocka_unit_test(seeds_and_numbers),
        cmocka_unit_test(parameters_of_ones_own),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
