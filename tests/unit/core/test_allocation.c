/* Memory that runs out: every allocation of every call fails in turn. Each failure
 * is reported as such, changes no output and leaves nothing behind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"
#include "unit/core/failing_allocations.h"

/* ---- calls ------------------------------------------------------------- */

enum { N_OBS = 300, N_INSTRUMENTS = 3, N_SETS = 40, N_PLANETS = 2, N_PARAMETERS = 16, N_PAIRS = 9 };

/* Made while nothing fails, for the calls that need them. All CPU backends allocate in
 * the same place; the plain one is on every machine. */
static equant_dataset *dataset, *short_dataset;
static equant_model *model;
static equant_evaluator *evaluator;

static double times[N_OBS], velocities[N_OBS], uncertainties[N_OBS];
static int instruments[N_OBS];
static double parameters[N_SETS][N_PARAMETERS];

/* Frees a data set that was made, or sees that none was. */
static equant_status drop_dataset(equant_status status, equant_dataset *made)
{
    if (status == EQUANT_SUCCESS)
        equant_dataset_free(made);
    else
        assert_ptr_equal(made, UNTOUCHED);
    return status;
}

/* Enough rows to grow twice, out of order, and an instrument without rows, which
 * is a warning. */
static equant_status read_arrays(void)
{
    static const char *const names[] = {"A", NULL, "C", "IDLE"};
    equant_dataset *made = UNTOUCHED;
    equant_status status =
        equant_dataset_from_arrays(N_OBS, times, velocities, uncertainties, instruments,
                                   N_INSTRUMENTS + 1, names, NULL, &made);
    return drop_dataset(status, made);
}

/* No unit, which is a guess with a warning; named instruments; out of order. */
static equant_status read_text(void)
{
    static const char text[] = "2455012.5 3.5 1.0 k\n"
                               "2455010.5 -2.5 1.5 j\n"
                               "2455011.5 7.5 1.0 a\n";
    equant_dataset *made = UNTOUCHED;
    equant_status status = equant_dataset_from_text(text, sizeof text - 1, "star.txt", NULL, &made);
    return drop_dataset(status, made);
}

/* A .sys with the files it names, and a file of another format. */
static equant_status read_files(void)
{
    static const char *const names[] = {"systemic.sys", "radvel.csv"};
    char text[2][4096];
    const char *paths[] = {text[0], text[1]};
    for (size_t i = 0; i < 2; i++)
        snprintf(text[i], sizeof text[i], "%s/tests/fixtures/formats/%s", getenv("EQUANT_SOURCE"),
                 names[i]);
    equant_dataset *made = UNTOUCHED;
    equant_status status = equant_dataset_from_files(2, paths, NULL, &made);
    return drop_dataset(status, made);
}

/* A file of astrometry, and the means of its first source. */
static const char *sky_name;

static equant_status read_astrometry(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/astrometry/%s", getenv("EQUANT_SOURCE"),
             sky_name);
    equant_astrometry **sources = UNTOUCHED, *means = UNTOUCHED;
    size_t n = 0;
    equant_status status = equant_astrometry_read(path, NULL, &sources, &n);
    if (status != EQUANT_SUCCESS) {
        assert_ptr_equal(sources, UNTOUCHED);
        return status;
    }
    status = equant_astrometry_transits(sources[0], &means);
    if (status == EQUANT_SUCCESS)
        equant_astrometry_free(means);
    else
        assert_ptr_equal(means, UNTOUCHED);
    equant_astrometry_free_all(sources, n);
    return status;
}

static equant_status read_demonstration(void)
{
    equant_dataset *made = UNTOUCHED;
    equant_status status = equant_dataset_demonstration(&made);
    return drop_dataset(status, made);
}

static equant_status make_model(equant_model **made)
{
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = N_PLANETS,
                                    .n_instruments = N_INSTRUMENTS,
                                    .trend = EQUANT_TREND_QUADRATIC,
                                    .offset_columns = EQUANT_NUISANCE_GIVEN,
                                    .with_jitter = 1};
    return equant_model_create(&options, made);
}

