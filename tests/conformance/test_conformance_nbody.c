/* Planets that attract each other, on all processors, against Newton's equations in quadruple
 * precision: velocities, their derivatives, the order of convergence; equal bits in all lanes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"
#include "oracle/quad_nbody.h"

enum { N_PLANETS = 3, N_COLUMNS = N_PLANETS * EQUANT_N_NBODY_ELEMENTS, N_TIMES = 12 };

static const double star_mass = 0.8;
/* Two planets near 2:1 and a light one outside, neither in one plane nor on circles. */
static const double elements[N_PLANETS][EQUANT_N_NBODY_ELEMENTS] = {
    {6e-4, 30.1, 0.11, 0.05, 0.4, 1.1, 0.05},
    {2e-3, 61.3, -0.02, 0.03, 2.9, 1.0, -0.03},
    {5e-5, 124.0, 0.0, 0.0, 5.1, 1.3, 0.1}};
static const double times[N_TIMES] = {-90.5, -61.0, -33.3, -7.25, 0.0,   4.4,
                                      19.0,  41.7,  66.6,  101.1, 150.3, 180.0};

static equant_nbody_options options_with(const char *backend, double step_days,
                                         equant_engine_options *engine)
{
    *engine = (equant_engine_options){.struct_size = sizeof *engine, .backend = backend};
    return (equant_nbody_options){.struct_size = sizeof(equant_nbody_options),
                                  .engine = engine,
                                  .star_mass = star_mass,
                                  .step_days = step_days};
}

static void exact(const double *of, int changed, double by, __float128 *velocities)
{
    __float128 own[N_COLUMNS];
    for (int k = 0; k < N_COLUMNS; k++)
        own[k] = of[k];
    if (changed >= 0)
        own[changed] += (__float128)by;
    quad_nbody_velocities(star_mass, N_PLANETS, own, 5.0, N_TIMES, times, velocities);
}

static double worst_error(double step_days, const __float128 *expected)
{
    equant_engine_options engine;
    equant_nbody_options options = options_with(NULL, step_days, &engine);
    double velocities[N_TIMES], worst = 0.0;
    equant_nbody_end end;
    assert_int_equal(equant_nbody_velocities(N_PLANETS, 1, elements[0], N_TIMES, times, &options,
                                             velocities, NULL, &end),
                     EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_FINE);
    for (int k = 0; k < N_TIMES; k++)
        worst = fmax(worst, fabs((double)(velocities[k] - expected[k])));
    return worst;
}

static void test_velocities_converge_to_the_oracle(void **state)
{
    (void)state;
    __float128 expected[N_TIMES];
    exact(elements[0], -1, 0.0, expected);
    double usual = worst_error(0.0, expected), coarse = worst_error(3.0, expected);
    double fine = worst_error(1.5, expected), finest = worst_error(0.1, expected);
    printf("errors in m/s: by the rule %.1e, steps of 3 d %.1e, 1.5 d %.1e, 0.1 d %.1e\n", usual,
           coarse, fine, finest);
    assert_true(usual < 1e-6);
    assert_true(finest < 1e-9);
    assert_true(log2(coarse / fine) > 3.5); /* fourth order in the step */
}

/* The step of central differences is so small that 33 digits leave 1e-12. */
static void test_derivatives_are_those_of_the_oracle(void **state)
{
    (void)state;
    equant_engine_options engine;
    equant_nbody_options options = options_with(NULL, 0.1, &engine);
    double velocities[N_TIMES], jacobian[N_COLUMNS * N_TIMES], worst = 0.0;
    equant_nbody_end end;
    assert_int_equal(equant_nbody_velocities(N_PLANETS, 1, elements[0], N_TIMES, times, &options,
                                             velocities, jacobian, &end),
                     EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_FINE);
    for (int column = 0; column < N_COLUMNS; column += 1 + (column % 3 == 1)) {
        const double by = 1e-9;
        __float128 above[N_TIMES], below[N_TIMES];
        double largest = 0.0, difference = 0.0;
        exact(elements[0], column, by, above);
        exact(elements[0], column, -by, below);
        for (int k = 0; k < N_TIMES; k++) {
            double slope = (double)((above[k] - below[k]) / (2 * (__float128)by));
            largest = fmax(largest, fabs(slope));
            difference = fmax(difference, fabs(slope - jacobian[column * N_TIMES + k]));
        }
        worst = fmax(worst, difference / largest);
    }
    printf("derivatives: largest difference %.1e of the largest of a column\n", worst);
    assert_true(worst < 1e-8);
}

