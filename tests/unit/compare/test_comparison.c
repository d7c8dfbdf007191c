/* Comparisons as callers see them: one planet that is there and none where there is none, the same
 * numbers on any number of threads, and what is asked for wrongly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "quick.h"

enum { N_OBS = 40 };

/* A star with one planet of 7.3 days, or without. */
static equant_dataset *star_with(double k_m_s)
{
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS], noise[N_OBS];
    equant_dataset *made = NULL;
    assert_int_equal(equant_random_normal(5, 900, 0, N_OBS, noise), EQUANT_SUCCESS);
    for (int i = 0; i < N_OBS; i++) {
        time[i] = 2455000.0 + 1.9 * i + 0.3 * sin(7.0 * i);
        sigma[i] = 1.0;
        velocity[i] = k_m_s * cos(6.283185307179586 * time[i] / 7.3) + noise[i];
    }
    assert_int_equal(
        equant_dataset_from_arrays(N_OBS, time, velocity, sigma, NULL, 1, NULL, NULL, &made),
        EQUANT_SUCCESS);
    return made;
}

static equant_fit *fit_of(const equant_dataset *dataset)
{
    equant_fit *made = NULL;
    equant_fit_options options = {.struct_size = sizeof options,
                                  .noise = "white",
                                  .period_min_days = 2.0,
                                  .period_max_days = 100.0};
    assert_int_equal(equant_fit_star(dataset, &options, &made), EQUANT_SUCCESS);
    return made;
}

static equant_compare_options quick(int n_threads)
{
    return (equant_compare_options){.struct_size = sizeof(equant_compare_options),
                                    .n_threads = n_threads,
                                    .seed = 3,
                                    .max_planets = 3,
                                    .n_populations = 3,
                                    .n_sweeps = 80};
}

static void a_planet_is_probable_and_noise_is_not(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    for (int has_planet = 0; has_planet < 2; has_planet++) {
        equant_dataset *dataset = star_with(has_planet ? 4.0 : 0.0);
        equant_fit *fit = fit_of(dataset);
        equant_comparison *made = NULL;
        equant_compare_options options = quick(2);
        assert_int_equal(equant_compare(dataset, fit, &options, &made), EQUANT_SUCCESS);
        double total = 0.0, fip;
        for (size_t n = 0; n <= equant_comparison_max_planets(made); n++)
            total += equant_comparison_probability(made, n, NULL);
        assert_true(fabs(total - 1.0) < 1e-9);
        assert_true(isnan(equant_comparison_probability(made, 4, NULL)));
        assert_int_equal(equant_comparison_fip(made, 7.0, 7.6, &fip, NULL), EQUANT_SUCCESS);
        if (has_planet) {
            equant_signal signal = {.struct_size = sizeof signal};
            equant_alias alias = {.struct_size = sizeof alias};
            assert_true(equant_comparison_agrees(made));
            assert_true(equant_comparison_n_signals(made) >= 1);
            assert_int_equal(equant_comparison_signal(made, 0, &signal), EQUANT_SUCCESS);
            assert_true(fabs(signal.period_days - 7.3) < 0.05);
            assert_true(signal.probability > 0.999 && signal.fip < 1e-3 && fip < 1e-3);
            assert_true(equant_comparison_probability(made, 0, NULL) < 1e-3);
            assert_true(isnan(equant_comparison_log_evidence(made, 0, NULL)));
            assert_true(isfinite(equant_comparison_log_evidence(made, 1, NULL)));
            assert_int_equal(equant_comparison_alias(made, 0, 0, &alias), EQUANT_SUCCESS);
            assert_true(alias.delta_lnl == 0.0 && alias.probability > 0.5);
        } else {
            assert_true(equant_comparison_probability(made, 0, NULL) > 0.5);
            assert_true(fip > 0.9);
        }
        equant_comparison_free(made);
        equant_fit_free(fit);
        equant_dataset_free(dataset);
    }
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    equant_dataset *dataset = star_with(1.0);
    equant_fit *fit = fit_of(dataset);
    equant_comparison *made[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        equant_compare_options options = quick(i + 1);
        options.n_sweeps = 12;
        assert_int_equal(equant_compare(dataset, fit, &options, &made[i]), EQUANT_SUCCESS);
    }
    size_t n = equant_comparison_n_frequencies(made[0]);
    for (int i = 1; i < 3; i++) {
        for (size_t j = 0; j <= 3; j++)
            assert_true(equant_comparison_probability(made[i], j, NULL) ==
                        equant_comparison_probability(made[0], j, NULL));
        assert_int_equal(equant_comparison_n_frequencies(made[i]), n);
        assert_memory_equal(equant_comparison_fip_periodogram(made[i]),
                            equant_comparison_fip_periodogram(made[0]), n * sizeof(double));
    }
    for (int i = 0; i < 3; i++)
        equant_comparison_free(made[i]);
    equant_fit_free(fit);
    equant_dataset_free(dataset);
}

/* Without a fit: the same options as equant_compare refuses after one, and none of those it takes.
 */
static void options_are_known_before_the_fit(void **state)
{
    (void)state;
    equant_dataset *dataset = star_with(0.0);
    equant_compare_options options = quick(1);
    assert_int_equal(equant_compare_check(dataset, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_compare_check(dataset, &options), EQUANT_SUCCESS);
    options.prior_e = "rayleigh(0.2)";
    options.prior_jitter = "log-uniform(0.1, 10)";
    options.k_max_m_s = 0.25;
    options.period_min_days = 3.0;
    assert_int_equal(equant_compare_check(dataset, &options), EQUANT_SUCCESS);
    options.prior_e = "foo(1)";
    assert_int_equal(equant_compare_check(dataset, &options), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "eccentricities"));
    options = quick(1);
    options.prior_jitter = "x";
    assert_int_equal(equant_compare_check(dataset, &options), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "jitter"));
    options = quick(1);
    options.ratio_n = -1.0;
    assert_int_equal(equant_compare_check(dataset, &options), EQUANT_ERROR_INVALID_ARGUMENT);
    options = quick(1);
    options.k_min_m_s = 5.0;
    options.k_max_m_s = 1.0;
    assert_int_equal(equant_compare_check(dataset, &options), EQUANT_ERROR_INVALID_ARGUMENT);
    options = quick(1);
    options.noise = "hum";
    assert_int_equal(equant_compare_check(dataset, &options), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_compare_check(NULL, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_dataset_free(dataset);
}

static int stop_at_once(const equant_progress_report *report, void *context)
{
    (void)report;
    (void)context;
    return 1;
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    equant_dataset *dataset = star_with(0.0);
    equant_fit *fit = fit_of(dataset);
    equant_comparison *made = NULL;
    equant_compare_options options = quick(1);
    options.max_planets = 21;
    assert_int_equal(equant_compare(dataset, fit, &options, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    options = quick(1);
    options.ratio_n = 2.0;
    assert_int_equal(equant_compare(dataset, fit, &options, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    options = quick(1);
    options.noise = "night";
    assert_int_equal(equant_compare(dataset, fit, &options, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    options = quick(1);
    options.progress = stop_at_once;
    assert_int_equal(equant_compare(dataset, fit, &options, &made), EQUANT_ERROR_CANCELLED);
    assert_int_equal(equant_compare(dataset, NULL, NULL, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(made);
    equant_fit_free(fit);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planet_is_probable_and_noise_is_not),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(options_are_known_before_the_fit),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
