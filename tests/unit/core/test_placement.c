/* Where work runs, among backends that only pretend to be there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine.h"
#include "core/placement.h"

/* ---- backends ------------------------------------------------------------------------ */

static bool has_gpu;
static int n_drivers_asked;

static bool yes(void)
{
    return true;
}

static bool no(void)
{
    return false;
}

static bool ask_driver(void)
{
    n_drivers_asked++;
    return has_gpu;
}

static int two(void)
{
    return 2;
}

static const char *explain(void)
{
    return "there is no driver";
}

static const backend_device some_device = {0};
static const backend_scans some_scans = {0};
static const backend newest = {.name = "cpu/newest", .available = no, .scans = &some_scans};
static const backend common = {.name = "cpu/common", .available = yes, .scans = &some_scans};
static const backend plain = {.name = "cpu/plain", .available = yes, .scans = &some_scans};
static const backend gpu = {.name = "gpu",
                            .available = ask_driver,
                            .n_devices = two,
                            .explain = explain,
                            .scans = &some_scans,
                            .device = &some_device};
static const backend modest_gpu = {/* without scans */
                                   .name = "modest",
                                   .available = ask_driver,
                                   .n_devices = two,
                                   .device = &some_device};
/* A GPU is listed where it may be: before processors, behind them or between. */
static const backend *const usual[] = {&gpu, &newest, &common, &plain};
static const backend *const modest[] = {&newest, &common, &modest_gpu, &plain};
static const backend *const bare[] = {&newest, &common, &plain};

static const placement_list lists[] = {{usual, 4}, {modest, 4}, {bare, 3}};
enum { USUAL, MODEST, BARE };

/* ---- the table ------------------------------------------------------------------------ */

enum { HUGE = 1000000000 }; /* evaluations with which everything gains that ever does */

typedef struct row {
    int list;
    bool has_gpu;
    const char *name; /* that the options give; NULL: none */
    equant_work_kind kind;
    size_t n_sets, n_planets, n_obs;
    const char *expected, *fallback;
    int device;
    bool asks_driver;
} row;

