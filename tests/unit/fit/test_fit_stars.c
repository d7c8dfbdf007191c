/* Fits of many stars: each is that of equant_fit_star to the bit, on any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "../../conformance/engines.h"
#include "../simulated_star.h"

enum { N_STARS = 5 };

static equant_dataset *star_number(size_t i)
{
    const double orbit[5] = {7.0 + 3.0 * (double)i, 12.0, 0.1 * (double)i, 1.0, 2.0};
    const simulated_star star = {.seed = 40 + i,
                                 .n_obs = 40 + i,
                                 .first_day = 55000.0,
                                 .span_days = 150.0,
                                 .n_planets = i % 2,
                                 .elements = orbit,
                                 .noise_m_s = 2.0,
                                 .uncertainty_m_s = 2.0};
    return simulated_star_observe(&star);
}

static equant_fit_options options_of(const equant_engine_options *engine)
{
    return (equant_fit_options){.struct_size = sizeof(equant_fit_options),
                                .engine = engine,
                                .noise = "white",
                                .max_planets = 1,
                                .period_min_days = 2.0};
}

/* A fit as bytes that tell it from others. */
static void describe(const equant_fit *fit, char text[512])
{
    equant_fit_summary summary = {.struct_size = sizeof summary};
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    if (equant_fit_n_planets(fit) > 0)
        assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    snprintf(text, 512, "%zu %a %a %a %a %a %a", equant_fit_n_planets(fit), summary.log_likelihood,
             summary.chi_square, planet.period_days, planet.k_m_s_err, planet.false_alarm,
             planet.probability);
}

static void many_are_as_one(void **state)
{
    (void)state;
    equant_dataset *stars[N_STARS];
    char alone[N_STARS][512];
    const equant_fit_options single = options_of(&on_one_thread);
    for (size_t i = 0; i < N_STARS; i++) {
        equant_fit *fit = NULL;
        stars[i] = star_number(i);
        assert_int_equal(equant_fit_star(stars[i], &single, &fit), EQUANT_SUCCESS);
        describe(fit, alone[i]);
        assert_int_equal(equant_fit_n_planets(fit), i % 2);
        equant_fit_free(fit);
    }
    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
        const equant_fit_options options = options_of(&engine);
        equant_fit *fits[N_STARS] = {NULL};
        equant_status statuses[N_STARS];
        assert_int_equal(equant_fit_stars(N_STARS, (const equant_dataset *const *)stars, &options,
                                          fits, statuses),
                         EQUANT_SUCCESS);
        for (size_t i = 0; i < N_STARS; i++) {
            char text[512];
            assert_int_equal(statuses[i], EQUANT_SUCCESS);
            describe(fits[i], text);
            assert_string_equal(text, alone[i]);
            equant_fit_free(fits[i]);
        }
    }
    for (size_t i = 0; i < N_STARS; i++)
        equant_dataset_free(stars[i]);
}

/* Scans of several stars at a time on one GPU do not get into each other's way, and GPUs say of a
 * star what the processor says. */
static void gpus_say_what_the_processor_says(void **state)
{
    (void)state;
    enum { N_THREADS = 6 };
    equant_dataset *stars[N_STARS];
    double periods[N_STARS];
    for (size_t i = 0; i < N_STARS; i++)
        stars[i] = star_number(i);
    const char *processor = "cpu", *backends[ENGINES_MAX_BACKENDS + 1] = {processor};
    size_t n_backends = 1;
    for (size_t b = 0; b < engines_n_backends(); b++)
        if (!engines_is_processor(b))
            backends[n_backends++] = engines_backend(b);
    for (size_t b = 0; b < n_backends; b++)
        for (int n_threads = 1; n_threads <= N_THREADS; n_threads += N_THREADS - 1) {
            const equant_engine_options engine = {
                .struct_size = sizeof engine, .backend = backends[b], .n_threads = n_threads};
            const equant_fit_options options = options_of(&engine);
            equant_fit *fits[N_STARS] = {NULL};
            equant_status statuses[N_STARS];
            static char alone[N_STARS][512];
            assert_int_equal(equant_fit_stars(N_STARS, (const equant_dataset *const *)stars,
                                              &options, fits, statuses),
                             EQUANT_SUCCESS);
            for (size_t i = 0; i < N_STARS; i++) {
                char text[512];
                equant_planet planet = {.struct_size = sizeof planet};
                describe(fits[i], text);
                if (n_threads == 1)
                    strcpy(alone[i], text);
                assert_string_equal(text, alone[i]);
                assert_int_equal(equant_fit_n_planets(fits[i]), i % 2);
                if (i % 2 == 1)
                    assert_int_equal(equant_fit_planet(fits[i], 0, &planet), EQUANT_SUCCESS);
                if (b == 0)
                    periods[i] = planet.period_days;
                assert_true(fabs(planet.period_days - periods[i]) <= 1e-6 * periods[i]);
                equant_fit_free(fits[i]);
            }
        }
    for (size_t i = 0; i < N_STARS; i++)
        equant_dataset_free(stars[i]);
}

static void a_star_that_fails_costs_itself(void **state)
{
    (void)state;
    const double one[1] = {1.0};
    equant_dataset *stars[2] = {NULL, star_number(1)};
    equant_fit *fits[2] = {NULL, NULL};
    equant_status statuses[2] = {EQUANT_SUCCESS, EQUANT_ERROR_INTERNAL};
    const equant_fit_options options = options_of(&on_one_thread);
    assert_int_equal(equant_dataset_from_arrays(1, one, one, one, NULL, 1, NULL, NULL, &stars[0]),
                     EQUANT_SUCCESS);
    assert_int_equal(
        equant_fit_stars(2, (const equant_dataset *const *)stars, &options, fits, statuses),
        EQUANT_SUCCESS);
    assert_null(fits[0]);
    assert_int_not_equal(statuses[0], EQUANT_SUCCESS);
    assert_non_null(fits[1]);
    assert_int_equal(statuses[1], EQUANT_SUCCESS);
    equant_fit_free(fits[1]);
    for (size_t i = 0; i < 2; i++)
        equant_dataset_free(stars[i]);
}

static int stop(const equant_progress_report *report, void *context)
{
    assert_string_equal(report->stage, "stars");
    ++*(int *)context;
    return 1;
}

static void cancelled_fits_are_none(void **state)
{
    (void)state;
    equant_dataset *stars[2] = {star_number(0), star_number(2)};
    equant_fit *fits[2] = {NULL, NULL};
    equant_status statuses[2];
    int n_calls = 0;
    equant_fit_options options = options_of(&on_one_thread);
    options.progress = stop;
    options.progress_context = &n_calls;
    assert_int_equal(
        equant_fit_stars(2, (const equant_dataset *const *)stars, &options, fits, statuses),
        EQUANT_ERROR_CANCELLED);
    assert_int_equal(n_calls, 1);
    assert_null(fits[0]);
    assert_int_equal(equant_fit_stars(0, NULL, NULL, NULL, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_stars(1, NULL, NULL, NULL, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    for (size_t i = 0; i < 2; i++)
        equant_dataset_free(stars[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_are_as_one),
        cmocka_unit_test(gpus_say_what_the_processor_says),
        cmocka_unit_test(a_star_that_fails_costs_itself),
        cmocka_unit_test(cancelled_fits_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
