/* The planets of simulated stars, through the public interface: found, counted, and described
 * without contradiction. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/fitted_star.h"

static void finds_one_planet(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 40, 200.0, 1, one_planet, 2.0);
    equant_fit_options options = quick();
    equant_fit *made = fit(dataset, &options);
    assert_int_equal(equant_fit_n_planets(made), 1);
    assert_found(made, 0, one_planet);
    assert_consistent(dataset, made, 0);
    equant_fit_summary summary = summary_of(made);
    equant_planet planet = planet_of(made, 0);
    /* One planet is all the difference. */
    double gain = summary.log_likelihood - summary.log_likelihood_without_planets;
    assert_true(fabs(planet.log_likelihood_gain - gain) < 0.02);
    assert_true(fabs(planet.delta_bic - (summary.bic_without_planets - summary.bic)) < 0.05);
    equant_fit_free(made);
    equant_dataset_free(dataset);
}

static void finds_two_planets(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 200.0, 2, two_planets, 2.0);
    equant_fit_options options = quick();
    equant_fit *made = fit(dataset, &options);
    assert_int_equal(equant_fit_n_planets(made), 2);
    assert_found(made, 0, two_planets);
    assert_found(made, 1, two_planets + 5);
    assert_consistent(dataset, made, 0);
    equant_fit_free(made);
    equant_dataset_free(dataset);
}

static void noise_has_no_planets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        equant_dataset *dataset = simulate_star(seed, 40, 200.0, 0, NULL, 2.0);
        equant_fit_options options = quick();
        options.trend = EQUANT_TREND_DEFAULT;
        equant_fit *made = fit(dataset, &options);
        assert_int_equal(equant_fit_n_planets(made), 0);
        assert_int_equal(equant_fit_trend(made), EQUANT_TREND_NONE);
        assert_consistent(dataset, made, 0);
        equant_fit_summary summary = summary_of(made);
        assert_relative(summary.log_likelihood, summary.log_likelihood_without_planets, 1e-9);
        assert_relative(summary.bic, summary.bic_without_planets, 1e-9);
        equant_planet candidate = {.struct_size = sizeof candidate};
        assert_int_equal(equant_fit_candidate(made, &candidate), EQUANT_SUCCESS);
        assert_true(candidate.period_days > 7.99999999 && candidate.period_days < 100.00000001);
        assert_true(candidate.k_m_s > 0.0 && candidate.false_alarm > 1e-3);
        equant_fit_free(made);
        equant_dataset_free(dataset);
    }
}

/* The refused candidate is a new planet, not one of those that were found. */
static void candidates_are_new(void **state)
{
    (void)state;
    for (uint64_t seed = 3; seed <= 4; seed++) {
        equant_dataset *dataset = simulate_star(seed, 40, 200.0, 1, two_planets, 2.0);
        equant_fit_options options = quick();
        equant_fit *made = fit(dataset, &options);
        equant_planet candidate = {.struct_size = sizeof candidate};
        assert_true(equant_fit_n_planets(made) >= 1);
        if (equant_fit_candidate(made, &candidate) != EQUANT_SUCCESS)
            candidate.period_days = INFINITY;
        for (size_t p = 0; p < equant_fit_n_planets(made); p++) {
            double apart = 1.0 / candidate.period_days - 1.0 / planet_of(made, p).period_days;
            assert_true(fabs(apart) > 0.1 / 200.0); /* closer ones are twins */
        }
        equant_fit_free(made);
        equant_dataset_free(dataset);
    }
}

/* The same observations with another reference time; 0 of has_time: with their own. */
static equant_dataset *refer_to(const equant_dataset *from, int has_time, double time_days)
{
    equant_dataset *made = NULL;
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .has_reference_time = has_time,
                                      .reference_time_days = time_days};
    assert_int_equal(
        equant_dataset_from_arrays(equant_dataset_n_obs(from), equant_dataset_times_days(from),
                                   equant_dataset_velocities_m_s(from),
                                   equant_dataset_uncertainties_m_s(from),
                                   equant_dataset_instruments(from), 2, NULL, &options, &made),
        EQUANT_SUCCESS);
    return made;
}

