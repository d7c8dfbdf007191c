/* Catalogues: the row of a source is the same in any company and as a fit of its own tells it, and
 * what is wrong with one source is told in its row alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N_ROWS = 50, N_SOURCES = 4 };

/* Sources 0 and 3 are noise, 1 has an orbit of 300 days, 2 too few rows. */
static equant_astrometry *make_source(size_t number)
{
    double time[N_ROWS], value[N_ROWS], error[N_ROWS], angle[N_ROWS], factor[N_ROWS];
    double u[4 * N_ROWS];
    const double two_pi = 6.283185307179586;
    assert_int_equal(equant_random_uniform(number + 11, 5, 0, 4 * N_ROWS, u), EQUANT_SUCCESS);
    for (size_t k = 0; k < N_ROWS; k++) {
        double noise = sqrt(-2.0 * log(1.0 - u[4 * k])) * cos(two_pi * u[4 * k + 1]);
        time[k] = -900.0 + 36.0 * (double)k + 10.0 * u[4 * k + 2];
        angle[k] = two_pi * u[4 * k + 3];
        factor[k] = 0.7 * sin(angle[k] + two_pi * time[k] / 365.25);
        error[k] = 0.1;
        value[k] = 5.0 * factor[k] + 3.0 * time[k] / 365.25 * sin(angle[k]) + 0.1 * noise;
        if (number == 1)
            value[k] += 0.8 * sin(angle[k] + two_pi * time[k] / 300.0);
    }
    const equant_sky_rows rows = {.struct_size = sizeof rows,
                                  .n_rows = number == 2 ? 3 : N_ROWS,
                                  .time_days = time,
                                  .abscissa_mas = value,
                                  .uncertainty_mas = error,
                                  .angle_rad = angle,
                                  .parallax_factor = factor};
    equant_astrometry *source = NULL;
    assert_int_equal(equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, "a star", &source),
                     EQUANT_SUCCESS);
    return source;
}

static void run(const equant_sky_catalogue_options *options, size_t n,
                const equant_astrometry *const *sources, equant_sky_catalogue_row *rows)
{
    equant_sky_catalogue *catalogue = NULL;
    assert_int_equal(equant_sky_catalogue_create(options, &catalogue), EQUANT_SUCCESS);
    rows[0].struct_size = sizeof *rows;
    assert_int_equal(equant_sky_catalogue_run(catalogue, n, sources, rows), EQUANT_SUCCESS);
    equant_sky_catalogue_free(catalogue);
}

static void rows_depend_on_their_sources_alone(void **unused)
{
    (void)unused;
    equant_astrometry *sources[N_SOURCES];
    equant_sky_catalogue_row together[N_SOURCES], alone;
    const equant_sky_catalogue_options options = {.struct_size = sizeof options,
                                                  .period_min_days = 30.0};
    for (size_t i = 0; i < N_SOURCES; i++)
        sources[i] = make_source(i);
    run(&options, N_SOURCES, (const equant_astrometry *const *)sources, together);
    for (size_t i = 0; i < N_SOURCES; i++) {
        run(&options, 1, (const equant_astrometry *const *)sources + i, &alone);
        assert_true(alone.verdict == together[i].verdict &&
                    alone.is_fitted == together[i].is_fitted);
        assert_memory_equal(&alone.parallax_mas, &together[i].parallax_mas,
                            offsetof(equant_sky_catalogue_row, flags) -
                                offsetof(equant_sky_catalogue_row, parallax_mas));
        assert_string_equal(alone.flags, together[i].flags);
    }
    assert_int_equal(together[0].verdict, EQUANT_SKY_5P);
    assert_true(fabs(together[0].parallax_mas - 5.0) < 5.0 * together[0].parallax_mas_err);
    assert_true(together[0].false_alarm > 1e-3 && isnan(together[0].period_days));
    assert_true(together[0].chi_square_orbit < together[0].chi_square_5p);
    assert_int_equal(together[1].verdict, EQUANT_SKY_ORBIT);
    assert_true(together[1].is_fitted && fabs(together[1].period_days - 300.0) < 3.0);
    assert_true(fabs(together[1].a0_mas - 0.8) < 5.0 * together[1].a0_mas_err);
    assert_true(!together[2].is_solved && isnan(together[2].parallax_mas));
    assert_string_equal(together[2].flags, "unsolved");
    for (size_t i = 0; i < N_SOURCES; i++)
        equant_astrometry_free(sources[i]);
}

