/* Gradients of targets, in both spaces and with every kind of noise, compared with differences of
 * the oracle's posterior, in quadruple precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "oracle/quad_posterior.h"

enum { N_OBS = 24, MOST = QUAD_POSTERIOR_MOST_COLUMNS, N_POINTS = 4, N_MANY = 5000 };

static const char *const instruments[2] = {"first", "second"};

/* What a test asks for. */
typedef struct shape {
    size_t n_instruments, n_planets;
    int trend_order, is_marginal, n_threads;
    const char *set, *noise;
    quad_noise_kind terms[QUAD_POSTERIOR_MOST_TERMS];
    const char *changes[8][2]; /* parameter, prior */
} shape;

typedef struct star {
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS];
    int instrument[N_OBS];
    equant_dataset *dataset;
    equant_priors *priors;
    equant_target *target;
    quad_posterior oracle;
} star;

/* Two observations a night, of a velocity that swings. */
static void observe(star *s, size_t n_instruments)
{
    for (int k = 0; k < N_OBS; k++) {
        s->time[k] = 2455000.0 + 3 * (k / 2) + 4 * (k / 7) + 0.0625 * (k % 2);
        s->instrument[k] = n_instruments == 2 && k / 2 % 3 == 0;
        s->sigma[k] = 1.0 + 0.25 * (k % 5);
        s->velocity[k] =
            (s->instrument[k] ? -7.0 : 3.0) + 9.0 * cos(0.31 * s->time[k]) + 1.5 * cos(1.7 * k * k);
    }
    assert_int_equal(equant_dataset_from_arrays(N_OBS, s->time, s->velocity, s->sigma,
                                                s->instrument, n_instruments, instruments, NULL,
                                                &s->dataset),
                     EQUANT_SUCCESS);
}

static void believe(star *s, const shape *wanted)
{
    const equant_priors_options options = {
        .struct_size = sizeof options,
        .n_planets = wanted->n_planets,
        .trend = (equant_trend)(EQUANT_TREND_NONE + wanted->trend_order),
        .prior_set = wanted->set,
        .noise = wanted->noise};
    assert_int_equal(equant_priors_create(s->dataset, &options, &s->priors), EQUANT_SUCCESS);
    for (size_t i = 0; i < 8 && wanted->changes[i][0]; i++)
        assert_int_equal(
            equant_priors_change(s->priors, wanted->changes[i][0], wanted->changes[i][1]),
            EQUANT_SUCCESS);
}

static star *open_star(const shape *wanted, equant_space space)
{
    star *s = calloc(1, sizeof *s);
    assert_non_null(s);
    observe(s, wanted->n_instruments);
    believe(s, wanted);
    const equant_engine_options engine = {.struct_size = sizeof engine,
                                          .n_threads = wanted->n_threads};
    const equant_target_options options = {
        .struct_size = sizeof options,
        .engine = &engine,
        .n_planets = wanted->n_planets,
        .trend = (equant_trend)(EQUANT_TREND_NONE + wanted->trend_order),
        .priors = s->priors,
        .marginalise_offsets = wanted->is_marginal,
        .space = space,
        .noise = wanted->noise};
    assert_int_equal(equant_target_create(s->dataset, &options, &s->target), EQUANT_SUCCESS);
    s->oracle =
        (quad_posterior){.n_obs = N_OBS,
                         .time_days = s->time,
                         .velocity_m_s = s->velocity,
                         .uncertainty_m_s = s->sigma,
                         .instrument = s->instrument,
                         .n_instruments = wanted->n_instruments,
                         .n_planets = wanted->n_planets,
                         .reference_time_days = equant_dataset_reference_time_days(s->dataset),
                         .trend_order = wanted->trend_order,
                         .is_smooth = space == EQUANT_SPACE_SMOOTH,
                         .is_marginal = wanted->is_marginal};
    memcpy(s->oracle.noise, wanted->terms, sizeof s->oracle.noise);
    for (size_t i = 0; i < MOST; i++)
        s->oracle.prior[i] = equant_priors_text(s->priors, i);
    return s;
}

static void close_star(star *s)
{
    equant_target_free(s->target);
    equant_priors_free(s->priors);
    equant_dataset_free(s->dataset);
    free(s);
}

static void assert_near(size_t n, const double *seen, const double *expected, double tolerance)
{
    double largest = 1.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(seen[i] - expected[i]) <= tolerance * largest))
            fail_msg("derivative %zu is %.17g, not %.17g", i, seen[i], expected[i]);
}

