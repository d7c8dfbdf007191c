/* Least squares finds the orbits that noise-free velocities were made with, whatever it starts
 * from, and keeps to the limits it is given. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/optimise/least_squares.h"
#include "oracle/random_system.h"
#include "unit/studied_star.h"

enum { MOST_COLUMNS = 5 * 3 + 2 + 2 + 2, N_STARTS = 5 };

static const double three_planets[15] = {17.3, 30.0, 0.25, 1.0, 2.0, 91.0, 12.0, 0.6,
                                         4.0,  5.0,  400., 8.0, 0.1, 2.5,  0.5};

static equant_dataset *observe(size_t n_planets, const double *elements, const double trend[2])
{
    simulated_star star = {.seed = 11,
                           .n_obs = 80,
                           .first_day = 2455000.0,
                           .span_days = 900.0,
                           .n_planets = n_planets,
                           .elements = elements,
                           .trend = {trend[0], trend[1]},
                           .uncertainty_m_s = 1.0};
    return simulated_star_observe(&star);
}

static const double no_trend[2] = {0.0, 0.0};

static void refine(study *star, size_t n_planets, int trend_order, size_t n_fixed, size_t n_starts,
                   double *sets, double *chi_square)
{
    least_squares_problem problem = {.n_planets = n_planets,
                                     .trend_order = trend_order,
                                     .n_fixed = n_fixed,
                                     .max_iterations = 100};
    assert_int_equal(least_squares_refine(star, &problem, n_starts, sets, chi_square),
                     EQUANT_SUCCESS);
}

static void assert_orbit(const double *found, const double *truth, double tolerance)
{
    assert_true(fabs(found[0] / truth[0] - 1.0) < tolerance);
    assert_true(fabs(found[1] / truth[1] - 1.0) < tolerance);
    assert_true(fabs(found[2] - truth[2]) < tolerance);
    assert_true(angle_between(found[3], truth[3]) < tolerance / fmax(truth[2], tolerance));
    assert_true(angle_between(found[3] + found[4], truth[3] + truth[4]) < 10.0 * tolerance);
}

/* Off by a tenth of a turn over the data, by 0.1 in eccentricity and by half a radian. */
static void perturb(random_system *random, double span_days, double *elements)
{
    double turns = random_system_between(random, -0.1, 0.1);
    elements[0] *= 1.0 + turns * elements[0] / span_days;
    elements[1] = random_system_between(random, 0.0, 100.0);
    elements[2] = fabs(elements[2] + random_system_between(random, -0.1, 0.1));
    elements[3] = random_system_between(random, 0.0, 6.0);
    elements[4] += random_system_between(random, -0.5, 0.5) * elements[2];
}

static void orbits_come_back(void **state)
{
    (void)state;
    const double trend[2] = {0.02, -3e-5};
    for (size_t n_planets = 1; n_planets <= 3; n_planets++)
        for (int order = 0; order <= 2; order++) {
            const double kept[2] = {order > 0 ? trend[0] : 0.0, order > 1 ? trend[1] : 0.0};
            equant_dataset *dataset = observe(n_planets, three_planets, kept);
            study star;
            study_star(&star, dataset, 0.0, 0.0);
            parameter_layout layout = study_layout(&star, n_planets, order);
            random_system random = {n_planets};
            double sets[N_STARTS * MOST_COLUMNS], chi_square[N_STARTS];
            for (size_t s = 0; s < N_STARTS; s++) {
                double *set = sets + s * layout.n_parameters;
                set_planets(&star, n_planets, order, three_planets, set);
                for (size_t p = 0; p < n_planets; p++)
                    perturb(&random, star.span_days, set + 5 * p);
            }
            refine(&star, n_planets, order, 0, N_STARTS, sets, chi_square);
            for (size_t s = 0; s < N_STARTS; s++) {
                const double *set = sets + s * layout.n_parameters;
                assert_true(chi_square[s] >= 0.0 && chi_square[s] < 1e-12);
                for (size_t p = 0; p < n_planets; p++)
                    assert_orbit(set + 5 * p, three_planets + 5 * p, 1e-8);
                for (size_t i = 0; i < 2; i++)
                    assert_true(fabs(set[layout.columns[TERM_OFFSETS].first + i] -
                                     simulated_offset_m_s[i]) < 1e-7);
                for (int i = 0; i < order; i++)
                    assert_true(fabs(set[layout.columns[TERM_TREND].first + (size_t)i] - trend[i]) <
                                1e-9);
            }
            study_free(&star);
            equant_dataset_free(dataset);
        }
}