/* Alone or among others, on any machine and any number of threads. */
static void test_bits_are_equal(void **state)
{
    (void)state;
    enum { N_SYSTEMS = 11 };
    static double systems[N_SYSTEMS][N_COLUMNS], expected[N_SYSTEMS][N_TIMES];
    static double together[N_SYSTEMS][N_TIMES], expected_jacobian[N_COLUMNS * N_TIMES];
    static double jacobian[N_COLUMNS * N_TIMES];
    equant_engine_options engine;
    for (int s = 0; s < N_SYSTEMS; s++) {
        memcpy(systems[s], elements, sizeof elements);
        systems[s][4] += 0.3 * s;
        systems[s][9] *= 1.0 - 0.08 * s;
        equant_nbody_options options = options_with("cpu/scalar", 0.9, &engine);
        assert_int_equal(equant_nbody_velocities(N_PLANETS, 1, systems[s], N_TIMES, times, &options,
                                                 expected[s], expected_jacobian, NULL),
                         EQUANT_SUCCESS);
    }
    for (size_t b = 0; b < engines_n_backends(); b++) {
        if (!engines_is_processor(b))
            continue;
        for (int n_threads = 1; n_threads <= 2; n_threads++) {
            equant_nbody_options options = options_with(engines_backend(b), 0.9, &engine);
            engine.n_threads = n_threads;
            assert_int_equal(equant_nbody_velocities(N_PLANETS, N_SYSTEMS, systems[0], N_TIMES,
                                                     times, &options, together[0], NULL, NULL),
                             EQUANT_SUCCESS);
            assert_memory_equal(together, expected, sizeof expected);
            assert_int_equal(equant_nbody_velocities(N_PLANETS, 1, systems[N_SYSTEMS - 1], N_TIMES,
                                                     times, &options, together[0], jacobian, NULL),
                             EQUANT_SUCCESS);
            assert_memory_equal(jacobian, expected_jacobian, sizeof jacobian);
        }
    }
}

enum { N_TRANSITS = 5, N_OF_TRANSIT = EQUANT_N_NBODY_TRANSIT };
/* The last is a transit before the epoch. */
static const int transit_planet[N_TRANSITS] = {0, 1, 2, 0, 1};
static const int transit_number[N_TRANSITS] = {3, 2, 1, 6, -1};

static void find_transits(const char *backend, double step_days, double *transits, double *jacobian)
{
    equant_engine_options engine;
    equant_nbody_options options = options_with(backend, step_days, &engine);
    equant_nbody_end end;
    assert_int_equal(equant_nbody_transits(N_PLANETS, elements[0], NULL, N_TRANSITS, transit_planet,
                                           transit_number, &options, transits, jacobian, &end),
                     EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_FINE);
}

static void exact_transit(int row, double guess, int changed, double by, __float128 *out)
{
    __float128 own[N_COLUMNS];
    for (int k = 0; k < N_COLUMNS; k++)
        own[k] = elements[k / EQUANT_N_NBODY_ELEMENTS][k % EQUANT_N_NBODY_ELEMENTS];
    if (changed >= 0)
        own[changed] += (__float128)by;
    quad_nbody_transit(star_mass, N_PLANETS, own, 4.0, (size_t)transit_planet[row], guess, out);
}

