/* Opening a GPU ahead, on backends that only pretend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/search/gpu_warmup.h"

/* What the pretended GPU was asked for. */
static struct {
    int n_created, n_run, n_destroyed;
    size_t n_base;
} seen;

static equant_status create(const backend_engine *engine, const backend_scan *scan, void **state)
{
    assert_int_equal(engine->precision, EQUANT_PRECISION_MIXED);
    for (size_t i = 0; i < scan->n_base; i++) { /* as scans want it: behind its base */
        double product = 0.0;
        for (size_t k = 0; k < scan->n_obs; k++)
            product += scan->base[i * scan->n_obs + k] * scan->residual[k];
        assert_true(product == 0.0);
    }
    seen.n_base = scan->n_base;
    seen.n_created++;
    *state = &seen;
    return EQUANT_SUCCESS;
}

static void destroy(void *state)
{
    assert_ptr_equal(state, &seen);
    seen.n_destroyed++;
}

static equant_status run(void *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                         backend_scan_node *circular)
{
    assert_ptr_equal(state, &seen);
    assert_int_equal(first_bin, 0);
    for (size_t i = 0; i < n_bins; i++)
        best[i] = circular[i] = (backend_scan_node){.improvement = 0.0};
    seen.n_run++;
    return EQUANT_SUCCESS;
}

static bool yes(void)
{
    return true;
}

static const backend_device some_device = {0};
static const backend_scans scans = {create, destroy, run, NULL};
static const backend processor = {.name = "cpu/pretended", .available = yes, .scans = &scans};
static const backend gpu = {
    .name = "pretended", .available = yes, .scans = &scans, .device = &some_device};
static const backend *const both[] = {&gpu, &processor};
static const placement_list with_gpu = {both, 2}, without_gpu = {both + 1, 1};

static equant_engine_options engine_of(const char *name)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options),
                                   .precision = EQUANT_PRECISION_MIXED,
                                   .n_threads = 1,
                                   .backend = name};
}

static void test_nothing_where_no_gpu_is_meant(void **state)
{
    (void)state;
    const equant_engine_options automatic = engine_of(NULL), named = engine_of("cpu");
    assert_null(gpu_warmup_begin(&without_gpu, &automatic, 1));
    assert_null(gpu_warmup_begin(&with_gpu, &named, 1));
    gpu_warmup_end(NULL);
    assert_int_equal(seen.n_created, 0);
}

/* With as many columns as are asked for, since kernels for few are others; and once in a program.
 */
static void test_a_gpu_is_opened_once(void **state)
{
    (void)state;
    const equant_engine_options automatic = engine_of(NULL);
    gpu_warmup *opening = gpu_warmup_begin(&with_gpu, &automatic, 3);
    assert_non_null(opening);
    gpu_warmup_end(opening);
    assert_int_equal(seen.n_created, 1);
    assert_int_equal(seen.n_run, 1);
    assert_int_equal(seen.n_destroyed, 1);
    assert_int_equal(seen.n_base, 3);
    assert_null(gpu_warmup_begin(&with_gpu, &automatic, 3));
    assert_int_equal(seen.n_created, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_where_no_gpu_is_meant),
        cmocka_unit_test(test_a_gpu_is_opened_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
