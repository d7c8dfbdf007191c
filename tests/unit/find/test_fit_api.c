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

#include "unit/simulated_star.h"

static const double two_planets[10] = {12.3, 15.0, 0.2, 1.0, 2.0, 47.0, 30.0, 0.3, 4.0, 1.0};
static const double one_planet[5] = {47.0, 30.0, 0.3, 4.0, 1.0};

/* Narrow ranges keep the tests quick. */
static equant_fit_options quick(void)
{
    return (equant_fit_options){.struct_size = sizeof(equant_fit_options),
                                .engine = &on_one_thread,
                                .period_min_days = 8.0,
                                .period_max_days = 100.0,
                                .eccentricity_max = 0.3,
                                .trend = EQUANT_TREND_NONE};
}

static equant_fit *fit(const equant_dataset *dataset, const equant_fit_options *options)
{
    equant_fit *made = NULL;
    assert_int_equal(equant_fit_star(dataset, options, &made), EQUANT_SUCCESS);
    return made;
}

static equant_planet planet_of(const equant_fit *fit, size_t index)
{
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_planet(fit, index, &planet), EQUANT_SUCCESS);
    return planet;
}

/* The quantity of a name; fails the test where the fit has none. */
static equant_fitted_quantity quantity_of(const equant_fit *fit, const char *name)
{
    equant_fitted_quantity quantity = {.struct_size = sizeof quantity};
    for (size_t i = 0; i < equant_fit_n_quantities(fit); i++) {
        assert_int_equal(equant_fit_quantity(fit, i, &quantity), EQUANT_SUCCESS);
        if (strcmp(quantity.name, name) == 0)
            return quantity;
    }
    fail_msg("there is no %s", name);
    return quantity;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Quantities say what planets, parameters and covariance say, and each stands in the catalogue. */
static void assert_quantities(const equant_fit *fit)
{
    const equant_model *model = equant_fit_model(fit);
    size_t n = equant_model_n_parameters(model), n_planets = equant_fit_n_planets(fit);
    for (size_t i = 0; i < equant_fit_n_quantities(fit); i++) {
        equant_fitted_quantity quantity = {.struct_size = sizeof quantity};
        size_t kind;
        assert_int_equal(equant_fit_quantity(fit, i, &quantity), EQUANT_SUCCESS);
        assert_int_equal(equant_quantity_find(quantity.name, &kind), EQUANT_SUCCESS);
        assert_int_equal(quantity.kind, kind);
        assert_true(quantity.planet <= n_planets && !(quantity.planet && quantity.instrument));
    }
    for (size_t column = EQUANT_N_ELEMENTS * n_planets; column < n; column++) {
        equant_fitted_quantity own = quantity_of(fit, equant_model_parameter_name(model, column));
        assert_true(own.value == equant_fit_parameters(fit)[column] && own.planet == 0);
        assert_true(same(own.err, sqrt(equant_fit_covariance(fit)[column * (n + 1)])));
    }
    for (size_t p = 0; p < n_planets; p++) {
        equant_planet planet = planet_of(fit, p);
        const struct {
            const char *kind;
            double value, err;
        } members[] = {{"period_days", planet.period_days, planet.period_days_err},
                       {"omega_rad", planet.omega_rad, planet.omega_rad_err},
                       {"t_peri", planet.t_peri, planet.t_peri_err},
                       {"t_conj", planet.t_conj, planet.t_conj_err}};
        for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s_%zu", members[i].kind, p + 1);
            equant_fitted_quantity own = quantity_of(fit, name);
            assert_int_equal(own.planet, p + 1);
            assert_true(own.value == members[i].value && same(own.err, members[i].err));
        }
    }
    equant_fitted_quantity none = {.struct_size = sizeof none};
    assert_int_equal(equant_fit_quantity(fit, equant_fit_n_quantities(fit), &none),
                     EQUANT_ERROR_INVALID_ARGUMENT);
}

/* The candidate's quantities are its own. */
static void assert_candidate_quantities(const equant_fit *fit)
{
    equant_planet candidate = {.struct_size = sizeof candidate};
    equant_fitted_quantity period = {.struct_size = sizeof period};
    bool has_candidate = equant_fit_candidate(fit, &candidate) == EQUANT_SUCCESS;
    assert_int_equal(has_candidate, equant_fit_n_candidate_quantities(fit) > 0);
    assert_int_equal(equant_fit_candidate_quantity(fit, 0, &period),
                     has_candidate ? EQUANT_SUCCESS : EQUANT_ERROR_INVALID_ARGUMENT);
    if (!has_candidate)
        return;
    assert_string_equal(period.name, "period_days_1");
    assert_true(period.value == candidate.period_days && period.err == candidate.period_days_err);
}

static equant_fit_summary summary_of(const equant_fit *fit)
{
    equant_fit_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    return summary;
}

