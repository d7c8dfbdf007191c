/* Solutions change their shape without losing a value; what they are ranked and judged by. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/optimise/jitter.h"
#include "inference/search/significance.h"
#include "unit/studied_star.h"

static const double first[5] = {10.0, 5.0, 0.1, 1.0, 2.0};
static const double second[5] = {100.0, 7.0, 0.2, 3.0, 4.0};

/* The shape, the planets, and offsets, trend and jitters of two instruments. */
static void assert_set(const solution *made, size_t n_planets, const double *const *planets,
                       int trend_order, const double *rest)
{
    assert_int_equal(made->n_planets, n_planets);
    assert_int_equal(made->trend_order, trend_order);
    for (size_t p = 0; p < n_planets; p++)
        assert_memory_equal(made->set + 5 * p, planets[p], sizeof first);
    assert_memory_equal(made->set + 5 * n_planets, rest, (4 + (size_t)trend_order) * sizeof *rest);
}

static void shapes_change_and_values_stay(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 40, 500.0, 0, NULL, 2.0);
    study star;
    solution made, copy;
    study_star(&star, dataset, 0.0, 0.0);
    assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &copy), EQUANT_SUCCESS);
    memcpy(made.set, (const double[]){1.0, 2.0, 8.0, 9.0}, 4 * sizeof(double));
    assert_set(&made, 0, NULL, 0, (const double[]){1.0, 2.0, 8.0, 9.0});
    solution_add_planet(&star, &made, first);
    solution_set_trend(&star, &made, 2);
    assert_set(&made, 1, (const double *[]){first}, 2,
               (const double[]){1.0, 2.0, 0.0, 0.0, 8.0, 9.0});
    made.set[7] = 0.5;
    made.set[8] = 0.25;
    solution_add_planet(&star, &made, second);
    solution_copy(&star, &made, &copy);
    solution_set_trend(&star, &made, 1);
    assert_set(&made, 2, (const double *[]){first, second}, 1,
               (const double[]){1.0, 2.0, 0.5, 8.0, 9.0});
    solution_remove_planet(&star, &made, 0);
    assert_set(&made, 1, (const double *[]){second}, 1, (const double[]){1.0, 2.0, 0.5, 8.0, 9.0});
    solution_remove_planet(&star, &made, 0);
    solution_set_trend(&star, &made, 0);
    assert_set(&made, 0, NULL, 0, (const double[]){1.0, 2.0, 8.0, 9.0});
    assert_set(&copy, 2, (const double *[]){first, second}, 2,
               (const double[]){1.0, 2.0, 0.5, 0.25, 8.0, 9.0});
    solution_free(&copy);
    solution_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* There is room for as many planets as a star may have, and a quadratic trend. */
static void the_largest_shape_fits(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 40, 500.0, 0, NULL, 2.0);
    study star;
    solution made;
    double chi_square, log_likelihood;
    study_star(&star, dataset, 0.0, 0.0);
    assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
    solution_set_trend(&star, &made, 2);
    for (size_t p = 0; p < STUDY_MAX_PLANETS; p++)
        solution_add_planet(&star, &made, first);
    evaluate_set(&star, STUDY_MAX_PLANETS, 2, made.set, &chi_square, &log_likelihood, NULL);
    assert_true(isfinite(chi_square));
    for (size_t p = STUDY_MAX_PLANETS; p-- > 0;)
        solution_remove_planet(&star, &made, p / 2);
    assert_int_equal(made.n_planets, 0);
    solution_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* The first guess: the mean of each instrument, and its scatter beyond what was stated. */
