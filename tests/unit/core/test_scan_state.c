/* The life of a scan on backends that only pretend: laid out once, and handed to the processor
 * when a GPU that nobody named fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/scan.h"

/* What happens to the scans of a pretended backend, and what is to happen. */
typedef struct pretence {
    int n_created, n_run, n_destroyed;
    int fails_from; /* the run that fails, and all behind it; 0: none */
    equant_status create_status;
} pretence;

static pretence of_gpu, of_processor;

static equant_status create(pretence *own, const backend_scan *scan, void **state)
{
    assert_non_null(scan);
    own->n_created++;
    if (own->create_status == EQUANT_SUCCESS)
        *state = own;
    return own->create_status;
}

static equant_status gpu_create(const backend_engine *engine, const backend_scan *scan,
                                void **state)
{
    assert_int_equal(engine->device, 0);
    return create(&of_gpu, scan, state);
}

static equant_status processor_create(const backend_engine *engine, const backend_scan *scan,
                                      void **state)
{
    assert_int_equal(engine->n_threads, 5);
    return create(&of_processor, scan, state);
}

static void destroy(void *state)
{
    ((pretence *)state)->n_destroyed++;
}

/* Leaves the number of the bin where the frequency belongs, and marks who was there. */
static equant_status run(void *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                         backend_scan_node *circular)
{
    pretence *own = state;
    own->n_run++;
    if (own->fails_from > 0 && own->n_run >= own->fails_from)
        return EQUANT_ERROR_DEVICE;
    for (size_t i = 0; i < n_bins; i++)
        best[i] = (backend_scan_node){.improvement = own == &of_gpu ? 2.0 : 1.0,
                                      .frequency_per_day = (double)(first_bin + i)};
    assert_null(circular);
    return EQUANT_SUCCESS;
}

static bool yes(void)
{
    return true;
}

static const backend_device some_device = {0};
static const backend_scans gpu_scans = {gpu_create, destroy, run, NULL};
static const backend_scans processor_scans = {processor_create, destroy, run, NULL};
static const backend processor = {
    .name = "cpu/pretended", .available = yes, .scans = &processor_scans};
static const backend gpu = {
    .name = "pretended", .available = yes, .scans = &gpu_scans, .device = &some_device};
static const backend *const both[] = {&gpu, &processor};
static const placement_list among = {both, 2};

static int start(void **state)
{
    (void)state;
    of_gpu = of_processor = (pretence){.fails_from = 0};
    return 0;
}

/* Nothing that was made is left. */
static int end(void **state)
{
    (void)state;
    int left = 0;
    if (of_gpu.create_status == EQUANT_SUCCESS)
        left += of_gpu.n_created - of_gpu.n_destroyed;
    if (of_processor.create_status == EQUANT_SUCCESS)
        left += of_processor.n_created - of_processor.n_destroyed;
    return left;
}

static scan_state *open_scan(const char *name)
{
    static const backend_scan nothing = {.n_obs = 0};
    equant_engine_options options = {
        .struct_size = sizeof options, .backend = name, .n_threads = 5};
    scan_state *made = NULL;
    assert_int_equal(scan_open(&among, &options, &nothing, &made), EQUANT_SUCCESS);
    return made;
}

/* Runs a piece and sees who has done it. */
static void run_piece(scan_state *scan, size_t first, size_t n, double who)
{
    backend_scan_node best[8];
    assert_int_equal(scan_run(scan, first, n, best, NULL), EQUANT_SUCCESS);
    for (size_t i = 0; i < n; i++) {
        assert_true(best[i].improvement == who);
        assert_true(best[i].frequency_per_day == (double)(first + i));
    }
}

static void a_scan_is_laid_out_once(void **state)
{
    (void)state;
    scan_state *scan = open_scan(NULL);
    for (size_t i = 0; i < 100; i++)
        run_piece(scan, i, 1 + i % 8, 2.0);
    scan_close(scan);
    assert_int_equal(of_gpu.n_created, 1);
    assert_int_equal(of_gpu.n_run, 100);
    assert_int_equal(of_processor.n_created, 0);
}

