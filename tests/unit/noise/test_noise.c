/* Correlated noise against numbers computed with 50 digits and against dense matrices, its words,
 * and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "reference_rows.h"

static double log_likelihood(const char *text, const equant_noise_rows *rows)
{
    equant_noise *noise;
    double result = NAN;
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_SUCCESS);
    assert_int_equal(equant_noise_log_likelihood(noise, rows, 0, NULL, &result), EQUANT_SUCCESS);
    equant_noise_free(noise);
    return result;
}

static void assert_close(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%.17g is not %.17g", found, wanted);
}

static void reference_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double wanted, of_long; /* 0: unknown */
    } cases[] = {
        {"sho(amplitude=4, period=11.3, quality=3)", -146.70370026847076557, 0},
        {"sho(amplitude=4, period=11.3, quality=0.3)", -139.20685093918882401, 0},
        {"rotation(amplitude=4, period=11.3, quality=1.5, extra_quality=0.7, mix=0.4)",
         -116.42717060428382379, -2863.75513798458},
        {"matern32(amplitude=4, decay=6)", -177.16565794123913457, -4443.177009357},
        {"matern52(amplitude=4, decay=6)", -198.85622208020217923, 0},
        {"es(amplitude=4, decay=6)", -238.25787489135704926, 0},
        {"esp2(amplitude=4, period=11.3, decay=25, width=0.6)", -156.83780505874473132,
         -3791.31787599448},
        {"esp3(amplitude=4, period=11.3, decay=25, width=0.6)", -145.8543802065577972, 0},
        {"mep(amplitude=4, period=11.3, decay=25, width=0.6)", -149.93327031409786572,
         -3634.7568820170},
    };
    equant_noise_rows few = first_rows(N), many = first_rows(LONG);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_close(log_likelihood(cases[i].text, &few), cases[i].wanted, 1e-13);
        if (cases[i].of_long != 0.0)
            assert_close(log_likelihood(cases[i].text, &many), cases[i].of_long, 1e-12);
    }
}

/* Velocities that see the process and its derivative, and an indicator that sees the process. */
static void two_series(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double wanted;
    } cases[] = {
        {"matern52(amplitude=1, decay=6)", -521.63431861294348},
        {"mep(amplitude=1, period=11.3, decay=25, width=0.6)", -475.33610919992266},
        {"esp2(amplitude=1, period=11.3, decay=25, width=0.6)", -522.40404373049911},
    };
    double both_times[2 * N], both[2 * N], both_variances[2 * N], alpha[2 * N], beta[2 * N];
    for (int i = 0; i < N; i++) {
        both_times[2 * i] = both_times[2 * i + 1] = times[i];
        both[2 * i] = values[i];
        both[2 * i + 1] = 2.0 * cos(TWO_PI * times[i] / 11.3) + 0.8 * sin(2.1 * i);
        both_variances[2 * i] = variances[i];
        both_variances[2 * i + 1] = 0.4 * 0.4 + 0.3 * 0.3;
        alpha[2 * i] = 1.5, beta[2 * i] = 4.0;
        alpha[2 * i + 1] = 2.0, beta[2 * i + 1] = 0.0;
    }
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = 2 * N,
                              .time_days = both_times,
                              .values = both,
                              .variances = both_variances,
                              .alpha = alpha,
                              .beta = beta};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_close(log_likelihood(cases[i].text, &rows), cases[i].wanted, 1e-13);
}

/* ln L from the covariance as a matrix, by Cholesky's way. */
static double dense_log_likelihood(size_t n, double c[N][N], const double *y)
{
    double z[N], sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            for (size_t k = 0; k < j; k++)
                c[i][j] -= c[i][k] * c[j][k];
            c[i][j] = j < i ? c[i][j] / c[j][j] : sqrt(c[i][i]);
        }
        z[i] = y[i];
        for (size_t k = 0; k < i; k++)
            z[i] -= c[i][k] * z[k];
        z[i] /= c[i][i];
        sum += z[i] * z[i] + 2.0 * log(c[i][i]);
    }
    return -0.5 * (sum + (double)n * log(TWO_PI));
}

/* Two telescopes take turns within nights; each has its own offset in each night, and both see what
 * the star does. */