static void test_transits_are_those_of_the_oracle(void **state)
{
    (void)state;
    static double usual[N_TRANSITS][N_OF_TRANSIT], fine[N_TRANSITS][N_OF_TRANSIT];
    static double jacobian[N_TRANSITS][N_COLUMNS][N_OF_TRANSIT];
    double worst_s = 0.0, worst_place = 0.0, worst_slope = 0.0;
    find_transits(NULL, 0.0, usual[0], NULL);
    find_transits(NULL, 0.1, fine[0], jacobian[0][0]);
    for (int row = 0; row < N_TRANSITS; row++) {
        const double by = 1e-9;
        __float128 expected[N_OF_TRANSIT];
        exact_transit(row, usual[row][0], -1, 0.0, expected);
        worst_s = fmax(worst_s, 86400.0 * fabs((double)(usual[row][0] - expected[0])));
        for (int k = 1; k < N_OF_TRANSIT; k++)
            worst_place = fmax(worst_place, fabs((double)(fine[row][k] / expected[k] - 1)));
        for (int column = row; column < N_COLUMNS; column += 4) {
            __float128 above[N_OF_TRANSIT], below[N_OF_TRANSIT];
            exact_transit(row, usual[row][0], column, by, above);
            exact_transit(row, usual[row][0], column, -by, below);
            for (int k = 0; k < N_OF_TRANSIT; k++) {
                double slope = (double)((above[k] - below[k]) / (2 * (__float128)by));
                double size = fabs(slope) + fabs((double)expected[k]) * 1e-3;
                double got = jacobian[row][column][k];
                worst_slope = fmax(worst_slope, fabs(got - slope) / size);
            }
        }
    }
    printf("transits: %.1e s by the usual step; places %.1e, derivatives %.1e, relatively\n",
           worst_s, worst_place, worst_slope);
    assert_true(worst_s < 1e-3);
    assert_true(worst_place < 1e-8);
    assert_true(worst_slope < 1e-7);
}

static void test_bits_of_transits_are_equal(void **state)
{
    (void)state;
    static double expected[N_TRANSITS * N_OF_TRANSIT], got[N_TRANSITS * N_OF_TRANSIT];
    static double slopes[N_TRANSITS * N_COLUMNS * N_OF_TRANSIT];
    static double got_slopes[N_TRANSITS * N_COLUMNS * N_OF_TRANSIT];
    find_transits("cpu/scalar", 0.9, expected, slopes);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        if (!engines_is_processor(b))
            continue;
        find_transits(engines_backend(b), 0.9, got, got_slopes);
        assert_memory_equal(got, expected, sizeof got);
        assert_memory_equal(got_slopes, slopes, sizeof slopes);
    }
}

static void test_transits_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    double transits[2 * N_OF_TRANSIT];
    equant_nbody_end end;
    const int planets[2] = {0, 0}, numbers[2] = {1, 1}, strange[2] = {0, 7},
              far[2] = {0, 900000000};
    equant_nbody_options options = {.struct_size = sizeof options};
    assert_int_equal(equant_nbody_transits(3, elements[0], NULL, 2, planets, numbers, &options,
                                           transits, NULL, &end),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_nbody_transits(3, elements[0], NULL, 2, strange, numbers, &options,
                                           transits, NULL, &end),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_nbody_transits(3, elements[0], NULL, 2, planets, far, &options,
                                           transits, NULL, &end),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    double broken[N_COLUMNS];
    memcpy(broken, elements, sizeof broken);
    broken[2] = 1.1;
    assert_int_equal(
        equant_nbody_transits(3, broken, NULL, 1, planets, numbers, &options, transits, NULL, &end),
        EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_INVALID);
    assert_true(isnan(transits[0]));
    /* Seen from above, planets on circles have no transits. */
    double flat[N_COLUMNS];
    memcpy(flat, elements, sizeof flat);
    for (int p = 0; p < N_PLANETS; p++) {
        flat[7 * p + 2] = flat[7 * p + 3] = flat[7 * p + 5] = 0.0;
        flat[7 * p] = 0.0;
    }
    assert_int_equal(
        equant_nbody_transits(3, flat, NULL, 1, planets, numbers, &options, transits, NULL, &end),
        EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_NO_TRANSIT);
    assert_true(isnan(transits[0]));
}

