/* Orbits on the sky: constants of Thiele and Innes against quadruple precision, there and back,
 * their derivatives against differences, and places in the plane of the orbit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/quad_sky.h"
#include "oracle/random_system.h"
#include "physics/sky_orbit.h"

static double distance(double a, double b)
{
    double turned = fabs(a - b);
    turned = fmod(turned, SKY_ORBIT_TWO_PI);
    return fmin(turned, SKY_ORBIT_TWO_PI - turned);
}

/* Inclinations of all kinds: every third one close to 0 or to 180 degrees. */
static sky_elements draw(random_system *random, int turn)
{
    double close = random_system_log_between(random, 1e-7, 1.0);
    double anywhere = acos(random_system_between(random, -1.0, 1.0));
    return (sky_elements){
        .a0 = random_system_log_between(random, 1e-3, 1e3),
        .i = turn % 3   ? anywhere
             : turn % 2 ? close
                        : SKY_ORBIT_PI - close,
        .omega = random_system_between(random, 0.0, SKY_ORBIT_TWO_PI),
        .Omega = random_system_between(random, 0.0, SKY_ORBIT_PI),
    };
}

static void constants_are_those_of_the_oracle(void **state)
{
    (void)state;
    random_system random = {7};
    for (int turn = 0; turn < 2000; turn++) {
        sky_elements own = draw(&random, turn);
        __float128 in[4] = {own.a0, own.i, own.omega, own.Omega}, out[4];
        sky_constants made = sky_constants_of(&own);
        double mine[4] = {made.A, made.B, made.F, made.G};
        quad_sky_constants(in, out);
        for (int k = 0; k < 4; k++)
            assert_true(fabs(mine[k] - (double)out[k]) <= 1e-15 * own.a0);
    }
}

/* What a constant cannot hold no element can give back: near i = 0 that is i itself and the
 * difference of the angles, near 180 degrees their sum. */
static void there_and_back(void **state)
{
    (void)state;
    random_system random = {11};
    for (int turn = 0; turn < 1000000; turn++) {
        sky_elements own = draw(&random, turn);
        sky_constants made = sky_constants_of(&own);
        sky_elements back = sky_elements_of(&made);
        sky_constants again = sky_constants_of(&back);
        double share = own.a0 * 1e-12;
        assert_true(fabs(back.a0 - own.a0) <= share);
        assert_true(fabs(again.A - made.A) <= share && fabs(again.B - made.B) <= share);
        assert_true(fabs(again.F - made.F) <= share && fabs(again.G - made.G) <= share);
        assert_true(back.Omega >= 0.0 && back.Omega < SKY_ORBIT_PI);
        assert_true(back.omega >= 0.0 && back.omega < SKY_ORBIT_TWO_PI);
        double rise = 1.0 + cos(own.i), fall = 2.0 * pow(sin(0.5 * own.i), 2.0);
        rise = fmin(rise, 2.0 * pow(cos(0.5 * own.i), 2.0));
        assert_true(fabs(back.i - own.i) * sin(own.i) <= 1e-12 * fmax(1.0, back.i));
        assert_true(distance(back.omega + back.Omega, own.omega + own.Omega) * rise <= 1e-12 * 7);
        assert_true(distance(back.omega - back.Omega, own.omega - own.Omega) * fall <= 1e-12 * 7);
    }
}

static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    random_system random = {5};
    for (int turn = 0; turn < 500; turn++) {
        sky_elements own = draw(&random, 1);
        own.i = random_system_between(&random, 0.15, SKY_ORBIT_PI - 0.15);
        own.Omega = random_system_between(&random, 0.1, SKY_ORBIT_PI - 0.1);
        own.omega = random_system_between(&random, 0.1, SKY_ORBIT_TWO_PI - 0.1);
        sky_constants made = sky_constants_of(&own);
        sky_elements_slopes slopes = sky_elements_derive(&made);
        double step = 1e-5 * own.a0;
        for (int k = 0; k < 4; k++) {
            sky_constants up = made, down = made;
            *(&up.A + k) += step;
            *(&down.A + k) -= step;
            sky_elements high = sky_elements_of(&up), low = sky_elements_of(&down);
            double by[4] = {high.a0 - low.a0, high.i - low.i, high.omega - low.omega,
                            high.Omega - low.Omega};
            double scale[4] = {1.0, own.a0, own.a0, own.a0};
            for (int j = 0; j < 4; j++)
                assert_true(fabs(slopes.by[j][k] - by[j] / (2.0 * step)) * scale[j] <
                            1e-6 * (1.0 + fabs(slopes.by[j][k]) * scale[j]));
        }
    }
}

static void places_are_those_of_the_oracle(void **state)
{
    (void)state;
    random_system random = {3};
    for (int turn = 0; turn < 20000; turn++) {
        double e = turn % 4 ? random_system_between(&random, 0.0, 0.95)
                            : 1.0 - random_system_log_between(&random, 1e-4, 0.1);
        double M = random_system_between(&random, -20.0, 20.0);
        __float128 x, y, up_x, up_y, down_x, down_y, step = 1e-9Q;
        sky_place place = sky_place_at(M, e);
        quad_sky_place(M, e, &x, &y);
        double steep = 1.0 / ((1.0 - e) * (1.0 - e)), bound = 1e-14 / (1.0 - e);
        assert_true(fabs(place.X - (double)x) < bound && fabs(place.Y - (double)y) < bound);
        quad_sky_place(M + step, e, &up_x, &up_y);
        quad_sky_place(M - step, e, &down_x, &down_y);
        assert_true(fabs(place.X_M - (double)((up_x - down_x) / (2 * step))) < 1e-11 * steep);
        assert_true(fabs(place.Y_M - (double)((up_y - down_y) / (2 * step))) < 1e-11 * steep);
        quad_sky_place(M, e + step, &up_x, &up_y);
        quad_sky_place(M, e - step, &down_x, &down_y);
        if (e > 1e-6 && e < 0.99) {
            assert_true(fabs(place.X_e - (double)((up_x - down_x) / (2 * step))) < 1e-11 * steep);
            assert_true(fabs(place.Y_e - (double)((up_y - down_y) / (2 * step))) < 1e-11 * steep);
        }
    }
}

/* The velocities of places: differences of the first derivatives. */
static void velocities_are_those_of_differences(void **state)
{
    (void)state;
    random_system random = {13};
    for (int turn = 0; turn < 2000; turn++) {
        double e = random_system_between(&random, 0.01, 0.9), step = 1e-5;
        double M = random_system_between(&random, -4.0, 4.0);
        sky_place at = sky_place_at(M, e), up = sky_place_at(M + step, e);
        sky_place down = sky_place_at(M - step, e), more = sky_place_at(M, e + step);
        sky_place less = sky_place_at(M, e - step);
        double bound = 1e-8 * pow(1.0 - e, -5.0);
        assert_true(fabs(at.X_MM - (up.X_M - down.X_M) / (2.0 * step)) < bound);
        assert_true(fabs(at.Y_MM - (up.Y_M - down.Y_M) / (2.0 * step)) < bound);
        assert_true(fabs(at.X_Me - (more.X_M - less.X_M) / (2.0 * step)) < bound);
        assert_true(fabs(at.Y_Me - (more.Y_M - less.Y_M) / (2.0 * step)) < bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_those_of_the_oracle),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(places_are_those_of_the_oracle),
        cmocka_unit_test(velocities_are_those_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
