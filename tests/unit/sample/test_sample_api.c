/* equant_sample and what belongs to it: the same draws for any number of threads and any
 * interruption, to the bit; priors for callers; sentences for what cannot be meant. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"
#include "oracle/plain_orbit.h"
#include "quick.h"
#include "unit/comma_locale.h"
#include "unit/simulated_star.h"

static const double planet[5] = {13.7, 20.0, 0.3, 2.1, 0.8};
static const simulated_star star = {.seed = 3,
                                    .n_obs = 40,
                                    .first_day = 2460000.0,
                                    .span_days = 300.0,
                                    .n_planets = 1,
                                    .elements = planet,
                                    .noise_m_s = 2.0,
                                    .uncertainty_m_s = 2.0};

static char folder[] = "/tmp/equant-sampling-XXXXXX";
static char path[64];

static int begin(void **state)
{
    *state = NULL;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/run.nc", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* A run so small that it takes no time, and has not converged when it ends. */
static equant_sample_options small_run(void)
{
    return (equant_sample_options){.struct_size = sizeof(equant_sample_options),
                                   .engine = &on_one_thread,
                                   .n_planets = 1,
                                   .n_known = 1,
                                   .known = planet,
                                   .seed = 11,
                                   .n_walkers = 20,
                                   .n_burn_in = 100,
                                   .max_draws = 1,
                                   .min_ess = 1e9,
                                   .max_steps = 900};
}

static size_t n_draws(const equant_posterior *posterior)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    assert_int_equal(equant_posterior_summarize(posterior, &facts), EQUANT_SUCCESS);
    return facts.n_populations * facts.n_kept * facts.n_walkers;
}

static void assert_same(const equant_posterior *a, const equant_posterior *b)
{
    size_t n = n_draws(a);
    assert_int_equal(n, n_draws(b));
    assert_int_equal(equant_posterior_n_quantities(a), equant_posterior_n_quantities(b));
    double *first = malloc(n * sizeof *first), *second = malloc(n * sizeof *second);
    assert_true(first && second);
    for (size_t i = 0; i < equant_posterior_n_quantities(a); i++) {
        assert_int_equal(equant_posterior_values(a, i, first), EQUANT_SUCCESS);
        assert_int_equal(equant_posterior_values(b, i, second), EQUANT_SUCCESS);
        assert_memory_equal(first, second, n * sizeof *first);
    }
    assert_int_equal(equant_posterior_log_likelihoods(a, first), EQUANT_SUCCESS);
    assert_int_equal(equant_posterior_log_likelihoods(b, second), EQUANT_SUCCESS);
    assert_memory_equal(first, second, n * sizeof *first);
    free(first);
    free(second);
}

