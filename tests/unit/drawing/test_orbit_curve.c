/* Points along a turn: between two of them neither the velocity nor the time goes far, however
 * eccentric the orbit, so that a curve through them has no corners and reaches its peaks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/plain_orbit.h"
#include "stars/orbit_curve.h"
#include "terminal/angles.h"

/* From 0 to a whole turn. */
static double true_anomaly(double mean, double e)
{
    double nu = plain_true_anomaly(mean, e);
    return nu < 0.0 ? nu + TWO_PI : nu;
}

static void test_curves_reach_their_peaks(void **state)
{
    (void)state;
    static const double eccentricities[] = {0.0, 0.05, 0.3, 0.6, 0.9, 0.93, 0.97, 0.99};
    for (size_t k = 0; k < sizeof eccentricities / sizeof eccentricities[0]; k++) {
        double e = eccentricities[k], anomaly[ORBIT_CURVE_TURN_MOST];
        size_t n = orbit_curve_turn(e, 1.0, anomaly);
        assert_true(n >= 40 && n <= ORBIT_CURVE_TURN_MOST);
        for (double omega = 0.0; omega < TWO_PI; omega += 0.5) {
            double most = -2.0;
            for (size_t i = 0; i < n; i++)
                most = fmax(most, cos(true_anomaly(anomaly[i], e) + omega));
            assert_true(most > 0.996);
        }
        for (size_t i = 0; i + 1 < n; i++) {
            assert_true(anomaly[i + 1] >= anomaly[i]);
            assert_true(anomaly[i + 1] - anomaly[i] < TWO_PI / 20.0);
        }
    }
}

static void test_thinning(void **state)
{
    (void)state;
    double anomaly[ORBIT_CURVE_TURN_MOST];
    size_t all = orbit_curve_turn(0.9, 1.0, anomaly), half = orbit_curve_turn(0.9, 0.5, anomaly);
    assert_true(half < all && half + 2 >= all / 2);
    assert_int_equal(orbit_curve_turn(0.0, 0.0, anomaly), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_curves_reach_their_peaks),
                                       cmocka_unit_test(test_thinning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