static void a_screened_source_is_what_its_fit_says(void **unused)
{
    (void)unused;
    equant_astrometry *source = make_source(0);
    const equant_astrometry *const sources[] = {source};
    equant_sky_catalogue_row screened, fitted;
    equant_sky_catalogue_options options = {.struct_size = sizeof options, .period_min_days = 50.0};
    run(&options, 1, sources, &screened);
    options.fit_all = 1;
    run(&options, 1, sources, &fitted);
    assert_true(fitted.is_fitted && fitted.verdict == screened.verdict);
    assert_true(fabs(fitted.parallax_mas - screened.parallax_mas) < 1e-9);
    assert_true(fabs(fitted.chi_square_5p - screened.chi_square_5p) < 1e-6);
    assert_true(fitted.gain > 0.9 * screened.gain);
    equant_astrometry_free(source);
}

/* More sources than are under way at a time; a periodogram of one source is told by other code. */
static void signals_are_the_highest_gains_of_periodograms(void **unused)
{
    (void)unused;
    enum { MANY = 9000 };
    equant_astrometry *own[N_SOURCES];
    const equant_astrometry **sources = calloc(MANY, sizeof *sources);
    equant_sky_signal *signals = calloc(MANY, sizeof *signals);
    equant_sky_catalogue *catalogue = NULL;
    const equant_engine_options engine = {.struct_size = sizeof engine};
    const equant_sky_catalogue_options options = {
        .struct_size = sizeof options, .engine = &engine, .period_min_days = 200.0};
    const equant_sky_periodogram_options same = {
        .struct_size = sizeof same, .engine = &engine, .period_min_days = 200.0};
    assert_non_null(sources);
    assert_non_null(signals);
    for (size_t i = 0; i < N_SOURCES; i++)
        own[i] = make_source(i);
    for (size_t i = 0; i < MANY; i++)
        sources[i] = own[2]; /* of which nothing can be searched, but for the last */
    for (size_t i = 0; i < N_SOURCES; i++)
        sources[MANY - N_SOURCES + i] = own[i];
    assert_int_equal(equant_sky_catalogue_create(&options, &catalogue), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_catalogue_search(catalogue, MANY, sources, signals),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    signals[0].struct_size = sizeof *signals;
    assert_int_equal(equant_sky_catalogue_search(catalogue, MANY, sources, signals),
                     EQUANT_SUCCESS);
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(signals[i].is_searched, sources[i] != own[2]);
    assert_true(signals[0].false_alarm == 1.0 && isnan(signals[0].period_days));
    for (size_t i = MANY - N_SOURCES; i < MANY; i++) {
        equant_sky_periodogram *periodogram = NULL;
        size_t best = 0;
        if (!signals[i].is_searched)
            continue;
        assert_int_equal(equant_sky_periodogram_create(sources[i], &same, &periodogram),
                         EQUANT_SUCCESS);
        const double *gain = equant_sky_periodogram_gain(periodogram);
        for (size_t k = 1; k < equant_sky_periodogram_n(periodogram); k++)
            best = gain[k] > gain[best] ? k : best;
        assert_true(fabs(signals[i].gain - gain[best]) < 1e-9 * gain[best]);
        double frequency = equant_sky_periodogram_frequency_per_day(periodogram)[best];
        assert_true(fabs(signals[i].period_days * frequency - 1.0) < 0.1);
        assert_true(signals[i].false_alarm < 1e-6 || sources[i] != own[1]);
        assert_true(signals[i].false_alarm > 1e-3 || sources[i] == own[1]);
        equant_sky_periodogram_free(periodogram);
    }
    equant_sky_catalogue_free(catalogue);
    for (size_t i = 0; i < N_SOURCES; i++)
        equant_astrometry_free(own[i]);
    free(sources);
    free(signals);
}

static void nonsense_is_refused(void **unused)
{
    (void)unused;
    equant_sky_catalogue *catalogue = NULL;
    equant_sky_catalogue_options options = {.struct_size = sizeof options, .false_alarm_max = 2.0};
    assert_int_equal(equant_sky_catalogue_create(&options, &catalogue),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    options =
        (equant_sky_catalogue_options){.struct_size = sizeof options, .eccentricity_max = 0.999};
    assert_int_equal(equant_sky_catalogue_create(&options, &catalogue),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_sky_catalogue_create(NULL, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_sky_catalogue_create(NULL, &catalogue), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_catalogue_run(catalogue, 1, NULL, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_sky_catalogue_run(catalogue, 0, NULL, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_catalogue_search(catalogue, 1, NULL, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_sky_catalogue_search(catalogue, 0, NULL, NULL), EQUANT_SUCCESS);
    equant_sky_catalogue_free(catalogue);
    equant_sky_catalogue_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_depend_on_their_sources_alone),
        cmocka_unit_test(a_screened_source_is_what_its_fit_says),
        cmocka_unit_test(signals_are_the_highest_gains_of_periodograms),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