/* A circle and an orbit without amplitude are ordinary starts. */
static void circles_and_still_stars_are_starts(void **state)
{
    (void)state;
    equant_dataset *dataset = observe(1, three_planets, no_trend);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    const double starts[3][5] = {
        {17.31, 30.0, 0.0, 0.0, 3.0}, {17.31, 0.0, 0.3, 1.0, 2.0}, {17.31, 0.0, 0.0, 0.0, 0.0}};
    for (size_t i = 0; i < 3; i++) {
        double set[MOST_COLUMNS], chi_square;
        set_planets(&star, 1, 0, starts[i], set);
        refine(&star, 1, 0, 0, 1, set, &chi_square);
        assert_orbit(set, three_planets, 1e-8);
    }
    study_free(&star);
    equant_dataset_free(dataset);
}

/* A circle comes back as one. */
static void finds_circles(void **state)
{
    (void)state;
    const double circle[5] = {33.0, 5.0, 0.0, 0.0, 2.0};
    equant_dataset *dataset = observe(1, circle, no_trend);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    double set[MOST_COLUMNS], chi_square;
    set_planets(&star, 1, 0, (const double[5]){33.1, 1.0, 0.2, 1.0, 1.0}, set);
    refine(&star, 1, 0, 0, 1, set, &chi_square);
    assert_orbit(set, circle, 1e-8);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* With noise and jitters in the weights: what is returned is the evaluator's chi-square, no
 * neighbour is better, and jitters are untouched. */
static void reaches_a_minimum_of_the_evaluators_chi_square(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(3, 60, 700.0, 2, three_planets, 3.0);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    parameter_layout layout = study_layout(&star, 2, 1);
    double set[MOST_COLUMNS], chi_square, evaluated, unused;
    set_planets(&star, 2, 1, three_planets, set);
    set[layout.columns[TERM_JITTERS].first] = 1.5;
    set[layout.columns[TERM_JITTERS].first + 1] = 0.25;
    refine(&star, 2, 1, 0, 1, set, &chi_square);
    assert_true(set[layout.columns[TERM_JITTERS].first] == 1.5 &&
                set[layout.columns[TERM_JITTERS].first + 1] == 0.25);
    evaluate_set(&star, 2, 1, set, &evaluated, &unused, NULL);
    assert_true(fabs(chi_square / evaluated - 1.0) < 1e-10);
    for (size_t i = 0; i < layout.columns[TERM_JITTERS].first; i++)
        for (int side = -1; side <= 1; side += 2) {
            double kept = set[i];
            set[i] += side * 1e-4 * fmax(fabs(kept), 1e-2);
            evaluate_set(&star, 2, 1, set, &evaluated, &unused, NULL);
            assert_true(evaluated > chi_square);
            set[i] = kept;
        }
    study_free(&star);
    equant_dataset_free(dataset);
}

static void fixed_planets_keep_their_bits(void **state)
{
    (void)state;
    equant_dataset *dataset = observe(2, three_planets, no_trend);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    double set[MOST_COLUMNS], chi_square, evaluated, unused;
    set_planets(&star, 2, 0, three_planets, set);
    const double odd_angles[5] = {17.3, 29.0, 0.25, -11.0, 40.0}; /* as a user may write them */
    memcpy(set, odd_angles, sizeof odd_angles);
    set[5] *= 1.001;
    refine(&star, 2, 0, 1, 1, set, &chi_square);
    assert_memory_equal(set, odd_angles, sizeof odd_angles);
    evaluate_set(&star, 2, 0, set, &evaluated, &unused, NULL);
    assert_true(fabs(chi_square / evaluated - 1.0) < 1e-9);
    assert_true(fabs(set[5] / three_planets[5] - 1.0) < 0.05);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* The truth lies outside the limits: the fit goes as far as they let it. */
static void limits_are_kept(void **state)
{
    (void)state;
    const double eccentric[5] = {20.0, 30.0, 0.985, 1.0, 2.0};
    double set[MOST_COLUMNS], chi_square;
    equant_dataset *dataset = observe(1, eccentric, no_trend);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    set_planets(&star, 1, 0, (const double[5]){20.0, 10.0, 0.9, 1.0, 2.0}, set);
    refine(&star, 1, 0, 0, 1, set, &chi_square);
    assert_true(set[2] <= study_largest_eccentricity(set[0]) * (1.0 + 1e-12));
    study_free(&star);
    equant_dataset_free(dataset);

    dataset = observe(1, three_planets, no_trend);
    for (int below = 0; below <= 1; below++) {
        double low = below ? 17.31 : 2.0, high = below ? 40.0 : 17.29;
        study_star(&star, dataset, low, high);
        set_planets(&star, 1, 0, (const double[5]){below ? 17.32 : 17.28, 10.0, 0.2, 1.0, 2.0},
                    set);
        refine(&star, 1, 0, 0, 1, set, &chi_square);
        assert_true(set[0] >= low * (1.0 - 1e-14) && set[0] <= high * (1.0 + 1e-14));
        assert_true(fabs(set[0] / 17.3 - 1.0) < 1e-3);
        /* At the very end of the range. */
        set_planets(&star, 1, 0, (const double[5]){below ? low : high, 10.0, 0.2, 1.0, 2.0}, set);
        refine(&star, 1, 0, 0, 1, set, &chi_square);
        assert_true(set[0] >= low * (1.0 - 1e-14) && set[0] <= high * (1.0 + 1e-14));
        study_free(&star);
    }
    equant_dataset_free(dataset);
}

/* Chi-square of an orbit as it is, its amplitude, omega and the offset at their best. */
static double chi_square_of(study *star, double period_days, double e, double m0_rad)
{
    least_squares_problem problem = {.n_planets = 1, .n_circular = 0, .max_iterations = 1};
    double set[MOST_COLUMNS], chi_square;
    set_planets(star, 1, 0, (const double[5]){period_days, 1.0, e, 0.0, m0_rad}, set);
    assert_int_equal(least_squares_refine(star, &problem, 1, set, &chi_square), EQUANT_SUCCESS);
    return chi_square;
}

/* An orbit that the data want more eccentric than it may be: along the edge the best is found, and
 * found soon, from many starts. */
static void the_best_at_the_edge_is_found_soon(void **state)
{
    (void)state;
    enum { SOON = 30 };
    const double wanted[5] = {1.5, 30.0, 0.8, 1.0, 2.0};
    equant_dataset *dataset = observe(1, wanted, no_trend);
    least_squares_problem problem = {.n_planets = 1, .max_iterations = SOON};
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    double nearest = INFINITY;
    for (int start = 0; start < 8; start++) {
        double set[MOST_COLUMNS], soon, late, e = 0.05 + 0.07 * start;
        set_planets(&star, 1, 0, (const double[5]){1.5, 10.0, e, 1.0, 2.0}, set);
        assert_int_equal(least_squares_refine(&star, &problem, 1, set, &soon), EQUANT_SUCCESS);
        double edge = study_largest_eccentricity(set[0]);
        assert_true(fabs(set[2] / edge - 1.0) < 1e-6);
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++) {
                double period = set[0] * (1.0 + 1e-6 * i), m0 = set[4] + 1e-3 * j;
                double there = study_largest_eccentricity(period);
                assert_true(chi_square_of(&star, period, there, m0) > soon * (1.0 - 1e-5));
                assert_true(chi_square_of(&star, period, 0.99 * there, m0) > soon);
            }
        refine(&star, 1, 0, 0, 1, set, &late);
        assert_true(soon < late * (1.0 + 1e-5));
        nearest = fmin(nearest, soon);
        assert_true(soon < nearest * (1.0 + 1e-5));
    }
    study_free(&star);
    equant_dataset_free(dataset);
}

/* Two such orbits, one of which is at the end of the periods, too, beside a third that is not. */
static void several_bounds_hold_at_once(void **state)
{
    (void)state;
    const double wanted[15] = {1.5, 30.0, 0.8, 1.0, 2.0, 2.3, 20.0, 0.85,
                               3.0, 1.0,  91., 12., 0.3, 4.0, 5.0};
    equant_dataset *dataset = observe(3, wanted, no_trend);
    least_squares_problem problem = {.n_planets = 3, .max_iterations = 40};
    study star;
    study_star(&star, dataset, 1.50003, 200.0);
    double set[MOST_COLUMNS], soon, late;
    memcpy(set,
           (const double[15]){1.50003, 9.0, 0.4, 1.0, 2.0, 2.3, 9.0, 0.5, 3.0, 1.0, 91.0, 9.0, 0.2,
                              4.0, 5.0},
           15 * sizeof *set);
    for (size_t i = 15; i < MOST_COLUMNS; i++)
        set[i] = 0.0;
    assert_int_equal(least_squares_refine(&star, &problem, 1, set, &soon), EQUANT_SUCCESS);
    assert_true(fabs(set[0] / 1.50003 - 1.0) < 1e-12);
    for (size_t p = 0; p < 2; p++)
        assert_true(fabs(set[5 * p + 2] / study_largest_eccentricity(set[5 * p]) - 1.0) < 1e-6);
    assert_true(fabs(set[10] / 91.0 - 1.0) < 0.01);
    problem.max_iterations = 400;
    assert_int_equal(least_squares_refine(&star, &problem, 1, set, &late), EQUANT_SUCCESS);
    assert_true(soon < late * (1.0 + 1e-4));
    study_free(&star);
    equant_dataset_free(dataset);
}

/* A planet that is known to lie outside the range of a search is still refined. */
static void known_planets_have_no_limits(void **state)
{
    (void)state;
    equant_dataset *dataset = observe(1, three_planets, no_trend);
    study star;
    double set[MOST_COLUMNS], chi_square;
    study_star(&star, dataset, 2.0, 10.0);
    set_planets(&star, 1, 0, (const double[5]){17.32, 10.0, 0.2, 1.0, 2.0}, set);
    refine(&star, 1, 0, 0, 1, set, &chi_square);
    assert_orbit(set, three_planets, 1e-8);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* Starts that are no orbits are said to be infinitely bad, are left as they are, and do not
 * disturb the others; nor does the number of starts. */
static void bad_starts_stay_alone(void **state)
{
    (void)state;
    enum { MANY = 600, COLUMNS = 5 + 2 + 2 };
    equant_dataset *dataset = observe(1, three_planets, no_trend);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    static double sets[MANY * COLUMNS], chi_square[MANY], alone[COLUMNS], chi_square_alone;
    const double good[5] = {17.32, 10.0, 0.2, 1.0, 2.0};
    const double bad[4][5] = {{-17.0, 10.0, 0.2, 1.0, 2.0},
                              {17.0, 10.0, 1.2, 1.0, 2.0},
                              {17.0, 10.0, -0.2, 1.0, 2.0},
                              {NAN, 10.0, 0.2, 1.0, 2.0}};
    for (size_t s = 0; s < MANY; s++)
        set_planets(&star, 1, 0, s % 100 == 7 ? bad[s / 100 % 4] : good, sets + s * COLUMNS);
    set_planets(&star, 1, 0, good, alone);
    refine(&star, 1, 0, 0, MANY, sets, chi_square);
    refine(&star, 1, 0, 0, 1, alone, &chi_square_alone);
    for (size_t s = 0; s < MANY; s++)
        if (s % 100 == 7) {
            assert_true(isinf(chi_square[s]) && chi_square[s] > 0.0);
            assert_memory_equal(sets + s * COLUMNS, bad[s / 100 % 4], sizeof bad[0]);
        } else {
            assert_memory_equal(sets + s * COLUMNS, alone, sizeof alone);
            assert_memory_equal(&chi_square[s], &chi_square_alone, sizeof chi_square_alone);
        }
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbits_come_back),
        cmocka_unit_test(circles_and_still_stars_are_starts),
        cmocka_unit_test(finds_circles),
        cmocka_unit_test(reaches_a_minimum_of_the_evaluators_chi_square),
        cmocka_unit_test(fixed_planets_keep_their_bits),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(the_best_at_the_edge_is_found_soon),
        cmocka_unit_test(several_bounds_hold_at_once),
        cmocka_unit_test(known_planets_have_no_limits),
        cmocka_unit_test(bad_starts_stay_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
