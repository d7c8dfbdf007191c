/* Fits of simulated stars, and what every fit has to say alike: summary, parameters, covariance,
 * planets and quantities. */
#ifndef EQUANT_TESTS_FITTED_STAR_H
#define EQUANT_TESTS_FITTED_STAR_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "unit/simulated_star.h"

static const double two_planets[10] = {12.3, 15.0, 0.2, 1.0, 2.0, 47.0, 30.0, 0.3, 4.0, 1.0};
static const double one_planet[5] = {47.0, 30.0, 0.3, 4.0, 1.0};

/* Narrow ranges and white noise keep the tests quick. */
static inline equant_fit_options quick(void)
{
    return (equant_fit_options){.struct_size = sizeof(equant_fit_options),
                                .engine = &on_one_thread,
                                .period_min_days = 8.0,
                                .period_max_days = 100.0,
                                .eccentricity_max = 0.3,
                                .trend = EQUANT_TREND_NONE,
                                .noise = "white"};
}

static inline equant_fit *fit(const equant_dataset *dataset, const equant_fit_options *options)
{
    equant_fit *made = NULL;
    if (equant_fit_star(dataset, options, &made) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return made;
}

static inline equant_planet planet_of(const equant_fit *fit, size_t index)
{
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_planet(fit, index, &planet), EQUANT_SUCCESS);
    return planet;
}

/* The quantity of a name; fails the test where the fit has none. */
static inline equant_fitted_quantity quantity_of(const equant_fit *fit, const char *name)
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

static inline bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Quantities say what planets, parameters and covariance say, and each stands in the catalogue. */
static inline void assert_quantities(const equant_fit *fit)
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
static inline void assert_candidate_quantities(const equant_fit *fit)
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

static inline equant_fit_summary summary_of(const equant_fit *fit)
{
    equant_fit_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    return summary;
}

static inline void assert_relative(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* What the evaluator says of the fitted parameter set is what the fit says. */
static inline void assert_evaluated(const equant_dataset *dataset, const equant_fit *fit)
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
static inline void assert_consistent(const equant_dataset *dataset, const equant_fit *fit,
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
static inline void assert_found(const equant_fit *fit, size_t index, const double *truth)
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

#endif