static equant_status create_model(void)
{
    equant_model *made = UNTOUCHED;
    equant_status status = make_model(&made);
    if (status == EQUANT_SUCCESS)
        equant_model_free(made);
    else
        assert_ptr_equal(made, UNTOUCHED);
    return status;
}

static equant_status make_evaluator(equant_precision precision, equant_evaluator **made)
{
    equant_engine_options options = {.struct_size = sizeof options,
                                     .backend = "cpu/scalar",
                                     .precision = precision,
                                     .summation = EQUANT_SUMMATION_COMPENSATED,
                                     .n_threads = 2};
    return equant_evaluator_create(dataset, model, &options, made);
}

static equant_status create_evaluator(equant_precision precision)
{
    equant_evaluator *made = UNTOUCHED;
    equant_status status = make_evaluator(precision, &made);
    if (status == EQUANT_SUCCESS)
        equant_evaluator_free(made);
    else
        assert_ptr_equal(made, UNTOUCHED);
    return status;
}

static equant_status create_double_evaluator(void)
{
    return create_evaluator(EQUANT_PRECISION_DOUBLE);
}

static equant_status create_mixed_evaluator(void)
{
    return create_evaluator(EQUANT_PRECISION_MIXED);
}

static equant_status evaluate(void)
{
    static double chi_square[N_SETS], log_likelihood[N_SETS], linear[N_SETS][N_INSTRUMENTS + 2];
    static double predicted[N_SETS][N_OBS], residuals[N_SETS][N_OBS];
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = chi_square,
                              .log_likelihood = log_likelihood,
                              .linear = linear[0],
                              .velocities = predicted[0],
                              .residuals = residuals[0]};
    return equant_evaluator_evaluate(evaluator, N_SETS, parameters[0], &results);
}

/* Working memory for derivatives is made by the first call that asks for them, so each
 * call here has an evaluator of its own, made while nothing fails. */
static equant_status differentiate(equant_precision precision)
{
    static double chi_square[N_SETS], fisher[N_SETS][N_PARAMETERS][N_PARAMETERS];
    equant_derivatives derivatives = {
        .struct_size = sizeof derivatives, .chi_square = chi_square, .fisher = fisher[0][0]};
    failure_mode requested = mode;
    size_t counted_before = n_allocations;
    equant_evaluator *own = NULL;
    mode = FAIL_NEVER;
    assert_int_equal(make_evaluator(precision, &own), EQUANT_SUCCESS);
    mode = requested;
    n_allocations = counted_before;
    equant_status status = equant_evaluator_differentiate(own, EQUANT_BASIS_LINEAR, N_SETS,
                                                          parameters[0], &derivatives);
    /* After a failure the same evaluator can be asked again. */
    mode = FAIL_NEVER;
    if (status != EQUANT_SUCCESS)
        assert_int_equal(equant_evaluator_differentiate(own, EQUANT_BASIS_LINEAR, N_SETS,
                                                        parameters[0], &derivatives),
                         EQUANT_SUCCESS);
    equant_evaluator_free(own);
    return status;
}

static equant_status differentiate_in_double(void)
{
    return differentiate(EQUANT_PRECISION_DOUBLE);
}

static equant_status differentiate_in_mixed(void)
{
    return differentiate(EQUANT_PRECISION_MIXED);
}

static equant_status solve_kepler(void)
{
    static const double mean[N_PAIRS] = {0, 1, 2, 3, 4, 5, 1e6, 1e20, -1};
    static const double eccentricity[N_PAIRS] = {0, 0.1, 0.2, 0.5, 0.9, 0.99, 0.3, 0.4, 2};
    const equant_engine_options options = {.struct_size = sizeof options, .backend = "cpu/scalar"};
    double anomaly[N_PAIRS], sine[N_PAIRS], cosine[N_PAIRS];
    return equant_kepler_solve(N_PAIRS, mean, eccentricity, &options, anomaly, sine, cosine);
}

static equant_status draw_orbits(void)
{
    double drawn[N_SETS][N_PLANETS * 5];
    return equant_orbits_draw(NULL, 1, 0, N_SETS, N_PLANETS, drawn[0]);
}

/* Small, short and narrow: a search and a fit are run a few hundred times. */
static const equant_engine_options one_thread = {
    .struct_size = sizeof one_thread, .backend = "cpu/scalar", .n_threads = 1};

