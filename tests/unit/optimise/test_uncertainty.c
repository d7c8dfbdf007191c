/* Uncertainties: the covariance against the curvature of the likelihood, and what is derived
 * from the elements against its definition and against random draws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/fit/fit_quantities.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/likelihood/small_matrix.h"
#include "unit/studied_star.h"

#define TWO_PI 6.28318530717958647693

enum { MOST = 5 * 2 + 2 + 1 + 2 };

static const double two_planets[10] = {41.0, 20.0, 0.3, 2.0, 4.0, 170.0, 9.0, 0.5, 5.0, 1.0};

/* A solution of a star's data, optimised from the truth. */
typedef struct known_star {
    equant_dataset *dataset;
    study star;
    solution best;
} known_star;

static void known_star_create(known_star *made, const simulated_star *model, int trend_order)
{
    made->dataset = simulated_star_observe(model);
    study_star(&made->star, made->dataset, 0.0, 0.0);
    assert_int_equal(solution_create(&made->star, &made->best), EQUANT_SUCCESS);
    solution_set_trend(&made->star, &made->best, trend_order);
    for (size_t p = 0; p < model->n_planets; p++)
        solution_add_planet(&made->star, &made->best, model->elements + 5 * p);
    assert_int_equal(maximum_likelihood_solution(&made->star, 0, POLISH_TO_PUBLISH, &made->best),
                     EQUANT_SUCCESS);
}

static void known_star_free(known_star *made)
{
    solution_free(&made->best);
    study_free(&made->star);
    equant_dataset_free(made->dataset);
}

static void create(known_star *star, const bool *is_fixed, uncertainty *made)
{
    static const bool none[STUDY_MAX_PLANETS];
    assert_int_equal(uncertainty_create(&star->star, &star->best, is_fixed ? is_fixed : none, made),
                     EQUANT_SUCCESS);
    assert_int_equal(
        made->n,
        study_layout(&star->star, star->best.n_planets, star->best.trend_order).n_parameters);
}

/* The first planet with all that follows from its elements. */
static equant_planet planet_of(const known_star *star, const uncertainty *made, double star_mass)
{
    quantity_estimate estimates[QUANTITIES_MOST];
    host_star host = host_star_of(NULL, star_mass);
    uncertainty_planet(&star->star, &star->best, made, 0, &host, estimates);
    return fit_quantities_planet(estimates);
}

/* ln L with the planets given in a basis. */
static double log_likelihood_in(known_star *star, equant_basis basis, const double *coordinates)
{
    double set[MOST], chi_square, log_likelihood;
    size_t n = study_layout(&star->star, star->best.n_planets, star->best.trend_order).n_parameters;
    memcpy(set, coordinates, n * sizeof *set);
    assert_int_equal(equant_basis_to_elements(basis, star->best.n_planets, set, set),
                     EQUANT_SUCCESS);
    evaluate_set(&star->star, star->best.n_planets, star->best.trend_order, set, &chi_square,
                 &log_likelihood, NULL);
    return log_likelihood;
}

/* The inverse of minus the second differences of ln L by the first n columns, with steps of a
 * small share of the uncertainties under test. */
static void curvature_inverse(known_star *star, equant_basis basis, const double *covariance,
                              size_t n_columns, size_t n, double *inverse)
{
    const double share = 0.02;
    double here[MOST], moved[MOST], step[MOST];
    static double curvature[MOST * MOST];
    memcpy(here, star->best.set, n_columns * sizeof *here);
    assert_int_equal(equant_basis_from_elements(basis, star->best.n_planets, here, here),
                     EQUANT_SUCCESS);
    for (size_t i = 0; i < n; i++)
        step[i] = share * sqrt(covariance[i * n_columns + i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int corner = 0; corner < 4; corner++) {
                int up = corner % 2 ? 1 : -1, right = corner / 2 ? 1 : -1;
                memcpy(moved, here, n_columns * sizeof *moved);
                moved[i] += up * step[i];
                moved[j] += right * step[j];
                sum += up * right * log_likelihood_in(star, basis, moved);
            }
            curvature[i * n + j] = curvature[j * n + i] = -sum / (4.0 * step[i] * step[j]);
        }
    assert_int_equal(small_matrix_factor(n, curvature), n);
    small_matrix_invert(n, curvature, inverse);
}

