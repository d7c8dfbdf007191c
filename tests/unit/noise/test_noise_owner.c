/* Terms of one instrument: likelihoods, derivatives, predictions and draws against covariances that
 * are written out here, and words that say whose a term is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N = 60, N_DRAWS = 4000 };

static const char text[] = "mep(amplitude=2, period=12, decay=30, width=0.6), "
                           "exponential@1(amplitude=3, decay=2.5), night@0(amplitude=1.5), "
                           "exponential@2(amplitude=1, decay=9)";

static double times[N], values[N], variances[N];
static int instruments[N];

static int make_rows(void **state)
{
    (void)state;
    for (int k = 0; k < N; k++) {
        times[k] = 2460000.1 + k / 4 + 0.05 * (k % 4);
        values[k] = 3.0 * sin(0.9 * k) + 2.0 * cos(0.37 * k * k);
        variances[k] = 0.5 + 0.3 * (k % 3);
        instruments[k] = k * 7 % 3;
    }
    return 0;
}

/* By the formulas of the table of terms. */
static double mep(double tau)
{
    double nu = 2.0 * acos(-1.0) / 12.0, rho = 30.0, f = 0.25 / (0.6 * 0.6),
           x = sqrt(3.0) * tau / rho;
    double first = exp(-tau / rho) * (cos(nu * tau) + sin(nu * tau) / (nu * rho)),
           second =
               exp(-tau / rho) * (cos(2.0 * nu * tau) + sin(2.0 * nu * tau) / (2.0 * nu * rho));
    return 4.0 * ((1.0 + x) * exp(-x) + f * first + 0.25 * f * f * second) /
           (1.0 + f + 0.25 * f * f);
}

/* What two rows share; the days of all instruments begin in the afternoon of these times. */
static double covariance(double t, int one, double u, int other)
{
    double tau = fabs(t - u), sum = mep(tau);
    if (one != other)
        return sum;
    if (one == 0)
        return sum + (floor(t) == floor(u) ? 2.25 : 0.0);
    return sum + (one == 1 ? 9.0 * exp(-tau / 2.5) : exp(-tau / 9.0));
}

static void decompose(double l[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = covariance(times[i], instruments[i], times[j], instruments[j]) +
                         (i == j ? variances[i] : 0.0);
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
}

/* L^-1 x, in place. */
static void whiten(double l[N][N], double *x)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] /= l[i][i];
    }
}

static equant_noise *noise_of(const char *words)
{
    equant_noise *made;
    if (equant_noise_create(words, &made) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return made;
}

static equant_noise_rows all_rows(void)
{
    return (equant_noise_rows){.struct_size = sizeof(equant_noise_rows),
                               .n = N,
                               .time_days = times,
                               .values = values,
                               .variances = variances,
                               .instruments = instruments};
}

static void assert_close(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * (1.0 + fabs(wanted))))
        fail_msg("%.17g is not %.17g", found, wanted);
}

static void as_a_dense_matrix(void **state)
{
    (void)state;
    static double l[N][N];
    double whitened[N], column[N], sum = 0.0, found, mean, variance;
    equant_noise *noise = noise_of(text);
    const equant_noise_rows rows = all_rows();
    decompose(l);
    memcpy(whitened, values, sizeof whitened);
    whiten(l, whitened);
    for (int i = 0; i < N; i++)
        sum += whitened[i] * whitened[i] + 2.0 * log(l[i][i]) + log(2.0 * acos(-1.0));
    assert_int_equal(equant_noise_log_likelihood(noise, &rows, 0, NULL, &found), EQUANT_SUCCESS);
    assert_close(found, -0.5 * sum, 1e-12);
    for (int owner = -1; owner < 3; owner++) { /* -1: of nobody, who sees the shared term alone */
        double at_time = times[N / 2] + 0.03, expected = 0.0, left;
        equant_noise_rows at = {.struct_size = sizeof at, .n = 1, .time_days = &at_time};
        at.instruments = owner < 0 ? NULL : &owner;
        for (int i = 0; i < N; i++)
            column[i] = owner < 0 ? mep(fabs(times[i] - at_time))
                                  : covariance(times[i], instruments[i], at_time, owner);
        left = owner < 0 ? mep(0.0) : covariance(at_time, owner, at_time, owner);
        whiten(l, column);
        for (int i = 0; i < N; i++) {
            expected += column[i] * whitened[i];
            left -= column[i] * column[i];
        }
        assert_int_equal(equant_noise_predict(noise, &rows, NULL, &at, &mean, &variance),
                         EQUANT_SUCCESS);
        assert_close(mean, expected, 1e-11);
        assert_close(variance, left, 1e-11);
    }
    equant_noise_free(noise);
}

