/* Every noise term against numbers computed with 50 digits: likelihoods of one and of two series,
 * kernels, linear terms at their best and integrated, derivatives, predictions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "noise/noise_catalogue.h"
#include "noise/noise_covariance.h"

#include "reference_rows.h" /* last: its names stand in headers too */

#define TOLERANCE 1e-10

#define SHO "sho(amplitude=4, period=11.3, quality=3)"
#define ROTATION "rotation(amplitude=4, period=11.3, quality=1.5, extra_quality=0.7, mix=0.4)"
#define MATERN32 "matern32(amplitude=4, decay=6)"
#define MATERN52 "matern52(amplitude=4, decay=6)"
#define ES "es(amplitude=4, decay=6)"
#define ESP2 "esp2(amplitude=4, period=11.3, decay=25, width=0.6)"
#define ESP3 "esp3(amplitude=4, period=11.3, decay=25, width=0.6)"
#define MEP "mep(amplitude=4, period=11.3, decay=25, width=0.6)"
#define MEP4 "mep4(amplitude=4, period=11.3, decay=25, width=0.6)"
#define QP "qp(amplitude=4, period=11.3, decay=25, width=0.6)"

static equant_noise *noise_of(const char *text)
{
    equant_noise *noise;
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_SUCCESS);
    return noise;
}

static double log_likelihood(const char *text, const equant_noise_rows *rows)
{
    equant_noise *noise = noise_of(text);
    double result = NAN;
    assert_int_equal(equant_noise_log_likelihood(noise, rows, 0, NULL, &result), EQUANT_SUCCESS);
    equant_noise_free(noise);
    return result;
}

static void assert_close(double found, double wanted)
{
    if (!(fabs(found - wanted) <= TOLERANCE * fabs(wanted)))
        fail_msg("%.17g is not %.17g", found, wanted);
}

static void the_data(void **state)
{
    (void)state;
    double sum_t = 0.0, sum_y = 0.0, sum_s = 0.0, sum_yy = 0.0;
    for (int i = 0; i < N; i++) {
        sum_t += times[i];
        sum_y += values[i];
        sum_s += sqrt(variances[i] - 0.25);
        sum_yy += values[i] * values[i];
    }
    assert_close(times[1], 2.2781349112503157788);
    assert_close(times[39], 66.552583695685661131);
    assert_close(values[0], 2.6327476856711181483);
    assert_close(values[39], -4.3304282777770074897);
    assert_close(sum_t, 1326.1629635972208764);
    assert_close(sum_y, 11.403333823218265597);
    assert_close(sum_s, 40.405713335102372678);
    assert_close(sum_yy, 699.77334821773486252);
}

static void one_series(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double wanted, of_long; /* 0: unknown */
    } cases[] = {
        {"white", -350.57249267966482835, 0},
        {SHO, -146.70370026847076557, 0},
        {"sho(amplitude=4, period=11.3, quality=0.3)", -139.20685093918882401, 0},
        {ROTATION, -116.42717060428382379, -2863.75513798458},
        {MATERN32, -177.16565794123913457, -4443.177009357},
        {MATERN52, -198.85622208020217923, 0},
        {QP, -145.51022227000434165, 0},
        {ES, -238.25787489135704926, 0},
        {ESP2, -156.83780505874473132, -3791.31787599448},
        {ESP3, -145.8543802065577972, 0},
        {MEP, -149.93327031409786572, -3634.7568820170},
        {MEP4, -138.4814885877159618, 0},
    };
    equant_noise_rows few = first_rows(N), many = first_rows(LONG);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_close(log_likelihood(cases[i].text, &few), cases[i].wanted);
        if (cases[i].of_long != 0.0)
            assert_close(log_likelihood(cases[i].text, &many), cases[i].of_long);
    }
}

