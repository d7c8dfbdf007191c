/* Any set of noise parameters has an answer, finite or minus infinity, never NaN: 10,000 random
 * sets over sums of all terms, of single rows, of rows that measure a derivative, and with slopes.
 * benchmarks/check-noise-robust asks a million, of evaluators too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N = 40, N_SUMS = 100, SETS = 100, MOST_PARAMETERS = 3 * 6 };

static uint64_t bits = 1;

static double uniform(void)
{
    bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(bits >> 11) / 9007199254740992.0;
}

static double times[N], values[N], variances[N], alpha[N], beta[N];

static int make_rows(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        times[i] = 2455000.6 + 1.7 * (i / 2) + 0.02 * (i % 2);
        values[i] = 5.0 * sin(times[i] / 3.0);
        variances[i] = 1.0 + 0.3 * cos(0.7 * i);
        alpha[i] = i % 2 ? 1.0 : 0.3;
        beta[i] = i % 2 ? 4.0 : 0.0;
    }
    times[7] = times[6];
    return 0;
}

/* Adds a term with values that all terms can have. */
static void add_term(const equant_noise_term_info *info, size_t term, size_t size, char *text)
{
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s%s(", n > 0 ? "," : "", info->name);
    for (size_t i = 0; i < info->n_parameters; i++) {
        equant_noise_parameter_info parameter = {.struct_size = sizeof parameter};
        assert_int_equal(equant_noise_term_parameter(term, i, &parameter), EQUANT_SUCCESS);
        n = strlen(text);
        snprintf(text + n, size - n, "%s%s=250", i > 0 ? "," : "", parameter.name);
    }
    strcat(text, ")");
}

/* A sum of up to three terms; whether all of them have a derivative. */
static bool make_sum(char *text, size_t size)
{
    size_t n_terms = 1 + (size_t)(3.0 * uniform());
    bool is_smooth = true;
    text[0] = '\0';
    for (size_t i = 0; i < n_terms; i++) {
        equant_noise_term_info info = {.struct_size = sizeof info};
        size_t term = (size_t)(uniform() * (double)equant_n_noise_terms());
        assert_int_equal(equant_noise_term_at(term, &info), EQUANT_SUCCESS);
        add_term(&info, term, size, text);
        is_smooth = is_smooth && info.is_smooth;
    }
    return is_smooth;
}

static double wild(void)
{
    static const double nonsense[] = {0.0, -1.0, INFINITY, -INFINITY, NAN, 5e-324, 1e308};
    if (uniform() < 0.02)
        return nonsense[(size_t)(7.0 * uniform())];
    return exp(60.0 * (uniform() - 0.5));
}

static void ask(const char *text, const equant_noise_rows *rows)
{
    equant_noise *noise;
    double sets[SETS * MOST_PARAMETERS], found[SETS];
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_SUCCESS);
    size_t n = equant_noise_n_parameters(noise);
    for (size_t i = 0; i < SETS * n; i++)
        sets[i] = wild();
    assert_int_equal(equant_noise_log_likelihood(noise, rows, SETS, sets, found), EQUANT_SUCCESS);
    for (size_t s = 0; s < SETS; s++)
        if (isnan(found[s]) || found[s] == INFINITY)
            fail_msg("%s, set %zu: %g", text, s, found[s]);
    double slopes[MOST_PARAMETERS], mean[N], variance[N], again;
    for (size_t s = 0; s < 3; s++) { /* whatever they are, they come back */
        assert_int_equal(
            equant_noise_differentiate(noise, rows, sets + s * n, &again, slopes, NULL),
            EQUANT_SUCCESS);
        assert_true(!isnan(again) && again < INFINITY);
        (void)equant_noise_predict(noise, rows, sets + s * n, rows, mean, variance);
        (void)equant_noise_draw(noise, rows, sets + s * n, 1, 0, 1, mean);
    }
    equant_noise_free(noise);
}

static void no_set_is_a_nan(void **state)
{
    (void)state;
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = N,
                              .time_days = times,
                              .values = values,
                              .variances = variances};
    for (int i = 0; i < N_SUMS; i++) {
        char text[1024];
        bool is_smooth = make_sum(text, sizeof text);
        rows.alpha = i % 3 == 0 && is_smooth ? alpha : NULL;
        rows.beta = i % 3 == 0 && is_smooth ? beta : NULL;
        ask(text, &rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_set_is_a_nan)};
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
