/* Fits that choose their noise or are told it: a star that turns has no planets but those that it
 * has, nights are told from jitter, an indicator is followed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "quick.h"

enum { N = 150, FEW = 60 };
static size_t n_rows = N; /* of the tests of noise alone */
#define TWO_PI 6.283185307179586476925286766559

static double times[N], velocities[N], sigmas[N];

/* Two exposures a night in some nights, over two seasons. */
static void make_times(void)
{
    for (int k = 0; k < N; k++) {
        int night = k / 2;
        times[k] = 2455000.6 + 1.93 * night + 0.4 * sin(2.1 * night) * 0.2 + 0.04 * (k % 2) +
                   (night > N / 4 ? 190.0 : 0.0);
        sigmas[k] = 0.8;
        velocities[k] = 0.0;
    }
}

static void add_noise(const char *text, uint64_t seed)
{
    equant_noise *noise;
    double drawn[N], variances[N];
    for (int k = 0; k < N; k++)
        variances[k] = sigmas[k] * sigmas[k];
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = N,
                              .time_days = times,
                              .values = velocities,
                              .variances = variances};
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_SUCCESS);
    assert_int_equal(equant_noise_draw(noise, &rows, NULL, seed, 0, 1, drawn), EQUANT_SUCCESS);
    equant_noise_free(noise);
    for (int k = 0; k < N; k++)
        velocities[k] += drawn[k];
}

static equant_fit *fit_star_on(int n_threads, const char *noise, const double *indicator)
{
    equant_dataset *dataset;
    equant_fit *fit;
    const equant_indicator column = {
        .struct_size = sizeof column, .name = "s_index", .values = indicator};
    equant_dataset_options data = {.struct_size = sizeof data,
                                   .n_indicators = indicator ? 1 : 0,
                                   .indicators = indicator ? &column : NULL};
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, &data, &dataset),
        EQUANT_SUCCESS);
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    equant_fit_options options = {.struct_size = sizeof options,
                                  .engine = &engine,
                                  .max_planets = 3,
                                  .period_min_days = 1.1,
                                  .period_max_days = 300.0,
                                  .eccentricity_max = 0.3,
                                  .noise = noise};
    assert_int_equal(equant_fit_star(dataset, &options, &fit), EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return fit;
}

static equant_fit *fit_star(const char *noise, const double *indicator)
{
    return fit_star_on(1, noise, indicator);
}

/* Noise alone, without planets. */
static equant_status fit_noise(const char *noise, int no_jitter, equant_fit **fit)
{
    equant_dataset *dataset;
    assert_int_equal(equant_dataset_from_arrays(n_rows, times, velocities, sigmas, NULL, 1, NULL,
                                                NULL, &dataset),
                     EQUANT_SUCCESS);
    equant_fit_options options = {.struct_size = sizeof options,
                                  .n_planets = -1,
                                  .trend = EQUANT_TREND_NONE,
                                  .no_jitter = no_jitter,
                                  .noise = noise};
    equant_status status = equant_fit_star(dataset, &options, fit);
    equant_dataset_free(dataset);
    return status;
}

static bool has_term(const equant_fit *fit, const char *term)
{
    for (size_t i = 0; i < equant_fit_n_noise_parameters(fit); i++) {
        equant_fitted_noise_parameter parameter = {.struct_size = sizeof parameter};
        assert_int_equal(equant_fit_noise_parameter(fit, i, &parameter), EQUANT_SUCCESS);
        if (strcmp(parameter.term, term) == 0)
            return true;
    }
    return false;
}

