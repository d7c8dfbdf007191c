/* Settings of noise that are drawn: about the best, as far apart as its errors say, within ranges;
 * and the list of peaks that scans behind them add to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/search/noise_settings.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "unit/studied_star.h"

enum { N = 120, DRAWS = 300 };

/* A star that turns in 25 days, drawn from its noise. */
static equant_dataset *make_star(void)
{
    double time[N], velocity[N], sigma[N];
    equant_dataset *dataset = NULL;
    equant_noise *noise;
    for (int k = 0; k < N; k++) {
        time[k] = 2.1 * k + 0.7 * sin(1.3 * k);
        sigma[k] = 1.0;
    }
    const double variances[N] = {0.0};
    const equant_noise_rows rows = {
        .struct_size = sizeof rows, .n = N, .time_days = time, .variances = variances};
    assert_int_equal(
        equant_noise_create("mep(amplitude=5, period=25, decay=60, width=0.5)", &noise),
        EQUANT_SUCCESS);
    assert_int_equal(equant_noise_draw(noise, &rows, NULL, 4, 0, 1, velocity), EQUANT_SUCCESS);
    equant_noise_free(noise);
    for (int k = 0; k < N; k++)
        velocity[k] += sin(11.3 * k * k + 1.0);
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    return dataset;
}

/* The star without planets, its noise fitted. */
static void fit_noise_of(study *star, const equant_dataset *dataset, const char *noise,
                         solution *fitted)
{
    const study_options options = {.engine = &on_one_thread, .noise = noise};
    assert_int_equal(study_create(star, dataset, &options), EQUANT_SUCCESS);
    assert_int_equal(solution_create(star, fitted), EQUANT_SUCCESS);
    assert_int_equal(noise_choice_begin(star, fitted), EQUANT_SUCCESS);
    assert_int_equal(maximum_likelihood_solution(star, 0, POLISH_TO_PUBLISH, fitted),
                     EQUANT_SUCCESS);
}

static void draws_are_the_posterior(void **state)
{
    (void)state;
    equant_dataset *dataset = make_star();
    study star;
    solution fitted, made;
    double mean = 0.0, square = 0.0, change;
    fit_noise_of(&star, dataset, "mep(width=0.5)", &fitted);
    assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
    size_t first = study_first_correlated(&star, 0, fitted.trend_order);
    for (int i = 0; i < DRAWS; i++) {
        bool differs;
        assert_int_equal(noise_settings_draw(&star, &fitted, 1, (uint64_t)i, &made, &differs),
                         EQUANT_SUCCESS);
        assert_true(differs);
        const double *values = made.set + first;
        change = log(values[1] / fitted.set[first + 1]);
        mean += change / DRAWS;
        square += change * change / DRAWS;
        assert_true(values[3] == 0.5);
        assert_true(values[2] >= values[1] * (1.0 - 1e-12) &&
                    values[2] <= 4.0 * values[1] * (1.0 + 1e-12));
        assert_true(made.noise.terms == fitted.noise.terms);
    }
    double deviation = sqrt(square);
    assert_true(fabs(mean) < 4.0 * deviation / sqrt(DRAWS));
    assert_true(deviation > 0.005 && deviation < 0.1); /* the period is known to a few percent */
    bool differs;
    double again = made.set[first + 1];
    assert_int_equal(noise_settings_draw(&star, &fitted, 1, DRAWS - 1, &made, &differs),
                     EQUANT_SUCCESS);
    assert_true(made.set[first + 1] == again);
    solution_free(&made);
    solution_free(&fitted);
    study_free(&star);
    equant_dataset_free(dataset);
}

static void noise_that_is_known_has_one_setting(void **state)
{
    (void)state;
    equant_dataset *dataset = make_star();
    study star;
    solution fitted, made;
    bool differs;
    fit_noise_of(&star, dataset, "mep(amplitude=5, period=25, decay=60, width=0.5)", &fitted);
    assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
    assert_int_equal(noise_settings_draw(&star, &fitted, 1, 0, &made, &differs), EQUANT_SUCCESS);
    assert_false(differs);
    solution_free(&made);
    solution_free(&fitted);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* Peaks behind all settings are one list: the best first, no two of one period. */
static void peaks_are_one_list(void **state)
{
    (void)state;
    equant_dataset *dataset = make_star();
    equant_periodogram *periodogram;
    const equant_search_options options = {.struct_size = sizeof options,
                                           .engine = &on_one_thread,
                                           .noise = "mep(period=20:30, width=0.5)",
                                           .period_min_days = 4.0,
                                           .period_max_days = 60.0,
                                           .circular_only = 1,
                                           .n_peaks = 4};
    equant_peak peaks[4];
    assert_int_equal(equant_search(dataset, &options, &periodogram), EQUANT_SUCCESS);
    assert_int_equal(equant_periodogram_n_peaks(periodogram), 4);
    for (size_t i = 0; i < 4; i++) {
        peaks[i].struct_size = sizeof peaks[i];
        assert_int_equal(equant_periodogram_peak(periodogram, i, &peaks[i]), EQUANT_SUCCESS);
        for (size_t j = 0; j < i; j++) {
            assert_true(peaks[j].log_likelihood_gain >= peaks[i].log_likelihood_gain);
            assert_true(fabs(1.0 / peaks[i].period_days - 1.0 / peaks[j].period_days) >
                        0.4 / (2.1 * N));
        }
    }
    equant_periodogram_free(periodogram);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_the_posterior),
        cmocka_unit_test(noise_that_is_known_has_one_setting),
        cmocka_unit_test(peaks_are_one_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