/* Relative to the variances on its diagonal. */
static double largest_difference(const double *covariance, size_t n_columns, const double *other,
                                 size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double scale = sqrt(covariance[i * n_columns + i] * covariance[j * n_columns + j]);
            double difference = fabs(covariance[i * n_columns + j] - other[i * n + j]);
            largest = fmax(largest, difference / scale);
        }
    return largest;
}

/* Without noise the likelihood's curvature is the Fisher matrix. */
static void covariance_is_the_inverse_curvature(void **state)
{
    (void)state;
    simulated_star model = {.seed = 1,
                            .n_obs = 90,
                            .first_day = 2455000.0,
                            .span_days = 700.0,
                            .n_planets = 2,
                            .elements = two_planets,
                            .trend = {0.01, 0.0},
                            .uncertainty_m_s = 0.2};
    known_star known;
    uncertainty made;
    static double inverse[MOST * MOST];
    known_star_create(&known, &model, 1);
    create(&known, NULL, &made);
    const size_t n = made.n - 2; /* jitters are zero, and held there */
    curvature_inverse(&known, EQUANT_BASIS_REGULAR, made.regular, made.n, n, inverse);
    assert_true(largest_difference(made.regular, made.n, inverse, n) < 1e-3);
    curvature_inverse(&known, EQUANT_BASIS_ELEMENTS, made.elements, made.n, n, inverse);
    assert_true(largest_difference(made.elements, made.n, inverse, n) < 1e-3);
    for (size_t i = 0; i < made.n; i++)
        for (size_t j = n; j < made.n; j++)
            assert_true(made.elements[i * made.n + j] == 0.0 &&
                        made.elements[j * made.n + i] == 0.0);
    uncertainty_free(&made);
    known_star_free(&known);
}

/* With a fitted jitter and equal uncertainties, minus the second derivative of ln L is
 * 2 s^2 sum w^2; and chi-square is n_obs where n_obs less the number of parameters is meant. */
static void jitters_have_errors_and_widen_the_others(void **state)
{
    (void)state;
    simulated_star model = {.seed = 2,
                            .n_obs = 90,
                            .span_days = 700.0,
                            .n_planets = 1,
                            .elements = two_planets,
                            .noise_m_s = 2.0,
                            .uncertainty_m_s = 1.0};
    known_star known;
    uncertainty made;
    static double inverse[MOST * MOST];
    known_star_create(&known, &model, 0);
    create(&known, NULL, &made);
    const size_t n = made.n;
    const double scale = 90.0 / (90.0 - (double)n);
    curvature_inverse(&known, EQUANT_BASIS_REGULAR, made.regular, n, n, inverse);
    for (size_t i = 0; i < n; i++) {
        double ratio = made.regular[i * n + i] / inverse[i * n + i] / scale;
        assert_true(fabs(ratio - 1.0) < 0.15); /* of a sample, not of its expectation */
    }
    for (size_t i = n - 2; i < n; i++) {
        double s = known.best.set[i], variance = 1.0 + s * s;
        double expected = scale / (2.0 * s * s * 45.0 / (variance * variance));
        assert_true(fabs(made.elements[i * n + i] / expected - 1.0) < 1e-3);
    }
    uncertainty_free(&made);
    known_star_free(&known);
}

static void what_is_held_has_no_error(void **state)
{
    (void)state;
    known_star known;
    uncertainty made;
    simulated_star model = {.seed = 3,
                            .n_obs = 90,
                            .span_days = 700.0,
                            .n_planets = 2,
                            .elements = two_planets,
                            .noise_m_s = 1.0,
                            .uncertainty_m_s = 1.0};
    known_star_create(&known, &model, 0);
    const bool is_fixed[STUDY_MAX_PLANETS] = {true, false};
    create(&known, is_fixed, &made);
    for (size_t i = 0; i < made.n; i++)
        for (size_t j = 0; j < 5; j++)
            assert_true(made.regular[i * made.n + j] == 0.0 &&
                        made.elements[j * made.n + i] == 0.0);
    for (size_t i = 5; i < 10; i++)
        assert_true(made.elements[i * made.n + i] > 0.0);
    equant_planet planet;
    planet = planet_of(&known, &made, 1.0);
    assert_true(planet.period_days_err == 0.0 && planet.t_conj_err == 0.0 &&
                planet.m_sin_i_jupiter_err == 0.0 && planet.omega_rad_err == 0.0);
    uncertainty_free(&made);
    known_star_free(&known);
}

