/* Searches and fits that cannot be meant are refused with a sentence that says why, and those
 * that were meant can be stopped at any moment. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "quick.h"
#include "unit/simulated_star.h"

static const double planet[5] = {12.3, 15.0, 0.2, 1.0, 2.0};

static char nowhere;
#define UNTOUCHED ((void *)&nowhere)

static void refuse_fit(const equant_dataset *dataset, const equant_fit_options *options,
                       const char *sentence)
{
    equant_fit *made = UNTOUCHED;
    assert_int_equal(equant_fit_star(dataset, options, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(equant_last_error(), sentence);
    assert_ptr_equal(made, UNTOUCHED);
}

static void refuse_search(const equant_dataset *dataset, const equant_search_options *options,
                          const char *sentence)
{
    equant_periodogram *made = UNTOUCHED;
    assert_int_equal(equant_search(dataset, options, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(equant_last_error(), sentence);
    assert_ptr_equal(made, UNTOUCHED);
}

#define FIT(...) (&(equant_fit_options){.struct_size = sizeof(equant_fit_options), __VA_ARGS__})
#define SEARCH(...)                                                                                \
    (&(equant_search_options){.struct_size = sizeof(equant_search_options), __VA_ARGS__})

static const char unset[] = "struct_size is not set: write {.struct_size = sizeof ...}";
static const char too_eccentric[] = "eccentricities can be searched up to 0.95, not 2";
static const char no_orbit[] =
    "planet 2 has no orbit: P > 0, K >= 0, 0 <= e < 1 and angles that are numbers make one";

static void fits_that_cannot_be_meant(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 30, 100.0, 1, planet, 2.0);
    const double half_bad[10] = {10.0, 1.0, 0.1, 0.0, 0.0, -10.0, 1.0, 0.1, 0.0, 0.0};
    refuse_fit(NULL, NULL, "a fit needs a data set and a place to put it");
    assert_int_equal(equant_fit_star(dataset, NULL, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    refuse_fit(dataset, &(equant_fit_options){.n_planets = 1}, unset);
    refuse_fit(dataset, FIT(.n_planets = 99), "a fit takes 0 to 20 planets");
    refuse_fit(dataset, FIT(.n_planets = -2), "a fit takes 0 to 20 planets");
    refuse_fit(dataset, FIT(.max_planets = 21), "a fit takes 0 to 20 planets");
    refuse_fit(dataset, FIT(.max_planets = -1), "a fit takes 0 to 20 planets");
    refuse_fit(dataset, FIT(.n_known = 99, .known = planet), "a fit takes 0 to 20 planets");
    refuse_fit(dataset, FIT(.n_known = 1, .known = planet, .n_fixed = 2),
               "fixed planets must be among the known ones");
    refuse_fit(dataset, FIT(.n_known = 1), "fixed planets must be among the known ones");
    refuse_fit(dataset, FIT(.n_known = 2, .known = half_bad), no_orbit);
    refuse_fit(dataset, FIT(.n_known = 1, .known = planet, .n_fixed = 1, .method = EQUANT_FIT_DE),
               "differential evolution moves all planets: it cannot keep some");
    refuse_fit(dataset, FIT(.method = (equant_fit_method)7), "there is no method 7");
    refuse_fit(
        dataset, FIT(.noise = "nonsense"),
        "noise 'nonsense': there is no term 'nonsense'; there are night, exponential, "
        "matern32, matern52, slow, sho, granulation, rotation, mep, mep4, es, esp2, esp3, qp");
    refuse_fit(dataset, FIT(.indicators = "fwhm"),
               "the data have no indicator 'fwhm', nor any other");
    refuse_fit(dataset, FIT(.noise = "auto", .no_jitter = 1),
               "noise 'auto' is chosen beside jitters: a fit without jitters has white noise");
    refuse_fit(dataset, FIT(.trend = (equant_trend)7), "there is no trend number 7");
    refuse_fit(dataset, FIT(.false_alarm_max = 1.5),
               "a false-alarm probability lies between 0 and 1, not at 1.5");
    refuse_fit(dataset, FIT(.eccentricity_max = 2.0), too_eccentric);
    refuse_fit(dataset, FIT(.eccentricity_max = NAN),
               "eccentricities can be searched up to 0.95, not nan");
    refuse_fit(dataset, FIT(.star_mass = -1.0), "a star's mass must be positive");
    refuse_fit(dataset, FIT(.period_min_days = 20.0, .period_max_days = 10.0),
               "periods must satisfy 0 < minimum < maximum, not 20 and 10 days");
    refuse_fit(dataset, FIT(.period_min_days = -1.0, .period_max_days = 50.0),
               "periods must satisfy 0 < minimum < maximum, not -1 and 50 days");
    equant_dataset_free(dataset);
}

static void searches_that_cannot_be_meant(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 30, 100.0, 1, planet, 2.0);
    const double half_bad[10] = {10.0, 1.0, 0.1, 0.0, 0.0, 10.0, 1.0, 1.1, 0.0, 0.0};
    refuse_search(NULL, NULL, "a search needs a data set and a place to put its periodogram");
    assert_int_equal(equant_search(dataset, NULL, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    refuse_search(dataset, &(equant_search_options){.n_peaks = 1}, unset);
    refuse_search(dataset, SEARCH(.eccentricity_max = 2.0), too_eccentric);
    refuse_search(dataset, SEARCH(.n_known = 20, .known = planet),
                  "a search takes up to 19 known planets, with their elements");
    refuse_search(dataset, SEARCH(.n_known = 1),
                  "a search takes up to 19 known planets, with their elements");
    refuse_search(dataset, SEARCH(.n_known = 2, .known = half_bad), no_orbit);
    refuse_search(dataset, SEARCH(.trend = (equant_trend)-1), "there is no trend number -1");
    refuse_search(dataset, SEARCH(.n_peaks = 1001), "at most 1000 peaks can be reported");
    refuse_search(dataset, SEARCH(.period_min_days = 20.0, .period_max_days = 10.0),
                  "periods must satisfy 0 < minimum < maximum, not 20 and 10 days");
    refuse_search(dataset, SEARCH(.period_max_days = INFINITY),
                  "periods must satisfy 0 < minimum < maximum, not 0.5 and inf days");
    equant_dataset_free(dataset);
}

/* Data that hold no orbit to look for. */
static void data_that_cannot_be_fitted(void **state)
{
    (void)state;
    const double time[3] = {7.0, 7.0, 7.0}, velocity[3] = {1.0, 2.0, 3.0},
                 sigma[3] = {1.0, 1.0, 1.0}, days[2] = {1.0, 2.0};
    const int instrument[2] = {0, 1};
    const char same_time[] = "all observations have the same time: there is no orbit to look for";
    equant_dataset *dataset = NULL;
    assert_int_equal(
        equant_dataset_from_arrays(3, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    refuse_fit(dataset, NULL, same_time);
    refuse_search(dataset, NULL, same_time);
    equant_dataset_free(dataset);
    assert_int_equal(
        equant_dataset_from_arrays(2, days, velocity, sigma, instrument, 2, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    refuse_fit(dataset, NULL, "a fit needs more observations than instruments, not 2 and 2");
    equant_dataset_free(dataset);
}

static void backends_that_are_not_there(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 30, 100.0, 1, planet, 2.0);
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = "abacus"};
    equant_fit *made = UNTOUCHED;
    equant_periodogram *searched = UNTOUCHED;
    assert_int_not_equal(equant_fit_star(dataset, FIT(.engine = &engine), &made), EQUANT_SUCCESS);
    assert_int_not_equal(equant_search(dataset, SEARCH(.engine = &engine), &searched),
                         EQUANT_SUCCESS);
    assert_ptr_equal(made, UNTOUCHED);
    assert_ptr_equal(searched, UNTOUCHED);
    equant_dataset_free(dataset);
}

static void places_that_are_not_there(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 30, 100.0, 1, planet, 2.0);
    equant_fit *made = NULL;
    equant_planet out = {.struct_size = sizeof out};
    equant_fit_summary summary = {0};
    assert_int_equal(equant_fit_star(dataset, FIT(.n_planets = -1), &made), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_planet(made, 0, &out), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(equant_last_error(), "the fit has no planet 0");
    assert_int_equal(equant_fit_candidate(made, &out), EQUANT_ERROR_UNAVAILABLE);
    assert_string_equal(equant_last_error(), "no candidate was refused");
    assert_int_equal(equant_fit_candidate(made, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_fit_summarize(made, &summary), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(equant_last_error(), unset);
    assert_int_equal(equant_fit_summarize(made, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_fit_free(made);
    equant_periodogram_free(NULL);
    equant_dataset_free(dataset);
}

/* ---- stopping -------------------------------------------------------------- */

typedef struct patience {
    int n_calls, last_call; /* the call that cancels; 0: none */
    char stage[64];
} patience;

static int listen(const equant_progress_report *report, void *context)
{
    patience *listener = context;
    assert_true(report->done >= 0.0 && report->done <= 1.0);
    assert_true(report->step == 0 && isnan(report->rhat));
    strncpy(listener->stage, report->stage, sizeof listener->stage - 1);
    return ++listener->n_calls == listener->last_call;
}

/* A fit with a stage of every kind: two planets, a pair, second thoughts. */
static equant_status fit_with(const equant_dataset *dataset, equant_fit_method method,
                              patience *listener)
{
    equant_fit *made = UNTOUCHED;
    equant_status status =
        equant_fit_star(dataset,
                        FIT(.engine = &on_one_thread, .period_min_days = 8.0,
                            .period_max_days = 60.0, .eccentricity_max = 0.3, .method = method,
                            .max_planets = 2, .progress = listen, .progress_context = listener),
                        &made);
    if (status == EQUANT_SUCCESS)
        equant_fit_free(made);
    else
        assert_ptr_equal(made, UNTOUCHED);
    return status;
}

static equant_status search_with(const equant_dataset *dataset, equant_fit_method unused,
                                 patience *listener)
{
    (void)unused;
    equant_periodogram *made = UNTOUCHED;
    equant_status status =
        equant_search(dataset,
                      SEARCH(.engine = &on_one_thread, .period_min_days = 8.0,
                             .period_max_days = 60.0, .eccentricity_max = 0.3, .n_draws = 3,
                             .progress = listen, .progress_context = listener),
                      &made);
    if (status == EQUANT_SUCCESS)
        equant_periodogram_free(made);
    else
        assert_ptr_equal(made, UNTOUCHED);
    return status;
}

/* Cancels at the first call, the last, and some between them. */
static void cancel_everywhere(equant_status (*work)(const equant_dataset *, equant_fit_method,
                                                    patience *),
                              equant_fit_method method)
{
    const double planets[10] = {12.3, 15.0, 0.2, 1.0, 2.0, 31.0, 20.0, 0.3, 4.0, 1.0};
    equant_dataset *dataset = simulate_star(2, 40, 100.0, 2, planets, 2.0);
    patience whole = {0};
    assert_int_equal(work(dataset, method, &whole), EQUANT_SUCCESS);
    assert_true(whole.n_calls > 3);
    int step = whole.n_calls / (quick_run() ? 3 : 12) + 1;
    for (int call = 1; call <= whole.n_calls + step; call += step) {
        patience cut = {.last_call = call < whole.n_calls ? call : whole.n_calls};
        char sentence[128] = "cancelled while ";
        equant_status status = work(dataset, method, &cut);
        /* Long stages call again as time passes: a quicker run may end before that call. */
        if (cut.n_calls < cut.last_call && status == EQUANT_SUCCESS)
            continue;
        assert_int_equal(status, EQUANT_ERROR_CANCELLED);
        assert_int_equal(cut.n_calls, cut.last_call); /* no call after the one that cancels */
        assert_string_equal(equant_last_error(), strcat(sentence, cut.stage));
    }
    equant_dataset_free(dataset);
}

static void fits_can_be_cancelled(void **state)
{
    (void)state;
    cancel_everywhere(fit_with, EQUANT_FIT_SCAN);
}

/* Wherever it is cancelled, a fit that keeps what it has is a whole one, from the moment on at
 * which it has anything, and says that it was cut off. */
static void cancelled_fits_can_be_kept(void **state)
{
    (void)state;
    const double planets[10] = {12.3, 15.0, 0.2, 1.0, 2.0, 31.0, 20.0, 0.3, 4.0, 1.0};
    equant_dataset *dataset = simulate_star(2, 40, 100.0, 2, planets, 2.0);
    equant_fit_options options =
        *FIT(.engine = &on_one_thread, .period_min_days = 8.0, .period_max_days = 60.0,
             .eccentricity_max = 0.3, .max_planets = 2, .noise = "auto", .keeps_partial = 1,
             .progress = listen);
    patience whole = {0};
    equant_fit *made = NULL;
    options.progress_context = &whole;
    assert_int_equal(equant_fit_star(dataset, &options, &made), EQUANT_SUCCESS);
    equant_fit_summary all = {.struct_size = sizeof all};
    assert_int_equal(equant_fit_summarize(made, &all), EQUANT_SUCCESS);
    assert_int_equal(all.end, EQUANT_FIT_FINISHED);
    equant_fit_free(made);
    int n_kept = 0, step = whole.n_calls / (quick_run() ? 4 : 12) + 1;
    size_t most = 0;
    for (int call = 1; call <= whole.n_calls; call += step) {
        patience cut = {.last_call = call};
        options.progress_context = &cut;
        equant_status status = equant_fit_star(dataset, &options, &made);
        if (status != EQUANT_SUCCESS) {
            assert_int_equal(status, EQUANT_ERROR_CANCELLED);
            assert_int_equal(n_kept, 0);
            continue;
        }
        equant_fit_summary own = {.struct_size = sizeof own};
        assert_int_equal(equant_fit_summarize(made, &own), EQUANT_SUCCESS);
        if (own.end == EQUANT_FIT_CANCELLED) {
            n_kept++;
            assert_true(cut.n_calls == cut.last_call);
            assert_true(equant_fit_n_remarks(made) > 0);
            assert_true(isnan(equant_fit_number_probability(made, 0)));
        }
        assert_true(isfinite(own.log_likelihood) && isfinite(own.bic) && isfinite(own.chi_square));
        assert_true(own.log_likelihood < all.log_likelihood + 1e-6);
        for (size_t k = 0; k < own.n_obs; k++)
            assert_true(isfinite(equant_fit_residuals_m_s(made)[k]));
        for (size_t p = 0; p < equant_fit_n_planets(made); p++) {
            equant_planet found = {.struct_size = sizeof found};
            assert_int_equal(equant_fit_planet(made, p, &found), EQUANT_SUCCESS);
            assert_true(found.period_days > 8.0 && found.k_m_s > 0.0 && found.k_m_s_err > 0.0);
        }
        most = equant_fit_n_planets(made) > most ? equant_fit_n_planets(made) : most;
        equant_fit_free(made);
    }
    assert_true(n_kept > 0);
    assert_true(quick_run() || most == 2);
    equant_dataset_free(dataset);
}

static void evolutions_can_be_cancelled(void **state)
{
    (void)state;
    cancel_everywhere(fit_with, EQUANT_FIT_DE);
}

/* Waits in the first epoch until the budget is over, and counts those that come. */
static int dawdle(const equant_progress_report *report, void *context)
{
    int *n_epochs = context;
    if (strcmp(report->stage, "evolving orbits") == 0 && ++*n_epochs == 1)
        usleep(300000);
    return 0;
}

static void budgets_end_evolutions(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(2, 40, 100.0, 1, planet, 2.0);
    int n_epochs = 0;
    equant_fit *made = NULL;
    const equant_fit_options *options =
        FIT(.engine = &on_one_thread, .method = EQUANT_FIT_DE, .n_planets = 1, .budget_s = 0.2,
            .progress = dawdle, .progress_context = &n_epochs);
    assert_int_equal(equant_fit_star(dataset, options, &made), EQUANT_SUCCESS);
    equant_fit_summary summary = {.struct_size = sizeof summary};
    assert_int_equal(equant_fit_summarize(made, &summary), EQUANT_SUCCESS);
    assert_int_equal(summary.end, EQUANT_FIT_SECONDS);
    assert_true(n_epochs <= 2); /* the next one is not begun */
    equant_fit_free(made);
    equant_dataset_free(dataset);
}

static void searches_can_be_cancelled(void **state)
{
    (void)state;
    cancel_everywhere(search_with, EQUANT_FIT_SCAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_that_cannot_be_meant),
        cmocka_unit_test(searches_that_cannot_be_meant),
        cmocka_unit_test(data_that_cannot_be_fitted),
        cmocka_unit_test(backends_that_are_not_there),
        cmocka_unit_test(places_that_are_not_there),
        cmocka_unit_test(fits_can_be_cancelled),
        cmocka_unit_test(cancelled_fits_can_be_kept),
        cmocka_unit_test(budgets_end_evolutions),
        cmocka_unit_test(evolutions_can_be_cancelled),
        cmocka_unit_test(searches_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