/* Rotation alone is no planet, and beside it the planet is. */
static void rotation(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    make_times();
    add_noise("mep(amplitude=4, period=19, decay=45, width=0.5)", 3);
    equant_fit *white = fit_star("white", NULL), *fit = fit_star("auto", NULL);
    assert_true(equant_fit_n_planets(white) > 0); /* what the choice is for */
    assert_int_equal(equant_fit_n_planets(fit), 0);
    assert_true(has_term(fit, "mep"));
    double err, days = equant_fit_rotation_days(fit, &err);
    assert_true(fabs(days - 19.0) < 2.0);
    assert_true(err > 0.0 && err < 3.0);
    const double *process = equant_fit_noise_m_s(fit), *residuals = equant_fit_residuals_m_s(fit);
    double left = 0.0, all = 0.0;
    for (int k = 0; k < N; k++) {
        left += (residuals[k] - process[k]) * (residuals[k] - process[k]) / N;
        all += residuals[k] * residuals[k] / N;
    }
    assert_true(sqrt(left) < 0.9);
    assert_true(sqrt(all) > 2.5);
    equant_fit_free(white);
    equant_fit_free(fit);
    for (int k = 0; k < N; k++)
        velocities[k] += 4.0 * sin(TWO_PI * times[k] / 5.37);
    fit = fit_star("auto", NULL);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_n_planets(fit), 1);
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(planet.period_days - 5.37) < 0.02);
    assert_true(fabs(planet.k_m_s - 4.0) < 1.0);
    equant_fit_free(fit);
}

