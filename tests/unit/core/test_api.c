/* What include/equant.h promises of every call: what is refused and in which words,
 * what stays untouched, which structs are understood, what may outlive what. */
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N_OBS = 24, N_LINEAR = 4, N_PARAMETERS = 7, N_PAIRS = 3 };

static double times[N_OBS], velocities[N_OBS], uncertainties[N_OBS];
static int instruments[N_OBS];

/* One planet and the jitter of two instruments; offsets and a trend are solved. */
static const double parameters[N_PARAMETERS] = {64, 40, 0.3, 1, 2, 0.5, 1.5};
static const equant_model_options model_options = {.struct_size = sizeof model_options,
                                                   .n_planets = 1,
                                                   .n_instruments = 2,
                                                   .trend = EQUANT_TREND_QUADRATIC,
                                                   .with_jitter = 1};

static equant_dataset *dataset;
static equant_model *model;
static equant_evaluator *evaluator;

static const double mean_anomalies[N_PAIRS] = {0, 1, 2}, eccentricities[N_PAIRS] = {0, 0.1, 0.9};

/* What outputs hold before a call, and after one that fails. */
static char nowhere;
#define UNTOUCHED ((void *)&nowhere)
static const double untouched = -12345.0;

/* ---- helpers ----------------------------------------------------------- */

/* Puts another sentence in place, so that an old one is not taken for a new one. */
static const char *const other_sentence = "random numbers need an array to be written to";