static void a_new_solution_knows_the_rough_noise(void **state)
{
    (void)state;
    const double time[6] = {0, 1, 2, 3, 4, 5}, velocity[6] = {7, 13, 7, 13, 7, 13};
    const double sigma[6] = {1, 1, 1, 1, 1, 1};
    const int instrument[6] = {0, 0, 0, 0, 2, 2};
    equant_dataset *dataset = NULL;
    study star;
    solution made;
    assert_int_equal(
        equant_dataset_from_arrays(6, time, velocity, sigma, instrument, 3, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    study_star(&star, dataset, 0.0, 0.0);
    for (int with = 1; with >= 0; with--) {
        star.with_jitter = with != 0;
        assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
        const double jitter = with ? sqrt(8.0) : 0.0;
        assert_set(&made, 0, NULL, 0, (const double[]){10.0, 0.0, 10.0, jitter});
        assert_true(made.set[4] == 0.0 && made.set[5] == jitter);
        solution_free(&made);
    }
    study_free(&star);
    equant_dataset_free(dataset);
}

static double prior_of(double period, double e)
{
    return solution_log_prior(1, (const double[5]){period, 1.0, e, 0.0, 0.0});
}

static void prior_prefers_the_ordinary(void **state)
{
    (void)state;
    for (double e = 0.02; e < 0.95; e += 0.01)
        assert_true(prior_of(30.0, e) < prior_of(30.0, e - 0.01));
    for (double period = 0.5; period < 1e4; period *= 1.5)
        assert_true(prior_of(period, 0.1) > prior_of(period / 1.5, 0.1));
    /* Log-uniform far from the cut-off, up to the factor P of a frequency's density. */
    assert_true(fabs(prior_of(2000.0, 0.1) - prior_of(1000.0, 0.1) - log(2.0)) < 1e-12);
    assert_true(isfinite(prior_of(0.01, 0.0)) && isfinite(prior_of(1e6, 0.97)));
    assert_true(solution_log_prior(0, NULL) == 0.0);
    /* Two planets: the sum, less the price of crossing orbits, in either order. */
    const double apart[10] = {10, 1, 0.1, 0, 0, 100, 1, 0.1, 0, 0};
    const double crossing[10] = {10, 1, 0.1, 0, 0, 100, 1, 0.8, 0, 0};
    const double swapped[10] = {100, 1, 0.8, 0, 0, 10, 1, 0.1, 0, 0};
    assert_true(fabs(solution_log_prior(2, apart) - prior_of(10, 0.1) - prior_of(100, 0.1)) <
                1e-12);
    double price = prior_of(10, 0.1) + prior_of(100, 0.8) - solution_log_prior(2, crossing);
    assert_true(price > 2.0);
    assert_true(fabs(solution_log_prior(2, crossing) - solution_log_prior(2, swapped)) < 1e-12);
}

static void information_criteria_count_what_is_fitted(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 40, 500.0, 0, NULL, 2.0);
    study star;
    solution made;
    study_star(&star, dataset, 0.0, 0.0);
    assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
    solution_set_trend(&star, &made, 1);
    solution_add_planet(&star, &made, first);
    solution_add_planet(&star, &made, second);
    made.log_likelihood = -100.0;
    assert_int_equal(solution_n_fitted(&star, &made, 0), 10 + 2 + 1 + 2);
    assert_int_equal(solution_n_fitted(&star, &made, 1), 5 + 2 + 1 + 2);
    assert_true(fabs(solution_bic(&star, &made, 0) - (15.0 * log(40.0) + 200.0)) < 1e-10);
    double with_trend = solution_score(&star, &made);
    solution_set_trend(&star, &made, 0);
    assert_true(solution_score(&star, &made) > with_trend + 0.5 * log(40.0));
    star.with_jitter = false;
    assert_int_equal(solution_n_fitted(&star, &made, 0), 10 + 2);
    solution_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* A star, a model without planets, one with a planet, and the search that found it. */
typedef struct judged_star {
    equant_dataset *dataset;
    study star;
    scan_grid grid;
    solution without, with;
    significance known;
} judged_star;

static void judged_star_create(judged_star *made)
{
    made->dataset = simulate_star(1, 80, 500.0, 0, NULL, 2.0);
    study_star(&made->star, made->dataset, 0.0, 0.0);
    made->grid = scan_grid_make(made->star.span_days, 0.5, 1000.0, 0.9);
    assert_int_equal(solution_create(&made->star, &made->without), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&made->star, &made->with), EQUANT_SUCCESS);
    assert_int_equal(
        significance_create(&made->star, &made->grid, &made->without, NULL, &made->known),
        EQUANT_SUCCESS);
    solution_add_planet(&made->star, &made->with, first);
}

static void judged_star_free(judged_star *made)
{
    solution_free(&made->without);
    solution_free(&made->with);
    study_free(&made->star);
    equant_dataset_free(made->dataset);
}

static double alarm_at(judged_star *star, double gain, double period_days, double eccentricity)
{
    star->with.log_likelihood = star->without.log_likelihood + gain;
    return significance_of_planet(&star->star, &star->known, &star->with, &star->without,
                                  period_days, eccentricity);
}

static double alarm_of(judged_star *star, double gain, double eccentricity)
{
    return alarm_at(star, gain, first[0], eccentricity);
}

/* The gain of a circle of this period that has a false-alarm probability. */
static double circle_needs(judged_star *star, double period_days, double alarm)
{
    double low = 1.0, high = 100.0;
    while (high - low > 1e-9) {
        double middle = 0.5 * (low + high);
        if (alarm_at(star, middle, period_days, 0.0) > alarm)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The bands share out the frequencies of the grid, the most eccentric lowest. */
static void bands_cover_the_grid(void **state)
{
    (void)state;
    judged_star judged;
    judged_star_create(&judged);
    const significance *known = &judged.known;
    double width = 0.0;
    for (size_t b = 0; b < known->n_bands; b++)
        width += known->bands[b].width_per_day;
    assert_true(fabs(width / ((double)judged.grid.n_bins * judged.grid.bin_width_per_day) - 1.0) <
                1e-12);
    assert_true(known->n_bands > 1 && known->bands[known->n_bands - 1].eccentricity_max == 0.9);
    assert_true(known->effective_span_days > 0.0 && known->effective_span_days < 1000.0);
    false_alarm_search search = significance_search(known, 7);
    assert_ptr_equal(search.bands, known->bands);
    assert_true(search.n_base == 7 && search.n_obs == 80);
    judged_star_free(&judged);
}

static void gains_make_planets_significant(void **state)
{
    (void)state;
    judged_star judged;
    judged_star_create(&judged);
    double before[3] = {1.0, 1.0, 1.0};
    assert_true(alarm_of(&judged, -1.0, 0.1) == 1.0);
    for (double gain = 0.0; gain < 200.0; gain += 1.0) {
        const double e[3] = {0.1, 0.5, 0.9};
        for (size_t i = 0; i < 3; i++) {
            double alarm = alarm_of(&judged, gain, e[i]);
            assert_true(alarm >= 0.0 && alarm <= before[i]);
            /* Noise looks like an eccentric orbit more easily. */
            assert_true(i == 0 || alarm >= before[i - 1]);
            before[i] = alarm;
        }
    }
    assert_true(before[2] < 1e-20);
    judged_star_free(&judged);
}

/* Where every period asks for the gain that has one false-alarm probability, the peaks of noise
 * that reach it, W sqrt(z) exp(-z) of W frequencies, add up to no more: to the share of circles. */
static void factors_of_period_share_the_risk(void **state)
{
    (void)state;
    const double alarm = 1e-3, share_of_circles = 0.4, step = log(2000.0) / 400.0;
    judged_star judged;
    judged_star_create(&judged);
    judged.without.set[study_layout(&judged.star, 0, 0).columns[TERM_JITTERS].first] = 0.0;
    judged.without.set[study_layout(&judged.star, 0, 0).columns[TERM_JITTERS].first + 1] = 0.0;
    double sum = 0.0, before = INFINITY;
    for (size_t i = 0; i < 400; i++) {
        double period = 0.5 * exp(((double)i + 0.5) * step);
        double z = circle_needs(&judged, period, alarm), width = step / period;
        assert_true(z < before);
        sum += width * judged.known.effective_span_days * sqrt(z) * exp(-z);
        before = z;
    }
    assert_true(sum < share_of_circles * alarm && sum > 0.9 * share_of_circles * alarm);
    /* A period beyond the range counts as the nearest in it. */
    assert_true(circle_needs(&judged, 5000.0, alarm) == circle_needs(&judged, 1000.0, alarm));
    judged_star_free(&judged);
}

/* A star that would have to be restless without the planet is less likely to be without. */
static void calm_is_more_likely(void **state)
{
    (void)state;
    judged_star judged;
    judged_star_create(&judged);
    double *jitters =
        judged.without.set + study_layout(&judged.star, 0, 0).columns[TERM_JITTERS].first;
    double calm = alarm_of(&judged, 25.0, 0.1), before = calm;
    for (double jitter = 5.0; jitter < 1000.0; jitter *= 2.0) {
        jitters[1] = jitter;
        double restless = alarm_of(&judged, 25.0, 0.1);
        assert_true(restless > 0.0 && restless < before);
        before = restless;
    }
    judged_star_free(&judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_change_and_values_stay),
        cmocka_unit_test(the_largest_shape_fits),
        cmocka_unit_test(a_new_solution_knows_the_rough_noise),
        cmocka_unit_test(prior_prefers_the_ordinary),
        cmocka_unit_test(information_criteria_count_what_is_fitted),
        cmocka_unit_test(bands_cover_the_grid),
        cmocka_unit_test(gains_make_planets_significant),
        cmocka_unit_test(factors_of_period_share_the_risk),
        cmocka_unit_test(calm_is_more_likely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