/* Noise of the night is chosen where exposures share it, and nothing where there is nothing. */
static void nights(void **state)
{
    (void)state;
    make_times();
    add_noise("night(amplitude=2)", 5);
    equant_fit *fit = fit_star("auto", NULL);
    assert_int_equal(equant_fit_n_planets(fit), 0);
    assert_true(has_term(fit, "night"));
    assert_false(has_term(fit, "mep"));
    size_t n = equant_fit_n_noise_trials(fit);
    assert_true(n >= 2);
    for (size_t i = 0; i < n; i++) {
        equant_fitted_noise_trial trial = {.struct_size = sizeof trial};
        assert_int_equal(equant_fit_noise_trial(fit, i, &trial), EQUANT_SUCCESS);
        assert_true((trial.delta_bic > 0.0) == (trial.is_chosen != 0));
    }
    equant_fitted_noise_trial none = {.struct_size = sizeof none};
    assert_int_equal(equant_fit_noise_trial(fit, n, &none), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_fit_free(fit);
}

/* Noise that changes within the night is no offset of it, and no planet of a day. */
static void hours(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    enum { EXPOSURES = 6 };
    make_times();
    for (int k = 0; k < N; k++)
        times[k] = 2455000.6 + 1.93 * (k / EXPOSURES) + 0.3 * sin(2.1 * (k / EXPOSURES)) * 0.2 +
                   0.06 * (k % EXPOSURES);
    add_noise("exponential(amplitude=3, decay=0.1)", 5);
    equant_fit *fit = fit_star("auto", NULL);
    assert_int_equal(equant_fit_n_planets(fit), 0);
    assert_true(has_term(fit, "exponential"));
    assert_false(has_term(fit, "night"));
    equant_fit_free(fit);
}

/* An indicator that the velocities follow is a column of the model. */
static void indicators(void **state)
{
    (void)state;
    double indicator[N];
    make_times();
    for (int k = 0; k < N; k++) {
        indicator[k] = 0.17 + 0.01 * sin(TWO_PI * times[k] / 23.0) + 0.004 * cos(7.7 * k);
        velocities[k] = 300.0 * (indicator[k] - 0.17) + 0.8 * sin(3.3 * k);
    }
    equant_fit *fit = fit_star("auto", indicator);
    equant_fitted_indicator followed = {.struct_size = sizeof followed};
    assert_int_equal(equant_fit_n_planets(fit), 0);
    assert_int_equal(equant_fit_n_indicators(fit), 1);
    assert_int_equal(equant_fit_indicator(fit, 0, &followed), EQUANT_SUCCESS);
    assert_true(fabs(followed.slope_m_s / followed.deviation - 300.0) < 30.0);
    assert_true(followed.slope_m_s_err > 0.0 && followed.slope_m_s_err < 0.3);
    equant_fit_free(fit);
}

/* Takes the velocity of a circular orbit away; m0 is at the epoch of the data. */
static void take_orbit(const equant_peak *orbit)
{
    equant_dataset *dataset;
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    double epoch = equant_dataset_reference_time_days(dataset);
    for (int k = 0; k < N; k++)
        velocities[k] -= orbit->k_m_s * cos(TWO_PI * (times[k] - epoch) / orbit->period_days +
                                            orbit->m0_rad + orbit->omega_rad);
    equant_dataset_free(dataset);
}

static equant_periodogram *search_star(const char *noise)
{
    equant_dataset *dataset;
    equant_periodogram *made;
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    equant_search_options options = {.struct_size = sizeof options,
                                     .engine = &engine,
                                     .period_min_days = 3.0,
                                     .period_max_days = 60.0,
                                     .circular_only = 1,
                                     .trend = EQUANT_TREND_NONE,
                                     .n_peaks = 3,
                                     .noise = noise};
    assert_int_equal(equant_search(dataset, &options, &made), EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return made;
}

static equant_peak first_peak(const equant_periodogram *periodogram)
{
    equant_peak peak = {.struct_size = sizeof peak};
    assert_int_equal(equant_periodogram_peak(periodogram, 0, &peak), EQUANT_SUCCESS);
    return peak;
}

static double likelihood_without_planets(const char *noise)
{
    equant_fit *fit;
    equant_fit_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(fit_noise(noise, 0, &fit), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    equant_fit_free(fit);
    return summary.log_likelihood;
}

/* What a periodogram with white noise takes for a planet is none behind the noise of the star; a
 * planet is, and its gain is that of fits with the noise free. */
static void searches(void **state)
{
    (void)state;
    make_times();
    add_noise("mep(amplitude=4, period=19, decay=45, width=0.5)", 3);
    equant_periodogram *white = search_star("white"), *made = search_star("auto");
    assert_true(first_peak(white).false_alarm < 0.01);
    assert_string_equal(equant_periodogram_noise(white), "");
    assert_true(first_peak(made).false_alarm > 0.5);
    assert_true(first_peak(made).power < first_peak(white).power);
    assert_memory_equal(equant_periodogram_noise(made), "mep(amplitude=", 14);
    equant_periodogram_free(white);
    equant_periodogram_free(made);
    const char *words = "mep(period=15:25)";
    for (int k = 0; k < N; k++)
        velocities[k] += 4.0 * sin(TWO_PI * times[k] / 5.37);
    made = search_star(words);
    equant_peak peak = first_peak(made);
    assert_true(fabs(peak.period_days - 5.37) < 0.02);
    assert_true(peak.false_alarm < 1e-6);
    double before = likelihood_without_planets(words);
    take_orbit(&peak);
    double gain = likelihood_without_planets(words) - before;
    assert_true(fabs(gain - peak.log_likelihood_gain) < 0.05);
    equant_periodogram_free(made);
}

/* ln L of the residuals under the noise of a fit, as equant_noise has it. */
static double likelihood_of(const equant_fit *fit)
{
    char text[512] = "";
    const char *term = "";
    equant_noise *noise;
    double variances[N], ln_l, jitter = equant_fit_parameters(fit)[1];
    for (size_t i = 0; i < equant_fit_n_noise_parameters(fit); i++) {
        equant_fitted_noise_parameter own = {.struct_size = sizeof own};
        assert_int_equal(equant_fit_noise_parameter(fit, i, &own), EQUANT_SUCCESS);
        bool is_first = strcmp(own.term, term) != 0;
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%s%s%s=%.17g", is_first && i > 0 ? "), " : "",
                 is_first ? own.term : ", ", is_first ? "(" : "", own.name, own.value);
        term = own.term;
    }
    strcat(text, ")");
    for (int k = 0; k < N; k++)
        variances[k] = sigmas[k] * sigmas[k] + jitter * jitter;
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = n_rows,
                              .time_days = times,
                              .values = equant_fit_residuals_m_s(fit),
                              .variances = variances};
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_SUCCESS);
    assert_int_equal(equant_noise_log_likelihood(noise, &rows, 1, NULL, &ln_l), EQUANT_SUCCESS);
    equant_noise_free(noise);
    return ln_l;
}