static void check_point(star *s, const double *point)
{
    size_t n = equant_target_n_dimensions(s->target);
    double prior[MOST], likelihood[MOST], both[MOST], by_prior[MOST], by_likelihood[MOST],
        sum[MOST], value[3];
    const equant_target_derivatives out = {.struct_size = sizeof out,
                                           .log_prior = &value[0],
                                           .log_likelihood = &value[1],
                                           .log_probability = &value[2],
                                           .log_prior_gradient = prior,
                                           .log_likelihood_gradient = likelihood,
                                           .log_probability_gradient = both};
    quad_posterior_result truth = {.log_prior_gradient = by_prior,
                                   .log_likelihood_gradient = by_likelihood};
    assert_int_equal(equant_target_differentiate(s->target, 1, point, &out), EQUANT_SUCCESS);
    assert_true(quad_posterior_evaluate(&s->oracle, n, point, &truth));
    assert_true(fabs(value[0] - truth.log_prior) < 1e-10 * fmax(1, fabs(truth.log_prior)));
    assert_true(fabs(value[1] - truth.log_likelihood) < 1e-9 * fmax(1, fabs(truth.log_likelihood)));
    assert_true(value[2] == value[0] + value[1]);
    for (size_t i = 0; i < n; i++)
        sum[i] = by_prior[i] + by_likelihood[i];
    assert_near(n, prior, by_prior, 1e-10);
    assert_near(n, likelihood, by_likelihood, 1e-8);
    assert_near(n, both, sum, 1e-8);
}

/* Draws of the prior whose likelihood double precision can tell. */
static void check_shape(const shape *wanted)
{
    for (int space = 0; space < 2; space++) {
        star *s = open_star(wanted, (equant_space)space);
        size_t n_found = 0;
        for (uint64_t i = 0; n_found < N_POINTS; i++) {
            double point[MOST], value;
            assert_true(i < 400);
            assert_int_equal(equant_target_draw(s->target, 3, i, 1, point), EQUANT_SUCCESS);
            assert_int_equal(equant_target_log_likelihood(s->target, 1, point, &value),
                             EQUANT_SUCCESS);
            if (!(value > -1e5))
                continue;
            check_point(s, point);
            n_found++;
        }
        close_star(s);
    }
}

/* Amplitudes such as the data have, so that draws of the prior explain something. */
#define TAME                                                                                       \
    {"k_m_s_1", "modified-log-uniform(1, 30)"},                                                    \
    {                                                                                              \
        "offset_m_s_1", "uniform(-20, 20)"                                                         \
    }

static void gradients_of_white_noise(void **state)
{
    (void)state;
    check_shape(&(shape){.n_instruments = 1, .n_planets = 1, .changes = {TAME}});
    check_shape(&(shape){.n_instruments = 2,
                         .n_planets = 2,
                         .trend_order = 2,
                         .set = "kipping",
                         .changes = {TAME,
                                     {"period_days_1", "normal(20, 2, 1, 40)"},
                                     {"k_m_s_2", "ford-gregory(1, 30, 1)"},
                                     {"offset_m_s_2", "uniform(-20, 20)"},
                                     {"jitter_m_s_1", "log-normal(0, 1)"}}});
}

static void gradients_with_every_prior(void **state)
{
    (void)state;
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .trend_order = 1,
                         .changes = {{"k_m_s_1", "rayleigh(5)"},
                                     {"offset_m_s_1", "normal(0, 4)"},
                                     {"eccentricity_1", "rayleigh(0.2, 0, 1)"},
                                     {"omega_rad_1", "normal(1, 0.5, 0, 6)"},
                                     {"m0_rad_1", "uniform(1, 2)"},
                                     {"jitter_m_s_1", "log-uniform(0.1, 10)"},
                                     {"trend_m_s_day", "normal(0, 0.01)"}}});
    check_shape(&(shape){.n_instruments = 1, .n_planets = 2, .set = "eprv3", .changes = {TAME}});
}

static void gradients_where_parameters_are_fixed(void **state)
{
    (void)state;
    check_shape(&(shape){.n_instruments = 1, .n_planets = 1, .set = "circular", .changes = {TAME}});
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .changes = {{"k_m_s_1", "12"},
                                     {"eccentricity_1", "0.2"},
                                     {"offset_m_s_1", "uniform(-20, 20)"}}});
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .changes = {TAME, {"omega_rad_1", "1.5"}, {"period_days_1", "20"}}});
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .changes = {TAME, {"m0_rad_1", "0.5"}, {"jitter_m_s_1", "1"}}});
}

