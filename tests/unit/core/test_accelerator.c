/* What an evaluator does with a GPU when no backend is named, with one that only pretends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/accelerator.h"

/* What happened to the pretended GPU, and what is to happen. */
static struct {
    bool is_there;
    equant_status create_status, evaluate_status;
    int n_asked, n_created, n_evaluated, n_differentiated, n_destroyed, device;
    size_t n_sets;
    double doubles_per_s;
} gpu;

static bool gpu_available(void)
{
    gpu.n_asked++;
    return gpu.is_there;
}

static equant_status gpu_create(const backend_problem *problem, const backend_engine *engine,
                                void **state)
{
    (void)problem;
    assert_int_equal(engine->precision, EQUANT_PRECISION_MIXED);
    gpu.n_created++;
    gpu.device = engine->device;
    if (gpu.create_status == EQUANT_SUCCESS)
        *state = &gpu;
    return gpu.create_status;
}

static equant_status gpu_evaluate(void *state, size_t n_sets, const double *parameters,
                                  const equant_results *results)
{
    assert_ptr_equal(state, &gpu);
    (void)parameters;
    (void)results;
    gpu.n_evaluated++;
    gpu.n_sets = n_sets;
    return gpu.evaluate_status;
}

static equant_status gpu_differentiate(void *state, equant_basis basis, size_t n_sets,
                                       const double *parameters,
                                       const equant_derivatives *derivatives)
{
    assert_ptr_equal(state, &gpu);
    assert_int_equal(basis, EQUANT_BASIS_LINEAR);
    (void)parameters;
    (void)derivatives;
    gpu.n_differentiated++;
    gpu.n_sets = n_sets;
    return gpu.evaluate_status;
}

static void gpu_destroy(void *state)
{
    assert_ptr_equal(state, &gpu);
    gpu.n_destroyed++;
}

static bool never(void)
{
    fail_msg("a backend without a device was asked");
    return false;
}

static equant_status gpu_describe(int device, equant_device_info *info)
{
    (void)device;
    info->double_per_s = gpu.doubles_per_s;
    return EQUANT_SUCCESS;
}

static const backend_device some_device = {.describe = gpu_describe};
static const backend processor = {.name = "cpu/pretended", .available = never};
static const backend pretended = {.name = "pretended",
                                  .available = gpu_available,
                                  .create = gpu_create,
                                  .evaluate = gpu_evaluate,
                                  .differentiate = gpu_differentiate,
                                  .destroy = gpu_destroy,
                                  .device = &some_device};
static const backend *const backends[] = {&processor, &pretended};
static const placement_list among = {backends, sizeof backends / sizeof *backends};

/* Of 1000 evaluations a set. */
static const backend_problem problem = {.rows = {.n = 250}, .layout = {.n_planets = 4}};
static const backend_engine engine = {.precision = EQUANT_PRECISION_MIXED};
enum { LARGE = 1000, SMALL = LARGE - 1 };
/* Of which one set is long enough for derivatives elsewhere. */
static const backend_problem long_series = {.rows = {.n = 2500}, .layout = {.n_planets = 4}};

static int start(void **state)
{
    accelerator *made = *state = test_malloc(sizeof *made);
    *made = (accelerator){.is_wanted = true, .among = &among};
    memset(&gpu, 0, sizeof gpu);
    gpu.is_there = true;
    gpu.doubles_per_s = 1.7e13;
    return 0;
}

static int end(void **state)
{
    accelerator_free(*state);
    assert_int_equal(gpu.n_destroyed, gpu.create_status == EQUANT_SUCCESS ? gpu.n_created : 0);
    test_free(*state);
    return 0;
}

static bool evaluate(accelerator *made, size_t n_sets)
{
    equant_results results = {.struct_size = sizeof results};
    return accelerator_evaluate(made, &problem, &engine, n_sets, NULL, &results);
}

static void small_batches_stay_and_no_driver_is_asked(void **state)
{
    assert_false(evaluate(*state, 1));
    assert_false(evaluate(*state, SMALL));
    assert_int_equal(gpu.n_asked, 0);
}

static void large_batches_go_to_one_state(void **state)
{
    assert_true(evaluate(*state, LARGE));
    assert_int_equal(gpu.n_sets, LARGE);
    assert_false(evaluate(*state, SMALL));
    assert_true(evaluate(*state, 5 * LARGE));
    assert_int_equal(gpu.n_created, 1);
    assert_int_equal(gpu.n_evaluated, 2);
}