/* Terms that were asked for are there, their values stay, their ranges hold, and what is fixed is
 * no parameter. */
static void given(void **state)
{
    (void)state;
    equant_fit *fit;
    equant_fit_summary summary = {.struct_size = sizeof summary};
    equant_fitted_noise_parameter own = {.struct_size = sizeof own};
    make_times();
    add_noise("mep(amplitude=4, period=19, decay=45, width=0.5), night(amplitude=1)", 3);
    assert_int_equal(
        fit_noise("rotation(period=15:18, decay=45), night(amplitude=1.5), exponential", 0, &fit),
        EQUANT_SUCCESS);
    const char *const names[] = {"amplitude", "period",    "decay", "width",
                                 "amplitude", "amplitude", "decay"};
    assert_int_equal(equant_fit_n_noise_parameters(fit), 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(equant_fit_noise_parameter(fit, i, &own), EQUANT_SUCCESS);
        assert_string_equal(own.name, names[i]);
        assert_string_equal(own.term, i < 4 ? "mep" : i == 4 ? "night" : "exponential");
        assert_int_equal(own.is_fixed, i == 2 || i == 4);
        if (own.is_fixed)
            assert_true(own.value == (i == 2 ? 45.0 : 1.5) && own.err == 0.0);
        if (i == 1) /* the truth is beyond its end */
            assert_true(own.value >= 15.0 && own.value <= 18.0 * (1.0 + 1e-12));
    }
    assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    assert_int_equal(summary.n_fitted, 2 + 5);
    assert_true(fabs(summary.log_likelihood - likelihood_of(fit)) < 1e-8);
    assert_int_equal(equant_fit_n_noise_trials(fit), 3);
    for (size_t i = 0; i < 3; i++) {
        equant_fitted_noise_trial trial = {.struct_size = sizeof trial};
        assert_int_equal(equant_fit_noise_trial(fit, i, &trial), EQUANT_SUCCESS);
        assert_true(trial.is_given && trial.is_chosen);
    }
    equant_fit_free(fit);
}

/* The model of a fit has the noise, and its evaluator the likelihood. */
static void models(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    equant_fit *fit;
    equant_dataset *dataset;
    equant_evaluator *evaluator;
    equant_fit_summary summary = {.struct_size = sizeof summary};
    double ln_l;
    equant_results results = {.struct_size = sizeof results, .log_likelihood = &ln_l};
    make_times();
    add_noise("mep(amplitude=4, period=19, decay=45, width=0.5), night(amplitude=1)", 3);
    assert_int_equal(fit_noise("night, rotation(period=15:25, decay=45)", 0, &fit), EQUANT_SUCCESS);
    const equant_model *model = equant_fit_model(fit);
    size_t n = equant_model_n_parameters(model);
    assert_int_equal(n, 2 + 1 + 4);
    assert_string_equal(equant_model_parameter_name(model, 4), "mep_period_days");
    assert_true(equant_fit_parameters(fit)[5] == 45.0);
    assert_true(equant_fit_covariance(fit)[5 * n + 5] == 0.0);
    equant_fitted_noise_parameter period = {.struct_size = sizeof period};
    assert_int_equal(equant_fit_noise_parameter(fit, 2, &period), EQUANT_SUCCESS);
    assert_true(period.err > 0.0);
    assert_true(fabs(sqrt(equant_fit_covariance(fit)[4 * n + 4]) - period.err) < 1e-12);
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(dataset, model, NULL, &evaluator), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, equant_fit_parameters(fit), &results),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    assert_true(fabs(ln_l - summary.log_likelihood) < 1e-8);
    equant_evaluator_free(evaluator);
    equant_dataset_free(dataset);
    equant_fit_free(fit);
}