static void kernels(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double values[5], wanted;
    } cases[] = {
        {"sho", {4, 11.3, 3}, -6.34545602880498},
        {"rotation", {4, 11.3, 1.5, 0.7, 0.4}, -4.03536200073618},
        {"matern32", {4, 6}, 6.04374339830017},
        {"qp", {4, 11.3, 25, 0.6}, 5.01984863081767},
        {"es", {4, 6}, 7.61519691459905},
        {"esp2", {4, 11.3, 25, 0.6}, 4.94783559007858},
        {"mep", {4, 11.3, 25, 0.6}, 4.7851988605901},
        {"mep4", {4, 11.3, 25, 0.6}, 5.13462532725067},
    };
    const noise_place now = {.time_days = 7.3, .alpha = 1.0}, then = {.alpha = 1.0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        noise_process process = {.n_blocks = 0, .n_states = 0};
        noise_catalogue_expand(noise_catalogue_find(cases[i].name, strlen(cases[i].name)),
                               cases[i].values, 1, &process);
        assert_close(noise_covariance(&process, &now, &then), cases[i].wanted);
        assert_close(noise_covariance(&process, &then, &now), cases[i].wanted);
        assert_close(noise_covariance(&process, &now, &now), 16.0);
    }
}

/* Velocities that see the process and its derivative, and an indicator that sees the process. */
typedef struct two_series {
    double times[2 * N], values[2 * N], variances[2 * N], alpha[2 * N], beta[2 * N];
} two_series;

static equant_noise_rows make_two_series(two_series *both)
{
    for (int i = 0; i < N; i++) {
        both->times[2 * i] = both->times[2 * i + 1] = times[i];
        both->values[2 * i] = values[i];
        both->values[2 * i + 1] = 2.0 * cos(TWO_PI * times[i] / 11.3) + 0.8 * sin(2.1 * i);
        both->variances[2 * i] = variances[i];
        both->variances[2 * i + 1] = 0.4 * 0.4 + 0.3 * 0.3;
        both->alpha[2 * i] = 1.5, both->beta[2 * i] = 4.0;
        both->alpha[2 * i + 1] = 2.0, both->beta[2 * i + 1] = 0.0;
    }
    return (equant_noise_rows){.struct_size = sizeof(equant_noise_rows),
                               .n = 2 * N,
                               .time_days = both->times,
                               .values = both->values,
                               .variances = both->variances,
                               .alpha = both->alpha,
                               .beta = both->beta};
}

static void two_series_of_one_process(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double wanted;
    } cases[] = {
        {"matern52(amplitude=1, decay=6)", -521.63431861294348},
        {"mep(amplitude=1, period=11.3, decay=25, width=0.6)", -475.33610919992266},
        {"esp2(amplitude=1, period=11.3, decay=25, width=0.6)", -522.40404373049911},
        {"qp(amplitude=1, period=11.3, decay=25, width=0.6)", -496.17405799996691},
    };
    two_series both;
    const equant_noise_rows rows = make_two_series(&both);
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += both.values[2 * i + 1];
    assert_close(sum, -0.44269585578741021663);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_close(log_likelihood(cases[i].text, &rows), cases[i].wanted);
}

/* Offsets of even and of odd rows, and a slope. */
static void linear_terms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double best, integrated, with_prior;
    } cases[] = {
        {"white", -342.83165868278892845, -343.02648677607639563, -359.59948388519836604},
        {ROTATION, -115.8710416837049433, -113.24715838509127117, -129.82014810161611844},
        {QP, -145.21471774805912309, -140.78059242816543111, -157.35626206744379991},
        {ESP2, -156.12327013148079998, -151.67467651556987746, -168.25070864022741031},
    };
    static const double deviations[3] = {100.0, 100.0, 100.0};
    static const double wanted[3] = {-0.507265657799509, -0.0407239244476749, -1.6936770108351};
    double columns[3][N];
    for (int i = 0; i < N; i++) {
        columns[0][i] = i % 2 == 0;
        columns[1][i] = i % 2 == 1;
        columns[2][i] = (times[i] - 50.0) / 100.0;
    }
    const equant_noise_rows rows = first_rows(N);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_noise *noise = noise_of(cases[i].text);
        equant_noise_columns given = {
            .struct_size = sizeof given, .n = 3, .columns = &columns[0][0]};
        double found[3], best, integrated;
        assert_int_equal(equant_noise_follow(noise, &rows, NULL, &given, found, &best, &integrated),
                         EQUANT_SUCCESS);
        assert_close(best, cases[i].best);
        assert_close(integrated, cases[i].integrated);
        for (int j = 0; j < 3 && i == 1; j++)
            assert_close(found[j], wanted[j]);
        given.standard_deviations = deviations;
        assert_int_equal(equant_noise_follow(noise, &rows, NULL, &given, NULL, NULL, &integrated),
                         EQUANT_SUCCESS);
        assert_close(integrated, cases[i].with_prior);
        equant_noise_free(noise);
    }
}