/* What does not refer to a time is the same to the bit; m0, offsets and slope are translated, and
 * their covariances with them. */
static void assert_translated(const equant_fit *own, const equant_fit *other, double days)
{
    equant_planet a = planet_of(own, 0), b = planet_of(other, 0);
    assert_true(a.period_days == b.period_days && a.period_days_err == b.period_days_err);
    assert_true(a.k_m_s == b.k_m_s && a.k_m_s_err == b.k_m_s_err);
    assert_true(a.eccentricity == b.eccentricity && a.omega_rad == b.omega_rad);
    assert_true(a.log_likelihood_gain == b.log_likelihood_gain && a.false_alarm == b.false_alarm);
    assert_true(summary_of(own).chi_square == summary_of(other).chi_square);
    assert_true(summary_of(own).rms_m_s == summary_of(other).rms_m_s);
    double turn = 2.0 * 3.14159265358979323846, f = -turn * days / pow(a.period_days, 2.0);
    double change = b.m0_rad - a.m0_rad - turn * remainder(days, a.period_days) / a.period_days;
    assert_true(fabs(remainder(change, turn)) < 1e-9);
    const size_t n = equant_model_n_parameters(equant_fit_model(own)), slope = 7;
    const double *x = equant_fit_parameters(own), *y = equant_fit_parameters(other);
    const double *before = equant_fit_covariance(own), *after = equant_fit_covariance(other);
    assert_relative(after[4 * n + 4], before[4 * n + 4] + 2.0 * f * before[4] + f * f * before[0],
                    1e-9);
    assert_relative(y[5], x[5] + days * x[slope] + days * days * x[slope + 1], 1e-9);
    assert_relative(y[slope], x[slope] + 2.0 * days * x[slope + 1], 1e-9);
    assert_relative(after[slope * n + slope],
                    before[slope * n + slope] + 4.0 * days * before[slope * n + slope + 1] +
                        4.0 * days * days * before[(slope + 1) * n + slope + 1],
                    1e-9);
}

static void the_reference_time_changes_no_orbit(void **state)
{
    (void)state;
    equant_dataset *sky = simulate_star(5, 60, 300.0, 1, one_planet, 2.0);
    equant_dataset *dataset = refer_to(sky, 0, 0.0);
    double epoch = equant_dataset_reference_time_days(dataset);
    equant_fit_options options = quick();
    options.trend = EQUANT_TREND_QUADRATIC;
    options.n_planets = 1;
    equant_fit *own = fit(dataset, &options);
    const double days[] = {0.25, -30.0, -5000.0, -2.5e6, 1e17};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        equant_dataset *moved = refer_to(sky, 1, epoch + days[i]);
        equant_fit *other = fit(moved, &options);
        assert_translated(own, other, equant_dataset_reference_time_days(moved) - epoch);
        if (fabs(days[i]) < 100.0)
            assert_consistent(moved, other, 0);
        /* A planet that is kept comes back as it was given. */
        const double *kept = equant_fit_parameters(other);
        equant_fit_options again = options;
        again.known = kept;
        again.n_known = again.n_fixed = 1;
        equant_fit *fixed = fit(moved, &again);
        assert_memory_equal(kept, equant_fit_parameters(fixed), 5 * sizeof *kept);
        equant_fit_free(fixed);
        equant_fit_free(other);
        equant_dataset_free(moved);
    }
    equant_fit_free(own);
    equant_dataset_free(dataset);
    equant_dataset_free(sky);
}