/* Every term of the catalogue can be asked for, with and without jitters. */
static void all_terms(void **state)
{
    (void)state;
    make_times();
    add_noise("mep(amplitude=4, period=19, decay=45, width=0.5)", 3);
    n_rows = quick_run() ? FEW : N;
    for (size_t i = 0; i < equant_n_noise_terms(); i++) {
        equant_fit *fit;
        equant_noise_term_info kind = {.struct_size = sizeof kind};
        equant_fit_summary summary = {.struct_size = sizeof summary};
        assert_int_equal(equant_noise_term_at(i, &kind), EQUANT_SUCCESS);
        const char *words = strcmp(kind.name, "rotation") == 0 ? "rotation(mix=0.1:1)" : kind.name;
        assert_int_equal(fit_noise(words, i % 2, &fit), EQUANT_SUCCESS);
        assert_true(has_term(fit, kind.name));
        assert_int_equal(equant_fit_n_noise_parameters(fit), kind.n_parameters);
        assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
        assert_int_equal(summary.n_fitted, kind.n_parameters + 2 - i % 2);
        assert_true(fabs(summary.log_likelihood - likelihood_of(fit)) < 1e-8);
        double days = equant_fit_rotation_days(fit, NULL);
        assert_true(kind.is_rotation ? days >= 5.0 && days <= 150.0 : isnan(days));
        equant_fit_free(fit);
    }
    n_rows = N;
}

/* Nothing said is the one default that the header names. */
static void nothing_said(void **state)
{
    (void)state;
    make_times();
    for (int k = 0; k < N; k++)
        velocities[k] = 10.0 * sin(TWO_PI * times[k] / 5.37) + sin(11.3 * k * k);
    equant_fit *silent = fit_star(NULL, NULL), *said = fit_star(EQUANT_DEFAULT_NOISE, NULL);
    equant_fit_summary one = {.struct_size = sizeof one}, other = {.struct_size = sizeof other};
    assert_int_equal(equant_fit_summarize(silent, &one), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_summarize(said, &other), EQUANT_SUCCESS);
    assert_memory_equal(&one, &other, sizeof one);
    equant_fit_free(silent);
    equant_fit_free(said);
}

/* Whatever is fitted at the same time, the same bits come out. */
static void threads_change_nothing(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    make_times();
    add_noise("night(amplitude=1.5)", 4);
    for (int k = 0; k < N; k++)
        velocities[k] += 3.0 * sin(TWO_PI * times[k] / 17.3);
    equant_fit *one = fit_star("auto", NULL);
    equant_fit_summary first = {.struct_size = sizeof first};
    assert_int_equal(equant_fit_summarize(one, &first), EQUANT_SUCCESS);
    assert_true(has_term(one, "night"));
    for (int n_threads = 2; n_threads <= 3; n_threads++) {
        equant_fit *other = fit_star_on(n_threads, "auto", NULL);
        equant_fit_summary second = {.struct_size = sizeof second};
        assert_int_equal(equant_fit_summarize(other, &second), EQUANT_SUCCESS);
        assert_memory_equal(&first, &second, sizeof first);
        for (size_t i = 0; i < equant_fit_n_noise_parameters(one); i++) {
            equant_fitted_noise_parameter a = {.struct_size = sizeof a}, b = a;
            assert_int_equal(equant_fit_noise_parameter(one, i, &a), EQUANT_SUCCESS);
            assert_int_equal(equant_fit_noise_parameter(other, i, &b), EQUANT_SUCCESS);
            assert_true(a.value == b.value && a.err == b.err);
        }
        equant_fit_free(other);
    }
    equant_fit_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation), cmocka_unit_test(nights),
        cmocka_unit_test(hours),    cmocka_unit_test(indicators),
        cmocka_unit_test(given),    cmocka_unit_test(all_terms),
        cmocka_unit_test(searches), cmocka_unit_test(nothing_said),
        cmocka_unit_test(models),   cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests_name("fits that choose their noise", tests, NULL, NULL);
}
