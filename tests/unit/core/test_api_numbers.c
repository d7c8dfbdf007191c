/* Numbers at the edge of what include/equant.h allows: a reference time far from the
 * data, and values whose squares no precision holds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"

enum { N_OBS = 60, N_LINEAR = 4 };

static const double two_pi = 6.28318530717958647693;

/* A star with a planet of 64 days and a strong trend, seen at Julian dates by two
 * instruments. */
static double times[N_OBS], velocities[N_OBS], uncertainties[N_OBS];
static int instruments[N_OBS];

typedef struct answer {
    double chi_square, log_likelihood, linear[N_LINEAR];
    double velocities[N_OBS], residuals[N_OBS];
} answer;

static void require(equant_status status)
{
    if (status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
}

static equant_dataset *make_dataset(const double *sigma, const equant_dataset_options *options)
{
    equant_dataset *dataset = NULL;
    require(equant_dataset_from_arrays(N_OBS, times, velocities, sigma, instruments, 2, NULL,
                                       options, &dataset));
    return dataset;
}

static answer evaluate(const equant_dataset *dataset, equant_model_options shape,
                       const equant_engine_options *engine, const double *parameters)
{
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    answer a = {0};
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = &a.chi_square,
                              .log_likelihood = &a.log_likelihood,
                              .linear = a.linear,
                              .velocities = a.velocities,
                              .residuals = a.residuals};
    shape.struct_size = sizeof shape;
    shape.n_planets = 1;
    shape.n_instruments = 2;
    require(equant_model_create(&shape, &model));
    require(equant_evaluator_create(dataset, model, engine, &evaluator));
    require(equant_evaluator_evaluate(evaluator, 1, parameters, &results));
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    return a;
}

/* Runs a check in every way of computing on every backend. */
static void for_every_engine(void (*check)(const equant_engine_options *))
{
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            equant_engine_options engine = engines_way(engines_backend(b), way);
            engine.n_threads = 1;
            check(&engine);
        }
}

static void assert_near(double a, double b, double tolerance, const char *what,
                        const equant_engine_options *engine)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%s: %s: %.17g and %.17g differ by %.3g, allowed %.3g", engines_name(engine), what,
                 a, b, fabs(a - b), tolerance);
}

/* ---- reference time ---------------------------------------------------- */

/* The same star at two reference times: the default, in the middle of the data, and the
 * zero of Julian dates, 2.4 million days away. */
static equant_dataset *near_dataset, *far_dataset;

static double middle(void)
{
    return equant_dataset_reference_time_days(near_dataset);
}

/* The mean anomaly at time 0 of a planet of 64 days that has `m0` at the middle. */
static double far_mean_anomaly(double m0)
{
    return m0 - two_pi * fmod(middle(), 64) / 64;
}

/* How far apart, in m/s, two roundings of a velocity may be. Single precision has the
 * phase wrong by the turns since time 0, and is left out. */
static double velocity_error(const equant_engine_options *engine)
{
    double danby = engine->solver == EQUANT_SOLVER_DANBY ? 1e-6 : 0;
    return engines_is_double(engine) ? 1e-8 : 100 * (20 * 0x1p-24 + danby);
}

/* How much chi-square moves, to first order, when every velocity is off by `error`. */
static double chi_square_error(const answer *a, double error)
{
    double sum = 0;
    for (size_t k = 0; k < N_OBS; k++)
        sum += 2 * fabs(a->residuals[k]) / (uncertainties[k] * uncertainties[k]);
    return error * sum;
}

static void solved_trend_is_the_same(const equant_engine_options *engine)
{
    if (engine->precision == EQUANT_PRECISION_SINGLE)
        return;
    const equant_model_options shape = {.trend = EQUANT_TREND_QUADRATIC};
    const double near_set[] = {64, 40, 0.3, 1, 2},
                 far_set[] = {64, 40, 0.3, 1, far_mean_anomaly(2)};
    answer near = evaluate(near_dataset, shape, engine, near_set);
    answer far = evaluate(far_dataset, shape, engine, far_set);
    double tolerance = engines_is_double(engine) ? 1e-9 * near.chi_square
                                                 : chi_square_error(&near, velocity_error(engine));
    assert_near(far.chi_square, near.chi_square, tolerance, "chi-square", engine);
    for (size_t k = 0; k < N_OBS; k++)
        assert_near(far.residuals[k], near.residuals[k], velocity_error(engine), "residual",
                    engine);
    double curvature = near.linear[3], span = times[N_OBS - 1] - times[0];
    assert_near(far.linear[3], curvature, velocity_error(engine) * 16 / (span * span), "curvature",
                engine);
}

