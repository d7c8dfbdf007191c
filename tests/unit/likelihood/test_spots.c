/* Spots that are learnt from indicators: the process comes back, velocities follow it and its
 * derivative, and what says nothing is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/likelihood/activity/descent.h"
#include "unit/likelihood/spotted_star.h"

enum { N = 150 };

static double times[N], velocities[N], uncertainties[N], fwhm[N], bis[N], errors[N], noise[N];
static double truth[N], rate[N];

static int make_star(void **state)
{
    (void)state;
    spotted_star_draw(N, times, truth, rate);
    for (int k = 0; k < N; k++) {
        uncertainties[k] = 1.0;
        errors[k] = 2.0;
        velocities[k] = 3.0 * truth[k] + 12.0 * rate[k] + spotted_star_scatter(k, 11.3);
        fwhm[k] = 7000.0 + 20.0 * truth[k] + 3.0 * spotted_star_scatter(k, 7.7);
        bis[k] = -10.0 * truth[k] + 60.0 * rate[k] + 3.0 * spotted_star_scatter(k, 5.3);
        noise[k] = spotted_star_scatter(k, 17.9);
    }
    return 0;
}

static equant_dataset *make_data(size_t n, const equant_indicator *indicators)
{
    equant_dataset *made;
    const equant_dataset_options options = {
        .struct_size = sizeof options, .n_indicators = n, .indicators = indicators};
    assert_int_equal(equant_dataset_from_arrays(N, times, velocities, uncertainties, NULL, 1, NULL,
                                                &options, &made),
                     EQUANT_SUCCESS);
    return made;
}

static double correlation(const double *a, const double *b)
{
    double ab = 0.0, aa = 0.0, bb = 0.0, mean_a = 0.0, mean_b = 0.0;
    for (int k = 0; k < N; k++) {
        mean_a += a[k] / N;
        mean_b += b[k] / N;
    }
    for (int k = 0; k < N; k++) {
        ab += (a[k] - mean_a) * (b[k] - mean_b);
        aa += (a[k] - mean_a) * (a[k] - mean_a);
        bb += (b[k] - mean_b) * (b[k] - mean_b);
    }
    return ab / sqrt(aa * bb);
}

static void the_process_comes_back(void **state)
{
    (void)state;
    const equant_indicator given[] = {
        {.struct_size = sizeof(equant_indicator),
         .name = "fwhm",
         .values = fwhm,
         .uncertainties = errors},
        {.struct_size = sizeof(equant_indicator), .name = "bis", .values = bis}};
    equant_dataset *data = make_data(2, given), *made;
    equant_spots found = {.struct_size = sizeof found};
    assert_int_equal(equant_spots_learn(data, NULL, &found, &made), EQUANT_SUCCESS);
    assert_true(fabs(found.period_days - 23.0) < 2.0);
    assert_true(found.decay_days >= found.period_days && found.log_likelihood_gain > 100.0);
    assert_int_equal(found.n_series, 2);
    assert_int_equal(found.n_values, 2 * N);
    assert_int_equal(found.n_without_uncertainty, N);
    assert_int_equal(equant_dataset_n_indicators(made), 4);
    const equant_indicator *spots = equant_dataset_indicator(made, 2),
                           *spots_rate = equant_dataset_indicator(made, 3);
    assert_string_equal(spots->name, EQUANT_SPOTS);
    assert_string_equal(spots_rate->name, EQUANT_SPOTS_RATE);
    if (!(correlation(spots->values, truth) > 0.97))
        fail_msg("G: %g", correlation(spots->values, truth));
    if (!(correlation(spots_rate->values, rate) > 0.9))
        fail_msg("G': %g", correlation(spots_rate->values, rate));
    assert_true(equant_dataset_reference_time_days(made) ==
                equant_dataset_reference_time_days(data));
    equant_dataset *again; /* in the place of what was learnt before */
    assert_int_equal(equant_spots_learn(made, NULL, NULL, &again), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_indicators(again), 4);
    equant_dataset_free(again);
    equant_dataset_free(made);
    equant_dataset_free(data);
}

