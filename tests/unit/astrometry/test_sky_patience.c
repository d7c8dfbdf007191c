/* A fit of astrometry can be stopped between any two of its models, and keeps what it has where
 * that is wanted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/astrometry/scanned_source.h"

static const scanned_source orbiting = {.n_rows = 50,
                                        .seed = 4,
                                        .between_days = 36.0,
                                        .kind = EQUANT_SKY_STAR,
                                        .parallax_mas = 20.0,
                                        .size_mas = 2.0,
                                        .period_days = 400.0};

typedef struct patience {
    int n_calls, last_call; /* the call that cancels; 0: none */
    double last_done;
} patience;

static int listen(const equant_progress_report *report, void *context)
{
    patience *listener = context;
    assert_true(report->done >= listener->last_done && report->done <= 1.0);
    listener->last_done = report->done;
    return ++listener->n_calls == listener->last_call;
}

static equant_status fit(const equant_astrometry *source, patience *listener, int keeps_partial,
                         equant_sky_fit **made)
{
    const equant_sky_fit_options options = {.struct_size = sizeof options,
                                            .progress = listen,
                                            .progress_context = listener,
                                            .keeps_partial = keeps_partial};
    return equant_sky_fit_create(source, &options, made);
}

static void fits_can_be_stopped_anywhere(void **state)
{
    (void)state;
    equant_astrometry *source = scanned_source_make(&orbiting);
    equant_sky_fit *made = NULL;
    patience whole = {0};
    equant_sky_summary all = {.struct_size = sizeof all};
    assert_int_equal(fit(source, &whole, 1, &made), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_fit_summarize(made, &all), EQUANT_SUCCESS);
    assert_int_equal(all.end, EQUANT_FIT_FINISHED);
    assert_int_equal(all.verdict, EQUANT_SKY_ORBIT);
    equant_sky_fit_free(made);
    assert_true(whole.n_calls >= 4);
    int n_orbits = 0;
    for (int call = 1; call <= whole.n_calls; call++) {
        patience cut = {.last_call = call};
        equant_sky_fit *none = NULL;
        assert_int_equal(fit(source, &cut, 0, &none), EQUANT_ERROR_CANCELLED);
        assert_null(none);
        assert_int_equal(cut.n_calls, call);
        cut = (patience){.last_call = call};
        assert_int_equal(fit(source, &cut, 1, &made), EQUANT_SUCCESS);
        assert_int_equal(cut.n_calls, call); /* nobody is asked afterwards */
        equant_sky_summary own = {.struct_size = sizeof own};
        assert_int_equal(equant_sky_fit_summarize(made, &own), EQUANT_SUCCESS);
        assert_int_equal(own.end, EQUANT_FIT_CANCELLED);
        assert_true(isfinite(own.chi_square) && isfinite(own.log_likelihood));
        assert_true(own.log_likelihood < all.log_likelihood + 1e-6);
        assert_true(fabs(own.parallax_mas - 20.0) < 5.0 && own.parallax_mas_err > 0.0);
        assert_true(equant_sky_fit_n_models(made) >= 1);
        assert_true(own.verdict == EQUANT_SKY_ORBIT || strlen(equant_sky_fit_words(made)) > 0);
        n_orbits += own.verdict == EQUANT_SKY_ORBIT;
        if (call == 1)
            assert_non_null(strstr(equant_sky_fit_words(made), "orbits were not looked for"));
        equant_sky_fit_free(made);
    }
    assert_true(n_orbits > 0 && n_orbits < whole.n_calls);
    equant_astrometry_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits_can_be_stopped_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
