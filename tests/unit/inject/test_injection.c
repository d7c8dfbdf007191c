/* Injected planets: large ones are recovered and small ones are not, the verdict on each is that of
 * a fit of the star with the planet, and the map does not depend on the number of threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/simulated_star.h"

static equant_dataset *observe(size_t n_planets, const double *elements)
{
    const simulated_star sky = {.seed = 11,
                                .n_obs = 60,
                                .first_day = 2450000.0,
                                .span_days = 1000.0,
                                .n_planets = n_planets,
                                .elements = elements,
                                .noise_m_s = 2.0,
                                .uncertainty_m_s = 2.0};
    return simulated_star_observe(&sky);
}

static const equant_fit_options white = {
    .struct_size = sizeof white, .engine = &on_one_thread, .noise = "white"};

static equant_injection_options usual(void)
{
    return (equant_injection_options){.struct_size = sizeof(equant_injection_options),
                                      .fit = &white,
                                      .period_min_days = 5.0,
                                      .period_max_days = 500.0,
                                      .k_min_m_s = 0.2,
                                      .k_max_m_s = 40.0,
                                      .n_periods = 3,
                                      .n_amplitudes = 4,
                                      .n_draws = 9,
                                      .seed = 3};
}

static equant_injection *inject(const equant_dataset *dataset,
                                const equant_injection_options *options)
{
    equant_injection *made = NULL;
    assert_int_equal(equant_injection_create(dataset, options, &made), EQUANT_SUCCESS);
    return made;
}

static void test_map(void **unused)
{
    (void)unused;
    equant_dataset *dataset = observe(0, NULL);
    equant_injection_options options = usual();
    equant_injection *map = inject(dataset, &options);
    assert_int_equal(equant_injection_n_planets(map), 0);
    assert_int_equal(equant_injection_n(map), 3 * 4 * 9);
    assert_float_equal(equant_injection_probability_min(map), 0.95, 0.0);
    const double *recovered = equant_injection_recovered(map);
    for (size_t i = 0; i < 3; i++) {
        assert_float_equal(recovered[i], 0.0, 0.0);
        assert_true(recovered[3 * 3 + i] > 0.85);
    }
    double least = INFINITY, most = 0.0;
    for (size_t i = 0; i < equant_injection_n(map); i++) {
        equant_injected planet = {.struct_size = sizeof planet};
        assert_int_equal(equant_injection_at(map, i, &planet), EQUANT_SUCCESS);
        assert_true(planet.period_days > 5.0 && planet.period_days < 500.0);
        assert_true(planet.eccentricity >= 0.0 && planet.eccentricity <= 0.95);
        assert_true(planet.probability >= 0.0 && planet.probability <= 1.0);
        assert_true(!planet.is_recovered || planet.probability >= 0.95);
        least = fmin(least, planet.k_m_s);
        most = fmax(most, planet.k_m_s);
    }
    assert_true(least < 0.4 && most > 20.0);
    equant_injection_free(map);
    equant_dataset_free(dataset);
}

/* To the bit. */
static void test_threads(void **unused)
{
    (void)unused;
    const double planet[5] = {60.0, 20.0, 0.1, 1.0, 2.0};
    equant_dataset *dataset = observe(1, planet);
    const equant_engine_options three = {.struct_size = sizeof three, .n_threads = 3};
    equant_fit_options fit = white;
    equant_injection_options options = usual();
    options.drawn_noise = 1;
    options.n_draws = 4;
    equant_injection *one = inject(dataset, &options);
    fit.engine = &three;
    options.fit = &fit;
    equant_injection *other = inject(dataset, &options);
    assert_int_equal(equant_injection_n_planets(one), 1);
    for (size_t i = 0; i < equant_injection_n(one); i++) {
        equant_injected a = {.struct_size = sizeof a}, b = a;
        assert_int_equal(equant_injection_at(one, i, &a), EQUANT_SUCCESS);
        assert_int_equal(equant_injection_at(other, i, &b), EQUANT_SUCCESS);
        assert_memory_equal(&a, &b, sizeof a);
    }
    equant_injection_free(one);
    equant_injection_free(other);
    equant_dataset_free(dataset);
}