/* More parameters than observations: errors are unknown, and said to be. */
static void too_few_observations_leave_errors_unknown(void **state)
{
    (void)state;
    simulated_star model = {.seed = 3,
                            .n_obs = 8,
                            .span_days = 200.0,
                            .n_planets = 1,
                            .elements = two_planets,
                            .noise_m_s = 1.0,
                            .uncertainty_m_s = 1.0};
    known_star known;
    uncertainty made;
    known_star_create(&known, &model, 2);
    create(&known, NULL, &made);
    assert_true(isnan(made.elements[0]));
    uncertainty_free(&made);
    known_star_free(&known);
}

/* v(t) of one planet alone, and its slope by a difference over a thousandth of a period. */
static void velocity_at(const double elements[5], double t_ref, double time, double *velocity,
                        double *slope)
{
    const double step = 1e-3 * elements[0];
    const double times[3] = {time - step, time, time + step}, still[3] = {0.0},
                 sigma[3] = {1.0, 1.0, 1.0};
    double v[3], set[6] = {0.0};
    equant_dataset_options at = {
        .struct_size = sizeof at, .has_reference_time = 1, .reference_time_days = t_ref};
    equant_model_options options = {
        .struct_size = sizeof options, .n_planets = 1, .offset_columns = EQUANT_NUISANCE_GIVEN};
    equant_results results = {.struct_size = sizeof results, .velocities = v};
    equant_dataset *dataset = NULL;
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    memcpy(set, elements, 5 * sizeof *set);
    assert_int_equal(
        equant_dataset_from_arrays(3, times, still, sigma, NULL, 1, NULL, &at, &dataset),
        EQUANT_SUCCESS);
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(dataset, model, NULL, &evaluator), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
    *velocity = v[1];
    *slope = (v[2] - v[0]) / (2.0 * step);
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(dataset);
}

/* At pericentre v = K (1 + e) cos omega. At conjunction the star is farthest from us: v has
 * come down to K e cos omega. */
static void times_are_what_they_are_called(void **state)
{
    (void)state;
    known_star known;
    simulated_star model = {.seed = 4,
                            .n_obs = 60,
                            .first_day = 2450000.0,
                            .span_days = 700.0,
                            .n_planets = 1,
                            .elements = two_planets,
                            .uncertainty_m_s = 1.0};
    known_star_create(&known, &model, 0);
    const double t_ref = equant_dataset_reference_time_days(known.dataset);
    for (int i = 0; i < 200; i++) {
        double *elements = known.best.set, velocity, slope;
        elements[0] = 41.0;
        elements[1] = 20.0;
        elements[2] = 0.9 * fmod(0.618034 * i, 1.0);
        elements[3] = fmod(1.7 * i, TWO_PI);
        elements[4] = fmod(2.3 * i, TWO_PI);
        double e = elements[2], cosine = cos(elements[3]), swing = 20.0 / pow(1.0 - e, 1.5);
        uncertainty made;
        equant_planet planet;
        create(&known, NULL, &made);
        planet = planet_of(&known, &made, 0.0);
        uncertainty_free(&made);
        assert_true(fabs(planet.t_peri - t_ref) <= 0.5 * 41.0 * (1.0 + 1e-9));
        assert_true(fabs(planet.t_conj - t_ref) <= 0.5 * 41.0 * (1.0 + 1e-9));
        velocity_at(elements, t_ref, planet.t_peri, &velocity, &slope);
        assert_true(fabs(velocity - 20.0 * (1.0 + e) * cosine) < 1e-8 * swing / (1.0 - e));
        velocity_at(elements, t_ref, planet.t_conj, &velocity, &slope);
        assert_true(fabs(velocity - 20.0 * e * cosine) < 1e-8 * swing / (1.0 - e));
        assert_true(slope < 0.0);
        assert_true(isnan(planet.m_sin_i_jupiter) && isnan(planet.a_au));
        assert_true(angle_between(planet.omega_rad, elements[3]) < 1e-12 / (e + 1e-3));
        assert_true(planet.omega_rad >= 0.0 && planet.omega_rad < TWO_PI);
        assert_true(planet.m0_rad >= 0.0 && planet.m0_rad < TWO_PI);
    }
    known_star_free(&known);
}