static void nights_of_two_instruments(void **state)
{
    (void)state;
    double night_times[N], c[N][N];
    int made_by[N], night[N];
    for (int i = 0; i < N; i++) {
        night[i] = i / 5;
        made_by[i] = i % 2;
        night_times[i] = 2455000.6 + night[i] + 0.07 * (i % 5);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = (night[i] == night[j] && made_by[i] == made_by[j] ? 1.5 * 1.5 : 0.0) +
                      4.0 * exp(-fabs(night_times[i] - night_times[j]) / 3.0) +
                      (i == j ? variances[i] : 0.0);
    equant_noise_rows rows = first_rows(N);
    rows.time_days = night_times;
    rows.instruments = made_by;
    assert_close(log_likelihood("night(amplitude=1.5), exponential(amplitude=2, decay=3)", &rows),
                 dense_log_likelihood(N, c, values), 1e-12);
}

/* An oscillator through critical damping, where formulas divide by zero. */
static void critical_damping_is_no_place_of_its_own(void **state)
{
    (void)state;
    equant_noise_rows rows = first_rows(N);
    double at = log_likelihood("sho(amplitude=4, period=11.3, quality=0.5)", &rows);
    double above = log_likelihood("sho(amplitude=4, period=11.3, quality=0.500000001)", &rows);
    double below = log_likelihood("sho(amplitude=4, period=11.3, quality=0.499999999)", &rows);
    assert_true(fabs(above - at) < 1e-6 && fabs(below - at) < 1e-6);
    assert_true((above - at) * (below - at) < 0.0);
}

static void any_set_has_a_likelihood(void **state)
{
    (void)state;
    enum { SETS = 20000 };
    equant_noise *noise;
    equant_noise_rows rows = first_rows(N);
    assert_int_equal(
        equant_noise_create("rotation(amplitude=1,period=1,quality=1,extra_quality=1,mix=1),"
                            "night(amplitude=1)",
                            &noise),
        EQUANT_SUCCESS);
    size_t n = equant_noise_n_parameters(noise);
    assert_int_equal(n, 6);
    double *sets = malloc(SETS * n * sizeof *sets), *found = malloc(SETS * sizeof *found);
    uint64_t bits = 1;
    for (size_t i = 0; i < SETS * n; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sets[i] = exp(60.0 * ((double)(bits >> 11) / 9007199254740992.0 - 0.5));
    }
    sets[0] = -1.0, sets[n] = NAN, sets[2 * n] = INFINITY;
    assert_int_equal(equant_noise_log_likelihood(noise, &rows, SETS, sets, found), EQUANT_SUCCESS);
    for (size_t s = 0; s < SETS; s++)
        assert_true(!isnan(found[s]) && found[s] < INFINITY);
    for (size_t s = 0; s < 3; s++)
        assert_true(found[s] == -INFINITY);
    free(sets);
    free(found);
    equant_noise_free(noise);
}

static void words(void **state)
{
    (void)state;
    equant_noise *noise;
    assert_int_equal(
        equant_noise_create(" matern32 ( decay = 6 , amplitude = 4e0 ) ,night(amplitude"
                            "=1), matern32(amplitude=2,decay=300)",
                            &noise),
        EQUANT_SUCCESS);
    static const char *const names[] = {"matern32_amplitude", "matern32_decay", "night_amplitude",
                                        "matern32_2_amplitude", "matern32_2_decay"};
    static const double wanted[] = {4, 6, 1, 2, 300};
    assert_int_equal(equant_noise_n_parameters(noise), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(equant_noise_parameter_name(noise, i), names[i]);
        assert_true(equant_noise_parameter_value(noise, i) == wanted[i]);
    }
    assert_null(equant_noise_parameter_name(noise, 5));
    assert_true(isnan(equant_noise_parameter_value(noise, 5)));
    equant_noise_free(noise);
}

static void assert_refused(const char *text, const char *sentence)
{
    equant_noise *noise;
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(noise);
    if (!strstr(equant_last_error(), sentence))
        fail_msg("'%s' says: %s", text, equant_last_error());
}

static void wrong_words(void **state)
{
    (void)state;
    assert_refused("", "the name of a term is wanted");
    assert_refused("rotaton(amplitude=1)", "there is no term 'rotaton'; there are night,");
    assert_refused("night", "'night' lacks amplitude");
    assert_refused("night(amplitude=1", "',' or ')' is wanted");
    assert_refused("night(amplitude)", "'=' is wanted");
    assert_refused("night(amplitude=x)", "a number is wanted");
    assert_refused("night(amplitude=-1)", "amplitude of 'night' must be above 0");
    assert_refused("night(amplitude=nan)", "must be above 0");
    assert_refused("night(amplitude=1,amplitude=2)", "given twice");
    assert_refused("night(size=1)", "'night' has no parameter 'size'");
    assert_refused("night(amplitude=1) x", "',' or the end is wanted");
    assert_refused("night(amplitude=1),", "the name of a term is wanted");
}

static void wrong_rows(void **state)
{
    (void)state;
    equant_noise *noise;
    double found, backwards[] = {2.0, 1.0}, beta[] = {0.0, 1.0};
    equant_noise_rows rows = first_rows(2);
    assert_int_equal(equant_noise_create("exponential(amplitude=1,decay=2)", &noise),
                     EQUANT_SUCCESS);
    rows.time_days = backwards;
    assert_int_equal(equant_noise_log_likelihood(noise, &rows, 0, NULL, &found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "row 2 is earlier"));
    rows = first_rows(2);
    rows.beta = beta;
    assert_int_equal(equant_noise_log_likelihood(noise, &rows, 0, NULL, &found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "'exponential' has no derivative"));
    rows = first_rows(0);
    assert_int_equal(equant_noise_log_likelihood(noise, &rows, 0, NULL, &found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    equant_noise_free(noise);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_numbers),
        cmocka_unit_test(two_series),
        cmocka_unit_test(nights_of_two_instruments),
        cmocka_unit_test(critical_damping_is_no_place_of_its_own),
        cmocka_unit_test(any_set_has_a_likelihood),
        cmocka_unit_test(words),
        cmocka_unit_test(wrong_words),
        cmocka_unit_test(wrong_rows),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