/* d1 (t - T) + d2 (t - T)^2 + offset, with T the middle and with T = 0. */
static void given_trend_is_the_same(const equant_engine_options *engine)
{
    if (engine->precision == EQUANT_PRECISION_SINGLE)
        return;
    const equant_model_options shape = {.trend = EQUANT_TREND_QUADRATIC,
                                        .offset_columns = EQUANT_NUISANCE_GIVEN,
                                        .trend_columns = EQUANT_NUISANCE_GIVEN};
    const double d1 = 0.0625, d2 = 0x1p-13, T = middle();
    const double shift = T * (d2 * T - d1);
    const double near_set[] = {64, 40, 0.3, 1, 2, 5, -3, d1, d2};
    const double far_set[] = {
        64, 40, 0.3, 1, far_mean_anomaly(2), 5 + shift, -3 + shift, d1 - 2 * d2 * T, d2};
    answer near = evaluate(near_dataset, shape, engine, near_set);
    answer far = evaluate(far_dataset, shape, engine, far_set);
    /* The offset at time 0 is 7e8 m/s, and known to 1e-7 m/s. */
    double error = velocity_error(engine) + 2e-7;
    for (size_t k = 0; k < N_OBS; k++)
        assert_near(far.residuals[k], near.residuals[k], error, "residual", engine);
    assert_near(far.chi_square, near.chi_square, chi_square_error(&near, error), "chi-square",
                engine);
}

static void reference_time_may_be_far_from_the_data(void **state)
{
    (void)state;
    equant_dataset_options options = {.struct_size = sizeof options, .has_reference_time = 1};
    near_dataset = make_dataset(uncertainties, NULL);
    far_dataset = make_dataset(uncertainties, &options);
    assert_true(middle() > 2455000);
    assert_true(equant_dataset_reference_time_days(far_dataset) == 0);
    for_every_engine(solved_trend_is_the_same);
    for_every_engine(given_trend_is_the_same);
    equant_dataset_free(near_dataset);
    equant_dataset_free(far_dataset);
}

/* ---- domain ------------------------------------------------------------ */

static void assert_outside(const answer *a, const equant_engine_options *engine)
{
    bool is_outside = a->chi_square == INFINITY && a->log_likelihood == -INFINITY;
    for (size_t i = 0; i < N_LINEAR; i++)
        is_outside = is_outside && isnan(a->linear[i]);
    for (size_t k = 0; k < N_OBS; k++)
        is_outside = is_outside && isnan(a->velocities[k]) && isnan(a->residuals[k]);
    if (!is_outside)
        fail_msg("%s: chi-square is %g, ln L %g", engines_name(engine), a->chi_square,
                 a->log_likelihood);
}

static void extremes_are_outside(const equant_engine_options *engine)
{
    const equant_model_options shape = {.trend = EQUANT_TREND_QUADRATIC, .with_jitter = 1};
    const double wild_jitter[] = {64, 40, 0.3, 1, 2, 1, 1e160};
    const double short_period[] = {1e-20, 40, 0.3, 1, 2, 1, 1};
    answer a = evaluate(near_dataset, shape, engine, wild_jitter);
    assert_outside(&a, engine);
    a = evaluate(near_dataset, shape, engine, short_period);
    assert_outside(&a, engine);
}

static void wild_jitters_and_short_periods_are_outside_the_domain(void **state)
{
    (void)state;
    near_dataset = make_dataset(uncertainties, NULL);
    for_every_engine(extremes_are_outside);
    equant_dataset_free(near_dataset);
}

/* An amplitude may be beyond a float, or its square beyond a double: a bad fit, not a
 * fit that cannot be compared. */
