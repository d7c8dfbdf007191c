/* Derivatives give the same bits on every processor (and a GPU gives its own), for any number of
 * threads, batch size, precision of the evaluator and choice of outputs; and what they do at the
 * edges of their domain and with bad arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/derivative_output.h"
#include "conformance/engines.h"
#include "equant.h"

/* Shapes that leave every lane count, block of columns and tile with a remainder. */
static const trial_shape shapes[] = {
    {.seed = 21, .n_obs = 1, .n_sets = 5, .n_instruments = 1, .model = {.n_planets = 1}},
    {.seed = 22,
     .n_obs = 37,
     .n_sets = 19,
     .n_instruments = 3,
     .model = {.n_planets = 3, .trend_order = 1, .offsets_solved = true, .with_jitter = true}},
    {.seed = 23,
     .n_obs = 512,
     .n_sets = 5,
     .n_instruments = 1,
     .model = {.n_planets = 4, .offsets_solved = true}},
    {.seed = 24,
     .n_obs = 301,
     .n_sets = 9,
     .n_instruments = 5,
     .first_time = 2450000,
     .model = {.n_planets = 2, .trend_order = 2, .offsets_solved = true, .trend_solved = true}},
    {.seed = 25,
     .n_obs = 63,
     .n_sets = 17,
     .n_instruments = 2,
     .model = {.n_planets = 0, .trend_order = 2, .with_jitter = true}},
    /* so many observations that a GPU shares them out among blocks */
    {.seed = 26,
     .n_obs = 1501,
     .n_sets = 5,
     .n_instruments = 3,
     .model = {.n_planets = 2,
               .trend_order = 2,
               .offsets_solved = true,
               .trend_solved = true,
               .with_jitter = true}},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static trial trials[N_SHAPES];
static equant_engine_options engine = {.struct_size = sizeof engine};

/* One set of each trial with planets lies outside the domain. */
static int draw_trials(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        trials[i] = trial_create(&shapes[i]);
        if (trials[i].oracle.n_planets > 0)
            trials[i].parameters[3 * trials[i].n_parameters + 2] = 1.5;
    }
    return 0;
}

static int free_trials(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++)
        trial_free(&trials[i]);
    return 0;
}

/* Hash of all derivatives of all trials in all bases. */
static uint64_t hash_of_run(const equant_engine_options *options, size_t batch)
{
    uint64_t hash = TRIAL_HASH_START;
    for (size_t i = 0; i < N_SHAPES; i++) {
        derivative_output output = derivative_output_create(&trials[i]);
        for (int basis = 0; basis < N_BASES; basis++) {
            derivative_output_run(&trials[i], options, (equant_basis)basis, batch, &output);
            hash = trial_hash(hash, output.memory, output.n_doubles);
        }
        derivative_output_free(&output);
    }
    return hash;
}

/* In double whatever the evaluator's precision, so one hash per solver and summation, for all
 * processors and for each backend that is none. */
static void every_engine_gives_the_same_bits(void **state)
{
    (void)state;
    assert_true(engines_announce());
    uint64_t first[4] = {0};
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            equant_engine_options options = engines_way(engines_backend(b), way);
            options.danby_tolerance = 1e-14;
            options.n_threads = 1;
            uint64_t hash = hash_of_run(&options, SIZE_MAX / 2), *expected = &first[way % 4];
            if ((b == 0 || !engines_is_processor(b)) && engines_is_double(&options))
                *expected = hash;
            if (hash != *expected)
                fail_msg("%s differs: %016llx", engines_name(&options), (unsigned long long)hash);
        }
    }
}

static void threads_and_batches_change_no_bit(void **state)
{
    (void)state;
    equant_engine_options options = engine;
    options.n_threads = 1;
    uint64_t expected = hash_of_run(&options, SIZE_MAX / 2);
    for (int n_threads = 2; n_threads <= 3; n_threads++) {
        options.n_threads = n_threads;
        assert_true(hash_of_run(&options, SIZE_MAX / 2) == expected);
    }
    const size_t batches[] = {1, 2, 7, 16};
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        options.n_threads = 1 + (int)(i % 2);
        assert_true(hash_of_run(&options, batches[i]) == expected);
    }
}