/* No planet is left where velocities are spots alone, and indicators as columns leave some. */
static void velocities_follow(void **state)
{
    (void)state;
    const equant_indicator given[] = {{.struct_size = sizeof(equant_indicator),
                                       .name = "fwhm",
                                       .values = fwhm,
                                       .uncertainties = errors}};
    equant_dataset *data = make_data(1, given), *made;
    assert_int_equal(equant_spots_learn(data, NULL, NULL, &made), EQUANT_SUCCESS);
    double rms[2];
    for (int i = 0; i < 2; i++) {
        equant_fit *fit;
        equant_fit_summary summary = {.struct_size = sizeof summary};
        const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
        const equant_fit_options options = {.struct_size = sizeof options,
                                            .engine = &engine,
                                            .n_planets = -1,
                                            .trend = EQUANT_TREND_NONE,
                                            .indicators = i == 0 ? "fwhm" : "spots,spots_rate"};
        assert_int_equal(equant_fit_star(i == 0 ? data : made, &options, &fit), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
        rms[i] = summary.rms_m_s;
        equant_fit_free(fit);
    }
    if (!(rms[1] < 0.8 * rms[0]))
        fail_msg("%g m/s beside %g m/s", rms[1], rms[0]);
    equant_dataset_free(made);
    equant_dataset_free(data);
}

static void refuse(const equant_dataset *data, const equant_spots_options *options,
                   const char *sentence)
{
    equant_dataset *made;
    assert_int_equal(equant_spots_learn(data, options, NULL, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    if (!strstr(equant_last_error(), sentence))
        fail_msg("it says: %s", equant_last_error());
}

static int stop(const equant_progress_report *report, void *context)
{
    (void)report;
    (void)context;
    return 1;
}

static void what_says_nothing(void **state)
{
    (void)state;
    double constant[N], few[N];
    for (int k = 0; k < N; k++) {
        constant[k] = 5.0;
        few[k] = k < 19 ? fwhm[k] : NAN;
    }
    const equant_indicator
        useless[] = {{.struct_size = sizeof(equant_indicator), .name = "fwhm", .values = constant},
                     {.struct_size = sizeof(equant_indicator), .name = "s_index", .values = few}},
        white = {.struct_size = sizeof(equant_indicator), .name = "fwhm", .values = noise};
    equant_dataset *data = make_data(2, useless), *made;
    refuse(data, NULL, "there are no series to learn from");
    equant_spots_options options = {.struct_size = sizeof options, .indicators = "crx"};
    refuse(data, &options, "the data have no indicator 'crx'");
    equant_dataset_free(data);
    data = make_data(1, &white);
    refuse(data, NULL, "the indicators show no rotation of the star");
    options = (equant_spots_options){.struct_size = sizeof options, .period_max_days = 900.0};
    refuse(data, &options, "are not within data of");
    options = (equant_spots_options){.struct_size = sizeof options, .progress = stop};
    assert_int_equal(equant_spots_learn(data, &options, NULL, &made), EQUANT_ERROR_CANCELLED);
    equant_dataset_free(data);
}

static double valley(void *context, const double *x)
{
    (void)context;
    double a = 1.0 - x[0], b = x[1] - x[0] * x[0];
    return a * a + 100.0 * b * b;
}

static void descents_arrive(void **state)
{
    (void)state;
    const double lowest[2] = {-2.0, -2.0}, highest[2] = {2.0, 2.0}, below[2] = {0.5, 2.0};
    descent_problem problem = {.function = valley,
                               .n = 2,
                               .lowest = lowest,
                               .highest = highest,
                               .max_iterations = 200,
                               .tolerance = 1e-12};
    double x[2] = {-1.2, 1.0};
    assert_true(descent_minimise(&problem, x) < 1e-5);
    assert_true(fabs(x[0] - 1.0) < 0.01 && fabs(x[1] - 1.0) < 0.02);
    problem.highest = below; /* the best of what is allowed */
    x[0] = -1.2, x[1] = 1.0;
    assert_true(fabs(descent_minimise(&problem, x) - 0.25) < 1e-4 && x[0] == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_process_comes_back),
        cmocka_unit_test(velocities_follow),
        cmocka_unit_test(what_says_nothing),
        cmocka_unit_test(descents_arrive),
    };
    return cmocka_run_group_tests(tests, make_star, NULL);
}
