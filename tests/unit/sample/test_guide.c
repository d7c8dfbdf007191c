/* The Gaussian that resembles a set of walkers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/walkers/guide.h"

static void guides_fit(void **state)
{
    (void)state;
    /* Corners of a parallelogram: centre (2, pi), covariance {4 2; 2 1.25}. */
    const unsigned char is_angle[2] = {0, 1};
    const double pi = 3.14159265358979323846, up = 1.5 + pi, down = pi - 1.5;
    const double walkers[8] = {4.0, up - 2.0 * pi,       0.0, down,
                               4.0, pi + 0.5 - 2.0 * pi, 0.0, pi - 0.5};
    double centre[2], factor[3], scratch[5];
    assert_int_equal(guide_scratch(2), 5);
    assert_true(guide_fit(2, is_angle, 4, walkers, centre, factor, scratch));
    assert_true(fabs(centre[0] - 2.0) < 1e-14 && fabs(fabs(centre[1]) - pi) < 1e-14);
    assert_true(fabs(factor[0] - 2.0) < 1e-14 && fabs(factor[1] - 1.0) < 1e-14);
    assert_true(fabs(factor[2] - 0.5) < 1e-14);
    const double on_a_line[8] = {0.0, 0.0, 1.0, 2.0, 2.0, 4.0, 3.0, 6.0};
    const unsigned char no_angle[2] = {0, 0};
    assert_false(guide_fit(2, no_angle, 4, on_a_line, centre, factor, scratch));
    const double at_a_point[4] = {1.0, 1.0, 1.0, 1.0};
    assert_false(guide_fit(2, no_angle, 2, at_a_point, centre, factor, scratch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guides_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
