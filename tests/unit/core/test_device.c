/* What belongs to devices: processors say in a sentence that they have none; on a GPU, where
 * there is one, memory goes there and back and calls on it give what calls from the host do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"

enum { N_OBS = 70, N_SETS = 300, N_PLANETS = 2, N_PAIRS = 1000 };

static equant_dataset *dataset;
static equant_model *model;
static double sets[N_SETS * 5 * N_PLANETS];

static void require(equant_status status)
{
    if (status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
}

static int make_problem(void **state)
{
    (void)state;
    double time[N_OBS], velocity[N_OBS], uncertainty[N_OBS];
    require(equant_random_uniform(5, 1, 0, N_OBS, time));
    require(equant_random_normal(5, 2, 0, N_OBS, velocity));
    for (size_t k = 0; k < N_OBS; k++) {
        time[k] *= 1000.0;
        uncertainty[k] = 2.0;
    }
    equant_model_options shape = {.struct_size = sizeof shape, .n_planets = N_PLANETS};
    require(equant_dataset_from_arrays(N_OBS, time, velocity, uncertainty, NULL, 1, NULL, NULL,
                                       &dataset));
    require(equant_model_create(&shape, &model));
    require(equant_orbits_draw(NULL, 5, 0, N_SETS, N_PLANETS, sets));
    return 0;
}

static int free_problem(void **state)
{
    (void)state;
    equant_dataset_free(dataset);
    equant_model_free(model);
    return 0;
}

static equant_evaluator *make_evaluator(const equant_engine_options *engine)
{
    equant_evaluator *evaluator = NULL;
    require(equant_evaluator_create(dataset, model, engine, &evaluator));
    return evaluator;
}

static void assert_refused(equant_status expected, equant_status status, const char *sentence)
{
    assert_int_equal(status, expected);
    if (strstr(equant_last_error(), sentence) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", equant_last_error(), sentence);
}

static void processors_have_neither_split_nor_table(void **state)
{
    (void)state;
    double M = 1.0, e = 0.5, E;
    equant_paper_options in_parts = {.struct_size = sizeof in_parts,
                                     .implementation = EQUANT_IMPLEMENTATION_SPLIT};
    equant_paper_options from_table = {.struct_size = sizeof from_table,
                                       .first_guess = EQUANT_FIRST_GUESS_TABULATED};
    equant_engine_options split = {
        .struct_size = sizeof split, .backend = "cpu", .paper = &in_parts};
    equant_engine_options table = {.struct_size = sizeof table,
                                   .backend = "cpu",
                                   .solver = EQUANT_SOLVER_DANBY,
                                   .paper = &from_table};
    equant_evaluator *evaluator = NULL;
    assert_refused(EQUANT_ERROR_UNAVAILABLE,
                   equant_evaluator_create(dataset, model, &split, &evaluator),
                   "no split implementation");
    assert_refused(EQUANT_ERROR_UNAVAILABLE, equant_kepler_solve(1, &M, &e, &table, &E, NULL, NULL),
                   "no tabulated first guess");
    table.solver = EQUANT_SOLVER_FAST;
    assert_refused(EQUANT_ERROR_INVALID_ARGUMENT,
                   equant_kepler_solve(1, &M, &e, &table, &E, NULL, NULL), "danby");
    in_parts.implementation = (equant_implementation)2;
    assert_refused(EQUANT_ERROR_INVALID_ARGUMENT,
                   equant_evaluator_create(dataset, model, &split, &evaluator),
                   "no implementation number 2");
    from_table.first_guess = (equant_first_guess)-1;
    assert_refused(EQUANT_ERROR_INVALID_ARGUMENT,
                   equant_kepler_solve(1, &M, &e, &table, &E, NULL, NULL),
                   "no first guess number -1");
    assert_null(evaluator);
}

/* An older caller's struct ends before the new members, whatever lies behind it. */
static void older_engine_options_mean_fused(void **state)
{
    (void)state;
    double M = 1.0, e = 0.5, E;
    equant_paper_options paper = {.struct_size = sizeof paper,
                                  .implementation = EQUANT_IMPLEMENTATION_SPLIT,
                                  .first_guess = EQUANT_FIRST_GUESS_TABULATED};
    equant_engine_options engine = {.backend = "cpu", .paper = &paper};
    engine.struct_size = offsetof(equant_engine_options, paper);
    require(equant_kepler_solve(1, &M, &e, &engine, &E, NULL, NULL));
    engine.struct_size = sizeof engine;
    paper.struct_size = 0;
    assert_refused(EQUANT_ERROR_INVALID_ARGUMENT,
                   equant_kepler_solve(1, &M, &e, &engine, &E, NULL, NULL), "struct_size");
}

static void processors_have_no_device_memory(void **state)
{
    (void)state;
    void *memory = NULL;
    double word = 0.0;
    equant_device_info info = {.struct_size = sizeof info};
    equant_kernel_info kernel = {.struct_size = sizeof kernel};
    const equant_status unavailable = EQUANT_ERROR_UNAVAILABLE;
    assert_refused(unavailable, equant_device_allocate("cpu", 8, &memory), "no device memory");
    assert_refused(unavailable, equant_device_copy("cpu", 8, &word, &word), "no device memory");
    assert_refused(unavailable, equant_device_wait("cpu"), "no device memory");
    assert_refused(unavailable, equant_device_describe("cpu", &info), "no device memory");
    assert_refused(unavailable,
                   equant_kepler_solve_on_device(1, &word, &word, NULL, &word, NULL, NULL, NULL),
                   "no device memory");
    equant_device_free("cpu", NULL);
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = "cpu"};
    equant_evaluator *evaluator = make_evaluator(&engine);
    assert_int_equal(equant_evaluator_n_kernels(evaluator), 0);
    assert_refused(EQUANT_ERROR_INVALID_ARGUMENT, equant_evaluator_kernel(evaluator, 0, &kernel),
                   "0 functions");
    equant_evaluator_free(evaluator);
}

