/* Planets that imitate a star that turns go together, each of which seems necessary beside the
 * other; planets that are there stay. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/select/aliases/planet_odds.h"
#include "inference/select/planets/planet_weighing.h"
#include "unit/studied_star.h"

enum { N = 90 };
#define TWO_PI 6.283185307179586476925286766559

static double times[N], velocities[N], sigmas[N];

static void make_white(void)
{
    for (int k = 0; k < N; k++) {
        times[k] = 2455000.5 + 2.3 * k + 0.7 * sin(3.7 * k * k);
        sigmas[k] = 1.0;
        velocities[k] = M_SQRT2 * sin(11.3 * k * k);
    }
}

static void add_rotation(void)
{
    equant_noise *noise;
    double drawn[N], variances[N], zero[N] = {0.0};
    for (int k = 0; k < N; k++)
        variances[k] = 1e-6;
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = N,
                              .time_days = times,
                              .values = zero,
                              .variances = variances};
    assert_int_equal(
        equant_noise_create("mep(amplitude=4, period=25, decay=50, width=0.4)", &noise),
        EQUANT_SUCCESS);
    assert_int_equal(equant_noise_draw(noise, &rows, NULL, 3, 0, 1, drawn), EQUANT_SUCCESS);
    equant_noise_free(noise);
    for (int k = 0; k < N; k++)
        velocities[k] += drawn[k];
}

/* Two planets with white noise, then what the star would be without them; `rest` has the number of
 * planets and the terms of noise that are left. */
static double weigh_two(solution *rest)
{
    equant_dataset *dataset;
    study star;
    study_options wanted = {.engine = &on_one_thread,
                            .period_min_days = 3.0,
                            .period_max_days = 150.0,
                            .noise = "auto"};
    planet_finder_options options = {.n_planets = 2,
                                     .max_planets = 2,
                                     .false_alarm_max = 1e-3,
                                     .eccentricity_max = 0.3,
                                     .trend = EQUANT_TREND_NONE,
                                     .deadline_s = INFINITY,
                                     .end_s = INFINITY};
    const planet_weighing by = {&options, NULL, NULL};
    planet_finder_result result;
    double log_odds;
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    assert_int_equal(study_create(&star, dataset, &wanted), EQUANT_SUCCESS);
    star.chooses_noise = false;
    assert_int_equal(planet_finder_run(&star, &options, &result), EQUANT_SUCCESS);
    assert_int_equal(result.best.n_planets, 2);
    star.chooses_noise = true;
    assert_int_equal(solution_create(&star, rest), EQUANT_SUCCESS);
    assert_int_equal(planet_weighing_together(&star, &by, &result.best, &result, rest, &log_odds),
                     EQUANT_SUCCESS);
    solution_free(rest);
    planet_finder_free(&result);
    study_free(&star);
    equant_dataset_free(dataset);
    return log_odds;
}

static void spots_take_two_planets_along(void **state)
{
    (void)state;
    solution rest;
    make_white();
    add_rotation();
    assert_true(weigh_two(&rest) > 3.0);
    assert_int_equal(rest.n_planets, 0);
    assert_true(rest.noise.terms != 0);
}

static void planets_stay(void **state)
{
    (void)state;
    solution rest;
    make_white();
    for (int k = 0; k < N; k++)
        velocities[k] += 4.0 * sin(TWO_PI * times[k] / 11.3) + 3.0 * sin(TWO_PI * times[k] / 34.7);
    assert_true(weigh_two(&rest) < -20.0);
}

/* Models that were made before give the same odds, to the bit. */
static void check_again(study *star, const planet_pair *pair, double log_odds)
{
    weighed_models models = {0};
    const planet_pair kept = {pair->with, pair->planet, pair->without, &models};
    double again;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(planet_weighing_odds(star, 0, 1, &kept, &again), EQUANT_SUCCESS);
        assert_true(again == log_odds);
    }
    assert_true(models.n >= 2);
    weighed_models_free(&models);
}