static void assert_relative(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* What the evaluator says of the fitted parameter set is what the fit says. */
static void assert_evaluated(const equant_dataset *dataset, const equant_fit *fit)
{
    equant_fit_summary summary = summary_of(fit);
    const size_t n_bytes = summary.n_obs * sizeof(double);
    double chi_square, log_likelihood, *residuals = malloc(n_bytes), *velocities = malloc(n_bytes);
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = &chi_square,
                              .log_likelihood = &log_likelihood,
                              .velocities = velocities,
                              .residuals = residuals};
    equant_evaluator *evaluator = NULL;
    double squares = 0.0;
    assert_true(residuals && velocities);
    assert_int_equal(equant_evaluator_create(dataset, equant_fit_model(fit), NULL, &evaluator),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, equant_fit_parameters(fit), &results),
                     EQUANT_SUCCESS);
    for (size_t k = 0; k < summary.n_obs; k++) {
        squares += residuals[k] * residuals[k];
        assert_true(fabs(equant_fit_residuals_m_s(fit)[k] - residuals[k]) < 1e-10);
        assert_true(fabs(equant_fit_velocities_m_s(fit)[k] - velocities[k]) < 1e-10);
    }
    assert_relative(summary.chi_square, chi_square, 1e-12);
    assert_relative(summary.log_likelihood, log_likelihood, 1e-12);
    assert_relative(summary.rms_m_s, sqrt(squares / (double)summary.n_obs), 1e-12);
    equant_evaluator_free(evaluator);
    free(residuals);
    free(velocities);
}

/* Summary, parameters, covariance and planets tell one story. */
static void assert_consistent(const equant_dataset *dataset, const equant_fit *fit,
                              size_t n_fixed_parameters)
{
    equant_fit_summary summary = summary_of(fit);
    size_t n = equant_model_n_parameters(equant_fit_model(fit));
    const double *set = equant_fit_parameters(fit), *covariance = equant_fit_covariance(fit);
    assert_int_equal(equant_model_n_planets(equant_fit_model(fit)), equant_fit_n_planets(fit));
    assert_int_equal(summary.n_obs, equant_dataset_n_obs(dataset));
    assert_int_equal(summary.n_fitted, n - n_fixed_parameters);
    assert_true(summary.reference_time_days == equant_dataset_reference_time_days(dataset));
    double log_n = log((double)summary.n_obs);
    assert_relative(summary.bic, (double)summary.n_fitted * log_n - 2 * summary.log_likelihood,
                    1e-12);
    assert_evaluated(dataset, fit);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            assert_true(fabs(covariance[i * n + j] - covariance[j * n + i]) <=
                        1e-9 * sqrt(covariance[i * n + i] * covariance[j * n + j]));
    for (size_t p = 0; p < equant_fit_n_planets(fit); p++) {
        equant_planet planet = planet_of(fit, p);
        const double *elements = set + 5 * p, *variance = covariance + 5 * p * (n + 1);
        assert_true(p == 0 || planet.period_days > planet_of(fit, p - 1).period_days);
        assert_relative(planet.period_days, elements[0], 1e-14);
        assert_relative(planet.k_m_s, elements[1], 1e-14);
        assert_true(fabs(planet.eccentricity - elements[2]) < 1e-14);
        assert_relative(planet.period_days_err, sqrt(variance[0]), 1e-6);
        assert_relative(planet.k_m_s_err, sqrt(variance[n + 1]), 1e-6);
        assert_relative(planet.eccentricity_err, sqrt(variance[2 * (n + 1)]), 1e-6);
        assert_true(planet.false_alarm >= 0.0 && planet.false_alarm <= 1.0);
    }
    assert_quantities(fit);
    assert_candidate_quantities(fit);
}

/* Within four of its own standard errors, and these no larger than they have to be. */
static void assert_found(const equant_fit *fit, size_t index, const double *truth)
{
    equant_planet planet = planet_of(fit, index);
    assert_true(fabs(planet.period_days - truth[0]) < 4.0 * planet.period_days_err);
    assert_true(fabs(planet.k_m_s - truth[1]) < 4.0 * planet.k_m_s_err);
    assert_true(fabs(planet.eccentricity - truth[2]) < 4.0 * planet.eccentricity_err);
    assert_true(fabs(remainder(planet.omega_rad - truth[3], 6.283185307179586)) <
                4.0 * planet.omega_rad_err);
    assert_true(planet.period_days_err < 0.01 * truth[0] && planet.k_m_s_err < 0.2 * truth[1]);
    assert_true(planet.false_alarm < 1e-3 && planet.delta_bic > 10.0);
    assert_true(isnan(planet.m_sin_i_jupiter) && isnan(planet.a_au));
}

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
        assert_int_equal(equant_fit_n_planets(made), 1);
        assert_int_equal(equant_fit_candidate(made, &candidate), EQUANT_SUCCESS);
        double apart = 1.0 / candidate.period_days - 1.0 / planet_of(made, 0).period_days;
        assert_true(fabs(apart) > 0.1 / 200.0); /* closer ones are twins */
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

/* Two ways that share nothing but the final polish arrive at one solution. */
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
        cmocka_unit_test(number_of_planets_can_be_asked_for),
        cmocka_unit_test(starting_planets_are_refined),
        cmocka_unit_test(fixed_planets_stay_as_they_are),
        cmocka_unit_test(trends_are_found_or_forced),
        cmocka_unit_test(strong_trends_are_trends),
        cmocka_unit_test(jitter_can_be_left_out),
        cmocka_unit_test(a_stars_mass_gives_masses),
        cmocka_unit_test(perfect_data),
        cmocka_unit_test(few_observations),
        cmocka_unit_test(shorter_structs_are_read_as_far_as_they_go),
        cmocka_unit_test(defaults_need_no_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
