/* The posterior: its prior is the one that is drawn from, its likelihood the Gaussian one, with
 * offsets given or integrated out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/target/posterior_density.h"
#include "unit/distribution_checks.h"
#include "unit/small_star.h"

static const double two_pi = 6.28318530717958647693;

enum { MAX_COLUMNS = 24 };

/* What a test asks for, and what it gets. */
typedef struct study {
    size_t n_instruments, n_planets;
    int trend_order, marginalise, n_threads;
    const char *set;
    equant_dataset *dataset;
    priors *priors;
    posterior_density *posterior;
} study;

static study open_study(study s)
{
    s.dataset = small_star(s.n_instruments);
    priors_options wanted = {s.dataset, s.n_planets, s.trend_order, s.set, NULL};
    assert_int_equal(priors_create(&wanted, &s.priors), EQUANT_SUCCESS);
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = s.n_threads};
    posterior_density_options options = {.dataset = s.dataset,
                                         .n_planets = s.n_planets,
                                         .trend_order = s.trend_order,
                                         .priors = s.priors,
                                         .engine = &engine,
                                         .marginalise_offsets = s.marginalise};
    assert_int_equal(posterior_density_create(&options, &s.posterior), EQUANT_SUCCESS);
    assert_int_equal(posterior_density_count(&options),
                     posterior_density_n_coordinates(s.posterior));
    return s;
}

static void close_study(study *s)
{
    posterior_density_free(s->posterior);
    priors_free(s->priors);
    equant_dataset_free(s->dataset);
}

/* ---- what it consists of ------------------------------------------------------ */

static void columns_and_coordinates_are_those_of_the_model(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 2, .n_planets = 2, .trend_order = 1});
    const char *const names[] = {
        "period_days_1", "k_m_s_1",      "eccentricity_1", "omega_rad_1",  "m0_rad_1",
        "period_days_2", "k_m_s_2",      "eccentricity_2", "omega_rad_2",  "m0_rad_2",
        "offset_m_s_1",  "offset_m_s_2", "trend_m_s_day",  "jitter_m_s_1", "jitter_m_s_2"};
    const unsigned char subsets[15] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2};
    assert_int_equal(posterior_density_n_parameters(s.posterior), 15);
    assert_int_equal(posterior_density_n_coordinates(s.posterior), 15);
    for (size_t i = 0; i < 15; i++) {
        assert_string_equal(posterior_density_parameter_name(s.posterior, i), names[i]);
        assert_int_equal(posterior_density_is_angle(s.posterior)[i], i == 4 || i == 9);
        assert_int_equal(posterior_density_subset(s.posterior)[i], subsets[i]);
    }
    assert_null(posterior_density_parameter_name(s.posterior, 15));
    close_study(&s);

    s = open_study((study){.n_instruments = 2, .n_planets = 1, .marginalise = 1, .set = "kipping"});
    assert_int_equal(posterior_density_n_parameters(s.posterior), 7);
    assert_string_equal(posterior_density_parameter_name(s.posterior, 5), "jitter_m_s_1");
    assert_int_equal(posterior_density_is_angle(s.posterior)[3], 0);
    close_study(&s);

    s = open_study((study){.n_instruments = 1, .n_planets = 1, .set = "circular"});
    assert_int_equal(posterior_density_n_parameters(s.posterior), 7);
    assert_int_equal(posterior_density_n_coordinates(s.posterior), 5);
    assert_int_equal(posterior_density_is_angle(s.posterior)[2], 1);
    close_study(&s);
}

/* ---- the prior ------------------------------------------------------------------ */

enum { N_DRAWS = 2000 };

/* The probability below a parameter that the prior gives it, at its orbit. */
static double probability_below(const study *s, size_t column, const double *parameters)
{
    prior_density prior = *priors_of_column(s->priors, column);
    if (column < 5 * s->n_planets && column % 5 == 1)
        prior = prior_density_at_orbit(&prior, parameters[column - 1], parameters[column + 1]);
    return prior_density_cumulative(&prior, parameters[column]);
}