static void spoil_last_error(void)
{
    assert_int_equal(equant_random_uniform(0, 0, 0, 1, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(equant_last_error(), other_sentence);
}

static void check_refusal(equant_status status, const char *words, const char *call)
{
    const char *sentence = equant_last_error();
    if (status != EQUANT_ERROR_INVALID_ARGUMENT)
        fail_msg("%s: the status is '%s'", call, equant_status_name(status));
    if (strcmp(sentence, other_sentence) == 0 || strchr(sentence, ' ') == NULL)
        fail_msg("%s: there is no sentence", call);
    if (strstr(sentence, words) == NULL)
        fail_msg("%s: '%s' does not speak of '%s'", call, sentence, words);
}

/* The call fails as one that cannot be meant, with a sentence that has these words. */
#define assert_refused(call, words)                                                                \
    do {                                                                                           \
        spoil_last_error();                                                                        \
        check_refusal((call), (words), #call);                                                     \
    } while (0)

#define assert_success(call)                                                                       \
    do {                                                                                           \
        if ((call) != EQUANT_SUCCESS)                                                              \
            fail_msg("%s: %s", #call, equant_last_error());                                        \
    } while (0)

/* The first `size` bytes of a struct, as an older program would pass them: in memory
 * that ends there, so that reading further is seen by a sanitizer. */
static void *older(const void *whole, size_t size)
{
    void *part = malloc(size);
    assert_non_null(part);
    memcpy(part, whole, size);
    memcpy(part, &size, sizeof size);
    return part;
}

/* ---- structs ----------------------------------------------------------- */

static void forgotten_sizes_of_options_are_refused(void **state)
{
    (void)state;
    static const char text[] = "2455010.5 -2.5 1.5\n", *path = "star.txt";
    equant_dataset_options data = {.velocity_unit = EQUANT_UNIT_KM_S};
    equant_model_options shape = {.n_planets = 1};
    equant_engine_options engine = {.precision = EQUANT_PRECISION_MIXED};
    equant_orbit_distribution orbits = {.eccentricity_max = 0.5};
    equant_dataset *d = UNTOUCHED;
    equant_model *m = UNTOUCHED;
    equant_evaluator *e = UNTOUCHED;
    double out[5] = {untouched}, E = untouched;
    assert_refused(equant_dataset_from_arrays(N_OBS, times, velocities, uncertainties, NULL, 0,
                                              NULL, &data, &d),
                   "struct_size");
    assert_refused(equant_dataset_from_text(text, sizeof text - 1, path, &data, &d), "struct_size");
    assert_refused(equant_dataset_from_files(1, &path, &data, &d), "struct_size");
    assert_ptr_equal(d, UNTOUCHED);
    assert_refused(equant_model_create(&shape, &m), "struct_size");
    assert_ptr_equal(m, UNTOUCHED);
    assert_refused(equant_evaluator_create(dataset, model, &engine, &e), "struct_size");
    assert_ptr_equal(e, UNTOUCHED);
    assert_refused(equant_kepler_solve(1, mean_anomalies, eccentricities, &engine, &E, NULL, NULL),
                   "struct_size");
    assert_true(E == untouched);
    assert_refused(equant_orbits_draw(&orbits, 1, 0, 1, 1, out), "struct_size");
    assert_true(out[0] == untouched);
}

static void forgotten_sizes_of_results_are_refused(void **state)
{
    (void)state;
    double chi_square = untouched;
    equant_results results = {.chi_square = &chi_square};
    assert_refused(equant_evaluator_evaluate(evaluator, 1, parameters, &results), "struct_size");
    assert_true(chi_square == untouched);
    equant_backend_info info = {.available = -7};
    assert_refused(equant_backend_at(0, &info), "struct_size");
    assert_int_equal(info.available, -7);
    assert_null(info.name);
}

static void shorter_model_options_lack_what_they_lack(void **state)
{
    (void)state;
    const equant_model_options whole = {.n_planets = 2,
                                        .n_instruments = 3,
                                        .trend = EQUANT_TREND_QUADRATIC,
                                        .offset_columns = EQUANT_NUISANCE_GIVEN,
                                        .trend_columns = EQUANT_NUISANCE_GIVEN,
                                        .with_jitter = 1};
    const struct {
        size_t size, n_planets, n_parameters, n_linear;
    } cases[] = {{sizeof(size_t), 0, 0, 1},
                 {offsetof(equant_model_options, n_instruments), 2, 10, 1},
                 {offsetof(equant_model_options, trend), 2, 10, 3},
                 {offsetof(equant_model_options, trend) + 1, 2, 10, 3},
                 {offsetof(equant_model_options, offset_columns), 2, 10, 5},
                 {offsetof(equant_model_options, trend_columns), 2, 13, 5},
                 {offsetof(equant_model_options, with_jitter), 2, 15, 5},
                 {sizeof whole, 2, 18, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_model_options *options = older(&whole, cases[i].size);
        equant_model *made = NULL;
        assert_success(equant_model_create(options, &made));
        assert_int_equal(equant_model_n_planets(made), cases[i].n_planets);
        assert_int_equal(equant_model_n_parameters(made), cases[i].n_parameters);
        assert_int_equal(equant_model_n_linear(made), cases[i].n_linear);
        equant_model_free(made);
        free(options);
    }
}

static void shorter_engine_options_mean_defaults(void **state)
{
    (void)state;
    const equant_engine_options whole = {.backend = "cpu/scalar",
                                         .precision = (equant_precision)99,
                                         .solver = (equant_solver)99,
                                         .summation = (equant_summation)99,
                                         .n_threads = -1,
                                         .danby_tolerance = -1,
                                         .danby_max_iterations = -1};
    const size_t sizes[] = {sizeof(size_t), offsetof(equant_engine_options, precision)};
    const char *const backends[] = {equant_evaluator_backend(evaluator), "cpu/scalar"};
    for (size_t i = 0; i < 2; i++) {
        const equant_engine_options same = {.struct_size = sizeof same, .backend = backends[i]};
        equant_engine_options *options = older(&whole, sizes[i]);
        equant_evaluator *made = NULL;
        double E[N_PAIRS], expected[N_PAIRS];
        assert_success(equant_evaluator_create(dataset, model, options, &made));
        assert_string_equal(equant_evaluator_backend(made), backends[i]);
        assert_success(
            equant_kepler_solve(N_PAIRS, mean_anomalies, eccentricities, options, E, NULL, NULL));
        assert_success(equant_kepler_solve(N_PAIRS, mean_anomalies, eccentricities, &same, expected,
                                           NULL, NULL));
        assert_memory_equal(E, expected, sizeof E);
        equant_evaluator_free(made);
        free(options);
    }
}

static void shorter_structs_elsewhere_are_understood(void **state)
{
    (void)state;
    double chi_square = untouched, linear[N_LINEAR] = {untouched};
    equant_results results = {.chi_square = &chi_square, .linear = linear};
    equant_results *short_results = older(&results, offsetof(equant_results, linear));
    assert_success(equant_evaluator_evaluate(evaluator, 1, parameters, short_results));
    assert_true(isfinite(chi_square));
    assert_true(linear[0] == untouched);
    free(short_results);

    static const char text[] = "2455010.5 -2.5 1.5\n";
    const equant_dataset_options data = {.velocity_unit = EQUANT_UNIT_KM_S,
                                         .has_reference_time = 1};
    equant_dataset_options *short_data =
        older(&data, offsetof(equant_dataset_options, has_reference_time));
    equant_dataset *read = NULL;
    assert_success(equant_dataset_from_text(text, sizeof text - 1, "x", short_data, &read));
    assert_true(equant_dataset_velocities_m_s(read)[0] == -2500);
    assert_true(equant_dataset_reference_time_days(read) != 0);
    equant_dataset_free(read);
    free(short_data);

    double drawn[5], expected[5];
    const equant_orbit_distribution orbits = {
        .period_min_days = 100, .period_max_days = 200, .k_min_m_s = NAN};
    equant_orbit_distribution *short_orbits =
        older(&orbits, offsetof(equant_orbit_distribution, k_min_m_s));
    assert_success(equant_orbits_draw(short_orbits, 3, 0, 1, 1, drawn));
    assert_success(equant_orbits_draw(NULL, 3, 0, 1, 1, expected));
    assert_in_range((uintmax_t)drawn[0], 100, 200);
    assert_memory_equal(drawn + 1, expected + 1, sizeof drawn - sizeof *drawn);
    free(short_orbits);
}

/* A program built with a later header passes more than this library knows. */
static void longer_structs_are_understood(void **state)
{
    (void)state;
    struct {
        equant_model_options known;
        char later[64];
    } options = {.known = model_options};
    memset(options.later, 0x7f, sizeof options.later);
    options.known.struct_size = sizeof options;
    equant_model *made = NULL;
    assert_success(equant_model_create(&options.known, &made));
    assert_int_equal(equant_model_n_parameters(made), N_PARAMETERS);
    equant_model_free(made);
}

/* ---- arguments --------------------------------------------------------- */

static void missing_arguments_are_refused(void **state)
{
    (void)state;
    equant_evaluator *e = UNTOUCHED;
    equant_model *m = UNTOUCHED;
    double out = untouched;
    equant_results results = {.struct_size = sizeof results, .chi_square = &out};
    assert_refused(equant_dataset_from_arrays(1, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL), "");
    assert_refused(equant_dataset_from_files(1, NULL, NULL, NULL), "");
    assert_refused(equant_dataset_from_text(NULL, 1, NULL, NULL, NULL), "");
    assert_refused(equant_dataset_demonstration(NULL), "");
    assert_refused(equant_backend_at(0, NULL), "backend");
    assert_refused(equant_model_create(NULL, &m), "options");
    assert_refused(equant_model_create(&model_options, NULL), "model");
    assert_refused(equant_evaluator_create(NULL, model, NULL, &e), "data set");
    assert_refused(equant_evaluator_create(dataset, NULL, NULL, &e), "model");
    assert_refused(equant_evaluator_create(dataset, model, NULL, NULL), "place");
    assert_refused(equant_evaluator_evaluate(NULL, 1, parameters, &results), "evaluator");
    assert_refused(equant_evaluator_evaluate(evaluator, 1, NULL, &results), "parameters");
    assert_refused(equant_evaluator_evaluate(evaluator, 1, parameters, NULL), "results");
    assert_refused(equant_kepler_solve(1, NULL, eccentricities, NULL, &out, NULL, NULL), "mean");
    assert_refused(equant_kepler_solve(1, mean_anomalies, NULL, NULL, &out, NULL, NULL), "eccent");
    assert_refused(equant_orbits_draw(NULL, 1, 0, 1, 1, NULL), "orbits");
    assert_ptr_equal(e, UNTOUCHED);
    assert_ptr_equal(m, UNTOUCHED);
    assert_true(out == untouched);
    equant_dataset_free(NULL);
    equant_model_free(NULL);
    equant_evaluator_free(NULL);
}

/* Asking for nothing is allowed, with nothing to ask it of. */
static void nothing_to_do_is_a_success(void **state)
{
    (void)state;
    double out = untouched;
    equant_results results = {.struct_size = sizeof results, .chi_square = &out};
    assert_success(equant_evaluator_evaluate(evaluator, 0, parameters, &results));
    assert_success(equant_evaluator_evaluate(evaluator, 0, NULL, &results));
    results.chi_square = NULL;
    assert_success(equant_evaluator_evaluate(evaluator, 1, parameters, &results));
    assert_success(equant_kepler_solve(0, NULL, NULL, NULL, &out, &out, &out));
    assert_success(
        equant_kepler_solve(N_PAIRS, mean_anomalies, eccentricities, NULL, NULL, NULL, NULL));
    assert_success(equant_orbits_draw(NULL, 1, 0, 0, 1, NULL));
    assert_success(equant_random_uniform(1, 0, 0, 0, NULL));
    assert_true(out == untouched);
}

static void refuse_shape(equant_model_options shape, const char *words)
{
    equant_model *made = UNTOUCHED;
    shape.struct_size = sizeof shape;
    assert_refused(equant_model_create(&shape, &made), words);
    assert_ptr_equal(made, UNTOUCHED);
}

static void models_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const size_t too_many[] = {100001, SIZE_MAX / 200 + 1, SIZE_MAX / 5 + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++)
        refuse_shape((equant_model_options){.n_planets = too_many[i]}, "planets");
    refuse_shape((equant_model_options){.n_instruments = SIZE_MAX}, "instruments");
    refuse_shape((equant_model_options){.trend = (equant_trend)4}, "trend");
    refuse_shape((equant_model_options){.trend = (equant_trend)-1}, "trend");
    refuse_shape((equant_model_options){.offset_columns = (equant_nuisance)2}, "offsets");
    refuse_shape((equant_model_options){.offset_columns = (equant_nuisance)-1}, "offsets");
    refuse_shape((equant_model_options){.trend_columns = (equant_nuisance)2}, "trend");
    refuse_shape((equant_model_options){.trend_columns = (equant_nuisance)-1}, "trend");

    equant_model_options most = {.struct_size = sizeof most, .n_planets = 100000};
    equant_model *made = NULL;
    assert_success(equant_model_create(&most, &made));
    assert_string_equal(equant_model_parameter_name(made, 499999), "m0_rad_100000");
    equant_model_free(made);

    equant_evaluator *e = UNTOUCHED;
    equant_model_options other = {.struct_size = sizeof other, .n_instruments = 3};
    assert_success(equant_model_create(&other, &made));
    assert_refused(equant_evaluator_create(dataset, made, NULL, &e), "instruments");
    assert_ptr_equal(e, UNTOUCHED);
    equant_model_free(made);
}

static void refuse_engine(equant_engine_options engine, const char *words)
{
    equant_evaluator *made = UNTOUCHED;
    double E = untouched;
    engine.struct_size = sizeof engine;
    assert_refused(equant_evaluator_create(dataset, model, &engine, &made), words);
    assert_refused(equant_kepler_solve(1, mean_anomalies, eccentricities, &engine, &E, NULL, NULL),
                   words);
    assert_ptr_equal(made, UNTOUCHED);
    assert_true(E == untouched);
}

static void engines_that_cannot_be_are_refused(void **state)
{
    (void)state;
    refuse_engine((equant_engine_options){.precision = (equant_precision)4}, "precision");
    refuse_engine((equant_engine_options){.precision = (equant_precision)-1}, "precision");
    refuse_engine((equant_engine_options){.solver = (equant_solver)2}, "solver");
    refuse_engine((equant_engine_options){.solver = (equant_solver)-1}, "solver");
    refuse_engine((equant_engine_options){.summation = (equant_summation)2}, "summation");
    refuse_engine((equant_engine_options){.summation = (equant_summation)-1}, "summation");
    refuse_engine((equant_engine_options){.n_threads = -1}, "threads");
    refuse_engine((equant_engine_options){.n_threads = INT_MAX}, "threads");
    refuse_engine((equant_engine_options){.danby_tolerance = -1e-6}, "tolerance");
    refuse_engine((equant_engine_options){.danby_tolerance = NAN}, "tolerance");
    refuse_engine((equant_engine_options){.danby_tolerance = INFINITY}, "tolerance");
    refuse_engine((equant_engine_options){.danby_max_iterations = -1}, "iterates");

    equant_engine_options unknown = {.struct_size = sizeof unknown, .backend = "abacus"};
    equant_evaluator *made = UNTOUCHED;
    assert_int_equal(equant_evaluator_create(dataset, model, &unknown, &made),
                     EQUANT_ERROR_UNAVAILABLE);
    assert_non_null(strstr(equant_last_error(), "abacus"));
    assert_ptr_equal(made, UNTOUCHED);
}

/* ---- names ------------------------------------------------------------- */

static void every_status_has_its_own_name(void **state)
{
    (void)state;
    for (int i = EQUANT_SUCCESS; i <= EQUANT_ERROR_INTERNAL; i++) {
        assert_true(strlen(equant_status_name((equant_status)i)) > 0);
        for (int j = EQUANT_SUCCESS; j < i; j++)
            assert_string_not_equal(equant_status_name((equant_status)i),
                                    equant_status_name((equant_status)j));
    }
    assert_string_equal(equant_status_name(EQUANT_ERROR_INVALID_ARGUMENT), "invalid argument");
    assert_non_null(equant_status_name((equant_status)99));
    assert_non_null(equant_status_name((equant_status)-1));
    assert_string_equal(equant_version(), EQUANT_VERSION_STRING);
    assert_true(equant_default_threads() >= 1);
}

static void parameters_are_named_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {
        "period_days_1", "k_m_s_1",        "eccentricity_1", "omega_rad_1",
        "m0_rad_1",      "period_days_2",  "k_m_s_2",        "eccentricity_2",
        "omega_rad_2",   "m0_rad_2",       "offset_m_s_1",   "offset_m_s_2",
        "trend_m_s_day", "trend_m_s_day2", "jitter_m_s_1",   "jitter_m_s_2"};
    const size_t n = sizeof names / sizeof *names;
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = 2,
                                    .n_instruments = 2,
                                    .trend = EQUANT_TREND_QUADRATIC,
                                    .offset_columns = EQUANT_NUISANCE_GIVEN,
                                    .trend_columns = EQUANT_NUISANCE_GIVEN,
                                    .with_jitter = 1};
    equant_model *made = NULL;
    assert_success(equant_model_create(&options, &made));
    assert_int_equal(equant_model_n_parameters(made), n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(equant_model_parameter_name(made, i), names[i]);
    assert_null(equant_model_parameter_name(made, n));
    assert_null(equant_model_parameter_name(made, SIZE_MAX));
    equant_model_free(made);
}

static void backends_are_described(void **state)
{
    (void)state;
    size_t n = equant_n_backends(), n_default = 0;
    equant_backend_info info = {.struct_size = sizeof info, .is_default = -7};
    assert_refused(equant_backend_at(n, &info), "backend");
    assert_int_equal(info.is_default, -7);
    for (size_t i = 0; i < n; i++) {
        assert_success(equant_backend_at(i, &info));
        assert_true(strlen(info.name) > 0 && strlen(info.description) > 0);
        n_default += info.is_default == 1;
        if (info.is_default) {
            assert_int_equal(info.available, 1);
            assert_string_equal(info.name, equant_evaluator_backend(evaluator));
        }
        const size_t known = offsetof(equant_backend_info, description);
        equant_backend_info *part = older(&(equant_backend_info){0}, known), filled = {0};
        assert_success(equant_backend_at(i, part));
        memcpy(&filled, part, known);
        assert_string_equal(filled.name, info.name);
        free(part);
    }
    assert_int_equal(n_default, 1);
}

/* ---- lives and threads ------------------------------------------------- */

static void evaluators_outlive_data_set_and_model(void **state)
{
    (void)state;
    equant_dataset *d = NULL;
    equant_model *m = NULL;
    equant_evaluator *e = NULL;
    double before[N_OBS], after[N_OBS];
    equant_results results = {.struct_size = sizeof results, .residuals = before};
    assert_success(equant_evaluator_evaluate(evaluator, 1, parameters, &results));
    assert_success(equant_dataset_from_arrays(N_OBS, times, velocities, uncertainties, instruments,
                                              2, NULL, NULL, &d));
    assert_success(equant_model_create(&model_options, &m));
    assert_success(equant_evaluator_create(d, m, NULL, &e));
    equant_dataset_free(d);
    equant_model_free(m);
    results.residuals = after;
    assert_success(equant_evaluator_evaluate(e, 1, parameters, &results));
    assert_memory_equal(before, after, sizeof before);
    equant_evaluator_free(e);
}

typedef struct sentences {
    char at_first[64], after_failing[64];
} sentences;

static void *fail_elsewhere(void *data)
{
    sentences *seen = data;
    snprintf(seen->at_first, sizeof seen->at_first, "%s", equant_last_error());
    equant_model_create(NULL, NULL);
    snprintf(seen->after_failing, sizeof seen->after_failing, "%s", equant_last_error());
    return NULL;
}

static void every_thread_has_its_own_last_error(void **state)
{
    (void)state;
    pthread_t thread;
    sentences seen = {.at_first = "?"};
    spoil_last_error();
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &seen), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(seen.at_first, "");
    assert_non_null(strstr(seen.after_failing, "model"));
    assert_string_equal(equant_last_error(), other_sentence);
}

enum { N_SETS = 200, N_ROUNDS = 20 };

typedef struct worker {
    double sets[N_SETS][N_PARAMETERS], expected[N_SETS], chi_square[N_SETS];
    int n_different;
} worker;

static equant_status evaluate_sets(worker *w, double *chi_square, int n_threads)
{
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    equant_evaluator *e = NULL;
    equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    equant_status status = equant_evaluator_create(dataset, model, &engine, &e);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(e, N_SETS, w->sets[0], &results);
    equant_evaluator_free(e);
    return status;
}

static void *work(void *data)
{
    worker *w = data;
    for (int round = 0; round < N_ROUNDS; round++) {
        equant_status status = evaluate_sets(w, w->chi_square, 1 + round % 2);
        w->n_different +=
            status != EQUANT_SUCCESS || memcmp(w->chi_square, w->expected, sizeof w->expected) != 0;
    }
    return NULL;
}

static void two_threads_may_evaluate_at_once(void **state)
{
    (void)state;
    static worker workers[2];
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        for (size_t s = 0; s < N_SETS; s++) {
            memcpy(workers[i].sets[s], parameters, sizeof parameters);
            workers[i].sets[s][0] = 30.0 + (double)(s + 7 * i);
        }
        assert_success(evaluate_sets(&workers[i], workers[i].expected, 1));
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].n_different, 0);
    }
}