static void amplitudes_are_compared(const equant_engine_options *engine)
{
    const double amplitudes[] = {1e15, 1e25, 1e38, 1e60, 1e160, 1e300, -1e60, -1e300};
    for (size_t i = 0; i < sizeof amplitudes / sizeof *amplitudes; i++)
        for (int given = 0; given < 2; given++) {
            const equant_model_options shape = {.trend = EQUANT_TREND_QUADRATIC,
                                                .offset_columns = (equant_nuisance)given};
            const double set[] = {64, amplitudes[i], 0.3, 1, 2, 5, -3};
            answer a = evaluate(near_dataset, shape, engine, set);
            double limit = engines_is_double(engine) ? 1e150 : 1e50;
            bool is_infinite = fabs(amplitudes[i]) > limit;
            if (isnan(a.chi_square) || isnan(a.log_likelihood) ||
                (is_infinite && (a.chi_square != INFINITY || a.log_likelihood != -INFINITY)))
                fail_msg("%s: K = %g, offsets %s: chi-square is %g, ln L %g", engines_name(engine),
                         amplitudes[i], given ? "given" : "solved", a.chi_square, a.log_likelihood);
        }
}

static void amplitudes_beyond_the_precision_fit_infinitely_badly(void **state)
{
    (void)state;
    near_dataset = make_dataset(uncertainties, NULL);
    for_every_engine(amplitudes_are_compared);
    equant_dataset_free(near_dataset);
}

/* ---- uncertainties ----------------------------------------------------- */

static void impossible_uncertainties_are_refused_by_row(void **state)
{
    (void)state;
    const double refused[] = {1e-300, 9e-16, 1.1e15, 1e300};
    const equant_model_options shape = {.struct_size = sizeof shape, .n_instruments = 2};
    equant_model *model = NULL;
    double sigma[N_OBS];
    memcpy(sigma, uncertainties, sizeof sigma);
    require(equant_model_create(&shape, &model));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        equant_evaluator *none = NULL;
        sigma[4] = refused[i];
        equant_dataset *dataset = make_dataset(sigma, NULL);
        assert_int_equal(equant_evaluator_create(dataset, model, NULL, &none),
                         EQUANT_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(equant_last_error(), "observation 5 "));
        assert_null(none);
        equant_dataset_free(dataset);
    }
    equant_model_free(model);
}

static void extreme_uncertainties_are_no_trouble(const equant_engine_options *engine)
{
    const equant_model_options shape = {.trend = EQUANT_TREND_QUADRATIC};
    const double set[] = {64, 40, 0.3, 1, 2};
    answer a = evaluate(far_dataset, shape, engine, set);
    if (isnan(a.chi_square) || isnan(a.log_likelihood) || a.chi_square < 0)
        fail_msg("%s: chi-square is %g, ln L %g", engines_name(engine), a.chi_square,
                 a.log_likelihood);
}

static void uncertainties_at_their_limits_are_accepted(void **state)
{
    (void)state;
    double sigma[N_OBS];
    memcpy(sigma, uncertainties, sizeof sigma);
    sigma[4] = 1e-15;
    sigma[5] = 1e15;
    far_dataset = make_dataset(sigma, NULL);
    for_every_engine(extreme_uncertainties_are_no_trouble);
    equant_dataset_free(far_dataset);
}

static int make_observations(void **state)
{
    (void)state;
    for (int k = 0; k < N_OBS; k++) {
        double from_start = 17.28125 * k;
        times[k] = 2455000.5 + from_start;
        velocities[k] = 38 * cos(two_pi * times[k] / 64) + k * 7 % 13 - 6.0 +
                        from_start * (0.3 - 2e-4 * from_start);
        uncertainties[k] = 1.0 + k % 3;
        instruments[k] = k % 2;
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_time_may_be_far_from_the_data),
        cmocka_unit_test(wild_jitters_and_short_periods_are_outside_the_domain),
        cmocka_unit_test(amplitudes_beyond_the_precision_fit_infinitely_badly),
        cmocka_unit_test(impossible_uncertainties_are_refused_by_row),
        cmocka_unit_test(uncertainties_at_their_limits_are_accepted),
    };
    return cmocka_run_group_tests(tests, make_observations, NULL);
}