/* Correlation of two samples that are uniform on (0, 1), times the root of their size: that of
 * independent ones is beyond five for one pair in a million. */
static double correlation(const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < N_DRAWS; i++)
        sum += (a[i] - 0.5) * (b[i] - 0.5);
    return 12 * sum / sqrt(N_DRAWS);
}

static void draws_are_those_of_the_prior(void **state)
{
    (void)state;
    static double probability[MAX_COLUMNS][N_DRAWS];
    const char *const sets[] = {"ford-gregory", "kipping", "eprv3"};
    for (size_t set = 0; set < sizeof sets / sizeof *sets; set++) {
        study s = open_study(
            (study){.n_instruments = 2, .n_planets = 2, .trend_order = 2, .set = sets[set]});
        size_t n = posterior_density_n_parameters(s.posterior);
        for (size_t draw = 0; draw < N_DRAWS; draw++) {
            double x[MAX_COLUMNS], parameters[MAX_COLUMNS];
            posterior_density_draw(s.posterior, 11, draw, x);
            assert_true(isfinite(posterior_density_prepare(s.posterior, x, parameters)));
            for (size_t i = 0; i < n; i++)
                probability[i][draw] = probability_below(&s, i, parameters);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                assert_true(fabs(correlation(probability[i], probability[j])) < 5);
        for (size_t i = 0; i < n; i++)
            assert_true(kolmogorov_distance(N_DRAWS, probability[i]) < KOLMOGOROV_LIMIT);
        close_study(&s);
    }
}

static void draws_have_addresses(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 1, .n_planets = 1});
    double x[3][MAX_COLUMNS];
    size_t n = posterior_density_n_coordinates(s.posterior);
    posterior_density_draw(s.posterior, 5, 1000000, x[0]);
    posterior_density_draw(s.posterior, 5, 1000001, x[1]);
    posterior_density_draw(s.posterior, 5, 1000000, x[2]);
    assert_memory_equal(x[0], x[2], n * sizeof **x);
    for (size_t i = 0; i < n; i++)
        assert_true(x[0][i] != x[1][i]);
    posterior_density_draw(s.posterior, 6, 1000000, x[1]);
    for (size_t i = 0; i < n; i++)
        assert_true(x[0][i] != x[1][i]);
    close_study(&s);
}

/* In the default coordinates the reference priors are flat but for the limit of K. */
static void coordinates_flatten_the_reference_prior(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 1, .n_planets = 1});
    for (size_t draw = 0; draw < 50; draw++) {
        double x[MAX_COLUMNS], parameters[MAX_COLUMNS];
        posterior_density_draw(s.posterior, 3, draw, x);
        double log_prior = posterior_density_prepare(s.posterior, x, parameters), e = parameters[2];
        double k_max = 2129 / cbrt(parameters[0]) / sqrt((1 - e) * (1 + e));
        double expected = -log(log(365250)) - log(log1p(k_max)) + log(2 / two_pi / two_pi) -
                          log(2 * 2129) - log(log(2130));
        assert_true(fabs(log_prior - expected) < 1e-12);
    }
    close_study(&s);
}

/* ---- the likelihood --------------------------------------------------------------- */

/* Of a star without planets, from its definition. */
static double expected_log_likelihood(const equant_dataset *dataset, const double *offset,
                                      double slope, const double *jitter)
{
    const double *t = equant_dataset_times_days(dataset);
    const double *v = equant_dataset_velocities_m_s(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    const int *instrument = equant_dataset_instruments(dataset);
    double t_ref = equant_dataset_reference_time_days(dataset), sum = 0;
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        int i = instrument[k];
        double variance = sigma[k] * sigma[k] + jitter[i] * jitter[i];
        double residual = v[k] - offset[i] - slope * (t[k] - t_ref);
        sum -= 0.5 * (residual * residual / variance + log(two_pi * variance));
    }
    return sum;
}