/* ln of the odds of the second of two planets that white noise finds, both models white, where the
 * star may have other noise and where it may not. */
static double weigh_second(bool chooses_noise)
{
    equant_dataset *dataset;
    study star;
    study_options wanted = {.engine = &on_one_thread,
                            .period_min_days = 3.0,
                            .period_max_days = 150.0,
                            .noise = "auto"};
    planet_finder_options options = {.n_planets = 2,
                                     .max_planets = 2,
                                     .false_alarm_max = 1e-3,
                                     .eccentricity_max = 0.3,
                                     .trend = EQUANT_TREND_NONE,
                                     .deadline_s = INFINITY,
                                     .end_s = INFINITY};
    const planet_weighing by = {&options, NULL, NULL};
    planet_finder_result result;
    solution without;
    double log_odds;
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    assert_int_equal(study_create(&star, dataset, &wanted), EQUANT_SUCCESS);
    star.chooses_noise = false;
    assert_int_equal(planet_finder_run(&star, &options, &result), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &without), EQUANT_SUCCESS);
    assert_int_equal(planet_weighing_leave_out(&star, &by, &result.best, 1, &without),
                     EQUANT_SUCCESS);
    assert_int_equal(without.noise.terms, 0);
    star.chooses_noise = chooses_noise;
    const planet_pair pair = {&result.best, 1, &without, NULL};
    assert_int_equal(planet_weighing_odds(&star, 0, 1, &pair, &log_odds), EQUANT_SUCCESS);
    check_again(&star, &pair, log_odds);
    solution_free(&without);
    planet_finder_free(&result);
    study_free(&star);
    equant_dataset_free(dataset);
    return log_odds;
}

/* Noise that neither model has chosen is offered to both: it takes what it makes, and leaves what
 * it does not. */
static void noise_that_neither_has_counts(void **state)
{
    (void)state;
    make_white();
    add_rotation();
    assert_true(weigh_second(true) < weigh_second(false) - 5.0);
    make_white();
    for (int k = 0; k < N; k++)
        velocities[k] += 4.0 * sin(TWO_PI * times[k] / 11.3) + 3.0 * sin(TWO_PI * times[k] / 34.7);
    assert_true(weigh_second(true) > 15.0);
}

/* With half of the noise, the data leave half of the room to an offset and to the plane of
 * amplitudes. */
static void what_is_common_has_less_room(void **state)
{
    (void)state;
    equant_dataset *dataset;
    study star;
    solution with, without;
    const double orbit[5] = {11.3, 4.0, 0.0, 0.0, 0.0};
    double gain;
    make_white();
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    study_star(&star, dataset, 3.0, 150.0);
    assert_int_equal(solution_create(&star, &with), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &without), EQUANT_SUCCESS);
    solution_values(&star, &without, TERM_JITTERS)[0] = sqrt(3.0);
    solution_values(&star, &with, TERM_JITTERS)[0] = 0.0;
    solution_add_planet(&star, &with, orbit);
    with.log_likelihood = 7.0;
    assert_int_equal(planet_odds_gain(&star, 0, &with, 0, &without, &gain), EQUANT_SUCCESS);
    assert_true(fabs(gain - (7.0 - log(2.0))) < 1e-9);
    solution_set_trend(&star, &with, 1);
    solution_set_trend(&star, &without, 2);
    assert_int_equal(planet_odds_gain(&star, 0, &with, 0, &without, &gain), EQUANT_SUCCESS);
    assert_true(fabs(gain - (7.0 - 2.0 * log(2.0))) < 1e-9);
    solution_free(&with);
    solution_free(&without);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spots_take_two_planets_along),
        cmocka_unit_test(planets_stay),
        cmocka_unit_test(noise_that_neither_has_counts),
        cmocka_unit_test(what_is_common_has_less_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
