/* Draws of orbits on the sky: what a file of a run gives back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/astrometry/scanned_source.h"

static const equant_engine_options one_thread = {
    .struct_size = sizeof one_thread, .backend = "cpu", .n_threads = 1};

static equant_sky_posterior *sample(uint64_t max_steps)
{
    const scanned_source of = {.n_rows = 50,
                               .seed = 4,
                               .between_days = 36.0,
                               .kind = EQUANT_SKY_STAR,
                               .parallax_mas = 10.0,
                               .size_mas = 0.5,
                               .period_days = 400.0};
    const equant_sky_fit_options fit = {.struct_size = sizeof fit,
                                        .engine = &one_thread,
                                        .period_min_days = 300.0,
                                        .period_max_days = 600.0,
                                        .force_orbit = 1,
                                        .star_mass = 1.0,
                                        .star_mass_err = 0.05};
    const equant_sky_sample_options options = {.struct_size = sizeof options,
                                               .fit = &fit,
                                               .n_populations = 2,
                                               .n_walkers = 20,
                                               .n_burn_in = 40,
                                               .max_steps = max_steps};
    equant_astrometry *source = scanned_source_make(&of);
    equant_sky_posterior *made = NULL;
    assert_int_equal(equant_sky_sample(source, &options, &made), EQUANT_SUCCESS);
    equant_astrometry_free(source);
    return made;
}

/* Equal, or both no number. */
static void assert_same(double a, double b, const char *what)
{
    if (!(a == b || (isnan(a) && isnan(b))))
        fail_msg("%s: %.17g became %.17g", what, a, b);
}

static void compare_quantities(const equant_sky_posterior *kept, const equant_sky_posterior *read)
{
    size_t n = equant_sky_posterior_n_quantities(kept), n_known = 0;
    assert_int_equal(equant_sky_posterior_n_quantities(read), n);
    for (size_t i = 0; i < n; i++) {
        equant_sampled_quantity a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        assert_int_equal(equant_sky_posterior_quantity(kept, i, &a), EQUANT_SUCCESS);
        assert_int_equal(equant_sky_posterior_quantity(read, i, &b), EQUANT_SUCCESS);
        assert_string_equal(a.name, b.name);
        assert_string_equal(a.unit, b.unit);
        assert_int_equal(a.is_angle, b.is_angle);
        assert_int_equal(a.planet, b.planet);
        const double of_a[] = {a.median,   a.low,   a.high,     a.mode,
                               a.best,     a.rhat,  a.ess_bulk, a.ess_tail,
                               a.turnover, a.drift, a.discord,  a.start_width};
        const double of_b[] = {b.median,   b.low,   b.high,     b.mode,
                               b.best,     b.rhat,  b.ess_bulk, b.ess_tail,
                               b.turnover, b.drift, b.discord,  b.start_width};
        for (size_t j = 0; j < sizeof of_a / sizeof of_a[0]; j++)
            assert_same(of_a[j], of_b[j], a.name);
        n_known += isfinite(a.start_width);
    }
    assert_true(n_known > 5);
}

static void compare_summaries(const equant_sky_posterior *kept, const equant_sky_posterior *read)
{
    equant_posterior_summary a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    assert_int_equal(equant_sky_posterior_summarize(kept, &a), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_posterior_summarize(read, &b), EQUANT_SUCCESS);
    assert_int_equal(a.end, b.end);
    assert_int_equal(a.lacks, b.lacks);
    assert_int_equal(a.lacks_quantity, b.lacks_quantity);
    assert_int_equal(a.evidence_is_sound, b.evidence_is_sound);
    const size_t of_a[] = {a.n_planets, a.n_parameters, a.n_populations,  a.n_walkers, a.n_kept,
                           a.n_fitted,  a.n_steps,      a.n_temperatures, a.n_burn_in};
    const size_t of_b[] = {b.n_planets, b.n_parameters, b.n_populations,  b.n_walkers, b.n_kept,
                           b.n_fitted,  b.n_steps,      b.n_temperatures, b.n_burn_in};
    assert_memory_equal(of_a, of_b, sizeof of_a);
    assert_same(a.rhat, b.rhat, "rhat");
    assert_same(a.ess_bulk, b.ess_bulk, "ess_bulk");
    assert_same(a.ess_tail, b.ess_tail, "ess_tail");
    assert_same(a.turnover, b.turnover, "turnover");
    assert_same(a.acceptance, b.acceptance, "acceptance");
    assert_same(a.reference_time_days, b.reference_time_days, "reference_time_days");
    assert_same(a.log_evidence, b.log_evidence, "log_evidence");
    assert_same(a.log_evidence_err, b.log_evidence_err, "log_evidence_err");
    assert_same(a.round_trips, b.round_trips, "round_trips");
    assert_same(a.evidence_k_hat, b.evidence_k_hat, "evidence_k_hat");
    assert_same(a.evidence_spread, b.evidence_spread, "evidence_spread");
    assert_same(a.drift, b.drift, "drift");
    assert_same(a.discord, b.discord, "discord");
    assert_same(a.start_width, b.start_width, "start_width");
    assert_same(a.lacks_found, b.lacks_found, "lacks_found");
    assert_same(a.lacks_wanted, b.lacks_wanted, "lacks_wanted");
    assert_true(isfinite(a.start_width) && isnan(a.evidence_k_hat) && isnan(b.seconds));
}

/* A run too short to converge: the file says which criterion it misses. */
static void a_file_gives_the_run_back(void **state)
{
    (void)state;
    char path[] = "/tmp/equant-sky-run-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    unlink(path);
    equant_sky_posterior *kept = sample(160), *read = NULL;
    equant_status status = equant_sky_posterior_save(kept, path);
    if (status == EQUANT_ERROR_UNAVAILABLE) {
        equant_sky_posterior_free(kept);
        skip(); /* a build without NetCDF */
    }
    assert_int_equal(status, EQUANT_SUCCESS);
    assert_int_equal(equant_sky_posterior_open(path, &read), EQUANT_SUCCESS);
    unlink(path);
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    assert_int_equal(equant_sky_posterior_summarize(kept, &facts), EQUANT_SUCCESS);
    assert_int_not_equal(facts.lacks, EQUANT_CRITERION_NONE);
    compare_summaries(kept, read);
    compare_quantities(kept, read);
    equant_sky_posterior_free(kept);
    equant_sky_posterior_free(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_file_gives_the_run_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