static void likelihoods_are_gaussian(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 2, .trend_order = 1});
    const double sets[3][5] = {
        {5003, -18, 0.02, 3, 0.5}, {4990, -25, -0.1, 0, 0}, {5000, -20, 0, 1000, 1e-3}};
    double log_likelihood[3];
    assert_int_equal(posterior_density_log_likelihood(s.posterior, 3, sets[0], log_likelihood),
                     EQUANT_SUCCESS);
    for (int n = 0; n < 3; n++) {
        double expected = expected_log_likelihood(s.dataset, sets[n], sets[n][2], sets[n] + 3);
        assert_true(fabs(log_likelihood[n] - expected) < 1e-11 * fabs(expected));
    }
    close_study(&s);
}

/* The offsets of two instruments on a grid about their best values: for a Gaussian the rule of
 * trapezoids is exact to rounding. */
static double integrate_offsets(const study *given, const double *trend, const double *jitter)
{
    enum { N = 81 };
    static double sets[N * N][MAX_COLUMNS], log_likelihood[N * N];
    double centre[2] = {5000, -20}, width[2] = {2.5, 2.5}, best = -INFINITY, sum = 0;
    size_t n = posterior_density_n_parameters(given->posterior);
    double *flat = sets[0];
    for (size_t i = 0; i < N * N; i++) {
        double *set = flat + i * n;
        for (size_t k = 0; k < 2; k++)
            set[k] = centre[k] + width[k] * ((double)(k == 0 ? i % N : i / N) - N / 2) / 4;
        set[2] = *trend;
        set[3] = jitter[0];
        set[4] = jitter[1];
    }
    assert_int_equal(
        posterior_density_log_likelihood(given->posterior, N * N, flat, log_likelihood),
        EQUANT_SUCCESS);
    for (size_t i = 0; i < N * N; i++)
        best = fmax(best, log_likelihood[i]);
    for (size_t i = 0; i < N * N; i++)
        sum += exp(log_likelihood[i] - best);
    return best + log(sum * width[0] * width[1] / 16);
}

static void offsets_are_integrated_out(void **state)
{
    (void)state;
    study given = open_study((study){.n_instruments = 2, .trend_order = 1});
    study marginal = open_study((study){.n_instruments = 2, .trend_order = 1, .marginalise = 1});
    const double trend[] = {0, 0.05}, jitters[][2] = {{8, 5}, {12, 14}};
    assert_int_equal(posterior_density_n_parameters(marginal.posterior), 3);
    for (int n = 0; n < 2; n++) {
        double set[3] = {trend[n], jitters[n][0], jitters[n][1]}, value;
        double expected = integrate_offsets(&given, &trend[n], jitters[n]) - 2 * log(2 * 2129);
        assert_int_equal(posterior_density_log_likelihood(marginal.posterior, 1, set, &value),
                         EQUANT_SUCCESS);
        assert_true(fabs(value - expected) < 1e-9);
    }
    close_study(&given);
    close_study(&marginal);
}

/* Likelihoods of many draws, in pieces and by several threads. */
static void assert_same_in_pieces(study shape)
{
    enum { N = 70 };
    static double sets[N * MAX_COLUMNS], reference[N], value[N];
    shape.n_threads = 1;
    study s = open_study(shape);
    size_t n = posterior_density_n_parameters(s.posterior);
    for (size_t i = 0; i < N; i++) {
        double x[MAX_COLUMNS];
        posterior_density_draw(s.posterior, 2, i, x);
        posterior_density_prepare(s.posterior, x, sets + i * n);
    }
    assert_int_equal(posterior_density_log_likelihood(s.posterior, N, sets, reference),
                     EQUANT_SUCCESS);
    for (size_t i = 0; i < N; i++) {
        assert_true(isfinite(reference[i]));
        assert_int_equal(posterior_density_log_likelihood(s.posterior, 1, sets + i * n, value),
                         EQUANT_SUCCESS);
        assert_true(value[0] == reference[i]);
    }
    close_study(&s);
    shape.n_threads = 3;
    s = open_study(shape);
    assert_int_equal(posterior_density_log_likelihood(s.posterior, N, sets, value), EQUANT_SUCCESS);
    assert_memory_equal(value, reference, sizeof value);
    close_study(&s);
}