static void a_model_without_planets_counts_as_one(void **state)
{
    backend_problem bare = {.rows = {.n = 1000}};
    equant_results results = {.struct_size = sizeof results};
    assert_false(accelerator_evaluate(*state, &bare, &engine, SMALL, NULL, &results));
    assert_true(accelerator_evaluate(*state, &bare, &engine, LARGE, NULL, &results));
}

static void without_a_gpu_all_stay(void **state)
{
    gpu.is_there = false;
    assert_false(evaluate(*state, LARGE));
    assert_false(evaluate(*state, LARGE));
    assert_int_equal(gpu.n_asked, 1);
    assert_int_equal(gpu.n_created, 0);
}

static void a_gpu_that_fails_is_not_asked_again(void **state)
{
    gpu.create_status = EQUANT_ERROR_OUT_OF_MEMORY;
    assert_false(evaluate(*state, LARGE));
    assert_false(evaluate(*state, LARGE));
    assert_int_equal(gpu.n_created, 1);
    assert_int_equal(gpu.n_evaluated, 0);
}

static void a_gpu_that_is_lost_is_not_asked_again(void **state)
{
    assert_true(evaluate(*state, LARGE));
    gpu.evaluate_status = EQUANT_ERROR_DEVICE;
    assert_false(evaluate(*state, LARGE));
    assert_int_equal(gpu.n_destroyed, 1);
    assert_false(evaluate(*state, LARGE));
    assert_int_equal(gpu.n_evaluated, 2);
}

static bool differentiate(accelerator *made, const backend_problem *of, double *jacobian)
{
    equant_derivatives derivatives = {.struct_size = sizeof derivatives, .jacobian = jacobian};
    return accelerator_differentiate(made, of, &engine, EQUANT_BASIS_LINEAR, 1, NULL, &derivatives);
}

static void derivatives_go_where_they_gain(void **state)
{
    double jacobian;
    assert_false(differentiate(*state, &problem, NULL));
    assert_false(differentiate(*state, &long_series, &jacobian));
    assert_int_equal(gpu.n_asked, 0);
    assert_true(differentiate(*state, &long_series, NULL));
    assert_int_equal(gpu.n_sets, 1);
    gpu.evaluate_status = EQUANT_ERROR_DEVICE;
    assert_false(differentiate(*state, &long_series, NULL));
    assert_false(differentiate(*state, &long_series, NULL));
    assert_int_equal(gpu.n_differentiated, 2);
}

static void a_gpu_that_is_slow_in_double_takes_no_derivatives(void **state)
{
    gpu.doubles_per_s = 6e11;
    assert_false(differentiate(*state, &long_series, NULL));
    assert_int_equal(gpu.n_created, 0);
}

static void a_gpu_that_was_named_is_not_looked_for(void **state)
{
    accelerator *made = *state;
    made->chosen = &pretended;
    made->device = 1;
    assert_true(evaluate(made, LARGE));
    assert_int_equal(gpu.n_asked, 0);
    assert_int_equal(gpu.device, 1);
}

static void a_named_backend_keeps_everything(void **state)
{
    (void)state;
    accelerator none = {.among = &among};
    assert_false(evaluate(&none, LARGE));
    assert_int_equal(gpu.n_asked, 0);
    accelerator_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(small_batches_stay_and_no_driver_is_asked, start, end),
        cmocka_unit_test_setup_teardown(large_batches_go_to_one_state, start, end),
        cmocka_unit_test_setup_teardown(a_model_without_planets_counts_as_one, start, end),
        cmocka_unit_test_setup_teardown(without_a_gpu_all_stay, start, end),
        cmocka_unit_test_setup_teardown(a_gpu_that_fails_is_not_asked_again, start, end),
        cmocka_unit_test_setup_teardown(a_gpu_that_is_lost_is_not_asked_again, start, end),
        cmocka_unit_test_setup_teardown(derivatives_go_where_they_gain, start, end),
        cmocka_unit_test_setup_teardown(a_gpu_that_is_slow_in_double_takes_no_derivatives, start,
                                        end),
        cmocka_unit_test_setup_teardown(a_gpu_that_was_named_is_not_looked_for, start, end),
        cmocka_unit_test_setup_teardown(a_named_backend_keeps_everything, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
