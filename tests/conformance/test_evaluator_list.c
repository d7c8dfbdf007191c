/* Lists of data sets: every set is what the evaluator of its data set says, to the bit, on every
 * backend and in every way to compute; and in double it is what the oracle says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/backend_trial.h"
#include "equant.h"

enum { N_DATASETS = 9, N_OF_EACH = 7, N_SETS = N_DATASETS * N_OF_EACH };

/* Series of which some are so short that a GPU takes fewer threads for them. */
static const size_t observation_counts[N_DATASETS] = {40, 9, 100, 33, 257, 7, 64, 12, 1000};

static const oracle_model models[] = {
    {.n_planets = 1, .offsets_solved = true},
    {.n_planets = 2, .offsets_solved = true, .with_jitter = true},
    {.n_planets = 3, .trend_order = 1, .with_jitter = true},
    {.n_planets = 1, .trend_order = 2, .offsets_solved = true, .trend_solved = true},
    {.n_planets = 0},
};
enum { N_MODELS = sizeof models / sizeof *models };

static trial make_trial(size_t number, const oracle_model *model, size_t n_instruments)
{
    const trial_shape shape = {.seed = 100 + number,
                               .n_obs = observation_counts[number],
                               .n_sets = N_OF_EACH,
                               .n_instruments = n_instruments,
                               .model = *model,
                               .first_time = 2450000.0};
    return trial_create(&shape);
}

/* Sets of all data sets in a mixed order; one of them is outside the domain. */
typedef struct mixture {
    trial trials[N_DATASETS];
    size_t dataset_of_set[N_SETS], set_of[N_SETS], n_parameters, n_linear;
    double *parameters;
} mixture;

static mixture mix(const oracle_model *model)
{
    mixture made;
    for (size_t i = 0; i < N_DATASETS; i++)
        made.trials[i] = make_trial(i, model, 2);
    made.n_parameters = made.trials[0].n_parameters;
    made.n_linear = made.trials[0].n_linear;
    made.parameters = trial_allocate(N_SETS * made.n_parameters, sizeof(double));
    for (size_t s = 0; s < N_SETS; s++) {
        size_t place = s * 23 % N_SETS; /* 23 and 63 have no divisor in common */
        made.dataset_of_set[s] = place / N_OF_EACH;
        made.set_of[s] = place % N_OF_EACH;
        const trial *own = &made.trials[made.dataset_of_set[s]];
        if (s == 5 && model->n_planets > 0)
            own->parameters[made.set_of[s] * own->n_parameters + EQUANT_ELEMENT_ECCENTRICITY] = 1.5;
        memcpy(made.parameters + s * made.n_parameters,
               own->parameters + made.set_of[s] * own->n_parameters,
               made.n_parameters * sizeof(double));
    }
    return made;
}

static void mixture_free(mixture *of)
{
    for (size_t i = 0; i < N_DATASETS; i++)
        trial_free(&of->trials[i]);
    free(of->parameters);
}