static void neither_batches_nor_threads_change_a_bit(void **state)
{
    (void)state;
    for (int marginalise = 0; marginalise < 2; marginalise++)
        assert_same_in_pieces((study){
            .n_instruments = 2, .n_planets = 2, .trend_order = 1, .marginalise = marginalise});
}

static void sets_outside_have_no_likelihood(void **state)
{
    (void)state;
    for (int marginalise = 0; marginalise < 2; marginalise++) {
        study s =
            open_study((study){.n_instruments = 2, .n_planets = 1, .marginalise = marginalise});
        size_t n = posterior_density_n_parameters(s.posterior);
        double x[MAX_COLUMNS], sets[3 * MAX_COLUMNS], value[3], alone;
        posterior_density_draw(s.posterior, 1, 1, x);
        posterior_density_prepare(s.posterior, x, sets);
        memcpy(sets + 2 * n, sets, n * sizeof *sets);
        x[0] = NAN;
        assert_true(posterior_density_prepare(s.posterior, x, sets + n) == -INFINITY);
        assert_int_equal(posterior_density_log_likelihood(s.posterior, 3, sets, value),
                         EQUANT_SUCCESS);
        assert_int_equal(posterior_density_log_likelihood(s.posterior, 1, sets, &alone),
                         EQUANT_SUCCESS);
        assert_true(value[1] == -INFINITY && value[0] == alone && value[2] == alone);
        close_study(&s);
    }
}

/* ---- requests that cannot be met ----------------------------------------------------- */

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    study s = open_study((study){.n_instruments = 2, .n_planets = 1});
    posterior_density_options options = {.dataset = s.dataset, .n_planets = 2, .priors = s.priors},
                              others;
    posterior_density *none = NULL;
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    assert_int_equal(posterior_density_create(&options, &none), invalid);
    options.n_planets = 1;
    options.trend_order = 1;
    assert_int_equal(posterior_density_create(&options, &none), invalid);
    options.trend_order = 0;
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = "abacus"};
    others = options;
    others.engine = &engine;
    assert_true(posterior_density_create(&others, &none) != EQUANT_SUCCESS);
    assert_int_equal(priors_change(s.priors, "offset_m_s_2", "normal(0, 5)"), EQUANT_SUCCESS);
    options.marginalise_offsets = 1;
    assert_int_equal(posterior_density_create(&options, &none), invalid);
    assert_non_null(strstr(equant_last_error(), "offset_m_s_2"));
    options.marginalise_offsets = 0;
    for (size_t i = 0; i < priors_n_columns(s.priors); i++)
        assert_int_equal(priors_change(s.priors, priors_column_name(s.priors, i), "0.5"),
                         EQUANT_SUCCESS);
    assert_int_equal(posterior_density_create(&options, &none), invalid);
    assert_null(none);
    posterior_density_free(NULL);
    close_study(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_and_coordinates_are_those_of_the_model),
        cmocka_unit_test(draws_are_those_of_the_prior),
        cmocka_unit_test(draws_have_addresses),
        cmocka_unit_test(coordinates_flatten_the_reference_prior),
        cmocka_unit_test(likelihoods_are_gaussian),
        cmocka_unit_test(offsets_are_integrated_out),
        cmocka_unit_test(neither_batches_nor_threads_change_a_bit),
        cmocka_unit_test(sets_outside_have_no_likelihood),
        cmocka_unit_test(wrong_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