/* Asking for fewer outputs must not change those that are left. */
static void outputs_do_not_depend_on_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        const trial *t = &trials[i];
        derivative_output all = derivative_output_create(t), one = derivative_output_create(t);
        derivative_output_run(t, &engine, EQUANT_BASIS_LINEAR, t->n_sets, &all);
        equant_evaluator *evaluator = NULL;
        trial_require(equant_evaluator_create(t->dataset, t->model, &engine, &evaluator), "create");
        for (int m = 0; m < N_DERIVATIVE_MEMBERS; m++) {
            equant_derivatives alone = {.struct_size = sizeof alone};
            *derivative_member(&alone, m) = *derivative_member(&one.derivatives, m);
            trial_require(equant_evaluator_differentiate(evaluator, EQUANT_BASIS_LINEAR, t->n_sets,
                                                         t->parameters, &alone),
                          "differentiate");
        }
        equant_evaluator_free(evaluator);
        assert_true(trial_hash(TRIAL_HASH_START, all.memory, all.n_doubles) ==
                    trial_hash(TRIAL_HASH_START, one.memory, one.n_doubles));
        derivative_output_free(&all);
        derivative_output_free(&one);
    }
}

/* The same bits on a processor; elsewhere another kernel adds them up in another order. */
static void check_same(const double *differentiated, const double *evaluated, size_t n)
{
    double allowed = strncmp(engine.backend, "cpu/", 4) == 0 ? 0.0 : 1e-11;
    for (size_t i = 0; i < n; i++)
        assert_true(differentiated[i] == evaluated[i] ||
                    fabs(differentiated[i] - evaluated[i]) <= allowed * fabs(evaluated[i]));
}

static void chi_square_and_likelihood_are_those_of_an_evaluation(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        const trial *t = &trials[i];
        derivative_output output = derivative_output_create(t);
        trial_output evaluated = trial_output_create(t, t->n_sets);
        derivative_output_run(t, &engine, EQUANT_BASIS_REGULAR, t->n_sets, &output);
        trial_run(t, &engine, t->n_sets, &evaluated);
        check_same(output.derivatives.chi_square, evaluated.results.chi_square, t->n_sets);
        check_same(output.derivatives.log_likelihood, evaluated.results.log_likelihood, t->n_sets);
        derivative_output_free(&output);
        trial_output_free(&evaluated);
    }
}

/* ---- edges -------------------------------------------------------------- */

static void sets_outside_the_domain_are_marked(void **state)
{
    (void)state;
    const trial *t = &trials[1];
    derivative_output output = derivative_output_create(t);
    derivative_output_run(t, &engine, EQUANT_BASIS_ELEMENTS, t->n_sets, &output);
    for (size_t s = 0; s < t->n_sets; s++)
        for (int m = 0; m < N_DERIVATIVE_MEMBERS; m++) {
            size_t n = derivative_length(t, m);
            const double *values = *derivative_member(&output.derivatives, m) + s * n;
            for (size_t i = 0; i < n; i++) {
                if (s != 3)
                    assert_true(isfinite(values[i]));
                else if (m < 2)
                    assert_true(values[i] == (m == 0 ? (double)INFINITY : -(double)INFINITY));
                else
                    assert_true(isnan(values[i]));
            }
        }
    derivative_output_free(&output);
}