/* Copies to the device; the caller frees. */
static void *to_device(const char *backend, const void *from, size_t n_bytes)
{
    void *memory = NULL;
    require(equant_device_allocate(backend, n_bytes, &memory));
    require(equant_device_copy(backend, n_bytes, from, memory));
    return memory;
}

static void check_evaluation(const char *backend, size_t way)
{
    equant_engine_options engine = engines_way(backend, way);
    double from_host[N_SETS], from_device[N_SETS];
    equant_evaluator *evaluator = make_evaluator(&engine);
    equant_results results = {.struct_size = sizeof results, .chi_square = from_host};
    require(equant_evaluator_evaluate(evaluator, N_SETS, sets, &results));
    void *parameters = to_device(backend, sets, sizeof sets);
    results.chi_square = to_device(backend, from_device, sizeof from_device);
    require(equant_evaluator_evaluate_on_device(evaluator, N_SETS, parameters, &results, NULL));
    require(equant_device_copy(backend, sizeof from_device, results.chi_square, from_device));
    assert_memory_equal(from_host, from_device, sizeof from_host);
    size_t n_kernels = equant_evaluator_n_kernels(evaluator);
    assert_true(n_kernels > 0);
    for (size_t i = 0; i < n_kernels; i++) {
        equant_kernel_info kernel = {.struct_size = sizeof kernel};
        require(equant_evaluator_kernel(evaluator, i, &kernel));
        assert_true(kernel.name && kernel.registers > 0 && kernel.threads > 0);
        assert_true(kernel.occupancy > 0.0 && kernel.occupancy <= 1.0);
    }
    equant_device_free(backend, parameters);
    equant_device_free(backend, results.chi_square);
    equant_evaluator_free(evaluator);
}

static void check_solver(const char *backend, size_t way)
{
    equant_engine_options engine = engines_way(backend, way);
    double M[N_PAIRS], e[N_PAIRS], from_host[N_PAIRS], from_device[N_PAIRS];
    require(equant_random_normal(5, 3, 0, N_PAIRS, M));
    require(equant_random_uniform(5, 4, 0, N_PAIRS, e));
    e[3] = -0.0;
    e[4] = 1.0;
    require(equant_kepler_solve(N_PAIRS, M, e, &engine, from_host, NULL, NULL));
    double *on_device[3] = {to_device(backend, M, sizeof M), to_device(backend, e, sizeof e),
                            to_device(backend, from_device, sizeof from_device)};
    equant_status status = equant_kepler_solve_on_device(N_PAIRS, on_device[0], on_device[1],
                                                         &engine, on_device[2], NULL, NULL, NULL);
    if (engine.paper && engine.paper->first_guess == EQUANT_FIRST_GUESS_TABULATED) {
        assert_refused(EQUANT_ERROR_UNAVAILABLE, status, "tabulated");
    } else {
        require(status);
        require(equant_device_copy(backend, sizeof from_device, on_device[2], from_device));
        assert_memory_equal(from_host, from_device, sizeof from_host);
    }
    for (int i = 0; i < 3; i++)
        equant_device_free(backend, on_device[i]);
}

static void device_and_host_agree_to_the_bit(void **state)
{
    (void)state;
    for (size_t b = 0; b < engines_n_backends(); b++) {
        const char *backend = engines_backend(b);
        if (engines_is_processor(b))
            continue;
        equant_device_info info = {.struct_size = sizeof info};
        require(equant_device_describe(backend, &info));
        assert_true(info.name[0] != '\0' && info.memory_bytes > 0);
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            check_evaluation(backend, way);
            check_solver(backend, way);
        }
    }
}

static void evaluate_by(const char *backend, size_t n_sets, const double *parameters,
                        double *chi_square)
{
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = backend};
    equant_results results = {.struct_size = sizeof results, .chi_square = chi_square};
    equant_evaluator *evaluator = make_evaluator(&engine);
    require(equant_evaluator_evaluate(evaluator, n_sets, parameters, &results));
    equant_evaluator_free(evaluator);
}

/* Without a name: the bits of the GPU, where there is one, for a large batch, and those of the
 * processor for a small one. */
static void large_batches_find_the_gpu(void **state)
{
    (void)state;
    enum { N_LARGE = 8000 }; /* of 140 evaluations each */
    static double many[N_LARGE * 5 * N_PLANETS], chosen[N_LARGE], named[N_LARGE];
    const char *large = "cpu";
    for (size_t b = 0; b < engines_n_backends(); b++)
        if (!engines_is_processor(b))
            large = engines_backend(b);
    require(equant_orbits_draw(NULL, 5, 0, N_LARGE, N_PLANETS, many));
    evaluate_by(NULL, N_LARGE, many, chosen);
    evaluate_by(large, N_LARGE, many, named);
    assert_memory_equal(chosen, named, sizeof named);
    evaluate_by("auto", N_SETS, many, chosen);
    evaluate_by("cpu", N_SETS, many, named);
    assert_memory_equal(chosen, named, N_SETS * sizeof *named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_have_neither_split_nor_table),
        cmocka_unit_test(older_engine_options_mean_fused),
        cmocka_unit_test(processors_have_no_device_memory),
        cmocka_unit_test(device_and_host_agree_to_the_bit),
        cmocka_unit_test(large_batches_find_the_gpu),
    };
    return cmocka_run_group_tests(tests, make_problem, free_problem);
}
