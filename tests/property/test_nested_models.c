/* A model that another one contains never fits better. Simulated stars with states, whose models
 * without planets, on circles and without a trend are compared with the fit; and the fit's own
 * models without a planet are those that equant_models_compare lists. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "oracle/random_system.h"

enum { N_OBS = 70, N_STARS = 6 };

static const double two_pi = 6.283185307179586477;
static const char *const names[] = {"A", "B"};

/* Two planets; of every second star spots besides, seen by both instruments. Stated errors are too
 * small, except those of star 3, which are too large: its jitters end at zero. */
static equant_dataset *star_of(unsigned seed)
{
    random_system random = {seed + 1};
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS];
    int instrument[N_OBS];
    equant_dataset *made = NULL;
    for (int k = 0; k < N_OBS; k++) {
        double t = 1.6 * k + 0.4 * random_system_between(&random, -1.0, 1.0), noise = -6.0;
        for (int i = 0; i < 12; i++)
            noise += random_system_between(&random, 0.0, 1.0);
        double spots = seed % 2 ? 4.0 * sin(two_pi * t / 13.0 + 0.8 * sin(t / 20.0)) : 0.0;
        time[k] = 2000.0 + t;
        instrument[k] = k % 2;
        sigma[k] = seed == 3 ? 4.0 : 1.0;
        velocity[k] = 5.0 * sin(two_pi * t / 6.4) + 4.0 * sin(two_pi * t / 18.9 + 1.0) + spots +
                      2.0 * noise + 30.0 * instrument[k];
    }
    assert_int_equal(
        equant_dataset_from_arrays(N_OBS, time, velocity, sigma, instrument, 2, names, NULL, &made),
        EQUANT_SUCCESS);
    return made;
}

static equant_states *states_of(void)
{
    static const char *const said[] = {"b.period_days=normal(6.4, 0.001)",
                                       "c.period_days=normal(18.9, 0.01)", "b.eccentricity=0",
                                       "trend=none"};
    equant_states *made = NULL;
    assert_int_equal(equant_states_create(&made), EQUANT_SUCCESS);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        assert_int_equal(equant_states_set(made, said[i], NULL), EQUANT_SUCCESS);
    return made;
}

static equant_compared_model row_of(const equant_model_table *table, const char *name)
{
    for (size_t i = 0; i < equant_model_table_n(table); i++) {
        equant_compared_model row = {.struct_size = sizeof row};
        assert_int_equal(equant_model_table_at(table, i, &row), EQUANT_SUCCESS);
        if (strcmp(row.name, name) == 0)
            return row;
    }
    fail_msg("there is no model '%s'", name);
    return (equant_compared_model){.n_planets = 0};
}

static void assert_below(double small, double large, unsigned seed, const char *what)
{
    const double tolerance = 1e-5; /* where climbs end */
    if (!(small <= large + tolerance))
        fail_msg("star %u, %s: ln L %.9g is above %.9g", seed, what, small, large);
}

