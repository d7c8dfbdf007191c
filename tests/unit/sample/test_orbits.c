/* Random orbits: ranges, distributions, addresses and refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/distribution_checks.h"

enum { N_SYSTEMS = 25000, N_PLANETS = 4, N_ELEMENTS = 5, N_COLUMNS = N_PLANETS * N_ELEMENTS };

static const double two_pi = 6.28318530717958647693;
static double systems[N_SYSTEMS][N_COLUMNS], again[N_SYSTEMS][N_COLUMNS];
static double sample[N_SYSTEMS * N_PLANETS];

/* Where in its range element `element` lies, 0 to 1, in the measure in which the
 * paper draws it. */
static double position(int element, double value)
{
    switch (element) {
    case 0:
        return log(value / 2.0) / log(3652.5 / 2.0);
    case 1:
        return log(value) / log(500.0);
    case 2:
        return value / 0.99;
    default:
        return value / two_pi;
    }
}

static void elements_follow_the_paper(void **state)
{
    (void)state;
    static const double least[N_ELEMENTS] = {2.0, 1.0, 0.0, 0.0, 0.0};
    const double end[N_ELEMENTS] = {3652.5, 500.0, 0.99, two_pi, two_pi};
    assert_int_equal(equant_orbits_draw(NULL, 11, 0, N_SYSTEMS, N_PLANETS, systems[0]),
                     EQUANT_SUCCESS);
    for (int element = 0; element < N_ELEMENTS; element++) {
        for (size_t i = 0; i < N_SYSTEMS * N_PLANETS; i++) {
            double value = systems[i / N_PLANETS][i % N_PLANETS * N_ELEMENTS + (size_t)element];
            assert_true(value >= least[element] && value < end[element]);
            sample[i] = position(element, value);
        }
        assert_true(kolmogorov_distance(N_SYSTEMS * N_PLANETS, sample) < KOLMOGOROV_LIMIT);
    }
}

static void elements_are_independent(void **state)
{
    (void)state;
    assert_int_equal(equant_orbits_draw(NULL, 12, 0, N_SYSTEMS, N_PLANETS, systems[0]),
                     EQUANT_SUCCESS);
    for (int one = 0; one < N_COLUMNS; one++)
        for (int other = 0; other < one; other++) {
            double covariance = 0.0;
            for (size_t s = 0; s < N_SYSTEMS; s++)
                covariance += (position(one % N_ELEMENTS, systems[s][one]) - 0.5) *
                              (position(other % N_ELEMENTS, systems[s][other]) - 0.5);
            assert_true(fabs(covariance / N_SYSTEMS) < 5.0 / 12.0 / sqrt(N_SYSTEMS));
        }
}

static void systems_do_not_depend_on_the_batch(void **state)
{
    (void)state;
    enum { N = 300 };
    const uint64_t first = 0x5555555555u;
    assert_int_equal(equant_orbits_draw(NULL, 13, first, N, N_PLANETS, systems[0]), EQUANT_SUCCESS);
    for (size_t start = 0, length = 1; start < N; start += length, length = length % 17 + 1) {
        size_t n = start + length > N ? N - start : length;
        assert_int_equal(equant_orbits_draw(NULL, 13, first + start, n, N_PLANETS, again[start]),
                         EQUANT_SUCCESS);
    }
    assert_memory_equal(systems, again, N * sizeof systems[0]);
}

/* A planet does not depend on how many others are drawn with it. */
static void planets_do_not_depend_on_their_number(void **state)
{
    (void)state;
    double alone[10][N_ELEMENTS];
    assert_int_equal(equant_orbits_draw(NULL, 14, 5, 10, N_PLANETS, systems[0]), EQUANT_SUCCESS);
    assert_int_equal(equant_orbits_draw(NULL, 14, 5, 10, 1, alone[0]), EQUANT_SUCCESS);
    for (size_t s = 0; s < 10; s++)
        assert_memory_equal(systems[s], alone[s], sizeof alone[s]);
    assert_memory_not_equal(systems[0], systems[0] + N_ELEMENTS, sizeof alone[0]);
}

