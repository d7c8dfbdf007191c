/* Predictions of correlated noise against numbers computed with 50 digits, and what nights do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference_rows.h"

static const equant_noise_rows given = {.struct_size = sizeof given,
                                        .n = N,
                                        .time_days = times,
                                        .values = values,
                                        .variances = variances};

static void assert_close(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-12 * fmax(fabs(wanted), 1.0)))
        fail_msg("%.17g is not %.17g", found, wanted);
}

static void reference_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double mean[2], variance[2];
    } cases[] = {
        {"rotation(amplitude=4, period=11.3, quality=1.5, extra_quality=0.7, mix=0.4)",
         {-4.7010483600827, 2.40475365480774},
         {1.45263037945864, 13.5424190673965}},
        {"mep(amplitude=4, period=11.3, decay=25, width=0.6)",
         {-3.08349264820983, 2.87993766635087},
         {.942985656770454, 7.28412473281358}},
        {"esp2(amplitude=4, period=11.3, decay=25, width=0.6)",
         {-2.54737444275422, 3.53793246745984},
         {.494658371522772, 3.19731869285405}},
    };
    const double wanted[2] = {30.0, 70.0};
    const equant_noise_rows at = {.struct_size = sizeof at, .n = 2, .time_days = wanted};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_noise *noise;
        double mean[2], variance[2];
        assert_int_equal(equant_noise_create(cases[i].text, &noise), EQUANT_SUCCESS);
        assert_int_equal(equant_noise_predict(noise, &given, NULL, &at, mean, variance),
                         EQUANT_SUCCESS);
        for (int j = 0; j < 2; j++) {
            assert_close(mean[j], cases[i].mean[j]);
            assert_close(variance[j], cases[i].variance[j]);
        }
        assert_int_equal(equant_noise_predict(noise, &given, NULL, &at, mean, NULL),
                         EQUANT_SUCCESS);
        equant_noise_free(noise);
    }
}

/* Two exposures of a night tell its offset; the next night has nothing to say. */
static void nights(void **state)
{
    (void)state;
    const double own[3] = {0.6, 0.7, 1.6}, residuals[3] = {1.0, 3.0, 5.0},
                 white[3] = {1.0, 1.0, 1.0}, wanted[3] = {0.65, 1.65, 2.65};
    const int first[3] = {0, 0, 0};
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = 3,
                              .time_days = own,
                              .values = residuals,
                              .variances = white};
    equant_noise_rows at = {
        .struct_size = sizeof at, .n = 3, .time_days = wanted, .instruments = first};
    equant_noise *noise;
    double mean[3], variance[3];
    assert_int_equal(equant_noise_create("night(amplitude=2)", &noise), EQUANT_SUCCESS);
    assert_int_equal(equant_noise_predict(noise, &rows, NULL, &at, mean, variance), EQUANT_SUCCESS);
    assert_close(mean[0], 2.0 * 4.0 / 4.5); /* of two exposures, with 1/2 of variance */
    assert_close(variance[0], 4.0 - 16.0 / 4.5);
    assert_close(mean[1], 5.0 * 4.0 / 5.0);
    assert_close(mean[2], 0.0);
    assert_close(variance[2], 4.0);
    at.instruments = NULL;
    assert_int_equal(equant_noise_predict(noise, &rows, NULL, &at, mean, variance), EQUANT_SUCCESS);
    assert_close(mean[0], 0.0);
    assert_close(variance[0], 0.0);
    equant_noise_free(noise);
}

/* The derivative of the mean is the mean of the derivative. */
static void slopes(void **state)
{
    (void)state;
    const double step = 1e-4, around[3] = {30.0 - step, 30.0, 30.0 + step}, alpha[3] = {1, 0, 1},
                 beta[3] = {0, 1, 0};
    const equant_noise_rows at = {
        .struct_size = sizeof at, .n = 3, .time_days = around, .alpha = alpha, .beta = beta};
    equant_noise *noise;
    double mean[3];
    assert_int_equal(
        equant_noise_create("mep(amplitude=4, period=11.3, decay=25, width=0.6)", &noise),
        EQUANT_SUCCESS);
    assert_int_equal(equant_noise_predict(noise, &given, NULL, &at, mean, NULL), EQUANT_SUCCESS);
    assert_float_equal(mean[1], (mean[2] - mean[0]) / (2.0 * step), 1e-6);
    equant_noise_free(noise);
}

static void wrong_calls(void **state)
{
    (void)state;
    const double wanted[2] = {70.0, 30.0}, nonsense[1] = {-1.0};
    equant_noise_rows at = {.struct_size = sizeof at, .n = 2, .time_days = wanted};
    equant_noise *noise;
    double mean[2];
    assert_int_equal(equant_noise_create("night(amplitude=2)", &noise), EQUANT_SUCCESS);
    assert_int_equal(equant_noise_predict(noise, &given, NULL, &at, mean, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    at.n = 1;
    assert_int_equal(equant_noise_predict(noise, &given, nonsense, &at, mean, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_noise_predict(noise, NULL, NULL, &at, mean, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    equant_noise_free(noise);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_numbers),
        cmocka_unit_test(nights),
        cmocka_unit_test(slopes),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
