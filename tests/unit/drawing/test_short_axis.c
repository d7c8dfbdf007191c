/* Axes of small panels: however the ends of a range fall, two numbers give its scale, and no two
 * touch. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "drawing/short_axis.h"
#include "equant.h"

static size_t n_numbers(const struct ticks *ticks)
{
    size_t n = 0;
    for (size_t i = 0; i < ticks->n; i++)
        n += ticks->tick[i].text[0] != '\0';
    return n;
}

static void assert_scale(double low, double high)
{
    static const double length[] = {84.0, 110.0, 150.0};
    for (size_t i = 0; i < sizeof length / sizeof length[0]; i++) {
        struct short_axis axis = short_axis_of(low, high, length[i]);
        struct ticks across = short_axis_across(&axis, length[i]);
        struct ticks upwards = short_axis_upwards(&axis, length[i]);
        if (n_numbers(&across) < 2 || n_numbers(&upwards) < 2)
            fail_msg("from %.9g to %.9g along %g: %zu numbers across and %zu upwards", low, high,
                     length[i], n_numbers(&across), n_numbers(&upwards));
    }
}

/* The second number of the usual step falls on the end, or just beyond it. */
static void ends_at_round_numbers_leave_two(void **state)
{
    (void)state;
    assert_scale(1.0, 101.5);
    assert_scale(2.0, 98.0);
    assert_scale(-1.0, 1.0);
    assert_scale(0.001, 0.1003);
}

static void any_range_has_two(void **state)
{
    (void)state;
    enum { N = 3000 };
    double numbers[2 * N];
    assert_int_equal(equant_random_uniform(7, 0, 0, 2 * N, numbers), EQUANT_SUCCESS);
    for (size_t i = 0; i < N; i++) {
        double span = pow(10.0, 8.0 * numbers[2 * i] - 4.0);
        double low = span * (4.0 * numbers[2 * i + 1] - 2.0);
        assert_scale(low, low + span);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_at_round_numbers_leave_two),
        cmocka_unit_test(any_range_has_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
