/* Injections: large companions are found and small ones are not, the same on any number of threads;
 * what makes no map is refused, and a caller may end it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/astrometry/scanned_source.h"

enum { N_ROWS = 50, N_PERIODS = 2, N_SIZES = 2 };

static equant_astrometry *make_source(equant_sky_kind kind)
{
    const scanned_source source = {.n_rows = N_ROWS,
                                   .seed = 23,
                                   .between_days = 36.0,
                                   .kind = kind,
                                   .parallax_mas = 8.0,
                                   .size_mas = kind == EQUANT_SKY_COMPANION ? 50.0 : 0.0,
                                   .period_days = 1000.0};
    return scanned_source_make(&source);
}

static equant_sky_injection_options small_map(const equant_engine_options *engine)
{
    return (equant_sky_injection_options){.struct_size = sizeof(equant_sky_injection_options),
                                          .engine = engine,
                                          .period_min_days = 60.0,
                                          .period_max_days = 900.0,
                                          .a0_min_mas = 0.01,
                                          .a0_max_mas = 1.0,
                                          .n_periods = N_PERIODS,
                                          .n_sizes = N_SIZES,
                                          .n_draws = 6,
                                          .seed = 1};
}

static void large_ones_are_found(void **unused)
{
    (void)unused;
    equant_astrometry *source = make_source(EQUANT_SKY_STAR);
    double found[2][N_SIZES * N_PERIODS];
    for (int turn = 0; turn < 2; turn++) {
        const equant_engine_options engine = {
            .struct_size = sizeof engine, .backend = "cpu", .n_threads = turn + 1};
        equant_sky_injection_options options = small_map(&engine);
        equant_sky_injection *made = NULL;
        assert_int_equal(equant_sky_injection_create(source, &options, &made), EQUANT_SUCCESS);
        assert_int_equal(equant_sky_injection_n_periods(made), N_PERIODS);
        assert_int_equal(equant_sky_injection_n_sizes(made), N_SIZES);
        assert_int_equal(equant_sky_injection_n_draws(made), 6);
        assert_true(fabs(equant_sky_injection_a0_edges_mas(made)[1] - 0.1) < 1e-12);
        assert_true(fabs(equant_sky_injection_period_edges_days(made)[N_PERIODS] - 900.0) < 1e-9);
        assert_true(fabs(equant_sky_injection_parallax_mas(made) - 8.0) < 0.3);
        memcpy(found[turn], equant_sky_injection_found(made), sizeof found[turn]);
        for (size_t i = 0; i < N_PERIODS; i++)
            assert_true(found[turn][i] <= 0.5 && found[turn][N_PERIODS + i] > 0.6);
        for (size_t i = 0; i < N_SIZES * N_PERIODS; i++)
            assert_true(equant_sky_injection_recovered(made)[i] <= found[turn][i]);
        equant_sky_injection_free(made);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    equant_astrometry_free(source);
}

static int stop(const equant_progress_report *report, void *context)
{
    assert_string_equal(report->stage, "injections");
    return *(int *)context;
}

static void what_makes_no_map_is_refused(void **unused)
{
    (void)unused;
    equant_astrometry *star = make_source(EQUANT_SKY_STAR);
    equant_astrometry *companion = make_source(EQUANT_SKY_COMPANION);
    equant_sky_injection *made = NULL;
    int wants_to_stop = 1;
    equant_sky_injection_options options = small_map(NULL);
    options.progress = stop;
    options.progress_context = &wants_to_stop;
    assert_int_equal(equant_sky_injection_create(star, &options, &made), EQUANT_ERROR_CANCELLED);
    options = small_map(NULL);
    assert_int_equal(equant_sky_injection_create(companion, &options, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    options.a0_min_mas = 2.0;
    assert_int_equal(equant_sky_injection_create(star, &options, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    options = small_map(NULL);
    options.n_periods = 1000;
    assert_int_equal(equant_sky_injection_create(star, &options, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    options = small_map(NULL);
    options.false_alarm_max = 2.0;
    assert_int_equal(equant_sky_injection_create(star, &options, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(made);
    equant_astrometry_free(star);
    equant_astrometry_free(companion);
}

/* Jupiter, seen from a hundred parsecs, moves the Sun by 0.0496 mas. */
static void masses_are_those_of_dark_bodies(void **unused)
{
    (void)unused;
    assert_true(fabs(equant_sky_companion_mass(0.0496, 4332.6, 10.0, 1.0) - 1.0) < 0.01);
    assert_true(isnan(equant_sky_companion_mass(0.0, 4332.6, 10.0, 1.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_ones_are_found),
                                       cmocka_unit_test(what_makes_no_map_is_refused),
                                       cmocka_unit_test(masses_are_those_of_dark_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
