/* Coordinates of planets: there and back in every basis, where they are known by hand, and
 * where there are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "equant.h"
#include "oracle/random_system.h"

enum { N_BASES = 4 };
static const double two_pi = 6.283185307179586;

static void there_and_back(equant_basis basis, const double elements[5], double back[5])
{
    double coordinates[5];
    assert_int_equal(equant_basis_from_elements(basis, 1, elements, coordinates), EQUANT_SUCCESS);
    assert_int_equal(equant_basis_to_elements(basis, 1, coordinates, back), EQUANT_SUCCESS);
    for (int i = 3; i < 5; i++)
        assert_true(back[i] >= 0 && back[i] < two_pi);
}

static void assert_close(double value, double expected, double scale)
{
    if (!(fabs(value - expected) <= 1e-13 * scale))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* How far apart two angles are on the circle. */
static double turned(double a, double b)
{
    return fabs(remainder(a - b, two_pi));
}

static void elements_come_back(void **state)
{
    (void)state;
    random_system random = {5};
    for (int basis = 0; basis < N_BASES; basis++)
        for (int n = 0; n < 2000; n++) {
            double elements[5], back[5];
            random_system_planet(&random, elements);
            elements[2] = n % 4 == 0 ? elements[2] * 1e-3 : 0.95 * elements[2];
            elements[3] -= 20;
            there_and_back((equant_basis)basis, elements, back);
            double e = elements[2], sharpness = 1 / (1 - e) + 1 / e;
            assert_close(back[0], elements[0], 10 * elements[0]);
            assert_close(back[1], elements[1], 10 * elements[1] / (1 - e));
            assert_close(back[2], e, 1);
            assert_true(turned(back[3], elements[3]) < 1e-14 * (1 + sharpness));
            assert_true(turned(back[4], elements[4]) < 1e-14 * (1 + sharpness));
        }
}

/* A circle has no pericentre: only the sum of the angles must come back. An orbit without
 * amplitude has no direction. */
static void circles_and_nothing_come_back(void **state)
{
    (void)state;
    const double circle[5] = {8, 5, 0, 1, 2}, nothing[5] = {8, 0, 0.3, 1, 2};
    for (int basis = 0; basis < N_BASES; basis++) {
        double back[5];
        there_and_back((equant_basis)basis, circle, back);
        assert_close(back[1], 5, 5);
        assert_true(back[2] == 0);
        assert_true(turned(back[3] + back[4], 3) < 1e-14);
        there_and_back((equant_basis)basis, nothing, back);
        assert_true(back[1] == 0);
        assert_close(back[2], 0.3, 1);
        if (basis != EQUANT_BASIS_LINEAR)
            assert_true(turned(back[3], 1) < 1e-14);
        assert_true(turned(back[4], 2) < 1e-14);
    }
}

/* e = 0.6, so sqrt(1 - e^2) = 0.8; omega and M0 a quarter and a half turn. */
static void coordinates_are_what_the_header_says(void **state)
{
    (void)state;
    const double quarter = two_pi / 4, elements[5] = {8, 5, 0.6, quarter, 2 * quarter};
    const double expected[N_BASES][5] = {
        {8, 5, 0.6, quarter, 2 * quarter},
        {log(8), log(5), 0, 0.6, 3 * quarter},
        {log(8), sqrt(5), 0, sqrt(0.6), 3 * quarter},
        /* v = -B sin E / (1 - e cos E) before the turn by M0, with B = 0.8 K */
        {log(8), -0.6, 0, 0, 4},
    };
    for (int basis = 0; basis < N_BASES; basis++) {
        double coordinates[5];
        memcpy(coordinates, elements, sizeof coordinates);
        assert_int_equal(
            equant_basis_from_elements((equant_basis)basis, 1, coordinates, coordinates),
            EQUANT_SUCCESS);
        for (int i = 0; i < 5; i++)
            assert_close(coordinates[i], expected[basis][i], 5);
    }
}

static void what_no_orbit_has_is_nan(void **state)
{
    (void)state;
    const double not_finite = NAN;
    const double elements[][5] = {{-1, 5, 0.1, 0, 0},       {0, 5, 0.1, 0, 0},
                                  {8, 5, 1, 0, 0},          {8, 5, -0.1, 0, 0},
                                  {8, 5, 0.1, INFINITY, 0}, {8, not_finite, 0.1, 0, 0}};
    const double shapes[][5] = {{2, 1, 0.8, 0.7, 0}, {2, 1, 0.8, 0.7, 0}, {2, 0.8, 0.7, 1, 1}};
    double out[5];
    for (int basis = 0; basis < N_BASES; basis++) {
        for (size_t n = 0; n < sizeof elements / sizeof *elements; n++) {
            assert_int_equal(equant_basis_from_elements((equant_basis)basis, 1, elements[n], out),
                             EQUANT_SUCCESS);
            for (int i = 0; i < 5; i++)
                assert_true(isnan(out[i]));
        }
        if (basis == EQUANT_BASIS_ELEMENTS)
            continue;
        assert_int_equal(equant_basis_to_elements((equant_basis)basis, 1, shapes[basis - 1], out),
                         EQUANT_SUCCESS);
        for (int i = 0; i < 5; i++)
            assert_true(isnan(out[i]));
    }
    const double negative_root[5] = {2, -1, 0.1, 0.1, 0};
    assert_int_equal(equant_basis_to_elements(EQUANT_BASIS_ROOTS, 1, negative_root, out),
                     EQUANT_SUCCESS);
    assert_true(isnan(out[1]));
}

/* A negative amplitude is half a turn of omega. */
static void negative_amplitudes_are_turned(void **state)
{
    (void)state;
    const double elements[5] = {8, -5, 0.3, 1, 2};
    double back[5], coordinates[5];
    there_and_back(EQUANT_BASIS_LINEAR, elements, back);
    assert_close(back[1], 5, 5);
    assert_true(turned(back[3], 1 + two_pi / 2) < 1e-14);
    assert_int_equal(equant_basis_from_elements(EQUANT_BASIS_REGULAR, 1, elements, coordinates),
                     EQUANT_SUCCESS);
    assert_true(isnan(coordinates[0]));
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    double numbers[5] = {8, 5, 0.1, 0, 0};
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    assert_int_equal(equant_basis_from_elements((equant_basis)4, 1, numbers, numbers), invalid);
    assert_int_equal(equant_basis_to_elements((equant_basis)-1, 1, numbers, numbers), invalid);
    assert_int_equal(equant_basis_from_elements(EQUANT_BASIS_LINEAR, 1, NULL, numbers), invalid);
    assert_int_equal(equant_basis_to_elements(EQUANT_BASIS_LINEAR, 1, numbers, NULL), invalid);
    assert_int_equal(equant_basis_to_elements(EQUANT_BASIS_LINEAR, 0, NULL, NULL), EQUANT_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_come_back),
        cmocka_unit_test(circles_and_nothing_come_back),
        cmocka_unit_test(coordinates_are_what_the_header_says),
        cmocka_unit_test(what_no_orbit_has_is_nan),
        cmocka_unit_test(negative_amplitudes_are_turned),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
