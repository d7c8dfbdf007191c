/* What a caller may ask of a fit: how many planets, from which start, which are fixed, a trend, no
 * jitter, the mass of the star. */
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

static void number_of_planets_can_be_asked_for(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(3, 50, 200.0, 2, two_planets, 2.0);
    const struct {
        int n_planets, max_planets;
        size_t expected;
    } cases[] = {{-1, 0, 0}, {0, 1, 1}, {1, 0, 1}, {3, 0, 3}, {3, 1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_fit_options options = quick();
        equant_planet candidate = {.struct_size = sizeof candidate};
        options.n_planets = cases[i].n_planets;
        options.max_planets = cases[i].max_planets;
        equant_fit *made = fit(dataset, &options);
        assert_int_equal(equant_fit_n_planets(made), cases[i].expected);
        assert_consistent(dataset, made, 0);
        assert_int_equal(equant_fit_candidate(made, &candidate), EQUANT_ERROR_UNAVAILABLE);
        /* One too many is made of noise, not of two that cancel. */
        for (size_t p = 0; p < cases[i].expected; p++)
            assert_true(planet_of(made, p).k_m_s < 100.0);
        equant_fit_free(made);
    }
    equant_dataset_free(dataset);
}

static void starting_planets_are_refined(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 200.0, 2, two_planets, 2.0);
    const double roughly[10] = {46.5, 1.0, 0.1, 0.0, 5.0, 12.35, 1.0, 0.0, 0.0, 3.0};
    for (int search = -1; search <= 0; search++) {
        equant_fit_options options = quick();
        options.n_planets = search;
        options.n_known = 2;
        options.known = roughly;
        equant_fit *made = fit(dataset, &options);
        assert_int_equal(equant_fit_n_planets(made), 2);
        assert_found(made, 0, two_planets);
        assert_found(made, 1, two_planets + 5);
        assert_consistent(dataset, made, 0);
        equant_fit_free(made);
    }
    equant_dataset_free(dataset);
}

/* With the trend's order to be found, too: the model without planets has none to keep. */
static void fixed_planets_stay_as_they_are(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 200.0, 2, two_planets, 2.0);
    const double known[5] = {47.1, 29.0, 0.31, 4.05, 0.95};
    const equant_trend trends[] = {EQUANT_TREND_DEFAULT, EQUANT_TREND_NONE};
    for (size_t i = 0; i < 2; i++) {
        equant_fit_options options = quick();
        options.trend = trends[i];
        options.n_known = options.n_fixed = 1;
        options.known = known;
        options.max_planets = 2;
        equant_fit *made = fit(dataset, &options);
        assert_int_equal(equant_fit_n_planets(made), 2);
        assert_memory_equal(equant_fit_parameters(made) + 5, known, sizeof known);
        equant_planet kept = planet_of(made, 1), found = planet_of(made, 0);
        assert_true(kept.period_days_err == 0.0 && kept.k_m_s_err == 0.0 && kept.t_conj_err == 0.0);
        assert_true(kept.log_likelihood_gain > 10.0);
        assert_relative(found.period_days, two_planets[0], 0.005);
        assert_true(found.period_days_err > 0.0);
        assert_consistent(dataset, made, 5);
        equant_fit_free(made);
    }
    equant_dataset_free(dataset);
}

static void trends_are_found_or_forced(void **state)
{
    (void)state;
    const double slopes[3][2] = {{0.0, 0.0}, {0.2, 0.0}, {0.2, 2e-3}};
    for (int truth = 0; truth < 3; truth++) {
        simulated_star model = {.seed = 9,
                                .n_obs = 50,
                                .first_day = 2455000.0,
                                .span_days = 200.0,
                                .n_planets = 1,
                                .elements = two_planets,
                                .trend = {slopes[truth][0], slopes[truth][1]},
                                .noise_m_s = 2.0,
                                .uncertainty_m_s = 2.0};
        equant_dataset *dataset = simulated_star_observe(&model);
        equant_fit_options options = quick();
        options.trend = EQUANT_TREND_DEFAULT;
        options.max_planets = 1;
        equant_fit *made = fit(dataset, &options);
        assert_int_equal(equant_fit_trend(made), EQUANT_TREND_NONE + truth);
        assert_int_equal(equant_fit_n_planets(made), 1);
        assert_consistent(dataset, made, 0);
        size_t n = equant_model_n_parameters(equant_fit_model(made));
        for (size_t i = 0; i < (size_t)truth; i++) { /* behind five elements and two offsets */
            double value = equant_fit_parameters(made)[7 + i];
            double error = sqrt(equant_fit_covariance(made)[(7 + i) * (n + 1)]);
            assert_true(fabs(value - slopes[truth][i]) < 4.0 * error);
        }
        equant_fit_free(made);
        equant_dataset_free(dataset);
    }
    equant_dataset *dataset = simulate_star(1, 40, 200.0, 1, one_planet, 2.0);
    for (int order = 0; order <= 2; order++) {
        equant_fit_options options = quick();
        options.trend = (equant_trend)(EQUANT_TREND_NONE + order);
        options.n_planets = 1;
        equant_fit *made = fit(dataset, &options);
        assert_int_equal(equant_fit_trend(made), EQUANT_TREND_NONE + order);
        assert_found(made, 0, one_planet);
        assert_consistent(dataset, made, 0);
        equant_fit_free(made);
    }
    equant_dataset_free(dataset);
}