static void a_gpu_that_cannot_begin_leaves_it_to_the_processor(void **state)
{
    (void)state;
    of_gpu.create_status = EQUANT_ERROR_OUT_OF_MEMORY;
    scan_state *scan = open_scan(NULL);
    run_piece(scan, 0, 8, 1.0);
    run_piece(scan, 8, 3, 1.0);
    scan_close(scan);
    assert_int_equal(of_gpu.n_created, 1);
    assert_int_equal(of_processor.n_created, 1);
}

static void a_gpu_that_is_lost_on_the_way_loses_no_piece(void **state)
{
    (void)state;
    of_gpu.fails_from = 3;
    scan_state *scan = open_scan(NULL);
    run_piece(scan, 0, 2, 2.0);
    run_piece(scan, 2, 2, 2.0);
    run_piece(scan, 4, 2, 1.0);
    run_piece(scan, 6, 2, 1.0);
    assert_int_equal(of_gpu.n_run, 3);       /* it is not asked again, */
    assert_int_equal(of_gpu.n_destroyed, 1); /* and its memory is given back at once */
    scan_close(scan);
    assert_int_equal(of_processor.n_created, 1);
}

/* Whoever names a backend wants to hear of its failures. */
static void a_named_backend_has_no_substitute(void **state)
{
    (void)state;
    of_gpu.fails_from = 1;
    scan_state *scan = open_scan("pretended");
    backend_scan_node best[1];
    assert_int_equal(scan_run(scan, 0, 1, best, NULL), EQUANT_ERROR_DEVICE);
    assert_non_null(strstr(equant_last_error(), "backend 'pretended'"));
    scan_close(scan);
    assert_int_equal(of_processor.n_created, 0);
}

static void a_named_processor_keeps_it(void **state)
{
    (void)state;
    scan_state *scan = open_scan("cpu");
    run_piece(scan, 0, 4, 1.0);
    assert_int_equal(scan_run(scan, 0, 0, NULL, NULL), EQUANT_SUCCESS);
    assert_int_equal(of_processor.n_run, 1);
    scan_close(scan);
    assert_int_equal(of_gpu.n_created, 0);
}

/* When neither can, the sentence is the processor's and nothing is made. */
static void failures_of_both_are_reported(void **state)
{
    (void)state;
    static const backend_scan nothing = {.n_obs = 0};
    equant_engine_options options = {.struct_size = sizeof options, .n_threads = 5};
    scan_state *made = NULL;
    of_gpu.create_status = EQUANT_ERROR_DEVICE;
    of_processor.create_status = EQUANT_ERROR_OUT_OF_MEMORY;
    assert_int_equal(scan_open(&among, &options, &nothing, &made), EQUANT_ERROR_OUT_OF_MEMORY);
    assert_null(made);
    scan_close(NULL);
}

/* The processor, asked in the middle of a scan, has no memory: the next piece asks it again. */
static void a_processor_without_memory_may_be_asked_again(void **state)
{
    (void)state;
    backend_scan_node best[1];
    of_gpu.fails_from = 1;
    of_processor.create_status = EQUANT_ERROR_OUT_OF_MEMORY;
    scan_state *scan = open_scan(NULL);
    assert_int_equal(scan_run(scan, 0, 1, best, NULL), EQUANT_ERROR_OUT_OF_MEMORY);
    of_processor = (pretence){.fails_from = 0};
    run_piece(scan, 0, 1, 1.0);
    scan_close(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_scan_is_laid_out_once, start, end),
        cmocka_unit_test_setup_teardown(a_gpu_that_cannot_begin_leaves_it_to_the_processor, start,
                                        end),
        cmocka_unit_test_setup_teardown(a_gpu_that_is_lost_on_the_way_loses_no_piece, start, end),
        cmocka_unit_test_setup_teardown(a_named_backend_has_no_substitute, start, end),
        cmocka_unit_test_setup_teardown(a_named_processor_keeps_it, start, end),
        cmocka_unit_test_setup_teardown(failures_of_both_are_reported, start, end),
        cmocka_unit_test_setup_teardown(a_processor_without_memory_may_be_asked_again, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
