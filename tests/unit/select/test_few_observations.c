/* Eccentric orbits of which few observations see the pericentre: one that four of them show is a
 * planet, with intervals that hold the truth; a curve through two that are wrong is none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equant.h"
#include "oracle/plain_orbit.h"

enum { N_OBS = 36 };
#define SIGMA 2.0

/* 36 nights, four of them at the two pericentres of a planet of 73 days. */
static void make_star(double k_m_s, double times[N_OBS], double velocities[N_OBS],
                      double sigmas[N_OBS])
{
    const double elements[5] = {73.0, k_m_s, 0.92, 0.6, 0.0};
    static const double at_pericentre[4] = {40.4, 41.2, 41.9, 114.0};
    double noise[N_OBS];
    assert_int_equal(equant_random_normal(8, 900, 0, N_OBS, noise), EQUANT_SUCCESS);
    for (int i = 0; i < N_OBS; i++) {
        double day = i < 4 ? at_pericentre[i] : 4.0 * (i - 4) + 1.1 * sin(5.0 * i) + 2.0;
        times[i] = 2455000.0 + day;
        sigmas[i] = SIGMA;
        velocities[i] = plain_velocity(elements, day - 41.0) + SIGMA * noise[i];
    }
}

static equant_fit *fit_of(size_t n, double shortest_days, const double *times,
                          const double *velocities, const double *sigmas)
{
    equant_dataset *dataset = NULL;
    equant_fit *made = NULL;
    assert_int_equal(
        equant_dataset_from_arrays(n, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    equant_fit_options options = {.struct_size = sizeof options,
                                  .engine = &engine,
                                  .max_planets = 1,
                                  .period_min_days = shortest_days,
                                  .period_max_days = 200.0,
                                  .trend = EQUANT_TREND_NONE,
                                  .noise = "white"};
    assert_int_equal(equant_fit_star(dataset, &options, &made), EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return made;
}

static void a_passage_of_pericentre_is_a_planet(void **state)
{
    (void)state;
    double times[N_OBS], velocities[N_OBS], sigmas[N_OBS];
    make_star(60.0, times, velocities, sigmas);
    equant_fit *fit = fit_of(N_OBS, 10.0, times, velocities, sigmas);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_n_planets(fit), 1);
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(planet.period_days - 73.0) < 1.0);
    assert_true(planet.probability > 0.95);
    /* Where the errors say little, there are intervals, which may lack an upper end. */
    if (!isnan(planet.k_m_s_low)) {
        assert_true(planet.k_m_s_low > 10.0 && planet.k_m_s_low < planet.k_m_s_high);
        assert_true(planet.eccentricity_low > 0.6);
        assert_true(planet.eccentricity_low < planet.eccentricity_high);
        assert_true(planet.eccentricity_high <= 1.0);
    }
    equant_fit_free(fit);
}

/* Two observations that are wrong by 30 m/s, far apart or next to each other. */
static void a_spike_through_two_observations_is_none(void **state)
{
    (void)state;
    static const int wrong[3][2] = {{7, 23}, {15, 16}, {1, 2}};
    for (int i = 0; i < 3; i++) {
        double times[N_OBS], velocities[N_OBS], sigmas[N_OBS];
        make_star(0.0, times, velocities, sigmas);
        velocities[wrong[i][0]] += 30.0;
        velocities[wrong[i][1]] += 25.0;
        equant_fit *fit = fit_of(N_OBS, 10.0, times, velocities, sigmas);
        assert_int_equal(equant_fit_n_planets(fit), 0);
        equant_fit_free(fit);
    }
}

/* Fifteen nights of a planet of 133 days and e = 0.7, two of them near its pericentre: an orbit of
 * about a day is measured better, and fits worse by 20 in ln L. */
static void a_sharp_orbit_comes_before_a_worse_alias(void **state)
{
    (void)state;
    static const double rows[][2] = {
        {0.55, -21.0},  {31.46, -181.0}, {68.38, 172.0},  {75.36, 181.0},  {94.35, 175.0},
        {95.36, 154.0}, {97.37, 170.0},  {111.40, 133.0}, {119.29, 98.0},  {149.28, -574.0},
        {173.24, 45.0}, {183.22, 125.0}, {195.24, 162.0}, {210.24, 186.0}, {254.72, 88.0}};
    enum { N_ROWS = sizeof rows / sizeof *rows };
    double times[N_ROWS], velocities[N_ROWS], sigmas[N_ROWS];
    for (int i = 0; i < N_ROWS; i++) {
        times[i] = 2455000.0 + rows[i][0];
        velocities[i] = rows[i][1];
        sigmas[i] = 4.0;
    }
    equant_fit *fit = fit_of(N_ROWS, 0.9, times, velocities, sigmas);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_n_planets(fit), 1);
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(planet.period_days - 133.0) < 2.0);
    equant_fit_free(fit);
}

/* Thirty observations on both sides of pericentres that nobody saw: many share in the signal, K may
 * be anything from some value on, and its error is larger than it. */
static void an_open_amplitude_has_an_interval(void **state)
{
    (void)state;
    enum { N_SEEN = 30 };
    double times[N_SEEN], velocities[N_SEEN], sigmas[N_SEEN], noise[N_SEEN];
    assert_int_equal(equant_random_normal(3, 900, 0, N_SEEN, noise), EQUANT_SUCCESS);
    const double elements[5] = {150.0, 130.0, 0.8, 2.5, 0.0};
    for (int i = 0; i < N_SEEN; i++) {
        double day =
            150.0 * (0.05 + 0.9 * (i % 15) / 14.0 + (i >= 15)); /* from the pericentre on */
        times[i] = 2455000.0 + day;
        sigmas[i] = 20.0;
        velocities[i] = plain_velocity(elements, day) + 20.0 * noise[i];
    }
    equant_fit *fit = fit_of(N_SEEN, 10.0, times, velocities, sigmas);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_n_planets(fit), 1);
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(planet.period_days - 150.0) < 10.0);
    assert_true(planet.k_m_s_err > planet.k_m_s);
    assert_true(planet.k_m_s_low > 30.0 && planet.k_m_s_high < 400.0);
    assert_true(planet.eccentricity_low > 0.3 && planet.eccentricity_high < 0.95);
    equant_fit_free(fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_passage_of_pericentre_is_a_planet),
        cmocka_unit_test(a_spike_through_two_observations_is_none),
        cmocka_unit_test(a_sharp_orbit_comes_before_a_worse_alias),
        cmocka_unit_test(an_open_amplitude_has_an_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