/* Jupiter, and a companion so heavy that its own mass counts, by G M of Sun and Jupiter. */
static void masses_and_axes(void **state)
{
    (void)state;
    const double gm_sun = 1.3271244e20, gm_jupiter = 1.2668653e17, au = 1.495978707e11;
    known_star known;
    uncertainty made;
    equant_planet planet;
    simulated_star model = {.seed = 5,
                            .n_obs = 60,
                            .span_days = 9000.0,
                            .n_planets = 1,
                            .elements = (const double[5]){4332.6, 12.47, 0.0489, 0.3, 2.0},
                            .uncertainty_m_s = 0.1};
    known_star_create(&known, &model, 0);
    create(&known, NULL, &made);
    planet = planet_of(&known, &made, 1.0);
    assert_true(fabs(planet.m_sin_i_jupiter - 1.0) < 2e-3);
    assert_true(fabs(planet.a_au - 5.2044) < 2e-3);
    assert_true(planet.m_sin_i_jupiter_err > 0.0 && planet.m_sin_i_jupiter_err < 0.1);

    const double heavy = 200.0, star_mass = 0.7;
    double seconds = 4332.6 * 86400.0, sum = star_mass * gm_sun + heavy * gm_jupiter;
    known.best.set[1] = cbrt(TWO_PI / seconds) * heavy * gm_jupiter / pow(sum, 2.0 / 3.0) /
                        sqrt(1.0 - known.best.set[2] * known.best.set[2]);
    planet = planet_of(&known, &made, star_mass);
    assert_true(fabs(planet.m_sin_i_jupiter / heavy - 1.0) < 1e-5);
    double axis = cbrt(sum * seconds * seconds / (TWO_PI * TWO_PI)) / au;
    assert_true(fabs(planet.a_au / axis - 1.0) < 1e-5);
    uncertainty_free(&made);
    known_star_free(&known);
}

/* Squared distance from the value itself, of angles and times by the nearest turn. */
static double square_of(const quantity_kind *kind, double drawn, double value, double period)
{
    double difference = drawn - value;
    if (kind->is_event || kind->info.is_angle)
        difference = remainder(difference, kind->is_event ? period : TWO_PI);
    return difference * difference;
}

/* Draws orbits from the covariance and stars from their errors, derives everything from each, and
 * compares the scatter with the stated errors. */
static void errors_agree_with_draws(void **state)
{
    (void)state;
    enum { N_DRAWS = 4000 };
    known_star known;
    uncertainty made;
    quantity_estimate stated[QUANTITIES_MOST];
    simulated_star model = {.seed = 6,
                            .n_obs = 90,
                            .first_day = 2450000.0,
                            .span_days = 700.0,
                            .n_planets = 1,
                            .elements = two_planets,
                            .noise_m_s = 1.0,
                            .uncertainty_m_s = 1.0};
    known_star_create(&known, &model, 0);
    create(&known, NULL, &made);
    const host_star star = {.value = {1.2, 1.1, 0.0, 6000.0}, .error = {0.06, 0.03, 0.0, 90.0}};
    uncertainty_planet(&known.star, &known.best, &made, 0, &star, stated);
    double factor[25], centre[5], sum[QUANTITIES_MOST] = {0.0};
    for (size_t i = 0; i < 25; i++)
        factor[i] = made.regular[i / 5 * made.n + i % 5];
    assert_int_equal(small_matrix_factor(5, factor), 5);
    assert_int_equal(equant_basis_from_elements(EQUANT_BASIS_REGULAR, 1, known.best.set, centre),
                     EQUANT_SUCCESS);
    for (uint64_t d = 0; d < N_DRAWS; d++) {
        double normal[5], of_star[3], moved[5];
        quantity_estimate drawn[QUANTITIES_MOST];
        assert_int_equal(equant_random_normal(9, 0, 5 * d, 5, normal), EQUANT_SUCCESS);
        assert_int_equal(equant_random_normal(9, 1, 3 * d, 3, of_star), EQUANT_SUCCESS);
        const host_star other = {.value = {1.2 + 0.06 * of_star[0], 1.1 + 0.03 * of_star[1], 0.0,
                                           6000.0 + 90.0 * of_star[2]}};
        for (size_t i = 0; i < 5; i++) {
            moved[i] = centre[i];
            for (size_t j = 0; j <= i; j++)
                moved[i] += factor[5 * i + j] * normal[j];
        }
        assert_int_equal(equant_basis_to_elements(EQUANT_BASIS_REGULAR, 1, moved, known.best.set),
                         EQUANT_SUCCESS);
        uncertainty_planet(&known.star, &known.best, &made, 0, &other, drawn);
        for (size_t i = 0; i < quantity_catalogue_n(); i++)
            sum[i] += square_of(quantity_catalogue_at(i), drawn[i].value, stated[i].value,
                                stated[EQUANT_ELEMENT_PERIOD].value);
    }
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        bool is_of_planet = quantity_catalogue_at(i)->info.axis == EQUANT_QUANTITY_PER_PLANET;
        assert_int_equal(is_of_planet, !isnan(stated[i].error));
        if (is_of_planet)
            assert_true(fabs(sqrt(sum[i] / N_DRAWS) / stated[i].error - 1.0) < 0.05);
    }
    uncertainty_free(&made);
    known_star_free(&known);
}