static equant_status search(void)
{
    static const double known[5] = {9.0, 5.0, 0.1, 1.0, 2.0};
    equant_search_options options = {.struct_size = sizeof options,
                                     .engine = &one_thread,
                                     .period_min_days = 4.0,
                                     .period_max_days = 5.0,
                                     .eccentricity_max = 0.1,
                                     .trend = EQUANT_TREND_LINEAR,
                                     .n_known = 1,
                                     .known = known,
                                     .n_peaks = 2,
                                     .n_draws = 2};
    equant_periodogram *made = UNTOUCHED;
    equant_status status = equant_search(short_dataset, &options, &made);
    if (status == EQUANT_SUCCESS)
        equant_periodogram_free(made);
    else
        assert_ptr_equal(made, UNTOUCHED);
    return status;
}

static equant_status fit(const equant_fit_options *options)
{
    equant_fit *made = UNTOUCHED;
    equant_status status = equant_fit_star(short_dataset, options, &made);
    if (status == EQUANT_SUCCESS)
        equant_fit_free(made);
    else
        assert_ptr_equal(made, UNTOUCHED);
    return status;
}

/* Finds a planet, tries another in every way there is, and refuses it. */
static equant_status fit_by_scan(void)
{
    equant_fit_options options = {.struct_size = sizeof options,
                                  .engine = &one_thread,
                                  .period_min_days = 4.0,
                                  .period_max_days = 6.0,
                                  .eccentricity_max = 0.1,
                                  .max_planets = 2};
    return fit(&options);
}

static int stop(const equant_progress_report *report, void *context)
{
    (void)report;
    (void)context;
    return 1;
}

/* Up to its first generation: what follows needs no memory, or is that of the other fit. */
static equant_status fit_by_evolution(void)
{
    equant_fit_options options = {.struct_size = sizeof options,
                                  .engine = &one_thread,
                                  .method = EQUANT_FIT_DE,
                                  .period_min_days = 4.0,
                                  .period_max_days = 6.0,
                                  .trend = EQUANT_TREND_NONE,
                                  .n_planets = 1,
                                  .progress = stop};
    equant_status status = fit(&options);
    return status == EQUANT_ERROR_CANCELLED ? EQUANT_SUCCESS : status;
}

/* Rows of working memory are made by the first batch that needs them. */
static equant_status use_target(void)
{
    static double points[N_SETS * N_PARAMETERS], out[N_SETS], slopes[N_SETS * N_PARAMETERS];
    const equant_target_derivatives derivatives = {.struct_size = sizeof derivatives,
                                                   .log_probability_gradient = slopes};
    equant_target_options options = {
        .struct_size = sizeof options, .engine = &one_thread, .n_planets = N_PLANETS};
    equant_target *made = UNTOUCHED;
    equant_status status = equant_target_create(dataset, &options, &made);
    if (status != EQUANT_SUCCESS) {
        assert_ptr_equal(made, UNTOUCHED);
        return status;
    }
    status = equant_target_draw(made, 1, 0, N_SETS, points);
    if (status == EQUANT_SUCCESS)
        status = equant_target_log_probability(made, N_SETS, points, out);
    if (status == EQUANT_SUCCESS)
        status = equant_target_differentiate(made, N_SETS, points, &derivatives);
    equant_target_free(made);
    return status;
}

/* ---- failing ----------------------------------------------------------- */

