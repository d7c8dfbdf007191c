/* Mixtures of normal distributions against what is known in closed form, and against sums that
 * share no code with them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inference/predict/mixture.h"

#define ENTROPY_OF_UNIT 1.4189385332046727

/* A normal distribution of deviation s as weighted points: sums over them are those of the
 * trapezoidal rule, which is exact here. */
enum { N_POINTS = 113 };
static void spread_points(double s, double *means, double *weights)
{
    for (size_t i = 0; i < N_POINTS; i++) {
        double x = -7.0 + 14.0 * (double)i / (N_POINTS - 1);
        means[i] = s * x;
        weights[i] = exp(-0.5 * x * x);
    }
}

static void test_a_normal_mixture_is_normal(void **state)
{
    (void)state;
    double means[N_POINTS], weights[N_POINTS], variances[N_POINTS];
    const double spreads[] = {0.1, 1.0, 3.0}, sigma = 1.7;
    for (size_t k = 0; k < 3; k++) {
        spread_points(spreads[k], means, weights);
        for (size_t i = 0; i < N_POINTS; i++)
            variances[i] = sigma * sigma;
        double entropy, of_components;
        assert_int_equal(equant_mixture_entropy(N_POINTS, means, variances, weights, 0, NULL,
                                                &entropy, &of_components, NULL),
                         EQUANT_SUCCESS);
        double ratio = spreads[k] / sigma;
        assert_true(fabs(entropy - of_components - 0.5 * log1p(ratio * ratio)) < 1e-8);
        assert_true(fabs(of_components - ENTROPY_OF_UNIT - log(sigma)) < 1e-12);
    }
}

static void test_quantiles_and_modes(void **state)
{
    (void)state;
    const double mean = 3.0, variance = 4.0;
    const mixture one = {.n = 1, .means = &mean, .variances = &variance};
    const double shares[] = {0.001349898031630, 0.158655253931457, 0.5, 0.977249868051821};
    double values[4];
    mixture_grid grid = {.n = 0};
    mixture_facts facts;
    assert_int_equal(mixture_describe(&one, &grid, &facts), EQUANT_SUCCESS);
    mixture_quantiles(&grid, 4, shares, values);
    const double expected[] = {-3.0, 1.0, 3.0, 7.0};
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(values[i] - expected[i]) < 4e-3);
    assert_true(fabs(facts.mean - 3.0) < 1e-12 && fabs(facts.deviation - 2.0) < 1e-12);

    const double means[] = {-5.0, 6.0}, variances[] = {1.0, 0.25}, weights[] = {3.0, 1.0};
    const mixture two = {.n = 2, .means = means, .variances = variances, .weights = weights};
    mixture_mode modes[4];
    assert_int_equal(mixture_describe(&two, &grid, &facts), EQUANT_SUCCESS);
    assert_int_equal(mixture_modes(&grid, 4, modes), 2);
    assert_true(fabs(modes[0].value + 5.0) < 1e-3 && fabs(modes[0].weight - 0.75) < 1e-6);
    assert_true(fabs(modes[1].value - 6.0) < 1e-3 && fabs(modes[1].weight - 0.25) < 1e-6);
    assert_int_equal(mixture_modes(&grid, 1, modes), 1);
    assert_true(fabs(modes[0].value + 5.0) < 1e-3);
    mixture_grid_free(&grid);
}

/* Two groups a distance apart: what a value tells of its group, by a plain sum. */
static double told_apart(double distance, double first_weight)
{
    double sum = 0.0, step = 1e-3;
    for (double x = -12.0; x < distance + 12.0; x += step) {
        double p = exp(-0.5 * x * x) / sqrt(2.0 * M_PI),
               q = exp(-0.5 * (x - distance) * (x - distance)) / sqrt(2.0 * M_PI);
        double both = first_weight * p + (1.0 - first_weight) * q;
        if (p > 1e-300)
            sum += first_weight * p * log(p / both) * step;
        if (q > 1e-300)
            sum += (1.0 - first_weight) * q * log(q / both) * step;
    }
    return sum;
}

