/* Periodograms of astrometry: their highest gain is where the catalogue's scan has it, levels fall
 * with the probability, and sources without enough rows are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/astrometry/scanned_source.h"

enum { N_ROWS = 60 };

static equant_astrometry *make_source(double size_mas, size_t n_rows, equant_sky_kind kind)
{
    const scanned_source source = {.n_rows = n_rows,
                                   .seed = 17,
                                   .between_days = 30.0,
                                   .kind = kind,
                                   .parallax_mas = 5.0,
                                   .size_mas = size_mas,
                                   .period_days = 300.0};
    return scanned_source_make(&source);
}

static void the_highest_gain_is_the_orbit(void **unused)
{
    (void)unused;
    equant_astrometry *source = make_source(0.5, N_ROWS, EQUANT_SKY_STAR);
    equant_sky_periodogram *made = NULL;
    const equant_sky_periodogram_options options = {.struct_size = sizeof options,
                                                    .period_min_days = 20.0};
    assert_int_equal(equant_sky_periodogram_create(source, &options, &made), EQUANT_SUCCESS);
    size_t n = equant_sky_periodogram_n(made), best = 0;
    const double *gain = equant_sky_periodogram_gain(made);
    const double *frequency = equant_sky_periodogram_frequency_per_day(made);
    for (size_t i = 0; i < n; i++) {
        assert_true(gain[i] >= 0.0 && equant_sky_periodogram_eccentricity(made)[i] <= 0.95);
        assert_true(i == 0 || frequency[i] > frequency[i - 1]);
        best = gain[i] > gain[best] ? i : best;
    }
    assert_true(fabs(1.0 / frequency[best] - 300.0) < 20.0);
    assert_true(gain[best] > equant_sky_periodogram_level(made, 1e-6));
    assert_true(equant_sky_periodogram_level(made, 1e-3) > equant_sky_periodogram_level(made, 0.1));
    assert_true(isnan(equant_sky_periodogram_level(made, 0.0)));
    equant_sky_catalogue *catalogue = NULL;
    const equant_engine_options engine = {.struct_size = sizeof engine};
    const equant_sky_catalogue_options same = {
        .struct_size = sizeof same, .engine = &engine, .period_min_days = 20.0};
    equant_sky_catalogue_row row = {.struct_size = sizeof row};
    const equant_astrometry *sources[1] = {source};
    assert_int_equal(equant_sky_catalogue_create(&same, &catalogue), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_catalogue_run(catalogue, 1, sources, &row), EQUANT_SUCCESS);
    assert_int_equal(row.verdict, EQUANT_SKY_ORBIT);
    assert_true(row.gain > 0.6 * gain[best] && row.gain < 1.5 * gain[best]); /* that is refined */
    equant_sky_catalogue_free(catalogue);
    equant_sky_periodogram_free(made);
    equant_astrometry_free(source);
}

static void what_has_none_is_refused(void **unused)
{
    (void)unused;
    equant_sky_periodogram *made = NULL;
    equant_astrometry *few = make_source(0.0, 8, EQUANT_SKY_STAR);
    equant_astrometry *companion = make_source(0.5, N_ROWS, EQUANT_SKY_COMPANION);
    const equant_sky_periodogram_options wrong = {.struct_size = sizeof wrong,
                                                  .eccentricity_max = 1.5};
    assert_int_equal(equant_sky_periodogram_create(few, NULL, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_sky_periodogram_create(companion, NULL, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_sky_periodogram_create(few, &wrong, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(made);
    equant_sky_periodogram_free(NULL);
    equant_astrometry_free(few);
    equant_astrometry_free(companion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_highest_gain_is_the_orbit),
                                       cmocka_unit_test(what_has_none_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