static void assert_same_bits(const equant_fit *a, const equant_fit *b)
{
    size_t n = equant_model_n_parameters(equant_fit_model(a));
    assert_int_equal(equant_fit_n_planets(a), equant_fit_n_planets(b));
    assert_int_equal(equant_model_n_parameters(equant_fit_model(b)), n);
    assert_memory_equal(equant_fit_parameters(a), equant_fit_parameters(b), n * sizeof(double));
    assert_memory_equal(equant_fit_covariance(a), equant_fit_covariance(b), n * n * sizeof(double));
    equant_fit_summary one = summary_of(a), other = summary_of(b);
    assert_memory_equal(&one, &other, sizeof one);
    for (size_t p = 0; p < equant_fit_n_planets(a); p++) {
        equant_planet first = planet_of(a, p), second = planet_of(b, p);
        first.m_sin_i_jupiter = second.m_sin_i_jupiter = 0.0; /* NaN has many bit patterns */
        first.m_sin_i_jupiter_err = second.m_sin_i_jupiter_err = 0.0;
        first.a_au = second.a_au = first.a_au_err = second.a_au_err = 0.0;
        assert_memory_equal(&first, &second, sizeof first);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 200.0, 2, two_planets, 2.0);
    for (int method = EQUANT_FIT_SCAN; method <= EQUANT_FIT_DE; method++) {
        equant_fit_options options = quick();
        options.method = (equant_fit_method)method;
        options.max_planets = method == EQUANT_FIT_SCAN ? 2 : 1;
        options.seed = 3;
        equant_fit *one = fit(dataset, &options);
        for (int threads = 2; threads <= 3; threads++) {
            equant_engine_options engine = on_one_thread;
            engine.n_threads = threads;
            options.engine = &engine;
            equant_fit *other = fit(dataset, &options);
            assert_same_bits(one, other);
            equant_fit_free(other);
        }
        equant_fit_free(one);
    }
    equant_dataset_free(dataset);
}

/* Two ways that share nothing but the final optimisation arrive at one solution. */
static void differential_evolution_agrees(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(2, 50, 200.0, 2, two_planets, 2.0);
    equant_fit_options options = quick();
    options.max_planets = 2;
    equant_fit *by_scan = fit(dataset, &options);
    options.method = EQUANT_FIT_DE;
    equant_fit *evolved = fit(dataset, &options);
    assert_int_equal(equant_fit_n_planets(evolved), 2);
    assert_consistent(dataset, evolved, 0);
    assert_true(fabs(summary_of(by_scan).log_likelihood - summary_of(evolved).log_likelihood) <
                1e-5);
    for (size_t p = 0; p < 2; p++)
        assert_relative(planet_of(evolved, p).period_days, planet_of(by_scan, p).period_days, 1e-5);
    equant_fit_free(by_scan);
    equant_fit_free(evolved);
    equant_dataset_free(dataset);
}

/* No noise at all is not an obstacle, nor is a star that does not move. */
static void perfect_data(void **state)
{
    (void)state;
    simulated_star model = {.seed = 4,
                            .n_obs = 40,
                            .span_days = 200.0,
                            .n_planets = 1,
                            .elements = one_planet,
                            .uncertainty_m_s = 2.0};
    equant_fit_options options = quick();
    equant_dataset *dataset = simulated_star_observe(&model);
    equant_fit *made = fit(dataset, &options);
    assert_int_equal(equant_fit_n_planets(made), 1);
    assert_relative(planet_of(made, 0).period_days, 47.0, 1e-7);
    assert_relative(planet_of(made, 0).k_m_s, 30.0, 1e-7);
    equant_fit_free(made);
    equant_dataset_free(dataset);
    model.n_planets = 0;
    options.trend = EQUANT_TREND_DEFAULT;
    dataset = simulated_star_observe(&model);
    made = fit(dataset, &options);
    assert_int_equal(equant_fit_n_planets(made), 0);
    assert_true(fabs(equant_fit_parameters(made)[0] - simulated_offset_m_s[0]) < 1e-9);
    equant_fit_free(made);
    equant_dataset_free(dataset);
}

/* From the fewest that can be fitted: never more planets than the data can carry. */
static void few_observations(void **state)
{
    (void)state;
    for (size_t n_obs = 3; n_obs <= 14; n_obs++) {
        equant_dataset *dataset = simulate_star(6, n_obs, 200.0, 1, one_planet, 2.0);
        equant_fit_options options = quick();
        options.n_planets = 3;
        options.trend = EQUANT_TREND_DEFAULT;
        equant_fit *made = fit(dataset, &options);
        assert_true(4 + 5 * equant_fit_n_planets(made) < n_obs || equant_fit_n_planets(made) == 0);
        assert_true(isfinite(summary_of(made).log_likelihood));
        equant_fit_free(made);
        equant_dataset_free(dataset);
    }
}