/* Exact derivatives against differences, by states and, beside qp, by whole matrices. */
static void derivatives(void **state)
{
    (void)state;
    static const char *const texts[] = {
        text,
        "qp@1(amplitude=2, period=12, decay=30, width=0.6), exponential@0(amplitude=1, decay=3)"};
    const equant_noise_rows rows = all_rows();
    for (size_t t = 0; t < 2; t++) {
        equant_noise *noise = noise_of(texts[t]);
        size_t n = equant_noise_n_parameters(noise);
        double found, by_parameter[16], set[16], beside[2];
        assert_int_equal(equant_noise_differentiate(noise, &rows, NULL, &found, by_parameter, NULL),
                         EQUANT_SUCCESS);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                set[j] = equant_noise_parameter_value(noise, j);
            double step = 1e-5 * set[i], middle = set[i];
            for (int side = 0; side < 2; side++) {
                set[i] = middle + (side ? step : -step);
                assert_int_equal(equant_noise_log_likelihood(noise, &rows, 1, set, &beside[side]),
                                 EQUANT_SUCCESS);
            }
            assert_close(by_parameter[i] * middle, (beside[1] - beside[0]) / 2e-5, 1e-6);
        }
        equant_noise_free(noise);
    }
}

/* Rows of two instruments share what both see, and no more. */
static void draws(void **state)
{
    (void)state;
    static double drawn[N_DRAWS][N];
    equant_noise *noise = noise_of(text);
    equant_noise_rows rows = all_rows();
    rows.values = rows.variances = NULL;
    assert_int_equal(equant_noise_draw(noise, &rows, NULL, 5, 0, N_DRAWS, &drawn[0][0]),
                     EQUANT_SUCCESS);
    equant_noise_free(noise);
    for (int i = 20; i < 26; i++)
        for (int j = 20; j <= i; j++) {
            double sum = 0.0,
                   wanted = covariance(times[i], instruments[i], times[j], instruments[j]);
            for (int d = 0; d < N_DRAWS; d++)
                sum += drawn[d][i] * drawn[d][j] / N_DRAWS;
            if (!(fabs(sum - wanted) < 5.0 * 13.0 / sqrt(N_DRAWS)))
                fail_msg("rows %d and %d share %g instead of %g", i, j, sum, wanted);
        }
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *words, *sentence;
    } wrong[] = {
        {"exponential@HARPS(amplitude=1, decay=2)", "a number from 0, not 'HARPS'"},
        {"exponential@(amplitude=1, decay=2)", "the name of an instrument is wanted"},
        {"exponential(amplitude=1, decay=2)@1", "',' or the end is wanted"},
    };
    equant_noise *noise = noise_of(text);
    assert_string_equal(equant_noise_parameter_name(noise, 4), "exponential@1_amplitude");
    assert_string_equal(equant_noise_parameter_name(noise, 6), "night@0_amplitude");
    assert_string_equal(equant_noise_parameter_name(noise, 7), "exponential@2_amplitude");
    equant_noise_free(noise);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(equant_noise_create(wrong[i].words, &noise),
                         EQUANT_ERROR_INVALID_ARGUMENT);
        if (!strstr(equant_last_error(), wrong[i].sentence))
            fail_msg("\"%s\" does not say \"%s\"", equant_last_error(), wrong[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_dense_matrix),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(draws),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