static void data_sets_report_missing_memory(void **state)
{
    (void)state;
    static const scenario calls[] = {{"data set from arrays", true, read_arrays},
                                     {"data set from text", true, read_text},
                                     {"demonstration", true, read_demonstration}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_each(&calls[i]);
}

static void files_report_missing_memory(void **state)
{
    (void)state;
    if (getenv("EQUANT_SOURCE") == NULL) {
        printf("EQUANT_SOURCE does not say where the fixtures are\n");
        skip();
    }
    fail_each(&(scenario){"data set from files", true, read_files});
}

static void astrometry_reports_missing_memory(void **state)
{
    (void)state;
    static const char *const names[] = {
        "bh3", "columns", "gaia_csv", "hipparcos_2014", "hipparcos_1997", "orbitize", "gost"};
    if (getenv("EQUANT_SOURCE") == NULL) {
        printf("EQUANT_SOURCE does not say where the fixtures are\n");
        skip();
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sky_name = names[i];
        fail_each(&(scenario){names[i], true, read_astrometry});
    }
}

static void derivatives_report_missing_memory(void **state)
{
    (void)state;
    static const scenario calls[] = {
        {"derivatives of an evaluator in double", true, differentiate_in_double},
        {"derivatives of an evaluator in mixed", true, differentiate_in_mixed}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_each(&calls[i]);
}

static void models_and_evaluators_report_missing_memory(void **state)
{
    (void)state;
    static const scenario calls[] = {{"model", true, create_model},
                                     {"evaluator in double", true, create_double_evaluator},
                                     {"evaluator in mixed", true, create_mixed_evaluator},
                                     {"target", true, use_target}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_each(&calls[i]);
}

static void searches_and_fits_report_missing_memory(void **state)
{
    (void)state;
    static const scenario calls[] = {{"search", true, search},
                                     {"fit", true, fit_by_scan},
                                     {"fit by evolution", true, fit_by_evolution}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_each(&calls[i]);
}

/* These need no memory today, and may some day. */
static void computations_report_missing_memory(void **state)
{
    (void)state;
    static const scenario calls[] = {{"evaluation", false, evaluate},
                                     {"Kepler's equation", false, solve_kepler},
                                     {"random orbits", false, draw_orbits}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_each(&calls[i]);
}

/* Three weeks of a star with a planet of five days, and less noise than is stated: without
 * jitters to find, fits are soon done. */
static equant_status make_short_dataset(void)
{
    enum { N = 14 };
    double days[N], velocity[N], sigma[N];
    for (int k = 0; k < N; k++) {
        days[k] = fmod(13.0 * k, 21.0);
        velocity[k] = 30.0 * cos(6.283185307179586 * days[k] / 5.0) + 0.2 * (k * 7 % 5);
        sigma[k] = 1.5;
    }
    return equant_dataset_from_arrays(N, days, velocity, sigma, NULL, 1, NULL, NULL,
                                      &short_dataset);
}

static int make_shared_objects(void **state)
{
    (void)state;
    for (int k = 0; k < N_OBS; k++) {
        times[k] = 2455000.0 + 7919 * k % 1009;
        velocities[k] = k % 13 - 6.0;
        uncertainties[k] = 1.0 + k % 3;
        instruments[k] = k % N_INSTRUMENTS;
    }
    static const double set[N_PARAMETERS] = {64, 40, 0.3, 1, 2, 17, 9, 0.6,
                                             -2, 5,  1,   2, 3, 1,  1, 1};
    for (size_t s = 0; s < N_SETS; s++)
        memcpy(parameters[s], set, sizeof set);
    bool complete =
        equant_dataset_from_arrays(N_OBS, times, velocities, uncertainties, instruments,
                                   N_INSTRUMENTS, NULL, NULL, &dataset) == EQUANT_SUCCESS &&
        make_model(&model) == EQUANT_SUCCESS && equant_model_n_parameters(model) == N_PARAMETERS &&
        make_evaluator(EQUANT_PRECISION_DOUBLE, &evaluator) == EQUANT_SUCCESS &&
        make_short_dataset() == EQUANT_SUCCESS;
    return complete ? 0 : -1;
}

static int free_shared_objects(void **state)
{
    (void)state;
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(dataset);
    equant_dataset_free(short_dataset);
    if (n_live != 0)
        printf("%zu blocks are still there at the end\n", (size_t)n_live);
    return n_live == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_sets_report_missing_memory),
        cmocka_unit_test(files_report_missing_memory),
        cmocka_unit_test(astrometry_reports_missing_memory),
        cmocka_unit_test(models_and_evaluators_report_missing_memory),
        cmocka_unit_test(derivatives_report_missing_memory),
        cmocka_unit_test(computations_report_missing_memory),
        cmocka_unit_test(searches_and_fits_report_missing_memory),
    };
    return cmocka_run_group_tests(tests, make_shared_objects, free_shared_objects);
}
