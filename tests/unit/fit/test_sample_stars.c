/* Samples of many stars: on processors each has the draws that it has alone, to the bit, on any
 * number of threads; on any machine those that it has in another list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../../conformance/engines.h"
#include "../simulated_star.h"
#include "quick.h"

enum { N_STARS = 4 };

static equant_dataset *star_number(size_t i)
{
    const double orbit[5] = {7.0 + 3.0 * (double)i, 12.0, 0.1 * (double)i, 1.0, 2.0};
    const simulated_star star = {.seed = 40 + i,
                                 .n_obs = 30 + 7 * i,
                                 .first_day = 55000.0,
                                 .span_days = 150.0,
                                 .n_planets = 1,
                                 .elements = orbit,
                                 .noise_m_s = 2.0,
                                 .uncertainty_m_s = 2.0};
    return simulated_star_observe(&star);
}

static equant_sample_options options_of(const equant_engine_options *engine, size_t n_temperatures)
{
    return (equant_sample_options){.struct_size = sizeof(equant_sample_options),
                                   .engine = engine,
                                   .n_planets = 1,
                                   .start = EQUANT_START_PRIOR,
                                   .seed = 5,
                                   .n_populations = 2,
                                   .n_walkers = 20,
                                   .n_temperatures = n_temperatures,
                                   .n_burn_in = 40,
                                   .max_steps = quick_run() ? 60 : 120};
}

/* The sum over draws of a posterior, which tells it from others, as bits. */
static void describe(const equant_posterior *posterior, char text[256])
{
    equant_posterior_summary summary = {.struct_size = sizeof summary};
    equant_sampled_quantity first = {.struct_size = sizeof first};
    assert_int_equal(equant_posterior_summarize(posterior, &summary), EQUANT_SUCCESS);
    assert_int_equal(equant_posterior_quantity(posterior, 0, &first), EQUANT_SUCCESS);
    snprintf(text, 256, "%d %zu %a %a %a %a %a %a", (int)summary.end, (size_t)summary.n_steps,
             summary.acceptance, summary.rhat, first.median, first.low, first.high, first.mode);
}

static void sample_list(size_t n, equant_dataset *const *stars,
                        const equant_sample_options *options, char texts[][256])
{
    equant_posterior *posteriors[N_STARS] = {NULL};
    equant_status statuses[N_STARS];
    assert_int_equal(
        equant_sample_stars(n, (const equant_dataset *const *)stars, options, posteriors, statuses),
        EQUANT_SUCCESS);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(statuses[i], EQUANT_SUCCESS);
        describe(posteriors[i], texts[i]);
        equant_posterior_free(posteriors[i]);
    }
}

static void many_are_as_one(void **state)
{
    (void)state;
    equant_dataset *stars[N_STARS];
    for (size_t i = 0; i < N_STARS; i++)
        stars[i] = star_number(i);
    for (size_t n_temperatures = 1; n_temperatures <= 3; n_temperatures += 2) {
        char alone[N_STARS][256], together[N_STARS][256];
        equant_engine_options engine = {
            .struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
        equant_sample_options options = options_of(&engine, n_temperatures);
        for (size_t i = 0; i < N_STARS; i++) {
            equant_posterior *posterior = NULL;
            assert_int_equal(equant_sample(stars[i], &options, &posterior), EQUANT_SUCCESS);
            describe(posterior, alone[i]);
            equant_posterior_free(posterior);
        }
        for (engine.n_threads = 1; engine.n_threads <= 3; engine.n_threads += 2) {
            sample_list(N_STARS, stars, &options, together);
            for (size_t i = 0; i < N_STARS; i++)
                assert_string_equal(together[i], alone[i]);
        }
    }
    for (size_t i = 0; i < N_STARS; i++)
        equant_dataset_free(stars[i]);
}

static void check_other_list(const equant_engine_options *engine)
{
    equant_dataset *stars[N_STARS];
    char all[N_STARS][256], few[N_STARS][256];
    equant_sample_options options = options_of(engine, 1);
    for (size_t i = 0; i < N_STARS; i++)
        stars[i] = star_number(i);
    sample_list(N_STARS, stars, &options, all);
    sample_list(2, stars + 1, &options, few);
    assert_string_equal(few[0], all[1]);
    assert_string_equal(few[1], all[2]);
    for (size_t i = 0; i < N_STARS; i++)
        equant_dataset_free(stars[i]);
}

static void who_else_is_there_does_not_matter(void **state)
{
    (void)state;
    const equant_engine_options processors = {.struct_size = sizeof processors, .backend = "cpu"},
                                gpu = {.struct_size = sizeof gpu, .backend = "cuda"};
    check_other_list(&processors);
    for (size_t i = 0; i < equant_n_backends(); i++) {
        equant_backend_info info = {.struct_size = sizeof info};
        assert_int_equal(equant_backend_at(i, &info), EQUANT_SUCCESS);
        if (strcmp(info.name, "cuda") == 0 && info.available)
            check_other_list(&gpu);
    }
}

static int stop(const equant_progress_report *report, void *context)
{
    (void)report;
    (void)context;
    return 1;
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    equant_dataset *star = star_number(0);
    const equant_dataset *list[1] = {star};
    equant_posterior *posterior = NULL;
    equant_status status;
    equant_sample_options options = options_of(NULL, 1);
    assert_int_equal(equant_sample_stars(1, NULL, &options, &posterior, &status),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_sample_stars(0, NULL, &options, NULL, NULL), EQUANT_SUCCESS);
    options.path = "run.nc";
    assert_int_equal(equant_sample_stars(1, list, &options, &posterior, &status),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "equant_posterior_save"));
    options.path = NULL;
    options.n_walkers = 7; /* an odd number: the failure of each star */
    assert_int_equal(equant_sample_stars(1, list, &options, &posterior, &status), EQUANT_SUCCESS);
    assert_int_equal(status, EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(posterior);
    options.n_walkers = 20;
    options.progress = stop;
    assert_int_equal(equant_sample_stars(1, list, &options, &posterior, &status),
                     EQUANT_ERROR_CANCELLED);
    assert_null(posterior);
    equant_dataset_free(star);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_are_as_one),
        cmocka_unit_test(who_else_is_there_does_not_matter),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