static equant_evaluator_list *list_of(const mixture *of, const equant_engine_options *options)
{
    const equant_dataset *datasets[N_DATASETS];
    equant_evaluator_list *list = NULL;
    for (size_t i = 0; i < N_DATASETS; i++)
        datasets[i] = of->trials[i].dataset;
    trial_require(
        equant_evaluator_list_create(N_DATASETS, datasets, of->trials[0].model, options, &list),
        "equant_evaluator_list_create");
    return list;
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void compare_with_evaluators(const mixture *of, const equant_engine_options *options,
                                    const double *chi_square, const double *log_likelihood,
                                    const double *linear)
{
    trial_output alone[N_DATASETS];
    for (size_t i = 0; i < N_DATASETS; i++) {
        alone[i] = trial_output_create(&of->trials[i], N_OF_EACH);
        trial_run(&of->trials[i], options, N_OF_EACH, &alone[i]);
    }
    for (size_t s = 0; s < N_SETS; s++) {
        const equant_results *own = &alone[of->dataset_of_set[s]].results;
        size_t place = of->set_of[s];
        bool is_same = same(chi_square[s], own->chi_square[place]) &&
                       same(log_likelihood[s], own->log_likelihood[place]);
        for (size_t j = 0; j < of->n_linear; j++)
            is_same = is_same &&
                      same(linear[s * of->n_linear + j], own->linear[place * of->n_linear + j]);
        if (!is_same)
            fail_msg("%s: set %zu of data set %zu: chi-square %.17g, alone %.17g",
                     engines_name(options), place, of->dataset_of_set[s], chi_square[s],
                     own->chi_square[place]);
    }
    for (size_t i = 0; i < N_DATASETS; i++)
        trial_output_free(&alone[i]);
}

static void compare_with_oracle(const mixture *of, const double *chi_square)
{
    for (size_t s = 0; s < N_SETS; s += 11) {
        const trial *own = &of->trials[of->dataset_of_set[s]];
        const double *set = of->parameters + s * of->n_parameters;
        if (isinf(chi_square[s]))
            continue;
        oracle_result *expected = oracle_evaluate(&own->data, &own->oracle, 1, set);
        assert_non_null(expected);
        double truth = (double)expected->chi_square;
        assert_true(fabs(chi_square[s] - truth) < 1e-9 * fmax(truth, 1.0));
        oracle_free(expected, 1);
    }
}

static void sets_are_those_of_their_evaluators(void **unused)
{
    (void)unused;
    for (size_t m = 0; m < N_MODELS; m++) {
        mixture of = mix(&models[m]);
        double *memory = trial_allocate(N_SETS * (2 + of.n_linear), sizeof(double));
        const equant_results results = {.struct_size = sizeof results,
                                        .chi_square = memory,
                                        .log_likelihood = memory + N_SETS,
                                        .linear = memory + 2 * N_SETS};
        for (size_t b = 0; b < engines_n_backends(); b++)
            for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
                equant_engine_options options = engines_way(engines_backend(b), way);
                if (options.paper)
                    continue; /* a GPU has no lists of these */
                equant_evaluator_list *list = list_of(&of, &options);
                assert_string_equal(equant_evaluator_list_backend(list), engines_backend(b));
                for (int turn = 0; turn < 2; turn++) /* memory is kept between calls */
                    trial_require(equant_evaluator_list_evaluate(list, turn ? N_SETS : N_SETS / 3,
                                                                 of.dataset_of_set, of.parameters,
                                                                 &results),
                                  "equant_evaluator_list_evaluate");
                equant_evaluator_list_free(list);
                compare_with_evaluators(&of, &options, results.chi_square, results.log_likelihood,
                                        results.linear);
                if (engines_is_double(&options) && options.solver == EQUANT_SOLVER_FAST)
                    compare_with_oracle(&of, results.chi_square);
            }
        free(memory);
        mixture_free(&of);
    }
}

static void results_may_be_left_out(void **unused)
{
    (void)unused;
    mixture of = mix(&models[1]);
    double all[N_SETS], alone[N_SETS];
    equant_evaluator_list *list = list_of(&of, NULL);
    equant_results results = {.struct_size = sizeof results, .chi_square = all};
    trial_require(
        equant_evaluator_list_evaluate(list, N_SETS, of.dataset_of_set, of.parameters, &results),
        "equant_evaluator_list_evaluate");
    for (size_t s = 0; s < N_SETS; s++) {
        results.chi_square = &alone[s];
        trial_require(equant_evaluator_list_evaluate(list, 1, &of.dataset_of_set[s],
                                                     of.parameters + s * of.n_parameters, &results),
                      "equant_evaluator_list_evaluate");
    }
    assert_memory_equal(all, alone, sizeof all);
    equant_evaluator_list_free(list);
    mixture_free(&of);
}

static void nonsense_is_refused(void **unused)
{
    (void)unused;
    mixture of = mix(&models[0]);
    double value;
    const size_t beyond = N_DATASETS;
    const equant_dataset *datasets[2] = {of.trials[0].dataset, NULL};
    equant_evaluator_list *list = NULL;
    trial other = make_trial(0, &models[0], 1);
    assert_int_equal(equant_evaluator_list_create(0, datasets, of.trials[0].model, NULL, &list),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_evaluator_list_create(2, datasets, of.trials[0].model, NULL, &list),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    datasets[1] = other.dataset;
    assert_int_equal(equant_evaluator_list_create(2, datasets, of.trials[0].model, NULL, &list),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(equant_last_error(),
                        "data set 2: the data set has 1 instruments and the model 2");
    list = list_of(&of, NULL);
    equant_results results = {.struct_size = sizeof results, .chi_square = &value};
    assert_int_equal(equant_evaluator_list_evaluate(list, 1, &beyond, of.parameters, &results),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_evaluator_list_evaluate(list, 1, NULL, of.parameters, &results),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_evaluator_list_evaluate(list, 0, NULL, NULL, &results), EQUANT_SUCCESS);
    results.velocities = &value;
    assert_int_equal(
        equant_evaluator_list_evaluate(list, 1, of.dataset_of_set, of.parameters, &results),
        EQUANT_ERROR_INVALID_ARGUMENT);
    equant_evaluator_list_free(list);
    equant_evaluator_list_free(NULL);
    trial_free(&other);
    mixture_free(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_those_of_their_evaluators),
        cmocka_unit_test(results_may_be_left_out),
        cmocka_unit_test(nonsense_is_refused),
    };
    return engines_announce() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
