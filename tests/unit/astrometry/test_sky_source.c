/* A source from arrays, its order, and the means of its transits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

/* Two transits of three and two CCDs, out of order; weights are powers of two, so that the
 * expected means are exact. */
enum { N = 5 };
static const double times[N] = {10.0, 0.0, 0.5, 1.0, 11.0};
static const double abscissae[N] = {-3, 1, 2, 4, 5};
static const double uncertainties[N] = {1, 1, 0.5, 0.5, 1};
static const double angles[N] = {3.0, 0.25, 0.25, 0.5, 3.0 + 2 * M_PI};
static const double factors[N] = {0.5, 0.1, 0.1, 0.1, 0.25};
static const double colours[N] = {1, 2, 2, 2, 3};
/* Above 2^53: a double would make them equal. */
static const int64_t transits[N] = {9007199254740993, 9007199254740992, 9007199254740992,
                                    9007199254740992, 9007199254740993};

static equant_sky_rows all_rows(void)
{
    return (equant_sky_rows){.struct_size = sizeof(equant_sky_rows),
                             .n_rows = N,
                             .time_days = times,
                             .abscissa_mas = abscissae,
                             .uncertainty_mas = uncertainties,
                             .angle_rad = angles,
                             .parallax_factor = factors,
                             .colour_factor = colours,
                             .transit = transits};
}

static void rows_are_sorted_and_complete(void **state)
{
    (void)state;
    equant_sky_rows given = all_rows(), rows = {.struct_size = sizeof rows};
    equant_astrometry *source = NULL;
    assert_int_equal(equant_astrometry_create(&given, EQUANT_SKY_GAIA_JD, "a star", &source), 0);
    assert_int_equal(equant_astrometry_rows(source, &rows), 0);
    assert_int_equal(rows.n_rows, N);
    static const size_t order[N] = {1, 2, 3, 0, 4};
    for (size_t k = 0; k < N; k++) {
        assert_true(rows.time_days[k] == times[order[k]]);
        assert_true(rows.abscissa_mas[k] == abscissae[order[k]]);
        assert_true(rows.uncertainty_mas[k] == uncertainties[order[k]]);
        assert_true(rows.angle_rad[k] == angles[order[k]]);
        assert_true(rows.parallax_factor[k] == factors[order[k]]);
        assert_true(rows.colour_factor[k] == colours[order[k]]);
        assert_int_equal(rows.kind[k], EQUANT_SKY_STAR);
        assert_true(rows.transit[k] == transits[order[k]]);
    }
    assert_int_equal(equant_astrometry_n_transits(source), 2);
    assert_true(equant_astrometry_reference_jd(source) == 2457936.875);
    assert_string_equal(equant_astrometry_name(source), "a star");
    assert_string_equal(equant_astrometry_format(source), "");
    assert_true(equant_astrometry_source_id(source) == 0);
    assert_int_equal(equant_astrometry_n_remarks(source), 0);
    assert_null(equant_astrometry_remark(source, 0));
    equant_astrometry_free(source);
}

static void what_is_not_given_is_zero(void **state)
{
    (void)state;
    equant_sky_rows given = all_rows(), rows = {.struct_size = sizeof rows};
    given.parallax_factor = given.colour_factor = NULL;
    given.transit = NULL;
    equant_astrometry *source = NULL;
    assert_int_equal(equant_astrometry_create(&given, 0, NULL, &source), 0);
    assert_int_equal(equant_astrometry_rows(source, &rows), 0);
    for (size_t k = 0; k < N; k++)
        assert_true(rows.parallax_factor[k] == 0);
    assert_null(rows.colour_factor);
    assert_int_equal(equant_astrometry_n_transits(source), N);
    assert_string_equal(equant_astrometry_name(source), "");
    equant_astrometry_free(source);
}