static void shorter_structs_are_read_as_far_as_they_go(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 40, 200.0, 1, one_planet, 2.0);
    equant_fit_options options = quick();
    options.n_planets = 1;
    options.star_mass = -5.0; /* beyond the end that is stated */
    options.struct_size = offsetof(equant_fit_options, n_known);
    equant_fit *made = fit(dataset, &options);
    equant_planet whole = planet_of(made, 0), part;
    equant_fit_summary summary = summary_of(made), less;
    assert_true(isnan(whole.m_sin_i_jupiter));
    memset(&part, 0x55, sizeof part);
    memset(&less, 0x55, sizeof less);
    equant_planet untouched = part;
    part.struct_size = offsetof(equant_planet, eccentricity);
    less.struct_size = offsetof(equant_fit_summary, log_likelihood);
    assert_int_equal(equant_fit_planet(made, 0, &part), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_summarize(made, &less), EQUANT_SUCCESS);
    assert_true(part.period_days == whole.period_days && part.k_m_s_err == whole.k_m_s_err);
    assert_memory_equal(&part.eccentricity, &untouched.eccentricity,
                        sizeof part - offsetof(equant_planet, eccentricity));
    assert_true(less.chi_square == summary.chi_square &&
                less.log_likelihood != summary.log_likelihood);
    equant_fit_free(made);
    equant_dataset_free(dataset);
}

static void defaults_need_no_options(void **state)
{
    (void)state;
    const double short_period[5] = {3.3, 30.0, 0.1, 4.0, 1.0};
    equant_dataset *dataset = simulate_star(1, 40, 20.0, 1, short_period, 2.0);
    equant_fit *made = fit(dataset, NULL);
    assert_int_equal(equant_fit_n_planets(made), 1);
    assert_relative(planet_of(made, 0).period_days, 3.3, 0.01);
    assert_consistent(dataset, made, 0);
    equant_fit_free(made);
    equant_fit_free(NULL);
    equant_dataset_free(dataset);
}

/* A parabola is the orbit of an endless period, to which a planet that begins beyond the range of
 * periods would go without end. */
static void long_periods_are_not_followed_for_ever(void **state)
{
    enum { N = 40 };
    const double span = 1000.0;
    const double start[EQUANT_N_ELEMENTS] = {3.0 * span, 60.0, 0.0, 0.0, 1.5};
    double time[N], velocity[N], sigma[N], noise[N];
    equant_dataset *dataset = NULL;
    equant_fit *fit = NULL;
    equant_planet found = {.struct_size = sizeof found};
    (void)state;
    assert_int_equal(equant_random_normal(3, 1, 0, N, noise), EQUANT_SUCCESS);
    for (int i = 0; i < N; i++) {
        double t = 2.0 * i / (N - 1.0) - 1.0;
        time[i] = 5000.0 + 0.5 * span * t;
        velocity[i] = 40.0 * t * t + noise[i];
        sigma[i] = 1.0;
    }
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    const equant_fit_options options = {.struct_size = sizeof options,
                                        .n_planets = 1,
                                        .n_known = 1,
                                        .known = start,
                                        .trend = EQUANT_TREND_NONE,
                                        .noise = "white",
                                        .outliers = "none",
                                        .eccentricity_max = 0.001,
                                        .no_probabilities = 1};
    assert_int_equal(equant_fit_star(dataset, &options, &fit), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_planet(fit, 0, &found), EQUANT_SUCCESS);
    assert_float_equal(found.period_days, 8.0 * span, 1e-3);
    assert_int_equal(found.at_limit, EQUANT_LIMIT_LONGEST);
    assert_true(found.period_days_bound > span && found.period_days_bound < 2.0 * span);
    equant_fit_free(fit);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_one_planet),
        cmocka_unit_test(finds_two_planets),
        cmocka_unit_test(noise_has_no_planets),
        cmocka_unit_test(candidates_are_new),
        cmocka_unit_test(the_reference_time_changes_no_orbit),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(differential_evolution_agrees),
        cmocka_unit_test(perfect_data),
        cmocka_unit_test(few_observations),
        cmocka_unit_test(long_periods_are_not_followed_for_ever),
        cmocka_unit_test(shorter_structs_are_read_as_far_as_they_go),
        cmocka_unit_test(defaults_need_no_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