static void check_star(unsigned seed, const char *noise)
{
    equant_dataset *dataset = star_of(seed);
    equant_states *states = states_of();
    equant_fit *fit = NULL;
    equant_model_table *table = NULL;
    equant_fit_summary all = {.struct_size = sizeof all};
    const equant_fit_options options = {
        .struct_size = sizeof options, .states = states, .noise = noise, .outliers = "none"};
    assert_int_equal(equant_fit_star(dataset, &options, &fit), EQUANT_SUCCESS);
    if (equant_models_compare(dataset, fit, &options, &table) != EQUANT_SUCCESS)
        fail_msg("star %u: %s", seed, equant_last_error());
    assert_int_equal(equant_fit_summarize(fit, &all), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_n_planets(fit), 2);
    for (size_t p = 0; p < 2; p++) {
        equant_planet own = {.struct_size = sizeof own};
        assert_int_equal(equant_fit_planet(fit, p, &own), EQUANT_SUCCESS);
        equant_compared_model row = row_of(table, p == 0 ? "without planet b" : "without planet c");
        double without = all.log_likelihood - own.log_likelihood_gain;
        assert_below(without, all.log_likelihood, seed, row.name);
        assert_below(all.log_likelihood_without_planets, without, seed, "without planets");
        assert_float_equal(row.log_likelihood, without, 1e-9);
        assert_float_equal(row.bic, all.bic + own.delta_bic, 1e-9);
        assert_int_equal(row.n_planets, 1);
        assert_int_equal(row.n_fitted, all.n_fitted - (p == 0 ? 3 : 5));
    }
    assert_below(row_of(table, "planet c on a circle").log_likelihood, all.log_likelihood, seed,
                 "on a circle");
    assert_below(row_of(table, "no jitter").log_likelihood, all.log_likelihood, seed, "no jitter");
    assert_below(all.log_likelihood, row_of(table, "linear trend").log_likelihood, seed,
                 "linear trend");
    equant_model_table_free(table);
    equant_fit_free(fit);
    equant_states_free(states);
    equant_dataset_free(dataset);
}

static void nested_models_with_white_noise(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < N_STARS; seed++)
        check_star(seed, "white");
}

static void nested_models_beside_noise(void **state)
{
    (void)state;
    check_star(1, "rotation");
    check_star(3, "rotation");
}

/* One planet beside a trend, with noise that is the same within a night. */
static equant_dataset *star_with_nights(uint64_t seed)
{
    enum { N = 80, OF_NIGHT = 4 };
    double time[N], velocity[N], sigma[N], late[N], noise[N], night[N / OF_NIGHT];
    equant_dataset *made = NULL;
    assert_int_equal(equant_random_normal(seed, 1, 0, N, noise), EQUANT_SUCCESS);
    assert_int_equal(equant_random_uniform(seed, 2, 0, N, late), EQUANT_SUCCESS);
    assert_int_equal(equant_random_normal(seed, 3, 0, N / OF_NIGHT, night), EQUANT_SUCCESS);
    for (int i = 0; i < N; i++) {
        time[i] = 2000.0 + 9.0 * (i / OF_NIGHT) + 0.05 * (i % OF_NIGHT) + 0.02 * late[i];
        sigma[i] = 1.0;
        velocity[i] = 6.0 * sin(two_pi / 4.23 * time[i]) + 0.012 * (time[i] - 2090.0) + noise[i] +
                      2.0 * night[i / OF_NIGHT];
    }
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &made),
        EQUANT_SUCCESS);
    return made;
}

/* Of one planet, the model without it is the model without planets, whatever noise and trend the
 * search began with. */
static void one_planet_has_one_model_without(void **state)
{
    static const uint64_t seeds[] = {1, 6};
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        equant_dataset *dataset = star_with_nights(seeds[i]);
        equant_fit *fit = NULL;
        equant_fit_summary all = {.struct_size = sizeof all};
        equant_planet own = {.struct_size = sizeof own};
        const equant_fit_options options = {.struct_size = sizeof options,
                                            .noise = "auto",
                                            .outliers = "none",
                                            .period_min_days = 3.0,
                                            .period_max_days = 6.0};
        assert_int_equal(equant_fit_star(dataset, &options, &fit), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_n_planets(fit), 1);
        assert_int_equal(equant_fit_summarize(fit, &all), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_planet(fit, 0, &own), EQUANT_SUCCESS);
        assert_float_equal(all.bic + own.delta_bic, all.bic_without_planets, 1e-9);
        assert_float_equal(all.log_likelihood - own.log_likelihood_gain,
                           all.log_likelihood_without_planets, 1e-9);
        equant_fit_free(fit);
        equant_dataset_free(dataset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nested_models_with_white_noise),
                                       cmocka_unit_test(nested_models_beside_noise),
                                       cmocka_unit_test(one_planet_has_one_model_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