static equant_nbody_end end_of(const double *of, size_t n_planets, double span_days)
{
    const double at[2] = {1.0, span_days};
    double velocities[2];
    equant_nbody_options options = {.struct_size = sizeof options};
    equant_nbody_end end;
    assert_int_equal(
        equant_nbody_velocities(n_planets, 1, of, 2, at, &options, velocities, NULL, &end),
        EQUANT_SUCCESS);
    for (int k = 0; k < 2; k++)
        assert_true((end == EQUANT_NBODY_FINE) == (isfinite(velocities[k]) != 0));
    return end;
}

/* Never a number that means nothing. */
static void test_systems_that_end_say_so(void **state)
{
    (void)state;
    const double half_pi = 1.5707963267948966;
    double two[2][7] = {{1e-3, 30.0, 0, 0, 0, half_pi, 0}, {1e-3, 60.0, 0, 0, 1, half_pi, 0}};
    assert_int_equal(end_of(two[0], 2, 1000.0), EQUANT_NBODY_FINE);
    two[0][2] = 1.0;
    assert_int_equal(end_of(two[0], 2, 10.0), EQUANT_NBODY_INVALID);
    two[0][2] = 0.0;
    two[0][0] = -1e-6;
    assert_int_equal(end_of(two[0], 2, 10.0), EQUANT_NBODY_INVALID);
    two[0][0] = NAN;
    assert_int_equal(end_of(two[0], 2, 10.0), EQUANT_NBODY_INVALID);
    /* Head on: both on the same circle, one of them the other way round. */
    double opposite[2][7] = {{1e-3, 30.0, 0, 0, 0, half_pi, 0}, {1e-3, 30.0, 0, 0, 0, -half_pi, 0}};
    assert_int_equal(end_of(opposite[0], 2, 40.0), EQUANT_NBODY_COLLISION);
    /* Heavy planets side by side throw each other out. */
    double crowded[3][7] = {{2e-2, 30.0, 0, 0, 0, half_pi, 0},
                            {2e-2, 35.0, 0, 0, 1.0, half_pi, 0},
                            {2e-2, 42.0, 0, 0, 3, half_pi, 0}};
    equant_nbody_end end = end_of(crowded[0], 3, 20000.0);
    assert_true(end == EQUANT_NBODY_UNBOUND || end == EQUANT_NBODY_COLLISION);
    for (int e = EQUANT_NBODY_FINE; e <= EQUANT_NBODY_INVALID; e++)
        assert_true(strlen(equant_nbody_end_text((equant_nbody_end)e)) > 10);
}

/* An encounter without a collision: the extrapolation is as exact as the oracle. */
static void test_encounters_are_exact(void **state)
{
    (void)state;
    const double close[2][7] = {{1e-4, 30.0, 0.0, 0.0, 0.0, 1.2, 0.0},
                                {1e-4, 31.0, 0.0, 0.0, -0.3, 1.2, 0.0}};
    const double at[3] = {100.0, 200.0, 300.0};
    __float128 own[14], expected[3];
    double velocities[3], worst = 0.0;
    for (int k = 0; k < 14; k++)
        own[k] = close[k / 7][k % 7];
    quad_nbody_velocities(1.0, 2, own, 0.5, 3, at, expected);
    equant_nbody_end end;
    assert_int_equal(equant_nbody_velocities(2, 1, close[0], 3, at, NULL, velocities, NULL, &end),
                     EQUANT_SUCCESS);
    assert_int_equal(end, EQUANT_NBODY_FINE);
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs((double)(velocities[k] - expected[k])));
    printf("encounter: largest difference %.1e m/s\n", worst);
    assert_true(worst < 1e-4); /* close approaches magnify what rounding does */
}

int main(void)
{
    if (!engines_announce())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocities_converge_to_the_oracle),
        cmocka_unit_test(test_derivatives_are_those_of_the_oracle),
        cmocka_unit_test(test_bits_are_equal),
        cmocka_unit_test(test_transits_are_those_of_the_oracle),
        cmocka_unit_test(test_bits_of_transits_are_equal),
        cmocka_unit_test(test_transits_that_make_no_sense_are_refused),
        cmocka_unit_test(test_systems_that_end_say_so),
        cmocka_unit_test(test_encounters_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
