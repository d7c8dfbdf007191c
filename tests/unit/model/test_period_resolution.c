/* Periods that data cannot tell apart: half a resolution in frequency, both ways round; the overlap
 * of two sinusoids says that this is where they become different signals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/period_resolution.h"

static const double span_days = 1000.0, two_pi = 6.283185307179586;

static void half_a_resolution(void **state)
{
    (void)state;
    const double frequencies[] = {1e-4, 1e-3, 0.1, 3.0};
    for (size_t i = 0; i < sizeof frequencies / sizeof frequencies[0]; i++) {
        double period = 1.0 / frequencies[i], within = 1.0 / (frequencies[i] + 0.49 / span_days),
               beyond = 1.0 / (frequencies[i] + 0.51 / span_days);
        assert_true(period_resolution_is_same(period, within, span_days));
        assert_true(period_resolution_is_same(within, period, span_days));
        assert_false(period_resolution_is_same(period, beyond, span_days));
        assert_false(period_resolution_is_same(beyond, period, span_days));
    }
}

/* The share of a sinusoid's variance that another one with free amplitude and phase explains, on
 * even times; sines and cosines about the middle are orthogonal. */
static double share(double first_per_day, double second_per_day)
{
    enum { N = 20001 };
    double product = 0.0, first = 0.0, second = 0.0;
    for (int k = 0; k < N; k++) {
        double days = span_days * ((double)k / (N - 1) - 0.5);
        double a = cos(two_pi * first_per_day * days), b = cos(two_pi * second_per_day * days);
        product += a * b;
        first += a * a;
        second += b * b;
    }
    return product * product / (first * second);
}

static void sinusoids_agree_within_it(void **state)
{
    (void)state;
    const double frequency = 0.05, half = PERIOD_SAME / span_days;
    assert_true(share(frequency, frequency + 0.5 * half) > 0.75);
    assert_true(share(frequency, frequency + half) < 0.5);
    assert_true(share(frequency, frequency + 2.0 * half) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_resolution),
        cmocka_unit_test(sinusoids_agree_within_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