static void zeros_mean_the_paper_and_values_are_obeyed(void **state)
{
    (void)state;
    equant_orbit_distribution zeros = {.struct_size = sizeof zeros};
    equant_orbit_distribution shorter = {.struct_size = sizeof(size_t), .k_min_m_s = -1.0};
    equant_orbit_distribution narrow = {.struct_size = sizeof narrow,
                                        .period_min_days = 10.0,
                                        .period_max_days = 11.0,
                                        .k_min_m_s = 3.0,
                                        .k_max_m_s = 3.5,
                                        .eccentricity_max = 0.1};
    assert_int_equal(equant_orbits_draw(NULL, 15, 0, 100, N_PLANETS, systems[0]), EQUANT_SUCCESS);
    assert_int_equal(equant_orbits_draw(&zeros, 15, 0, 100, N_PLANETS, again[0]), EQUANT_SUCCESS);
    assert_memory_equal(systems, again, 100 * sizeof systems[0]);
    assert_int_equal(equant_orbits_draw(&shorter, 15, 0, 100, N_PLANETS, again[0]), EQUANT_SUCCESS);
    assert_memory_equal(systems, again, 100 * sizeof systems[0]);
    assert_int_equal(equant_orbits_draw(&narrow, 15, 0, 100, N_PLANETS, again[0]), EQUANT_SUCCESS);
    for (size_t i = 0; i < 100 * N_PLANETS; i++) {
        const double *planet = again[i / N_PLANETS] + i % N_PLANETS * N_ELEMENTS;
        assert_true(planet[0] >= 10.0 && planet[0] < 11.0);
        assert_true(planet[1] >= 3.0 && planet[1] < 3.5);
        assert_true(planet[2] >= 0.0 && planet[2] < 0.1);
    }
}

static void refuse(double period_min, double period_max, double k_min, double k_max, double e_max)
{
    equant_orbit_distribution bad = {.struct_size = sizeof bad,
                                     .period_min_days = period_min,
                                     .period_max_days = period_max,
                                     .k_min_m_s = k_min,
                                     .k_max_m_s = k_max,
                                     .eccentricity_max = e_max};
    double out[N_ELEMENTS] = {-1.0, -1.0, -1.0, -1.0, -1.0};
    assert_int_equal(equant_orbits_draw(&bad, 0, 0, 1, 1, out), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_true(strlen(equant_last_error()) > 0);
    for (int element = 0; element < N_ELEMENTS; element++)
        assert_true(out[element] == -1.0);
}

static void distributions_that_cannot_be_are_refused(void **state)
{
    (void)state;
    refuse(-1.0, 0.0, 0.0, 0.0, 0.0);
    refuse(5.0, 5.0, 0.0, 0.0, 0.0);
    refuse(4000.0, 0.0, 0.0, 0.0, 0.0); /* above the default maximum */
    refuse(0.0, INFINITY, 0.0, 0.0, 0.0);
    refuse(NAN, 0.0, 0.0, 0.0, 0.0);
    refuse(0.0, 0.0, -3.0, 0.0, 0.0);
    refuse(0.0, 0.0, 10.0, 5.0, 0.0);
    refuse(0.0, 0.0, 0.0, NAN, 0.0);
    refuse(0.0, 0.0, 0.0, 0.0, 1.0);
    refuse(0.0, 0.0, 0.0, 0.0, -0.1);
    refuse(0.0, 0.0, 0.0, 0.0, NAN);
}

static void requests_that_cannot_be_meant_are_refused(void **state)
{
    (void)state;
    double out[2 * N_ELEMENTS];
    assert_int_equal(equant_orbits_draw(NULL, 0, 0, 0, 3, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_orbits_draw(NULL, 0, 0, 3, 0, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_orbits_draw(NULL, 0, 0, 1, 1, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_orbits_draw(NULL, 0, UINT64_MAX, 1, 1, out),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    uint64_t last = UINT64_MAX / 3 - 1;
    assert_int_equal(equant_orbits_draw(NULL, 0, last, 2, 1, out), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_orbits_draw(NULL, 0, last, 1, 1, out), EQUANT_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_follow_the_paper),
        cmocka_unit_test(elements_are_independent),
        cmocka_unit_test(systems_do_not_depend_on_the_batch),
        cmocka_unit_test(planets_do_not_depend_on_their_number),
        cmocka_unit_test(zeros_mean_the_paper_and_values_are_obeyed),
        cmocka_unit_test(distributions_that_cannot_be_are_refused),
        cmocka_unit_test(requests_that_cannot_be_meant_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