/* One epoch of an instrument beside one without any: no slope, no second offset. */
static void what_the_data_do_not_determine_takes_nothing_away(void **state)
{
    (void)state;
    const double time[] = {5}, velocity[] = {3}, sigma[] = {2};
    const int instrument[] = {0};
    const double set[] = {10, 20, 0.2, 1, 2, 0.5, 0.5};
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = 1,
                                    .n_instruments = 2,
                                    .trend = EQUANT_TREND_QUADRATIC,
                                    .with_jitter = 1};
    double fisher[7][7], jacobian[7], gradient[7];
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .fisher = fisher[0],
                                      .jacobian = jacobian,
                                      .chi_square_gradient = gradient};
    equant_dataset *dataset;
    equant_model *model;
    equant_evaluator *evaluator;
    trial_require(
        equant_dataset_from_arrays(1, time, velocity, sigma, instrument, 2, NULL, NULL, &dataset),
        "dataset");
    trial_require(equant_model_create(&options, &model), "model");
    trial_require(equant_evaluator_create(dataset, model, &engine, &evaluator), "evaluator");
    trial_require(
        equant_evaluator_differentiate(evaluator, EQUANT_BASIS_REGULAR, 1, set, &derivatives),
        "differentiate");
    for (int i = 0; i < 5; i++) {
        assert_true(fabs(gradient[i]) < 1e-10 && fabs(jacobian[i]) < 1e-10);
        for (int j = 0; j < 5; j++)
            assert_true(fabs(fisher[i][j]) < 1e-10);
    }
    assert_true(fisher[5][5] > 0 && fisher[6][6] == 0 && gradient[6] == 0);
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(dataset);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const trial *t = &trials[1];
    equant_evaluator *evaluator = NULL;
    trial_require(equant_evaluator_create(t->dataset, t->model, &engine, &evaluator), "create");
    double chi_square = 7;
    equant_derivatives good = {.struct_size = sizeof good, .chi_square = &chi_square};
    equant_derivatives sizeless = {.chi_square = &chi_square};
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    const equant_basis basis = EQUANT_BASIS_LINEAR;
    const double *set = t->parameters;
    assert_int_equal(equant_evaluator_differentiate(NULL, basis, 1, set, &good), invalid);
    assert_int_equal(equant_evaluator_differentiate(evaluator, basis, 1, set, NULL), invalid);
    assert_int_equal(equant_evaluator_differentiate(evaluator, basis, 1, NULL, &good), invalid);
    assert_int_equal(equant_evaluator_differentiate(evaluator, basis, 1, set, &sizeless), invalid);
    assert_int_equal(equant_evaluator_differentiate(evaluator, (equant_basis)4, 1, set, &good),
                     invalid);
    assert_int_equal(equant_evaluator_differentiate(evaluator, (equant_basis)-1, 1, set, &good),
                     invalid);
    assert_int_equal(equant_evaluator_differentiate(evaluator, basis, 0, NULL, &good),
                     EQUANT_SUCCESS);
    assert_true(chi_square == 7);
    /* A caller whose struct ends earlier gets what it has room for. */
    good.struct_size = offsetof(equant_derivatives, log_likelihood);
    good.fisher = (double *)(uintptr_t)8;
    assert_int_equal(equant_evaluator_differentiate(evaluator, basis, 1, set, &good),
                     EQUANT_SUCCESS);
    assert_true(chi_square != 7);
    equant_evaluator_free(evaluator);
}

int main(void)
{
    const struct CMUnitTest all_backends[] = {cmocka_unit_test(every_engine_gives_the_same_bits)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_batches_change_no_bit),
        cmocka_unit_test(outputs_do_not_depend_on_each_other),
        cmocka_unit_test(chi_square_and_likelihood_are_those_of_an_evaluation),
        cmocka_unit_test(sets_outside_the_domain_are_marked),
        cmocka_unit_test(what_the_data_do_not_determine_takes_nothing_away),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    const char *backends[ENGINES_MAX_BACKENDS];
    size_t n_backends = derivative_backends(backends);
    int failed = cmocka_run_group_tests(all_backends, draw_trials, free_trials);
    for (size_t b = 0; b < n_backends; b++) {
        engine.backend = backends[b];
        failed += cmocka_run_group_tests_name(backends[b], tests, draw_trials, free_trials);
    }
    return failed;
}
