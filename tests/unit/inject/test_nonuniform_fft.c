/* The nonuniform FFT against sums over the observations in long double, and the spectrum of circles
 * against the best circle of each frequency. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inference/inject/circle_spectrum.h"
#include "inference/select/orbits/circular_orbit.h"
#include "oracle/random_system.h"
#include "unit/studied_star.h"

enum { N_TIMES = 300, N_FREQUENCIES = 1000 };

static const long double circle = 6.283185307179586476925286766559L;

static void test_sums(void **unused)
{
    (void)unused;
    random_system random = {5};
    double time[N_TIMES];
    double8 values[N_TIMES];
    const double step = 1.0 / 3.0 / 2400.0;
    for (size_t k = 0; k < N_TIMES; k++) {
        time[k] = random_system_between(&random, -1200.0, 1200.0);
        for (size_t lane = 0; lane < DOUBLE8; lane++)
            values[k][lane] = random_system_between(&random, -1.0, 1.0);
    }
    time[0] = 0.0;
    time[1] = -1e-18;
    nonuniform_fft_plan plan;
    fft work;
    assert_int_equal(nonuniform_fft_plan_create(N_TIMES, time, step, N_FREQUENCIES, &plan),
                     EQUANT_SUCCESS);
    assert_int_equal(nonuniform_fft_work(&plan, &work), EQUANT_SUCCESS);
    nonuniform_fft_run(&plan, values, &work);
    for (size_t lane = 0; lane < DOUBLE8; lane += 7)
        for (size_t j = 0; j < N_FREQUENCIES; j += 37) {
            long double re = 0.0L, im = 0.0L, scale = 0.0L;
            for (size_t k = 0; k < N_TIMES; k++) {
                long double angle = circle * (long double)j * (long double)step * time[k];
                re += values[k][lane] * cosl(angle);
                im += values[k][lane] * sinl(angle);
                scale += fabsl((long double)values[k][lane]);
            }
            size_t at = nonuniform_fft_place(&plan, j);
            double error = hypot(work.re[at][lane] * plan.correction[j] - (double)re,
                                 work.im[at][lane] * plan.correction[j] - (double)im);
            assert_true(error < NONUNIFORM_FFT_ERROR * (double)scale);
        }
    fft_free(&work);
    nonuniform_fft_plan_free(&plan);
}

static void test_circles(void **unused)
{
    (void)unused;
    const double planet[5] = {37.0, 9.0, 0.2, 1.0, 2.0};
    const simulated_star sky = {.seed = 4,
                                .n_obs = 70,
                                .first_day = 2450000.0,
                                .span_days = 900.0,
                                .n_planets = 1,
                                .elements = planet,
                                .noise_m_s = 2.0,
                                .uncertainty_m_s = 2.0};
    equant_dataset *dataset = simulated_star_observe(&sky);
    study star;
    solution none;
    base_columns base;
    circle_spectrum spectrum;
    fft work;
    study_star(&star, dataset, 2.0, 1500.0);
    assert_int_equal(solution_create(&star, &none), EQUANT_SUCCESS);
    assert_int_equal(base_columns_create(&star, &none, 0, NULL, &base), EQUANT_SUCCESS);
    assert_int_equal(circle_spectrum_create(&star, &base, &spectrum), EQUANT_SUCCESS);
    assert_int_equal(nonuniform_fft_work(&spectrum.plan, &work), EQUANT_SUCCESS);
    double8 *dual = double8_create_zero(star.n_obs), *gain = double8_create(spectrum.n);
    assert_true(dual && gain);
    for (size_t k = 0; k < star.n_obs; k++)
        dual[k][3] = base.root_weight[k] * base.residual[k];
    circle_spectrum_run(&spectrum, dual, &work, gain);
    for (size_t i = 0; i < spectrum.n; i += 11) {
        double elements[N_ELEMENTS], expected;
        assert_int_equal(circular_orbit_best(&star, &base, circle_spectrum_frequency(&spectrum, i),
                                             elements, &expected),
                         EQUANT_SUCCESS);
        assert_float_equal(gain[i][3], expected, 1e-6 * (1.0 + expected));
        assert_float_equal(gain[i][0], 0.0, 1e-12);
    }
    assert_float_equal(1.0 / circle_spectrum_frequency(&spectrum, spectrum.n - 1), 2.0, 0.01);
    free(dual);
    free(gain);
    fft_free(&work);
    circle_spectrum_free(&spectrum);
    base_columns_free(&base);
    solution_free(&none);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_circles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