static equant_posterior *sampled(const equant_sample_options *options)
{
    equant_dataset *dataset = simulated_star_observe(&star);
    equant_posterior *posterior = NULL;
    equant_status status = equant_sample(dataset, options, &posterior);
    if (status != EQUANT_SUCCESS)
        print_error("%s\n", equant_last_error());
    assert_int_equal(status, EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return posterior;
}

/* ---- the same draws ------------------------------------------------------------- */

static void threads_change_nothing(void **state)
{
    (void)state;
    equant_engine_options two = {.struct_size = sizeof two, .n_threads = 2};
    equant_sample_options options = small_run();
    options.max_steps = 300;
    equant_posterior *a = sampled(&options);
    options.engine = &two;
    equant_posterior *b = sampled(&options);
    assert_same(a, b);
    equant_posterior_free(a);
    equant_posterior_free(b);
}

/* Cancels when a step is reached, which may be several steps late: the library looks
 * at the clock. */
static int stop_at(const equant_progress_report *report, void *context)
{
    return report->step >= *(const uint64_t *)context;
}

static bool has_files(void)
{
    equant_posterior *posterior = NULL;
    equant_status status = equant_sample_resume("/nonexistent/run.nc", NULL, &posterior);
    assert_int_not_equal(status, EQUANT_SUCCESS);
    return status != EQUANT_ERROR_UNAVAILABLE;
}

static void check_interruption(const equant_sample_options *wanted)
{
    equant_sample_options options = *wanted;
    equant_posterior *whole = sampled(&options), *resumed = NULL;
    equant_dataset *dataset = simulated_star_observe(&star);
    uint64_t step = 1;
    options.path = path;
    options.progress = stop_at;
    options.progress_context = &step;
    options.checkpoint_seconds = 0.02;
    equant_status status = equant_sample(dataset, &options, &resumed);
    equant_dataset_free(dataset);
    for (; status == EQUANT_ERROR_CANCELLED; step += quick_run() ? 389 : 97)
        status = equant_sample_resume(path, &options, &resumed);
    assert_int_equal(status, EQUANT_SUCCESS);
    assert_same(whole, resumed);
    equant_posterior_free(whole);
    equant_posterior_free(resumed);
}

static void interruptions_change_nothing(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    equant_sample_options options = small_run();
    check_interruption(&options);
    options.n_temperatures = 3;
    options.n_burn_in = 200;
    options.max_steps = 500;
    options.marginalise_offsets = 1;
    check_interruption(&options);
}

static void a_run_can_be_made_longer(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    equant_sample_options options = small_run();
    equant_posterior *whole = sampled(&options), *longer = NULL;
    options.path = path;
    options.max_steps = 150;
    equant_posterior_free(sampled(&options));
    equant_sample_options more = {.struct_size = sizeof more, .max_steps = 900};
    assert_int_equal(equant_sample_resume(path, &more, &longer), EQUANT_SUCCESS);
    assert_same(whole, longer);
    equant_posterior_free(whole);
    equant_posterior_free(longer);
}

/* A run written where the decimal sign is a comma goes on where it is a point, and back again. */
static void the_locale_of_the_caller_does_not_matter(void **state)
{
    (void)state;
    if (!has_files() || !comma_locale_set())
        skip();
    equant_sample_options options = small_run();
    options.path = path;
    options.star_mass = 0.75;
    options.max_steps = 150;
    equant_sample_options more = {.struct_size = sizeof more, .max_steps = 200};
    equant_posterior *run = sampled(&options), *again = NULL;
    setlocale(LC_ALL, "C");
    equant_status at_home = equant_sample_resume(path, &more, &again);
    equant_posterior_free(run);
    equant_posterior_free(again);
    assert_true(comma_locale_set());
    more.max_steps = 250;
    again = NULL;
    equant_status abroad = equant_sample_resume(path, &more, &again);
    setlocale(LC_ALL, "C");
    assert_int_equal(at_home, EQUANT_SUCCESS);
    assert_int_equal(abroad, EQUANT_SUCCESS);
    size_t i = 0;
    while (strcmp(equant_posterior_provenance_name(again, i), "star_mass") != 0)
        i++;
    assert_string_equal(equant_posterior_provenance_text(again, i), "0.75");
    equant_posterior_free(again);
}

/* A run that has converged is not touched when it is resumed. */
static void a_finished_run_stays_as_it_is(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    equant_sample_options options = small_run();
    options.max_rhat = 2.0;
    options.min_ess = 10.0;
    options.max_steps = 20000;
    options.path = path;
    equant_posterior *first = sampled(&options), *second = NULL;
    assert_int_equal(equant_sample_resume(path, NULL, &second), EQUANT_SUCCESS);
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    assert_int_equal(equant_posterior_summarize(second, &facts), EQUANT_SUCCESS);
    assert_int_equal(facts.end, EQUANT_END_CONVERGED);
    assert_same(first, second);
    equant_posterior_free(first);
    equant_posterior_free(second);
}

/* ---- looking at a file -------------------------------------------------------------- */

static const char *provenance_of(const equant_posterior *posterior, const char *name)
{
    for (size_t i = 0; i < equant_posterior_n_provenance(posterior); i++)
        if (strcmp(equant_posterior_provenance_name(posterior, i), name) == 0)
            return equant_posterior_provenance_text(posterior, i);
    return "";
}

/* Figures that a run has told are those that its file tells. */
static void check_same_summary(const equant_posterior *run, const equant_posterior *opened)
{
    equant_posterior_summary a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    assert_int_equal(equant_posterior_summarize(run, &a), EQUANT_SUCCESS);
    assert_int_equal(equant_posterior_summarize(opened, &b), EQUANT_SUCCESS);
    assert_int_equal(b.end, a.end);
    assert_int_equal(b.n_steps, a.n_steps);
    assert_int_equal(b.n_burn_in, a.n_burn_in);
    assert_int_equal(b.n_kept, a.n_kept);
    assert_true(b.rhat == a.rhat && b.ess_bulk == a.ess_bulk && b.ess_tail == a.ess_tail);
    assert_true(b.acceptance == a.acceptance && isnan(b.seconds));
    assert_string_equal(b.backend, a.backend);
}

static void a_file_tells_what_its_run_has_found(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    equant_sample_options options = small_run();
    options.path = path;
    options.star_name = "HD 1 & \"two\"";
    options.command = "equant sample 'a star.csv' --planets 1";
    equant_posterior *run = sampled(&options), *opened = NULL;
    assert_int_equal(equant_posterior_open(path, &opened), EQUANT_SUCCESS);
    assert_same(run, opened);
    check_same_summary(run, opened);
    const equant_dataset *data = equant_posterior_dataset(opened);
    assert_int_equal(equant_dataset_n_obs(data), star.n_obs);
    assert_memory_equal(equant_dataset_velocities_m_s(data),
                        equant_dataset_velocities_m_s(equant_posterior_dataset(run)),
                        star.n_obs * sizeof(double));
    equant_dataset *alone = NULL;
    assert_int_equal(equant_posterior_read_dataset(path, &alone), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_obs(alone), star.n_obs);
    assert_memory_equal(equant_dataset_times_days(alone), equant_dataset_times_days(data),
                        star.n_obs * sizeof(double));
    assert_true(equant_dataset_reference_time_days(alone) ==
                equant_dataset_reference_time_days(data));
    equant_dataset_free(alone);
    assert_string_equal(provenance_of(opened, "star_name"), options.star_name);
    assert_string_equal(provenance_of(opened, "command"), options.command);
    assert_string_equal(provenance_of(opened, "version"), equant_version());
    assert_string_equal(provenance_of(opened, "seed"), "11");
    assert_string_equal(provenance_of(run, "prior_eccentricity_1"), "uniform(0, 1)");
    assert_null(equant_posterior_provenance_name(opened, equant_posterior_n_provenance(opened)));
    equant_posterior_free(run);
    equant_posterior_free(opened);
}

/* The posterior of a run without a file, saved, is what a file of the run would have been. */
static void a_posterior_can_be_saved(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    equant_sample_options options = small_run();
    options.star_name = "a star";
    equant_posterior *run = sampled(&options), *opened = NULL, *again = NULL, *longer = NULL;
    assert_int_equal(equant_posterior_save(run, path), EQUANT_SUCCESS);
    assert_int_equal(equant_posterior_open(path, &opened), EQUANT_SUCCESS);
    assert_same(run, opened);
    check_same_summary(run, opened);
    assert_string_equal(provenance_of(opened, "star_name"), "a star");
    remove(path);
    assert_int_equal(equant_posterior_save(opened, path), EQUANT_SUCCESS);
    assert_int_equal(equant_posterior_open(path, &again), EQUANT_SUCCESS);
    assert_same(run, again);
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    assert_int_equal(equant_posterior_summarize(run, &facts), EQUANT_SUCCESS);
    equant_sample_options more = {.struct_size = sizeof more, .max_steps = facts.n_steps + 100};
    more.min_ess = 1e9;
    assert_int_equal(equant_sample_resume(path, &more, &longer), EQUANT_SUCCESS);
    assert_int_equal(equant_posterior_save(NULL, path), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_posterior_save(run, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_posterior_save(run, "/nonexistent/run.nc"), EQUANT_ERROR_IO);
    equant_posterior_free(run);
    equant_posterior_free(opened);
    equant_posterior_free(again);
    equant_posterior_free(longer);
}

static void a_run_that_goes_on_keeps_its_names(void **state)
{
    (void)state;
    if (!has_files())
        skip();
    equant_sample_options options = small_run();
    options.path = path;
    options.star_name = "a star";
    equant_posterior *posterior = sampled(&options);
    equant_posterior_free(posterior);
    equant_sample_options more = {.struct_size = sizeof more, .max_steps = 1000};
    assert_int_equal(equant_sample_resume(path, &more, &posterior), EQUANT_SUCCESS);
    assert_string_equal(provenance_of(posterior, "star_name"), "a star");
    assert_string_equal(provenance_of(posterior, "max_steps"), "1000");
    assert_string_equal(provenance_of(posterior, "command"), "");
    equant_posterior_free(posterior);
}

static void files_that_cannot_be_opened_have_sentences(void **state)
{
    (void)state;
    equant_posterior *opened = NULL;
    assert_int_equal(equant_posterior_open(NULL, &opened), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_not_equal(equant_posterior_open("/nonexistent/run.nc", &opened), EQUANT_SUCCESS);
    equant_dataset *alone = NULL;
    assert_int_equal(equant_posterior_read_dataset(path, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_not_equal(equant_posterior_read_dataset("/nonexistent/run.nc", &alone),
                         EQUANT_SUCCESS);
    assert_null(alone);
    assert_null(opened);
}

/* ---- what it says ------------------------------------------------------------------ */

static equant_sampled_quantity quantity_named(const equant_posterior *posterior, const char *name)
{
    equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++) {
        assert_int_equal(equant_posterior_quantity(posterior, i, &quantity), EQUANT_SUCCESS);
        if (strcmp(quantity.name, name) == 0)
            return quantity;
    }
    fail_msg("there is no quantity %s", name);
    return quantity;
}

static void a_planet_is_found_again(void **state)
{
    (void)state;
    equant_sample_options options = small_run();
    options.min_ess = 200.0;
    options.max_steps = 20000;
    options.max_draws = 20000;
    options.n_walkers = 40;
    equant_posterior *posterior = sampled(&options);
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    assert_int_equal(equant_posterior_summarize(posterior, &facts), EQUANT_SUCCESS);
    assert_int_equal(facts.end, EQUANT_END_CONVERGED);
    assert_true(facts.rhat < 1.01 && facts.ess_bulk >= 200.0 && facts.ess_tail >= 200.0);
    assert_true(facts.turnover >= 10.0 && isnan(facts.log_evidence));
    const char *const names[] = {"period_days_1", "k_m_s_1", "eccentricity_1", "omega_rad_1"};
    for (size_t i = 0; i < 4; i++) {
        equant_sampled_quantity quantity = quantity_named(posterior, names[i]);
        double sigma = 0.5 * (quantity.high - quantity.low);
        assert_true(fabs(quantity.median - planet[i]) < 4.0 * sigma);
        assert_int_equal(quantity.planet, 1);
    }
    assert_int_equal(equant_posterior_n_modes(posterior), 1);
    equant_posterior_mode_info mode = {.struct_size = sizeof mode};
    assert_int_equal(equant_posterior_mode(posterior, 0, &mode), EQUANT_SUCCESS);
    assert_true(mode.weight > 0.99);
    assert_int_equal(equant_posterior_mode(posterior, 1, &mode), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_posterior_free(posterior);
}

/* Everything that a model may be, once: it runs, and a prior that fixes is obeyed. */
static void models_of_all_kinds_run(void **state)
{
    (void)state;
    equant_dataset *dataset = simulated_star_observe(&star);
    equant_priors_options wanted = {.struct_size = sizeof wanted,
                                    .n_planets = 1,
                                    .trend = EQUANT_TREND_QUADRATIC,
                                    .prior_set = "circular"};
    equant_priors *priors = NULL;
    assert_int_equal(equant_priors_create(dataset, &wanted, &priors), EQUANT_SUCCESS);
    equant_sample_options options = small_run();
    options.max_steps = 150;
    options.priors = priors;
    options.trend = EQUANT_TREND_QUADRATIC;
    options.star_mass = 1.1;
    equant_posterior *posterior = sampled(&options);
    equant_sampled_quantity e = quantity_named(posterior, "eccentricity_1");
    assert_true(e.low == 0.0 && e.high == 0.0 && isnan(e.rhat));
    assert_true(quantity_named(posterior, "m_sin_i_jupiter_1").median > 0.0);
    equant_posterior_free(posterior);
    equant_priors_free(priors);
    equant_dataset_free(dataset);

    options = small_run();
    options.max_steps = 150;
    options.n_planets = 0;
    options.n_known = 0;
    equant_posterior_free(sampled(&options));
    options = small_run();
    options.max_steps = 150;
    options.start = EQUANT_START_PRIOR;
    options.n_temperatures = 2;
    equant_posterior_free(sampled(&options));
}

/* ---- priors ---------------------------------------------------------------------------- */

static void priors_speak_and_listen(void **state)
{
    (void)state;
    equant_dataset *dataset = simulated_star_observe(&star);
    equant_priors_options wanted = {.struct_size = sizeof wanted, .n_planets = 2};
    equant_priors *priors = NULL;
    assert_string_equal(equant_prior_set_name(0), "ford-gregory");
    assert_non_null(equant_prior_set_description(0));
    assert_null(equant_prior_set_name(100));
    assert_int_equal(equant_priors_create(dataset, &wanted, &priors), EQUANT_SUCCESS);
    assert_int_equal(equant_priors_n(priors), 14);
    assert_string_equal(equant_priors_name(priors, 7), "eccentricity_2");
    assert_null(equant_priors_name(priors, 14));
    assert_null(equant_priors_text(priors, 14));
    assert_int_equal(equant_priors_change(priors, "eccentricity_2", "0.25"), EQUANT_SUCCESS);
    assert_string_equal(equant_priors_text(priors, 7), "fixed(0.25)");
    assert_string_equal(equant_priors_text(priors, 2), "uniform(0, 1)");
    assert_int_equal(equant_priors_change(priors, "eccentricity", "often"),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    wanted.prior_set = "none";
    assert_int_equal(equant_priors_create(dataset, &wanted, &priors),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    equant_priors_free(priors);
    equant_priors_free(NULL);
    equant_dataset_free(dataset);
}

/* ---- what people get wrong --------------------------------------------------------------- */

static void expect_refusal(equant_sample_options options, const char *sentence)
{
    equant_dataset *dataset = simulated_star_observe(&star);
    equant_posterior *posterior = NULL;
    assert_int_equal(equant_sample(dataset, &options, &posterior), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), sentence));
    assert_null(posterior);
    equant_dataset_free(dataset);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    equant_posterior *posterior = NULL;
    equant_sample_options options = small_run();
    assert_int_equal(equant_sample(NULL, &options, &posterior), EQUANT_ERROR_INVALID_ARGUMENT);
    options.struct_size = 0;
    expect_refusal(options, "struct_size");
    options = small_run();
    options.max_rhat = 0.9;
    expect_refusal(options, "above 1");
    options = small_run();
    options.max_steps = 100;
    expect_refusal(options, "nothing to keep");
    options = small_run();
    options.n_walkers = 4;
    expect_refusal(options, "walkers");
    options = small_run();
    options.n_planets = 21;
    expect_refusal(options, "planets");
    options = small_run();
    options.trend = (equant_trend)4;
    expect_refusal(options, "trend");
    options = small_run();
    options.n_known = 2;
    expect_refusal(options, "known planets");
    assert_int_equal(equant_sample_resume(NULL, NULL, &posterior), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_posterior_free(NULL);
}

/* A fit that the priors exclude is no place to start from. */
static void priors_may_exclude_the_fit(void **state)
{
    (void)state;
    equant_dataset *dataset = simulated_star_observe(&star);
    equant_priors_options wanted = {.struct_size = sizeof wanted, .n_planets = 1};
    equant_priors *priors = NULL;
    assert_int_equal(equant_priors_create(dataset, &wanted, &priors), EQUANT_SUCCESS);
    assert_int_equal(equant_priors_change(priors, "k_m_s", "uniform(0, 0.01)"), EQUANT_SUCCESS);
    equant_sample_options options = small_run();
    options.priors = priors;
    expect_refusal(options, "start from the prior");
    equant_priors_free(priors);
    equant_dataset_free(dataset);
}

/* Less than one orbit is fitted best by one of seven spans, whose amplitude the usual prior does
 * not allow at such a period. Walkers begin where it does. */
static void walkers_begin_at_amplitudes_of_their_periods(void **state)
{
    enum { N = 30 };
    static const double planets[2][EQUANT_N_ELEMENTS] = {
        {13.706, 36.4704, 0.0892568, 5.49358, 5.23367},
        {4504.83, 31.679, 0.295206, 2.31308, 4.10766}};
    const uint64_t seed = 7011;
    double time[N], noise[N], velocity[N], sigma[N];
    equant_dataset *dataset = NULL;
    equant_posterior *posterior = NULL;
    (void)state;
    assert_int_equal(equant_random_uniform(seed, 2, 0, N, time), EQUANT_SUCCESS);
    assert_int_equal(equant_random_normal(seed, 3, 0, N, noise), EQUANT_SUCCESS);
    for (int i = 0; i < N; i++) {
        time[i] = 100.0 * (i + time[i]);
        sigma[i] = 3.0;
        velocity[i] = sigma[i] * noise[i];
        for (int p = 0; p < 2; p++)
            velocity[i] += plain_velocity(planets[p], time[i] - 1500.0);
    }
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    equant_sample_options options = small_run();
    options.n_planets = 2;
    options.n_known = 0;
    options.n_walkers = 26;
    options.max_steps = 120;
    if (equant_sample(dataset, &options, &posterior) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_posterior_free(posterior);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(interruptions_change_nothing),
        cmocka_unit_test(a_run_can_be_made_longer),
        cmocka_unit_test(the_locale_of_the_caller_does_not_matter),
        cmocka_unit_test(a_finished_run_stays_as_it_is),
        cmocka_unit_test(a_file_tells_what_its_run_has_found),
        cmocka_unit_test(a_posterior_can_be_saved),
        cmocka_unit_test(a_run_that_goes_on_keeps_its_names),
        cmocka_unit_test(files_that_cannot_be_opened_have_sentences),
        cmocka_unit_test(a_planet_is_found_again),
        cmocka_unit_test(models_of_all_kinds_run),
        cmocka_unit_test(priors_speak_and_listen),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(priors_may_exclude_the_fit),
        cmocka_unit_test(walkers_begin_at_amplitudes_of_their_periods),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
