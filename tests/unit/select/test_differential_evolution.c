/* Differential evolution finds simulated planets, the same ones on any number of threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/select/planets/differential_evolution.h"
#include "unit/simulated_star.h"

enum { MAX_PLANETS = 2 };

typedef struct answer {
    double elements[MAX_PLANETS * 5], jitters[2], log_likelihood;
} answer;

static const double one_planet[5] = {23.4, 20.0, 0.55, 4.0, 1.0};
static const double two_planets[10] = {6.35, 9.0, 0.3, 1.0, 5.0, 141.0, 14.0, 0.45, 2.0, 3.0};

static differential_evolution_options options_for(size_t n_planets)
{
    return (differential_evolution_options){.n_planets = n_planets,
                                            .period_min_days = 2.0,
                                            .period_max_days = 1000.0,
                                            .eccentricity_max = 0.9,
                                            .seed = 7};
}

static answer find(const equant_dataset *dataset, const differential_evolution_options *options,
                   int n_threads)
{
    answer found = {{0.0}, {0.0}, 0.0};
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    assert_int_equal(differential_evolution_run(dataset, &engine, options, found.elements,
                                                found.jitters, &found.log_likelihood),
                     EQUANT_SUCCESS);
    return found;
}

/* Of elements and jitters, offsets solved. */
static double log_likelihood_of(const equant_dataset *dataset, size_t n_planets,
                                const double *elements, const double jitters[2])
{
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = n_planets,
                                    .n_instruments = 2,
                                    .with_jitter = 1};
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    double set[MAX_PLANETS * 5 + 2], value;
    memcpy(set, elements, 5 * n_planets * sizeof *set);
    memcpy(set + 5 * n_planets, jitters, 2 * sizeof *set);
    equant_results results = {.struct_size = sizeof results, .log_likelihood = &value};
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(dataset, model, NULL, &evaluator), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    return value;
}

static void assert_planet(const double *found, const double *truth)
{
    assert_true(fabs(found[0] / truth[0] - 1.0) < 0.01);
    assert_true(fabs(found[1] / truth[1] - 1.0) < 0.2);
    assert_true(fabs(found[2] - truth[2]) < 0.1);
}

static void finds_one_planet(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 500.0, 1, one_planet, 3.0);
    differential_evolution_options options = options_for(1);
    answer found = find(dataset, &options, 0);
    const double no_jitter[2] = {0.0, 0.0};
    assert_planet(found.elements, one_planet);
    assert_true(found.log_likelihood >= log_likelihood_of(dataset, 1, one_planet, no_jitter));
    assert_true(fabs(found.log_likelihood -
                     log_likelihood_of(dataset, 1, found.elements, found.jitters)) < 1e-9);
    equant_dataset_free(dataset);
}

static void finds_two_planets_and_the_noise(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(2, 70, 500.0, 2, two_planets, 2.0);
    differential_evolution_options options = options_for(2);
    answer found = find(dataset, &options, 0);
    const double no_jitter[2] = {0.0, 0.0};
    assert_planet(found.elements, two_planets + 5); /* the stronger one */
    assert_planet(found.elements + 5, two_planets);
    assert_true(found.log_likelihood >= log_likelihood_of(dataset, 2, two_planets, no_jitter));
    assert_true(found.jitters[0] > 0.0 && found.jitters[0] < 2.0);
    equant_dataset_free(dataset);
}

static void threads_and_seeds(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 500.0, 1, one_planet, 3.0);
    differential_evolution_options options = options_for(1);
    options.no_jitter = true;
    options.trend_order = 1;
    answer one = find(dataset, &options, 1), two = find(dataset, &options, 2);
    assert_memory_equal(&one, &two, sizeof one);
    assert_true(one.jitters[0] == 0.0 && one.jitters[1] == 0.0);
    options.seed = 8;
    answer other = find(dataset, &options, 2);
    assert_memory_not_equal(&one, &other, sizeof one);
    assert_true(fabs(one.log_likelihood - other.log_likelihood) < 0.01);
    equant_dataset_free(dataset);
}

/* Planets are not looked for where the caller does not want them. */
static void ranges_are_kept(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 500.0, 1, one_planet, 3.0);
    differential_evolution_options options = options_for(1);
    options.period_min_days = 40.0;
    options.eccentricity_max = 0.2;
    answer found = find(dataset, &options, 0);
    assert_true(found.elements[0] >= 40.0 * (1.0 - 1e-12) && found.elements[0] <= 1000.001);
    assert_true(found.elements[2] <= 0.2 * (1.0 + 1e-12));
    equant_dataset_free(dataset);
}

static int stop_at_third(const equant_progress_report *report, void *context)
{
    int *n_calls = context;
    assert_non_null(report->stage);
    assert_true(report->done >= 0.0 && report->done <= 1.0);
    return ++*n_calls == 3;
}

static void can_be_cancelled(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 500.0, 1, one_planet, 3.0);
    differential_evolution_options options = options_for(1);
    int n_calls = 0;
    options.progress = stop_at_third;
    options.progress_context = &n_calls;
    answer untouched = {{0.0}, {0.0}, 42.0};
    assert_int_equal(differential_evolution_run(dataset, NULL, &options, untouched.elements,
                                                untouched.jitters, &untouched.log_likelihood),
                     EQUANT_ERROR_CANCELLED);
    assert_int_equal(n_calls, 3);
    assert_true(untouched.log_likelihood == 42.0 && untouched.elements[0] == 0.0);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_one_planet),  cmocka_unit_test(finds_two_planets_and_the_noise),
        cmocka_unit_test(threads_and_seeds), cmocka_unit_test(ranges_are_kept),
        cmocka_unit_test(can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