static const row rows[] = {
    /* a batch gains from a million evaluations on */
    {USUAL, true, NULL, EQUANT_WORK_BATCH, 1000, 4, 250, "gpu", "cpu/common", 0, true},
    {USUAL, true, NULL, EQUANT_WORK_BATCH, 999, 4, 250, "cpu/common", NULL, 0, false},
    {USUAL, true, "auto", EQUANT_WORK_BATCH, 1000, 4, 250, "gpu", "cpu/common", 0, true},
    {USUAL, false, NULL, EQUANT_WORK_BATCH, 1000, 4, 250, "cpu/common", NULL, 0, true},
    {MODEST, true, NULL, EQUANT_WORK_BATCH, 1000, 4, 250, "modest", "cpu/common", 0, true},
    {BARE, true, NULL, EQUANT_WORK_BATCH, HUGE, 4, 250, "cpu/common", NULL, 0, false},
    /* a model without planets counts as one with a planet */
    {USUAL, true, NULL, EQUANT_WORK_BATCH, 1000, 0, 1000, "gpu", "cpu/common", 0, true},
    {USUAL, true, NULL, EQUANT_WORK_BATCH, 999, 0, 1000, "cpu/common", NULL, 0, false},
    /* numbers that no integer holds */
    {USUAL, true, NULL, EQUANT_WORK_BATCH, SIZE_MAX, 100, SIZE_MAX, "gpu", "cpu/common", 0, true},
    /* small batches never gain */
    {USUAL, true, NULL, EQUANT_WORK_SMALL_BATCHES, HUGE, 4, HUGE, "cpu/common", NULL, 0, false},
    {USUAL, true, NULL, EQUANT_WORK_SMALL_BATCHES, 0, 0, 0, "cpu/common", NULL, 0, false},
    /* scans always do, where the GPU has them */
    {USUAL, true, NULL, EQUANT_WORK_SCAN, 0, 0, 0, "gpu", "cpu/common", 0, true},
    {USUAL, false, NULL, EQUANT_WORK_SCAN, 0, 0, 0, "cpu/common", NULL, 0, true},
    {MODEST, true, NULL, EQUANT_WORK_SCAN, 0, 0, 0, "cpu/common", NULL, 0, true},
    {MODEST, true, "modest", EQUANT_WORK_SCAN, 0, 0, 0, "cpu/common", NULL, 0, true},
    /* walkers as a batch */
    {USUAL, true, NULL, EQUANT_WORK_WALKERS, 2000, 2, 100, "gpu", "cpu/common", 0, true},
    {USUAL, true, NULL, EQUANT_WORK_WALKERS, 1999, 2, 100, "cpu/common", NULL, 0, false},
    /* Monte Carlo from a thousand million on */
    {USUAL, true, NULL, EQUANT_WORK_MONTE_CARLO, 10000000, 1, 100, "gpu", "cpu/common", 0, true},
    {USUAL, true, NULL, EQUANT_WORK_MONTE_CARLO, 9999999, 1, 100, "cpu/common", NULL, 0, false},
    {USUAL, false, NULL, EQUANT_WORK_MONTE_CARLO, HUGE, 9, 100, "cpu/common", NULL, 0, true},
    /* forecasts from a hundred million on */
    {USUAL, true, NULL, EQUANT_WORK_FORECAST, 10000, 4, 2500, "gpu", "cpu/common", 0, true},
    {USUAL, true, NULL, EQUANT_WORK_FORECAST, 9999, 4, 2500, "cpu/common", NULL, 0, false},
    /* derivatives where each is long */
    {USUAL, true, NULL, EQUANT_WORK_DERIVATIVES, 1, 4, 2500, "gpu", "cpu/common", 0, true},
    {USUAL, true, NULL, EQUANT_WORK_DERIVATIVES, 1, 4, 2499, "cpu/common", NULL, 0, false},
    {USUAL, true, NULL, EQUANT_WORK_DERIVATIVES, 1, 20, 1023, "cpu/common", NULL, 0, false},
    /* a name keeps everything, and its failures */
    {USUAL, true, "cpu", EQUANT_WORK_BATCH, HUGE, 4, 250, "cpu/common", NULL, 0, false},
    {USUAL, true, "cpu/plain", EQUANT_WORK_SCAN, 0, 0, 0, "cpu/plain", NULL, 0, false},
    {USUAL, true, "gpu", EQUANT_WORK_SMALL_BATCHES, 1, 1, 1, "gpu", NULL, 0, true},
    {USUAL, true, "gpu:0", EQUANT_WORK_BATCH, 1, 1, 1, "gpu", NULL, 0, true},
    {USUAL, true, "gpu:1", EQUANT_WORK_SCAN, 0, 0, 0, "gpu", NULL, 1, true},
    {USUAL, true, "gpu:1", EQUANT_WORK_MONTE_CARLO, 1, 1, 1, "gpu", NULL, 1, true},
};

static const char *name_or_none(const backend *any)
{
    return any ? any->name : "none";
}

static void check_row(const row *r, size_t number)
{
    const equant_work work = {sizeof work, r->kind, r->n_sets, r->n_planets, r->n_obs};
    equant_engine_options options = {
        .struct_size = sizeof options, .backend = r->name, .n_threads = 3};
    placement found;
    has_gpu = r->has_gpu;
    n_drivers_asked = 0;
    assert_int_equal(placement_find(&lists[r->list], &options, &work, &found), EQUANT_SUCCESS);
    const char *fallback = name_or_none(found.fallback);
    if (strcmp(found.chosen->name, r->expected) != 0 ||
        strcmp(fallback, r->fallback ? r->fallback : "none") != 0 ||
        found.engine.device != r->device || (n_drivers_asked > 0) != r->asks_driver)
        fail_msg("row %zu: %s, else %s, device %d, %d drivers asked", number, found.chosen->name,
                 fallback, found.engine.device, n_drivers_asked);
    assert_int_equal(found.engine.n_threads, 3);
}