static void gradients_with_offsets_integrated_out(void **state)
{
    (void)state;
    check_shape(&(shape){.n_instruments = 2,
                         .n_planets = 1,
                         .trend_order = 1,
                         .is_marginal = 1,
                         .changes = {{"k_m_s_1", "modified-log-uniform(1, 30)"}}});
}

static void gradients_with_noise_terms(void **state)
{
    (void)state;
    check_shape(&(shape){.n_instruments = 2,
                         .n_planets = 1,
                         .noise = "night,exponential",
                         .terms = {QUAD_NOISE_NIGHT, QUAD_NOISE_EXPONENTIAL},
                         .changes = {TAME, {"offset_m_s_2", "uniform(-20, 20)"}}});
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .noise = "matern32,mep",
                         .terms = {QUAD_NOISE_MATERN32, QUAD_NOISE_MEP},
                         .changes = {TAME}});
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .noise = "sho(quality=0.8:5)",
                         .terms = {QUAD_NOISE_SHO},
                         .changes = {TAME}});
}

static void gradients_with_whole_matrices(void **state)
{
    (void)state;
    check_shape(&(shape){.n_instruments = 2,
                         .n_planets = 1,
                         .n_threads = 2,
                         .noise = "night,qp",
                         .terms = {QUAD_NOISE_NIGHT, QUAD_NOISE_QP},
                         .changes = {TAME, {"offset_m_s_2", "uniform(-20, 20)"}}});
}

static void gradients_beside_fixed_noise(void **state)
{
    (void)state;
    static const char fixed[] = "qp(amplitude=3, period=11, decay=30, width=0.4)";
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .noise = fixed,
                         .terms = {QUAD_NOISE_QP},
                         .changes = {TAME}});
    check_shape(&(shape){.n_instruments = 1,
                         .n_planets = 1,
                         .trend_order = 1,
                         .is_marginal = 1,
                         .noise = fixed,
                         .terms = {QUAD_NOISE_QP},
                         .changes = {{"k_m_s_1", "modified-log-uniform(1, 30)"}}});
}

/* A point's derivatives depend on it alone, in batches of any size. */
static void batches_are_their_points(void **state)
{
    (void)state;
    const shape wanted = {.n_instruments = 2, .n_planets = 1, .n_threads = 2, .changes = {TAME}};
    star *s = open_star(&wanted, EQUANT_SPACE_SMOOTH);
    size_t n = equant_target_n_dimensions(s->target);
    double *points = malloc(N_MANY * n * sizeof *points),
           *gradients = malloc(N_MANY * n * sizeof *gradients), *values = malloc(N_MANY * 8);
    assert_true(points && gradients && values);
    assert_int_equal(equant_target_draw(s->target, 5, 0, N_MANY, points), EQUANT_SUCCESS);
    points[17 * n] = NAN;
    equant_target_derivatives out = {.struct_size = sizeof out,
                                     .log_probability = values,
                                     .log_probability_gradient = gradients};
    assert_int_equal(equant_target_differentiate(s->target, N_MANY, points, &out), EQUANT_SUCCESS);
    for (size_t i = 0; i < N_MANY; i += i < 20 ? 1 : 311) {
        double value, gradient[MOST];
        out.log_probability = &value;
        out.log_probability_gradient = gradient;
        assert_int_equal(equant_target_differentiate(s->target, 1, points + i * n, &out),
                         EQUANT_SUCCESS);
        assert_true(value == values[i]);
        if (i == 17)
            assert_true(value == -INFINITY && isnan(gradients[i * n]) && isnan(gradient[n - 1]));
        else
            assert_memory_equal(gradient, gradients + i * n, n * sizeof *gradient);
    }
    free(points);
    free(gradients);
    free(values);
    close_star(s);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const shape wanted = {.n_instruments = 1, .n_planets = 1};
    star *s = open_star(&wanted, EQUANT_SPACE_SMOOTH);
    double value;
    equant_target_derivatives out = {.struct_size = sizeof out, .log_prior = &value};
    assert_int_equal(equant_target_differentiate(NULL, 1, &value, &out),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_target_differentiate(s->target, 1, &value, NULL),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_target_differentiate(s->target, 1, NULL, &out),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_target_differentiate(s->target, 0, NULL, &out), EQUANT_SUCCESS);
    close_star(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_white_noise),
        cmocka_unit_test(gradients_with_every_prior),
        cmocka_unit_test(gradients_where_parameters_are_fixed),
        cmocka_unit_test(gradients_with_offsets_integrated_out),
        cmocka_unit_test(gradients_with_noise_terms),
        cmocka_unit_test(gradients_with_whole_matrices),
        cmocka_unit_test(gradients_beside_fixed_noise),
        cmocka_unit_test(batches_are_their_points),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