/* The errors of the elements are those of the covariance, on a circle too. */
static void circles_have_uncertain_eccentricities(void **state)
{
    (void)state;
    const double eccentricities[] = {0.0, 1e-9, 1e-6, 1e-4, 0.3};
    simulated_star model = {.seed = 7,
                            .n_obs = 90,
                            .span_days = 700.0,
                            .n_planets = 1,
                            .elements = two_planets,
                            .noise_m_s = 1.0,
                            .uncertainty_m_s = 1.0};
    known_star known;
    known_star_create(&known, &model, 0);
    for (size_t i = 0; i < sizeof eccentricities / sizeof *eccentricities; i++) {
        uncertainty made;
        equant_planet planet;
        known.best.set[2] = eccentricities[i];
        create(&known, NULL, &made);
        planet = planet_of(&known, &made, 1.0);
        double sigma = sqrt(made.elements[2 * made.n + 2]);
        assert_true(sigma > 1e-3 && sigma < 0.1);
        assert_true(fabs(planet.eccentricity_err / sigma - 1.0) < 1e-2);
        assert_true(fabs(planet.k_m_s_err / sqrt(made.elements[made.n + 1]) - 1.0) < 1e-6);
        assert_true(fabs(planet.period_days_err / sqrt(made.elements[0]) - 1.0) < 1e-6);
        if (eccentricities[i] < 1e-3) { /* pericentre may be anywhere */
            assert_true(fabs(planet.omega_rad_err - 0.5 * TWO_PI) < 1e-9);
            assert_true(fabs(planet.t_peri_err / planet.period_days - 0.5) < 1e-9);
        }
        assert_true(planet.t_conj_err < 1.0); /* what the phase says, pericentre or not */
        uncertainty_free(&made);
    }
    known_star_free(&known);
}

/* A strong planet is measured, and a weak one in which all observations share. A spike that
 * only the observation at its pericentre sees is not. */
static void spikes_are_not_measured(void **state)
{
    (void)state;
    simulated_star model = {.seed = 8,
                            .n_obs = 60,
                            .span_days = 700.0,
                            .n_planets = 2,
                            .elements = two_planets,
                            .noise_m_s = 2.0,
                            .uncertainty_m_s = 2.0};
    const struct {
        double k_m_s, eccentricity;
        bool measured;
    } cases[] = {{20.0, 0.5, true}, {0.3, 0.1, true}, {3.0, 0.97, false}};
    known_star known;
    known_star_create(&known, &model, 0);
    double seen = equant_dataset_times_days(known.dataset)[30] -
                  equant_dataset_reference_time_days(known.dataset);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool measured;
        const double weighed[5] = {690.0, cases[i].k_m_s, cases[i].eccentricity, 0.3,
                                   -TWO_PI * seen / 690.0};
        memcpy(known.best.set + 5, weighed, sizeof weighed);
        assert_int_equal(uncertainty_measured(&known.star, &known.best, 0, &measured),
                         EQUANT_SUCCESS);
        assert_int_equal(measured, cases[i].measured);
        assert_int_equal(uncertainty_measured(&known.star, &known.best, 2, &measured),
                         EQUANT_SUCCESS);
        assert_true(measured); /* fixed planets are not asked */
    }
    known_star_free(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covariance_is_the_inverse_curvature),
        cmocka_unit_test(jitters_have_errors_and_widen_the_others),
        cmocka_unit_test(what_is_held_has_no_error),
        cmocka_unit_test(too_few_observations_leave_errors_unknown),
        cmocka_unit_test(times_are_what_they_are_called),
        cmocka_unit_test(masses_and_axes),
        cmocka_unit_test(errors_agree_with_draws),
        cmocka_unit_test(circles_have_uncertain_eccentricities),
        cmocka_unit_test(spikes_are_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