static void every_row_of_the_table_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i], i);
}

/* ---- names that lead nowhere ------------------------------------------------------------- */

static void names_that_lead_nowhere_have_sentences(void **state)
{
    (void)state;
    static const struct {
        const char *name, *sentence;
    } wrong[] = {
        {"cpu/newest", "cannot run here: this processor lacks its instructions"},
        {"gpu", "cannot run here: there is no driver"},
        {"abacus", "has no backend 'abacus'"},
        {"cpu/plain:1", "has no backend 'cpu/plain:1'"},
        {"gpu:", "has no backend"},
        {"gpu:1x", "has no backend"},
        {"gpus", "has no backend"},
        {"", "has no backend"},
    };
    has_gpu = false;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        equant_engine_options options = {.struct_size = sizeof options, .backend = wrong[i].name};
        placement found = {.chosen = &plain};
        assert_int_equal(placement_find(&lists[USUAL], &options, &placement_small_batches, &found),
                         EQUANT_ERROR_UNAVAILABLE);
        assert_non_null(strstr(equant_last_error(), wrong[i].sentence));
        assert_ptr_equal(found.chosen, &plain);
    }
    has_gpu = true;
    equant_engine_options third = {.struct_size = sizeof third, .backend = "gpu:2"};
    placement found;
    assert_int_equal(placement_find(&lists[USUAL], &third, &placement_small_batches, &found),
                     EQUANT_ERROR_UNAVAILABLE);
    assert_non_null(strstr(equant_last_error(), "only 2 of these devices"));
}

/* A GPU scans; the fits of one set at a time beside it are a processor's. */
static void fits_stay_on_processors(void **state)
{
    (void)state;
    const backend own = {.name = "GPU", .device = &some_device}, other = {.name = "cpu/other"};
    const placement on_gpu = {.chosen = &own}, on_processor = {.chosen = &other};
    assert_ptr_equal(placement_for_fits(&on_gpu), placement_processor(NULL));
    assert_ptr_equal(placement_for_fits(&on_processor), &other);
}

/* What only a device can do is refused elsewhere, whoever chose it. */
static void device_options_need_a_device(void **state)
{
    (void)state;
    const equant_paper_options paper = {.struct_size = sizeof paper,
                                        .implementation = EQUANT_IMPLEMENTATION_SPLIT};
    equant_engine_options split = {.struct_size = sizeof split, .paper = &paper};
    placement found;
    has_gpu = true;
    assert_int_equal(placement_find(&lists[USUAL], &split, &placement_small_batches, &found),
                     EQUANT_ERROR_UNAVAILABLE);
    split.backend = "gpu";
    assert_int_equal(placement_find(&lists[USUAL], &split, &placement_small_batches, &found),
                     EQUANT_SUCCESS);
}

static void only_two_names_leave_the_choice(void **state)
{
    (void)state;
    equant_engine_options options = {.struct_size = sizeof options};
    assert_true(engine_is_automatic(NULL));
    assert_true(engine_is_automatic(&options));
    options.backend = "auto";
    assert_true(engine_is_automatic(&options));
    options.backend = "cpu";
    assert_false(engine_is_automatic(&options));
    options.backend = "cuda";
    assert_false(engine_is_automatic(&options));
}

/* ---- threads ---------------------------------------------------------------------------- */

