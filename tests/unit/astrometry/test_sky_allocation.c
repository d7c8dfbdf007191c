/* Memory that runs out in fits of astrometry, in draws of orbits and in catalogues: every
 * allocation fails in turn, and none of them may be taken for a model that the data do not
 * determine. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/astrometry/scanned_source.h"
#include "unit/core/failing_allocations.h"

static equant_astrometry *planet, *quiet;
static equant_dataset *velocities;

static const equant_engine_options one_thread = {
    .struct_size = sizeof one_thread, .backend = "cpu", .n_threads = 1};

static const equant_sky_fit_options plain = {.struct_size = sizeof plain,
                                             .engine = &one_thread,
                                             .period_min_days = 330.0,
                                             .period_max_days = 500.0,
                                             .force_orbit = 1,
                                             .star_mass = 1.0};

/* The first answer of a call is that of all that succeed. */
typedef struct answer {
    double period_days, chi_square, error;
} answer;
static answer known;
static bool is_known;

static void compare(const answer *found)
{
    if (is_known)
        assert_memory_equal(found, &known, sizeof known);
    known = *found;
    is_known = true;
}

static equant_status fit_with(const equant_sky_fit_options *options)
{
    equant_sky_fit *fit = UNTOUCHED;
    equant_status status = equant_sky_fit_create(planet, options, &fit);
    if (status != EQUANT_SUCCESS) {
        assert_ptr_equal(fit, UNTOUCHED);
        return status;
    }
    equant_sky_summary summary = {.struct_size = sizeof summary};
    equant_sky_companion companion = {.struct_size = sizeof companion};
    assert_int_equal(equant_sky_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_fit_companion(fit, 0, &companion), EQUANT_SUCCESS);
    assert_true(isfinite(companion.period_days_err));
    compare(&(answer){companion.period_days, summary.chi_square, companion.a0_mas_err});
    for (size_t i = 0; i < equant_sky_fit_n_models(fit); i++) {
        equant_sky_model model = {.struct_size = sizeof model};
        assert_int_equal(equant_sky_fit_model(fit, i, &model), EQUANT_SUCCESS);
        assert_true(isfinite(model.chi_square));
    }
    equant_sky_fit_free(fit);
    return status;
}

static equant_status fit_positions(void)
{
    equant_sky_fit_options options = plain;
    options.no_jitter = 1;
    return fit_with(&options);
}

static equant_status fit_with_jitter(void)
{
    return fit_with(&plain);
}

static equant_status fit_ccds(void)
{
    equant_sky_fit_options options = plain;
    options.as_ccds = 1;
    return fit_with(&options);
}

static equant_status fit_velocities(void)
{
    equant_sky_fit_options options = plain;
    options.velocities = velocities;
    return fit_with(&options);
}

static equant_status search(void)
{
    equant_sky_search *found = UNTOUCHED;
    equant_status status = equant_sky_search_create(planet, &plain, 3, &found);
    if (status == EQUANT_SUCCESS)
        equant_sky_search_free(found);
    else
        assert_ptr_equal(found, UNTOUCHED);
    return status;
}

static equant_status sample(void)
{
    equant_sky_sample_options options = {.struct_size = sizeof options,
                                         .fit = &plain,
                                         .n_populations = 2,
                                         .n_walkers = 20,
                                         .n_burn_in = 10,
                                         .max_draws = 200,
                                         .max_steps = 20};
    equant_sky_posterior *posterior = UNTOUCHED;
    equant_status status = equant_sky_sample(planet, &options, &posterior);
    if (status == EQUANT_SUCCESS)
        equant_sky_posterior_free(posterior);
    else
        assert_ptr_equal(posterior, UNTOUCHED);
    return status;
}

static equant_status list_catalogue(void)
{
    const equant_sky_catalogue_options options = {
        .struct_size = sizeof options, .engine = &one_thread, .period_min_days = 330.0};
    const equant_astrometry *const sources[2] = {planet, quiet};
    equant_sky_catalogue_row rows[2] = {{.struct_size = sizeof rows[0]}};
    equant_sky_catalogue *catalogue = UNTOUCHED;
    equant_status status = equant_sky_catalogue_create(&options, &catalogue);
    if (status != EQUANT_SUCCESS) {
        assert_ptr_equal(catalogue, UNTOUCHED);
        return status;
    }
    status = equant_sky_catalogue_run(catalogue, 2, sources, rows);
    equant_sky_catalogue_free(catalogue);
    if (status == EQUANT_SUCCESS)
        compare(&(answer){rows[0].period_days, rows[0].chi_square_orbit, rows[1].chi_square_5p});
    return status;
}

static void no_failure_is_an_answer(void **state)
{
    (void)state;
    static const scenario calls[] = {{"fit of positions", true, fit_positions},
                                     {"fit with a jitter", true, fit_with_jitter},
                                     {"fit of single CCDs", true, fit_ccds},
                                     {"fit with velocities", true, fit_velocities},
                                     {"periodogram", true, search},
                                     {"catalogue", true, list_catalogue},
                                     {"draws", true, sample}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        is_known = false;
        /* A fit allocates the same for one peak after the other: the first one meets them all. */
        fail_some(&calls[i], i == 0 && !quick_run() ? 1000 : 8);
    }
}

/* Of the orbit of `planet`, seen at an inclination of 30 degrees. */
static equant_status make_velocities(void)
{
    enum { N = 12 };
    const double two_pi = 6.283185307179586;
    double jd[N], velocity[N], error[N];
    for (int k = 0; k < N; k++) {
        double days = -800.0 + 140.0 * k;
        jd[k] = EQUANT_SKY_GAIA_JD + days;
        velocity[k] = 960.0 * cos(two_pi * days / 400.0) + 0.5 * (k * 7 % 5);
        error[k] = 5.0;
    }
    return equant_dataset_from_arrays(N, jd, velocity, error, NULL, 1, NULL, NULL, &velocities);
}

static int make_sources(void **state)
{
    (void)state;
    scanned_source of = {.n_rows = 30,
                         .seed = 4,
                         .between_days = 60.0,
                         .kind = EQUANT_SKY_STAR,
                         .parallax_mas = 20.0,
                         .size_mas = 1.5,
                         .period_days = 400.0};
    planet = scanned_source_make(&of);
    of.size_mas = 0.0;
    quiet = scanned_source_make(&of);
    return make_velocities() == EQUANT_SUCCESS ? 0 : -1;
}

static int free_sources(void **state)
{
    (void)state;
    equant_astrometry_free(planet);
    equant_astrometry_free(quiet);
    equant_dataset_free(velocities);
    return n_live == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_failure_is_an_answer)};
    return cmocka_run_group_tests(tests, make_sources, free_sources);
}