static int make_shared_objects(void **state)
{
    (void)state;
    for (int k = 0; k < N_OBS; k++) {
        times[k] = 2455000.0 + 17.25 * k;
        velocities[k] = k * 7 % 13 - 6.0;
        uncertainties[k] = 1.0 + k % 3;
        instruments[k] = k % 2;
    }
    bool complete = equant_dataset_from_arrays(N_OBS, times, velocities, uncertainties, instruments,
                                               2, NULL, NULL, &dataset) == EQUANT_SUCCESS &&
                    equant_model_create(&model_options, &model) == EQUANT_SUCCESS &&
                    equant_evaluator_create(dataset, model, NULL, &evaluator) == EQUANT_SUCCESS;
    return complete ? 0 : -1;
}

static int free_shared_objects(void **state)
{
    (void)state;
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(dataset);
    return 0;
}

static void processors_have_no_device_memory(void **state)
{
    (void)state;
    const double time = 0.0, velocity = 1.0, uncertainty = 1.0, set[5] = {10, 1, 0, 0, 0};
    double chi_square = -1.0;
    equant_dataset *one_row;
    equant_model *one_planet;
    equant_evaluator *on_processor;
    equant_model_options shape = {.struct_size = sizeof shape, .n_planets = 1};
    equant_results results = {.struct_size = sizeof results, .chi_square = &chi_square};
    assert_int_equal(equant_dataset_from_arrays(1, &time, &velocity, &uncertainty, NULL, 1, NULL,
                                                NULL, &one_row),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_model_create(&shape, &one_planet), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(one_row, one_planet, NULL, &on_processor),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate_on_device(on_processor, 1, set, &results, NULL),
                     EQUANT_ERROR_UNAVAILABLE);
    assert_int_equal(equant_evaluator_evaluate_on_device(on_processor, 1, NULL, &results, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_true(chi_square == -1.0);
    equant_evaluator_free(on_processor);
    equant_model_free(one_planet);
    equant_dataset_free(one_row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forgotten_sizes_of_options_are_refused),
        cmocka_unit_test(forgotten_sizes_of_results_are_refused),
        cmocka_unit_test(shorter_model_options_lack_what_they_lack),
        cmocka_unit_test(shorter_engine_options_mean_defaults),
        cmocka_unit_test(shorter_structs_elsewhere_are_understood),
        cmocka_unit_test(longer_structs_are_understood),
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(nothing_to_do_is_a_success),
        cmocka_unit_test(models_that_cannot_be_are_refused),
        cmocka_unit_test(engines_that_cannot_be_are_refused),
        cmocka_unit_test(every_status_has_its_own_name),
        cmocka_unit_test(parameters_are_named_in_order),
        cmocka_unit_test(backends_are_described),
        cmocka_unit_test(evaluators_outlive_data_set_and_model),
        cmocka_unit_test(every_thread_has_its_own_last_error),
        cmocka_unit_test(processors_have_no_device_memory),
        cmocka_unit_test(two_threads_may_evaluate_at_once),
    };
    return cmocka_run_group_tests(tests, make_shared_objects, free_shared_objects);
}