/* The data of a star with one of the injected planets, as a fit sees them. */
static equant_dataset *with_planet(const equant_dataset *dataset, const equant_injected *planet)
{
    size_t n = equant_dataset_n_obs(dataset);
    const double *time = equant_dataset_times_days(dataset),
                 *velocity = equant_dataset_velocities_m_s(dataset),
                 *uncertainty = equant_dataset_uncertainties_m_s(dataset);
    const int *instrument = equant_dataset_instruments(dataset);
    const char *const names[] = {"one", "other"};
    double made[60], reference = equant_dataset_reference_time_days(dataset);
    equant_dataset *both = NULL;
    for (size_t k = 0; k < n; k++) {
        double e = planet->eccentricity,
               mean = 2.0 * M_PI * (time[k] - reference) / planet->period_days + planet->m0_rad,
               turned = mean - 2.0 * M_PI * floor(mean / (2.0 * M_PI)), E = turned;
        for (int turn = 0; turn < 200; turn++) /* Kepler's equation by its own iteration */
            E = turned + e * sin(E);
        double nu = 2.0 * atan2(sqrt(1.0 + e) * sin(0.5 * E), sqrt(1.0 - e) * cos(0.5 * E));
        made[k] = velocity[k] +
                  planet->k_m_s * (cos(nu + planet->omega_rad) + e * cos(planet->omega_rad));
    }
    assert_int_equal(
        equant_dataset_from_arrays(n, time, made, uncertainty, instrument, 2, names, NULL, &both),
        EQUANT_SUCCESS);
    return both;
}

static int fit_names(const equant_dataset *dataset, const equant_injected *planet)
{
    equant_fit *fit = NULL;
    int is_named = 0;
    assert_int_equal(equant_fit_star(dataset, &white, &fit), EQUANT_SUCCESS);
    for (size_t p = 0; p < equant_fit_n_planets(fit); p++) {
        equant_planet found = {.struct_size = sizeof found};
        assert_int_equal(equant_fit_planet(fit, p, &found), EQUANT_SUCCESS);
        if (fabs(1.0 / found.period_days - 1.0 / planet->period_days) < 1e-3 &&
            found.probability >= 0.95)
            is_named = 1;
    }
    equant_fit_free(fit);
    return is_named;
}

static void test_verdict_of_a_fit(void **unused)
{
    (void)unused;
    equant_dataset *dataset = observe(0, NULL);
    equant_injection_options options = usual();
    options.n_draws = 1;
    options.eccentricity_max = 0.6;
    equant_injection *map = inject(dataset, &options);
    for (size_t i = 0; i < equant_injection_n(map); i += 2) {
        equant_injected planet = {.struct_size = sizeof planet};
        assert_int_equal(equant_injection_at(map, i, &planet), EQUANT_SUCCESS);
        if (planet.probability > 0.5 && planet.probability < 0.999)
            continue; /* near the limit a refit may decide otherwise */
        equant_dataset *both = with_planet(dataset, &planet);
        assert_int_equal(fit_names(both, &planet), planet.is_recovered);
        equant_dataset_free(both);
    }
    equant_injection_free(map);
    equant_dataset_free(dataset);
}

static void refuse(const equant_dataset *dataset, const equant_injection_options *options,
                   const char *sentence)
{
    equant_injection *made = NULL;
    assert_int_equal(equant_injection_create(dataset, options, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(made);
    assert_non_null(strstr(equant_last_error(), sentence));
}

static void test_refusals(void **unused)
{
    (void)unused;
    equant_dataset *dataset = observe(0, NULL);
    equant_injection_options options = usual();
    refuse(NULL, &options, "a data set");
    options.eccentricity_max = 1.5;
    refuse(dataset, &options, "eccentricities");
    options = usual();
    options.period_min_days = 700.0;
    refuse(dataset, &options, "must increase");
    options.period_min_days = 0.01;
    refuse(dataset, &options, "outside the range of the fit");
    options = usual();
    options.n_periods = 1000;
    refuse(dataset, &options, "at most");
    equant_injected planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_injection_at(NULL, 0, &planet), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_injection_n(NULL), 0);
    equant_injection_free(NULL);
    equant_dataset_free(dataset);
    assert_float_equal(equant_minimum_mass_jupiter(365.25, 28.43247, 0.0, 1.0), 1.0, 2e-3);
    assert_true(isnan(equant_minimum_mass_jupiter(365.25, 28.0, 0.0, 0.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_map), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_verdict_of_a_fit),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