static void threads_are_those_asked_for_or_all(void **state)
{
    (void)state;
    assert_int_equal(placement_threads(1), 1);
    assert_int_equal(placement_threads(7), 7);
    assert_int_equal(placement_threads(0), equant_default_threads());
    assert_true(equant_default_threads() >= 1);
    placement found;
    assert_int_equal(placement_find(&lists[BARE], NULL, &placement_small_batches, &found),
                     EQUANT_SUCCESS);
    assert_int_equal(found.engine.n_threads, equant_default_threads());
    equant_engine_options options = {.struct_size = sizeof options, .n_threads = -1};
    assert_int_equal(placement_find(&lists[BARE], &options, &placement_small_batches, &found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    options.n_threads = ENGINE_MAX_THREADS + 1;
    assert_int_equal(placement_find(&lists[BARE], &options, &placement_small_batches, &found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
}

static void short_work_stays_on_one_thread(void **state)
{
    (void)state;
    assert_int_equal(placement_threads_worth(8, 1e3), 1);
    assert_int_equal(placement_threads_worth(8, 1e6), 8);
    assert_int_equal(placement_threads_worth(1, 1e6), 1);
}

/* ---- for callers -------------------------------------------------------------------------- */

static void callers_are_told_what_the_library_does(void **state)
{
    (void)state;
    equant_placement_info info = {.struct_size = sizeof info};
    equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SMALL_BATCHES};
    equant_engine_options options = {.struct_size = sizeof options, .n_threads = 2};
    assert_int_equal(equant_placement(NULL, &work, &info), EQUANT_SUCCESS);
    assert_string_equal(info.backend, placement_processor(NULL)->name);
    assert_int_equal(info.n_threads, equant_default_threads());
    assert_false(info.has_device_memory);
    options.backend = "cpu/scalar";
    work = (equant_work){sizeof work, EQUANT_WORK_BATCH, SIZE_MAX, 1, 1};
    assert_int_equal(equant_placement(&options, &work, &info), EQUANT_SUCCESS);
    assert_string_equal(info.backend, "cpu/scalar");
    assert_int_equal(info.n_threads, 2);
    options.backend = NULL;
    const backend *accelerator = placement_accelerator(NULL);
    assert_int_equal(equant_placement(&options, &work, &info), EQUANT_SUCCESS);
    assert_int_equal(info.has_device_memory, accelerator != NULL);
    if (accelerator)
        assert_string_equal(info.backend, accelerator->name);
}

static void callers_hear_what_cannot_be_meant(void **state)
{
    (void)state;
    equant_placement_info info = {.struct_size = sizeof info};
    equant_work work = {.struct_size = sizeof work, .kind = (equant_work_kind)7};
    assert_int_equal(equant_placement(NULL, &work, &info), EQUANT_ERROR_INVALID_ARGUMENT);
    work.kind = (equant_work_kind)-1;
    assert_int_equal(equant_placement(NULL, &work, &info), EQUANT_ERROR_INVALID_ARGUMENT);
    work.kind = EQUANT_WORK_SCAN;
    assert_int_equal(equant_placement(NULL, NULL, &info), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_placement(NULL, &work, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    work.struct_size = 0;
    assert_int_equal(equant_placement(NULL, &work, &info), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(info.backend);
}

/* A caller whose struct ends early gets as much as fits. */
static void short_structs_are_respected(void **state)
{
    (void)state;
    equant_placement_info info = {
        .struct_size = offsetof(equant_placement_info, device), .device = -7, .n_threads = -7};
    equant_work work = {.struct_size = offsetof(equant_work, n_sets),
                        .kind = EQUANT_WORK_SMALL_BATCHES,
                        .n_sets = SIZE_MAX};
    assert_int_equal(equant_placement(NULL, &work, &info), EQUANT_SUCCESS);
    assert_non_null(info.backend);
    assert_int_equal(info.device, -7);
    assert_int_equal(info.n_threads, -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_holds),
        cmocka_unit_test(names_that_lead_nowhere_have_sentences),
        cmocka_unit_test(fits_stay_on_processors),
        cmocka_unit_test(device_options_need_a_device),
        cmocka_unit_test(only_two_names_leave_the_choice),
        cmocka_unit_test(threads_are_those_asked_for_or_all),
        cmocka_unit_test(short_work_stays_on_one_thread),
        cmocka_unit_test(callers_are_told_what_the_library_does),
        cmocka_unit_test(callers_hear_what_cannot_be_meant),
        cmocka_unit_test(short_structs_are_respected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
