/* Amplitudes of orbits whose shapes are known: those that the data were made with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/search/amplitude_solver.h"
#include "unit/simulated_star.h"

enum { N_OBS = 60, N_SETS = 150, N_PLANETS = 2 };

static const double truth[N_PLANETS * 5] = {17.3, 25.0, 0.6, 5.1, 2.0, 310.0, 8.0, 0.1, 1.2, 4.0};

static void finds_the_true_amplitudes(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(3, N_OBS, 900.0, N_PLANETS, truth, 1e-6);
    amplitude_solver *solver = NULL;
    assert_int_equal(amplitude_solver_create(dataset, NULL, N_PLANETS, 2, &solver), EQUANT_SUCCESS);
    double elements[N_SETS][N_PLANETS * 5], jitters[N_SETS][2], log_likelihood[N_SETS];
    for (size_t s = 0; s < N_SETS; s++) {
        memcpy(elements[s], truth, sizeof truth);
        elements[s][1] = elements[s][3] = elements[s][6] = elements[s][8] = NAN; /* unread */
        elements[s][0] += 0.01 * (double)s;
        jitters[s][0] = 0.1 * (double)s;
        jitters[s][1] = 0.5;
    }
    assert_int_equal(amplitude_solver_run(solver, N_SETS, elements[0], jitters[0], log_likelihood),
                     EQUANT_SUCCESS);
    for (size_t i = 0; i < N_PLANETS * 5; i++)
        assert_true(fabs(elements[0][i] - truth[i]) < 1e-5);
    for (size_t s = 1; s < N_SETS; s++)
        assert_true(log_likelihood[s] < log_likelihood[0]);
    amplitude_solver_free(solver);
    equant_dataset_free(dataset);
}

/* The likelihood is that of a model with the same elements, and no other amplitude is better. */
static void amplitudes_are_the_best(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(4, N_OBS, 900.0, N_PLANETS, truth, 3.0);
    amplitude_solver *solver = NULL;
    assert_int_equal(amplitude_solver_create(dataset, NULL, N_PLANETS, 1, &solver), EQUANT_SUCCESS);
    double set[N_PLANETS * 5 + 2] = {0.0}, solved;
    memcpy(set, truth, sizeof truth);
    set[0] = 17.5;
    set[10] = 1.0;
    set[11] = 2.5;
    assert_int_equal(amplitude_solver_run(solver, 1, set, set + 10, &solved), EQUANT_SUCCESS);

    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = N_PLANETS,
                                    .n_instruments = 2,
                                    .trend = EQUANT_TREND_LINEAR,
                                    .with_jitter = 1};
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(dataset, model, NULL, &evaluator), EQUANT_SUCCESS);
    double likelihood;
    equant_results results = {.struct_size = sizeof results, .log_likelihood = &likelihood};
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
    assert_true(fabs(likelihood - solved) < 1e-9);
    static const size_t columns[] = {1, 3, 6, 8};
    for (size_t c = 0; c < 8; c++) {
        double changed[N_PLANETS * 5 + 2];
        memcpy(changed, set, sizeof set);
        changed[columns[c / 2]] += c % 2 ? 0.01 : -0.01;
        assert_int_equal(equant_evaluator_evaluate(evaluator, 1, changed, &results),
                         EQUANT_SUCCESS);
        assert_true(likelihood < solved);
    }
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    amplitude_solver_free(solver);
    equant_dataset_free(dataset);
}

/* Two orbits a hair apart explain little and cost nothing: their amplitudes cancel. */
static void absurd_amplitudes_are_impossible(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(5, N_OBS, 900.0, N_PLANETS, truth, 3.0);
    amplitude_solver *solver = NULL;
    assert_int_equal(amplitude_solver_create(dataset, NULL, N_PLANETS, 0, &solver), EQUANT_SUCCESS);
    double elements[N_PLANETS * 5], jitters[2] = {0.0, 0.0}, log_likelihood;
    memcpy(elements, truth, sizeof truth);
    memcpy(elements + 5, truth, 5 * sizeof *truth);
    elements[5] *= 1.0 + 1e-5;
    assert_int_equal(amplitude_solver_run(solver, 1, elements, jitters, &log_likelihood),
                     EQUANT_SUCCESS);
    assert_true(isinf(log_likelihood) && log_likelihood < 0.0);
    amplitude_solver_free(solver);
    equant_dataset_free(dataset);
}

static void bad_engines_are_refused(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(5, N_OBS, 900.0, N_PLANETS, truth, 3.0);
    amplitude_solver *solver = NULL;
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = "abacus"};
    assert_int_equal(amplitude_solver_create(dataset, &engine, 1, 0, &solver),
                     EQUANT_ERROR_UNAVAILABLE);
    engine.struct_size = 0;
    assert_int_equal(amplitude_solver_create(dataset, &engine, 1, 0, &solver),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(solver);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_true_amplitudes),
        cmocka_unit_test(amplitudes_are_the_best),
        cmocka_unit_test(absurd_amplitudes_are_impossible),
        cmocka_unit_test(bad_engines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