/* d ln L / d ln parameter: noise, then jitter 1/2. */
static void gradients(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double wanted[6];
    } cases[] = {
        {ROTATION,
         {9.34321294918395, -58.6011989528448, -4.38737136971476, .993796647470279,
          5.88653737234328, 3.61213506544935}},
        /* amplitude, period, decay, width */
        {QP,
         {12.0529694591658, 116.893008717524, -2.71005492320856, -34.9723770520605,
          27.1252548919043}},
        {MEP,
         {10.4950370379675, -62.476402370653, -2.72132766400321, -20.8275081708572,
          26.4107345820843}},
        {ESP2,
         {-.994321750532457, -10.0810327162501, 3.75748552439253, -4.23540038445057,
          36.460618152312}},
    };
    const equant_noise_rows rows = first_rows(N);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_noise *noise = noise_of(cases[i].text);
        size_t n = equant_noise_n_parameters(noise);
        double found, by_parameter[5], by_variance[N], by_jitter = 0.0;
        assert_int_equal(
            equant_noise_differentiate(noise, &rows, NULL, &found, by_parameter, by_variance),
            EQUANT_SUCCESS);
        assert_close(found, log_likelihood(cases[i].text, &rows));
        for (size_t j = 0; j < n; j++)
            assert_close(equant_noise_parameter_value(noise, j) * by_parameter[j],
                         cases[i].wanted[j]);
        for (int k = 0; k < N; k++)
            by_jitter += 2.0 * 0.25 * by_variance[k];
        assert_close(by_jitter, cases[i].wanted[n]);
        equant_noise_free(noise);
    }
}

/* Of two series by whole matrices, against differences, which are good to five places. */
static void gradients_of_two_series(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "mep(amplitude=1, period=11.3, decay=25, width=0.6)",
        "qp(amplitude=1, period=11.3, decay=25, width=0.6)",
        "esp2(amplitude=1, period=11.3, decay=25, width=0.6)",
        "rotation(amplitude=1, period=11.3, quality=1.5, extra_quality=0.7, mix=0.4)",
        "sho(amplitude=1, period=11.3, quality=0.3), matern52(amplitude=1, decay=6)"};
    two_series both;
    const equant_noise_rows rows = make_two_series(&both);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        equant_noise *noise = noise_of(texts[i]);
        size_t n = equant_noise_n_parameters(noise);
        double found, by_parameter[5], beside[2], set[5];
        assert_int_equal(equant_noise_differentiate(noise, &rows, NULL, &found, by_parameter, NULL),
                         EQUANT_SUCCESS);
        assert_close(found, log_likelihood(texts[i], &rows));
        for (size_t j = 0; j < n; j++) {
            for (size_t p = 0; p < n; p++)
                set[p] = equant_noise_parameter_value(noise, p);
            double value = set[j], step = 1e-6 * value;
            for (int side = 0; side < 2; side++) {
                set[j] = value + (side ? step : -step);
                assert_int_equal(equant_noise_log_likelihood(noise, &rows, 1, set, &beside[side]),
                                 EQUANT_SUCCESS);
            }
            assert_float_equal(by_parameter[j] * value,
                               (beside[1] - beside[0]) / (2.0 * step) * value, 1e-5);
        }
        equant_noise_free(noise);
    }
}