static void test_groups_are_told_apart(void **state)
{
    (void)state;
    for (double distance = 0.0; distance < 7.0; distance += 1.5) {
        const double means[] = {0.0, distance}, variances[] = {1.0, 1.0}, weights[] = {0.3, 0.7};
        const size_t groups[] = {0, 1};
        double entropy, of_groups;
        assert_int_equal(equant_mixture_entropy(2, means, variances, weights, 2, groups, &entropy,
                                                NULL, &of_groups),
                         EQUANT_SUCCESS);
        assert_true(fabs(entropy - of_groups - told_apart(distance, 0.3)) < 1e-8);
    }
}

/* Random draws make entropies too small, by as much as is predicted. */
static void test_what_few_draws_lack(void **state)
{
    (void)state;
    enum { N = 50, TRIALS = 400 };
    double lacking = 0.0, predicted = 0.0, draws[N], variances[N];
    mixture_grid grid = {.n = 0};
    for (size_t trial = 0; trial < TRIALS; trial++) {
        assert_int_equal(equant_random_normal(1, 77, trial * N, N, draws), EQUANT_SUCCESS);
        for (size_t i = 0; i < N; i++) {
            draws[i] *= 2.0;
            variances[i] = 1.0;
        }
        const mixture of = {.n = N, .means = draws, .variances = variances};
        mixture_facts facts;
        assert_int_equal(mixture_describe(&of, &grid, &facts), EQUANT_SUCCESS);
        lacking += (ENTROPY_OF_UNIT + 0.5 * log(5.0) - facts.entropy) / TRIALS;
        predicted += facts.bias_of_draws / TRIALS;
    }
    mixture_grid_free(&grid);
    assert_true(lacking > 0.01);
    assert_true(fabs(lacking - predicted) < 0.3 * lacking);
}

static void test_bad_mixtures(void **state)
{
    (void)state;
    const double means[] = {0.0, NAN}, variances[] = {1.0, 0.0}, weights[] = {0.0};
    double entropy;
    assert_int_equal(
        equant_mixture_entropy(0, means, variances, NULL, 0, NULL, &entropy, NULL, NULL),
        EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(
        equant_mixture_entropy(2, means, variances, NULL, 0, NULL, &entropy, NULL, NULL),
        EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(
        equant_mixture_entropy(1, means, variances, weights, 0, NULL, &entropy, NULL, NULL),
        EQUANT_ERROR_INVALID_ARGUMENT);
}

/* Two components far apart and far narrower than the points of the grid are: each is as good as
 * known, so that the mixture tells which of the two a value is of, one bit. */
static void test_components_between_the_points(void **state)
{
    (void)state;
    const double means[] = {0.0, 1234.567}, variances[] = {1e-10, 1e-10};
    double entropy, of_components;
    assert_int_equal(
        equant_mixture_entropy(2, means, variances, NULL, 0, NULL, &entropy, &of_components, NULL),
        EQUANT_SUCCESS);
    assert_true(fabs(entropy - of_components - log(2.0)) < 1e-6);
}

/* Numbers that are none are refused, and no index is made of them. */
static void test_components_that_are_no_numbers(void **state)
{
    (void)state;
    const double bad[][2] = {{NAN, 1.0}, {INFINITY, 1.0}, {1.0, INFINITY}, {1.0, NAN}, {1.0, 0.0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mixture_grid grid = {.n = 0};
        mixture_facts facts;
        const mixture one = {.n = 1, .means = &bad[i][0], .variances = &bad[i][1]};
        assert_int_equal(mixture_describe(&one, &grid, &facts), EQUANT_ERROR_INVALID_ARGUMENT);
        mixture_grid_free(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_normal_mixture_is_normal),
        cmocka_unit_test(test_quantiles_and_modes),
        cmocka_unit_test(test_groups_are_told_apart),
        cmocka_unit_test(test_what_few_draws_lack),
        cmocka_unit_test(test_bad_mixtures),
        cmocka_unit_test(test_components_between_the_points),
        cmocka_unit_test(test_components_that_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