static void means_are_weighted(void **state)
{
    (void)state;
    equant_sky_rows given = all_rows(), rows = {.struct_size = sizeof rows};
    equant_astrometry *source = NULL, *means = NULL;
    assert_int_equal(equant_astrometry_create(&given, EQUANT_SKY_GAIA_JD, "a star", &source), 0);
    assert_int_equal(equant_astrometry_transits(source, &means), 0);
    assert_int_equal(equant_astrometry_rows(means, &rows), 0);
    assert_int_equal(rows.n_rows, 2);
    /* weights 1, 4, 4: sums by hand */
    assert_float_equal(rows.time_days[0], (0.0 + 4 * 0.5 + 4 * 1.0) / 9, 1e-15);
    assert_float_equal(rows.abscissa_mas[0], (1.0 + 4 * 2 + 4 * 4) / 9, 1e-14);
    assert_float_equal(rows.uncertainty_mas[0], 1 / 3.0, 1e-15);
    assert_float_equal(rows.angle_rad[0], (0.25 + 4 * 0.25 + 4 * 0.5) / 9, 1e-15);
    assert_float_equal(rows.parallax_factor[0], 0.1, 1e-15);
    assert_float_equal(rows.colour_factor[0], 2, 1e-15);
    assert_true(rows.transit[0] == 9007199254740992);
    /* angles a turn apart are the same angle */
    assert_float_equal(rows.angle_rad[1], 3.0, 1e-14);
    assert_float_equal(rows.time_days[1], 10.5, 1e-14);
    assert_float_equal(rows.abscissa_mas[1], 1, 1e-14);
    assert_float_equal(rows.uncertainty_mas[1], sqrt(0.5), 1e-15);
    assert_float_equal(rows.parallax_factor[1], 0.375, 1e-15);
    assert_string_equal(equant_astrometry_name(means), "a star");
    assert_int_equal(equant_astrometry_n_transits(means), 2);
    equant_astrometry_free(means);
    equant_astrometry_free(source);
}

static void mixed_kinds_have_no_mean(void **state)
{
    (void)state;
    static const equant_sky_kind kinds[N] = {EQUANT_SKY_STAR, EQUANT_SKY_COMPANION};
    equant_sky_rows given = all_rows();
    given.kind = kinds;
    equant_astrometry *source = NULL, *means = NULL;
    assert_int_equal(equant_astrometry_create(&given, 0, NULL, &source), 0);
    assert_int_equal(equant_astrometry_transits(source, &means), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(means);
    assert_non_null(strstr(equant_last_error(), "transit 9007199254740992"));
    equant_astrometry_free(source);
}

static void refuse(const equant_sky_rows *rows, double reference_jd, const char *words)
{
    equant_astrometry *source = NULL;
    assert_int_equal(equant_astrometry_create(rows, reference_jd, NULL, &source),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(source);
    assert_non_null(strstr(equant_last_error(), words));
}

static void what_cannot_be_meant_is_refused(void **state)
{
    (void)state;
    equant_sky_rows rows = all_rows();
    refuse(NULL, 0, "at least one row");
    refuse(&rows, NAN, "reference time");
    rows.n_rows = 0;
    refuse(&rows, 0, "at least one row");
    rows = all_rows();
    rows.angle_rad = NULL;
    refuse(&rows, 0, "at least one row");
    static const double zero[N] = {1, 1, 0, 1, 1}, broken[N] = {0, 0, 0, NAN, 0};
    rows = all_rows();
    rows.uncertainty_mas = zero;
    refuse(&rows, 0, "uncertainty of row 2 is 0 mas");
    rows = all_rows();
    rows.parallax_factor = broken;
    refuse(&rows, 0, "parallax factor of row 3 is not a finite number");
    static const equant_sky_kind kinds[N] = {0, 0, 0, 0, (equant_sky_kind)7};
    rows = all_rows();
    rows.kind = kinds;
    refuse(&rows, 0, "kind of row 4");
    equant_astrometry *nothing = NULL;
    assert_int_equal(equant_astrometry_transits(NULL, &nothing), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_astrometry_rows(NULL, &rows), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_astrometry_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_and_complete),
        cmocka_unit_test(what_is_not_given_is_zero),
        cmocka_unit_test(means_are_weighted),
        cmocka_unit_test(mixed_kinds_have_no_mean),
        cmocka_unit_test(what_cannot_be_meant_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