static void predictions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double mean[2], variance[2];
    } cases[] = {
        {ROTATION, {-4.7010483600827, 2.40475365480774}, {1.45263037945864, 13.5424190673965}},
        {QP, {-2.17665567569046, 3.3236081648127}, {.543773979366022, 3.07469490753762}},
        {MEP, {-3.08349264820983, 2.87993766635087}, {.942985656770454, 7.28412473281358}},
        {ESP2, {-2.54737444275422, 3.53793246745984}, {.494658371522772, 3.19731869285405}},
    };
    const double wanted[2] = {30.0, 70.0};
    const equant_noise_rows rows = first_rows(N),
                            at = {.struct_size = sizeof at, .n = 2, .time_days = wanted};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_noise *noise = noise_of(cases[i].text);
        double mean[2], variance[2];
        assert_int_equal(equant_noise_predict(noise, &rows, NULL, &at, mean, variance),
                         EQUANT_SUCCESS);
        for (int j = 0; j < 2; j++) {
            assert_close(mean[j], cases[i].mean[j]);
            assert_close(variance[j], cases[i].variance[j]);
        }
        equant_noise_free(noise);
    }
}

/* Whole matrices know the other terms, too: qp beside nights, less qp, is what nights are alone. */
static void sums_with_whole_terms(void **state)
{
    (void)state;
    double night_times[N];
    int made_by[N];
    for (int i = 0; i < N; i++) {
        made_by[i] = i % 2;
        night_times[i] = 2455000.6 + i / 5 + 0.07 * (i % 5);
    }
    equant_noise_rows rows = first_rows(N);
    rows.time_days = night_times;
    rows.instruments = made_by;
    static const char rest[] = "night(amplitude=1.5), mep(amplitude=2, period=9, decay=20, "
                               "width=0.5), matern52(amplitude=1, decay=4)";
    char text[256] = "qp(amplitude=1e-7, period=11.3, decay=25, width=0.6), ";
    strcat(text, rest);
    assert_close(log_likelihood(text, &rows), log_likelihood(rest, &rows));
}

static void wrong_calls(void **state)
{
    (void)state;
    static double twice[2 * N], many_times[3001], many[3001];
    equant_noise *noise = noise_of(QP);
    equant_noise_rows rows = first_rows(N);
    double found, by_parameter[4], set[4] = {-1.0, 1.0, 1.0, 1.0};
    for (int i = 0; i < 2 * N; i++)
        twice[i] = 1.0;
    const equant_noise_columns dependent = {
        .struct_size = sizeof dependent, .n = 2, .columns = twice};
    assert_int_equal(equant_noise_follow(noise, &rows, NULL, &dependent, NULL, &found, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "not independent of each other"));
    assert_int_equal(equant_noise_follow(noise, &rows, NULL, NULL, NULL, &found, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_noise_differentiate(noise, &rows, set, &found, by_parameter, NULL),
                     EQUANT_SUCCESS);
    assert_true(found == -INFINITY && isnan(by_parameter[0]));
    for (int i = 0; i < 3001; i++) {
        many_times[i] = i;
        many[i] = 1.0;
    }
    rows = (equant_noise_rows){.struct_size = sizeof rows,
                               .n = 3001,
                               .time_days = many_times,
                               .values = many,
                               .variances = many};
    assert_int_equal(equant_noise_log_likelihood(noise, &rows, 0, NULL, &found),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "3001 are too many"));
    equant_noise_free(noise);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_data),
        cmocka_unit_test(one_series),
        cmocka_unit_test(kernels),
        cmocka_unit_test(two_series_of_one_process),
        cmocka_unit_test(linear_terms),
        cmocka_unit_test(gradients),
        cmocka_unit_test(gradients_of_two_series),
        cmocka_unit_test(predictions),
        cmocka_unit_test(sums_with_whole_terms),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