/* A companion far out may move its star much more than all planets do. */
static void strong_trends_are_trends(void **state)
{
    (void)state;
    for (double slope = 1.0; slope < 1e3; slope *= 10.0) {
        simulated_star model = {.seed = 9,
                                .n_obs = 50,
                                .span_days = 200.0,
                                .n_planets = 1,
                                .elements = two_planets,
                                .trend = {slope, 0.0},
                                .noise_m_s = 2.0,
                                .uncertainty_m_s = 2.0};
        equant_dataset *dataset = simulated_star_observe(&model);
        equant_fit_options options = quick();
        options.trend = EQUANT_TREND_DEFAULT;
        equant_fit *made = fit(dataset, &options);
        assert_int_equal(equant_fit_trend(made), EQUANT_TREND_LINEAR);
        assert_int_equal(equant_fit_n_planets(made), 1);
        assert_found(made, 0, two_planets);
        equant_fit_free(made);
        equant_dataset_free(dataset);
    }
}

/* Twice the noise that is stated: jitter takes it up, unless it may not. */
static void jitter_can_be_left_out(void **state)
{
    (void)state;
    simulated_star model = {.seed = 4,
                            .n_obs = 50,
                            .span_days = 200.0,
                            .n_planets = 1,
                            .elements = one_planet,
                            .noise_m_s = 4.0,
                            .uncertainty_m_s = 2.0};
    equant_dataset *dataset = simulated_star_observe(&model);
    for (int without = 0; without <= 1; without++) {
        equant_fit_options options = quick();
        options.no_jitter = without;
        options.n_planets = 1;
        equant_fit *made = fit(dataset, &options);
        const double *jitters = equant_fit_parameters(made) + 7;
        for (size_t i = 0; i < 2; i++)
            assert_true(without ? jitters[i] == 0.0 : jitters[i] > 1.0 && jitters[i] < 6.0);
        assert_found(made, 0, one_planet);
        assert_consistent(dataset, made, without ? 2 : 0);
        if (!without)
            assert_relative(summary_of(made).chi_square, 50.0, 1e-3);
        equant_fit_free(made);
    }
    equant_dataset_free(dataset);
}

static void a_stars_mass_gives_masses(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 40, 200.0, 1, one_planet, 2.0);
    equant_fit_options options = quick();
    options.n_planets = 1;
    options.star_mass = 0.8;
    equant_fit *made = fit(dataset, &options);
    equant_planet planet = planet_of(made, 0);
    double years = planet.period_days / 365.25;
    double mass = planet.k_m_s / 28.43 * sqrt(1.0 - planet.eccentricity * planet.eccentricity) *
                  cbrt(years * 0.8 * 0.8);
    assert_relative(planet.m_sin_i_jupiter, mass, 1e-3);
    assert_relative(planet.a_au, cbrt(0.8 * years * years), 1e-3);
    assert_relative(planet.m_sin_i_jupiter_err / planet.m_sin_i_jupiter,
                    planet.k_m_s_err / planet.k_m_s, 0.3);
    assert_true(planet.a_au_err > 0.0);
    assert_true(quantity_of(made, "m_sin_i_jupiter_1").value == planet.m_sin_i_jupiter &&
                quantity_of(made, "a_au_1").err == planet.a_au_err);
    equant_fit_free(made);
    equant_dataset_free(dataset);
}

static bool has_remark(const equant_fit *made, const char *beginning)
{
    for (size_t i = 0; i < equant_fit_n_remarks(made); i++)
        if (strncmp(equant_fit_remark(made, i), beginning, strlen(beginning)) == 0)
            return true;
    return false;
}

/* An hour is enough, a moment is not: what is known by then is refined and judged. */
static void time_can_be_given(void **state)
{
    (void)state;
    const char *sentence = "The time that was given was over";
    equant_dataset *dataset = simulate_star(1, 50, 200.0, 2, two_planets, 2.0);
    equant_fit_options options = quick();
    options.budget_s = 3600.0;
    equant_fit *made = fit(dataset, &options);
    assert_int_equal(equant_fit_n_planets(made), 2);
    assert_false(has_remark(made, sentence));
    equant_fit_free(made);
    options.budget_s = 1e-9;
    options.n_known = 1;
    options.known = one_planet;
    made = fit(dataset, &options);
    assert_int_equal(equant_fit_n_planets(made), 1);
    equant_planet kept = {.struct_size = sizeof kept};
    equant_fit_summary short_of = {.struct_size = sizeof short_of};
    assert_int_equal(equant_fit_planet(made, 0, &kept), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_summarize(made, &short_of), EQUANT_SUCCESS);
    assert_float_equal(kept.period_days, one_planet[0], 5.0 * kept.period_days_err);
    assert_true(isnan(kept.false_alarm) && isnan(kept.delta_bic) && isnan(kept.probability));
    assert_int_equal(short_of.end, EQUANT_FIT_SECONDS);
    assert_true(isfinite(short_of.chi_square) && isfinite(short_of.bic));
    assert_true(has_remark(made, sentence));
    equant_fit_free(made);
    options.budget_s = -1.0;
    assert_int_equal(equant_fit_star(dataset, &options, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_of_planets_can_be_asked_for),
        cmocka_unit_test(starting_planets_are_refined),
        cmocka_unit_test(fixed_planets_stay_as_they_are),
        cmocka_unit_test(trends_are_found_or_forced),
        cmocka_unit_test(strong_trends_are_trends),
        cmocka_unit_test(jitter_can_be_left_out),
        cmocka_unit_test(a_stars_mass_gives_masses),
        cmocka_unit_test(time_can_be_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
