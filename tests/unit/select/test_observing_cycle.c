/* A weak signal with the period of the year is the instrument's; a strong one, and one of another
 * period, is a planet. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N = 120 };
#define TWO_PI 6.283185307179586476925286766559

static equant_fit *fit_star(double period_days, double k_m_s)
{
    double times[N], velocities[N], sigmas[N];
    for (int i = 0; i < N; i++) {
        times[i] = 2455000.0 + 21.7 * i + 6.1 * sin(3.7 * i * i);
        sigmas[i] = 2.0;
        velocities[i] =
            k_m_s * sin(TWO_PI * times[i] / period_days) + 2.0 * M_SQRT2 * sin(11.3 * i * i);
    }
    equant_dataset *dataset;
    equant_fit *fit;
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    equant_fit_options options = {.struct_size = sizeof options,
                                  .engine = &engine,
                                  .max_planets = 1,
                                  .period_min_days = 20.0,
                                  .period_max_days = 2000.0,
                                  .eccentricity_max = 0.3,
                                  .trend = EQUANT_TREND_NONE,
                                  .noise = "white"};
    assert_int_equal(equant_fit_star(dataset, &options, &fit), EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return fit;
}

static void weak_signals_of_the_year(void **state)
{
    (void)state;
    equant_fit *fit = fit_star(365.25, 3.0);
    equant_planet candidate = {.struct_size = sizeof candidate};
    assert_int_equal(equant_fit_n_planets(fit), 0);
    assert_int_equal(equant_fit_candidate(fit, &candidate), EQUANT_SUCCESS);
    assert_true(fabs(candidate.period_days - 365.25) < 10.0);
    assert_int_equal(candidate.refused_because, EQUANT_REFUSED_CYCLE);
    assert_non_null(strstr(equant_fit_refusal(fit), "that of the year"));
    equant_fit_free(fit);
}

static void others_are_planets(void **state)
{
    (void)state;
    equant_fit *strong = fit_star(365.25, 9.0), *elsewhere = fit_star(290.0, 3.0);
    assert_int_equal(equant_fit_n_planets(strong), 1);
    assert_int_equal(equant_fit_n_planets(elsewhere), 1);
    equant_fit_free(strong);
    equant_fit_free(elsewhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weak_signals_of_the_year),
        cmocka_unit_test(others_are_planets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
