/* Batches of observations of a linear model with normal parameters, of which everything is known in
 * closed form: 1/2 ln |B + C| - 1/2 ln |C|, with white and with correlated noise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/plan/plan_search.h"

/* v(t) = a cos w t + b sin w t, a and b normal: points of a square grid with their weights. */
enum { SIDE = 41, N_DRAWS = SIDE * SIDE, N_TIMES = 12, N_CHOSEN = 5 };
#define SPREAD 3.0
#define SIGMA 2.0

typedef struct linear_star {
    double time_days[N_TIMES], worth[N_TIMES];
    double means[N_TIMES * N_DRAWS], variances[N_TIMES * N_DRAWS], weights[N_DRAWS];
    double noise_amplitude, noise_days;
} linear_star;

static double column(double time, int which)
{
    double phase = 2.0 * M_PI * time / 10.0;
    return which == 0 ? cos(phase) : sin(phase);
}

static double noise_covariance_of(const linear_star *star, size_t i, size_t j)
{
    double apart = fabs(star->time_days[i] - star->time_days[j]);
    return star->noise_amplitude * star->noise_amplitude * exp(-apart / star->noise_days);
}

static linear_star *make_star(double noise_amplitude)
{
    linear_star *star = calloc(1, sizeof *star);
    assert_non_null(star);
    star->noise_amplitude = noise_amplitude;
    star->noise_days = 1.5;
    for (size_t t = 0; t < N_TIMES; t++) {
        star->time_days[t] = 0.7 * (double)t + 0.1 * (double)(t % 3);
        star->worth[t] = 1.0;
    }
    for (size_t i = 0; i < N_DRAWS; i++) {
        double a = -6.0 + 12.0 * (double)(i / SIDE) / (SIDE - 1),
               b = -6.0 + 12.0 * (double)(i % SIDE) / (SIDE - 1);
        star->weights[i] = exp(-0.5 * (a * a + b * b));
        for (size_t t = 0; t < N_TIMES; t++) {
            star->means[t * N_DRAWS + i] =
                SPREAD * (a * column(star->time_days[t], 0) + b * column(star->time_days[t], 1));
            star->variances[t * N_DRAWS + i] = SIGMA * SIGMA + noise_amplitude * noise_amplitude;
        }
    }
    return star;
}

static equant_status covariances_of(void *context, size_t j, double *covariances)
{
    const linear_star *star = context;
    for (size_t t = 0; t < N_TIMES; t++)
        for (size_t i = 0; i < N_DRAWS; i++)
            covariances[t * N_DRAWS + i] = noise_covariance_of(star, t, j);
    return EQUANT_SUCCESS;
}

static double log_determinant(size_t n, double *m)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += log(m[k * n + k]);
        for (size_t i = k + 1; i < n; i++) {
            double factor = m[i * n + k] / m[k * n + k];
            for (size_t j = k; j < n; j++)
                m[i * n + j] -= factor * m[k * n + j];
        }
    }
    return sum;
}

/* What some times teach together. */
static double information(const linear_star *star, size_t n, const plan_choice *chosen)
{
    double both[N_CHOSEN * N_CHOSEN], noise[N_CHOSEN * N_CHOSEN];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            size_t a = chosen[i].time, b = chosen[j].time;
            noise[i * n + j] = noise_covariance_of(star, a, b) + (i == j ? SIGMA * SIGMA : 0.0);
            both[i * n + j] = noise[i * n + j];
            for (int k = 0; k < 2; k++)
                both[i * n + j] +=
                    SPREAD * SPREAD * column(star->time_days[a], k) * column(star->time_days[b], k);
        }
    return 0.5 * (log_determinant(n, both) - log_determinant(n, noise));
}

static void run_search(const plan_problem *problem, size_t n, double *gains, mixture_facts *facts,
                       plan_choice *chosen, size_t *n_chosen)
{
    plan_search *search = NULL;
    assert_int_equal(plan_search_create(problem, n, &search), EQUANT_SUCCESS);
    assert_int_equal(plan_search_run(search, n, gains, facts, chosen, n_chosen), EQUANT_SUCCESS);
    plan_search_free(search);
}

static plan_problem problem_of(linear_star *star)
{
    static const size_t ends[] = {N_DRAWS};
    static const double whole[] = {1.0};
    return (plan_problem){.n_times = N_TIMES,
                          .n_draws = N_DRAWS,
                          .n_groups = 1,
                          .ends = ends,
                          .group_weights = whole,
                          .weights = star->weights,
                          .means = star->means,
                          .variances = star->variances,
                          .covariances = star->noise_amplitude > 0.0 ? covariances_of : NULL,
                          .context = star,
                          .time_days = star->time_days,
                          .worth = star->worth,
                          .n_threads = 1};
}

static void check_batch(double noise_amplitude)
{
    linear_star *star = make_star(noise_amplitude);
    plan_problem problem = problem_of(star);
    double gains[N_TIMES], total = 0.0;
    mixture_facts facts[N_TIMES];
    plan_choice chosen[N_CHOSEN];
    size_t n_chosen = 0;
    run_search(&problem, N_CHOSEN, gains, facts, chosen, &n_chosen);
    assert_int_equal(n_chosen, N_CHOSEN);
    for (size_t n = 1; n <= N_CHOSEN; n++) {
        total += chosen[n - 1].gain;
        assert_true(fabs(total - information(star, n, chosen)) < 1e-6);
        /* No other time would have been better. */
        for (size_t t = 0; t < N_TIMES; t++) {
            plan_choice other[N_CHOSEN];
            bool is_new = true;
            memcpy(other, chosen, sizeof other);
            for (size_t i = 0; i + 1 < n; i++)
                is_new = is_new && chosen[i].time != t;
            other[n - 1].time = t;
            if (is_new)
                assert_true(information(star, n, other) < total + 1e-6);
        }
    }
    free(star);
}

static void test_white_noise(void **state)
{
    (void)state;
    check_batch(0.0);
}

static void test_correlated_noise(void **state)
{
    (void)state;
    check_batch(2.5);
}

/* What is left of the spread of a and b after all that is chosen: the inverse of the sum of the
 * inverse covariance of both and of what each time tells, noise being white. */
static void test_expected_spread(void **state)
{
    (void)state;
    linear_star *star = make_star(0.0);
    plan_problem problem = problem_of(star);
    double *quantities = malloc(2 * N_DRAWS * sizeof *quantities), gains[N_TIMES];
    double m[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    mixture_facts facts[N_TIMES];
    plan_choice chosen[N_CHOSEN];
    plan_search *search = NULL;
    size_t n_chosen = 0;
    assert_non_null(quantities);
    for (size_t i = 0; i < N_DRAWS; i++) {
        quantities[i] = -6.0 + 12.0 * (double)(i / SIDE) / (SIDE - 1);
        quantities[N_DRAWS + i] = -6.0 + 12.0 * (double)(i % SIDE) / (SIDE - 1);
    }
    problem.n_quantities = 2;
    problem.quantities = quantities;
    assert_int_equal(plan_search_create(&problem, 3, &search), EQUANT_SUCCESS);
    assert_true(fabs(plan_search_deviation(search, 0) - 1.0) < 1e-6);
    assert_int_equal(plan_search_run(search, 3, gains, facts, chosen, &n_chosen), EQUANT_SUCCESS);
    for (size_t n = 0; n < n_chosen; n++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                m[i][j] += SPREAD * SPREAD / (SIGMA * SIGMA) *
                           column(star->time_days[chosen[n].time], i) *
                           column(star->time_days[chosen[n].time], j);
    double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    assert_true(fabs(plan_search_deviation(search, 0) - sqrt(m[1][1] / determinant)) < 1e-6);
    assert_true(fabs(plan_search_deviation(search, 1) - sqrt(m[0][0] / determinant)) < 1e-6);
    plan_search_free(search);
    free(quantities);
    free(star);
}

/* A telescope that is taken cannot be had again; another one can. */
static void test_one_place_once(void **state)
{
    (void)state;
    linear_star *star = make_star(0.0);
    plan_problem problem = problem_of(star);
    double starts[N_TIMES], ends[N_TIMES], gains[N_TIMES];
    int places[N_TIMES];
    mixture_facts facts[N_TIMES];
    plan_choice chosen[N_TIMES];
    plan_search *search = NULL;
    size_t n_chosen = 0;
    for (size_t t = 0; t < N_TIMES; t++) {
        starts[t] = star->time_days[t] - 0.5;
        ends[t] = star->time_days[t] + 0.5;
        places[t] = (int)(t % 2);
    }
    problem.places = places;
    problem.starts_days = starts;
    problem.ends_days = ends;
    assert_int_equal(plan_search_create(&problem, N_TIMES, &search), EQUANT_SUCCESS);
    plan_search_block(search, 0, star->time_days[0] - 0.1, star->time_days[0] + 0.1);
    assert_int_equal(plan_search_n_left(search), N_TIMES - 1);
    assert_int_equal(plan_search_run(search, N_TIMES, gains, facts, chosen, &n_chosen),
                     EQUANT_SUCCESS);
    assert_int_equal(n_chosen, N_TIMES - 1); /* those of one place are 1.4 days apart */
    for (size_t i = 0; i < n_chosen; i++)
        assert_int_not_equal(chosen[i].time, 0);
    plan_search_free(search);
    free(star);
}

static void test_gap_cost_and_weight(void **state)
{
    (void)state;
    linear_star *star = make_star(0.0);
    plan_problem problem = problem_of(star);
    double gains[N_TIMES];
    mixture_facts facts[N_TIMES];
    plan_choice chosen[N_CHOSEN];
    size_t n_chosen = 0;
    problem.min_gap_days = 4.0;
    star->worth[7] = 100.0;
    run_search(&problem, N_CHOSEN, gains, facts, chosen, &n_chosen);
    assert_int_equal(chosen[0].time, 7);
    assert_true(n_chosen < N_CHOSEN);
    for (size_t i = 0; i < n_chosen; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(fabs(star->time_days[chosen[i].time] - star->time_days[chosen[j].time]) >=
                        4.0);
    free(star);
}

/* Two solutions that predict known velocities: what n values tell of them, by sums over what may
 * be seen. */
static double two_rivals(size_t n, double distance)
{
    double sum = 0.0, step = 1e-3, apart = distance * sqrt((double)n);
    for (double x = -10.0; x < apart + 10.0; x += step) {
        double p = exp(-0.5 * x * x) / sqrt(2.0 * M_PI),
               q = exp(-0.5 * (x - apart) * (x - apart)) / sqrt(2.0 * M_PI);
        sum += 0.5 * step * (p * log(2.0 * p / (p + q)) + q * log(2.0 * q / (p + q)));
    }
    return sum;
}

static void test_rivals(void **state)
{
    (void)state;
    enum { RIVAL_TIMES = 4 };
    double means[2 * RIVAL_TIMES], variances[2 * RIVAL_TIMES], gains[RIVAL_TIMES];
    const double times[RIVAL_TIMES] = {1.0, 2.0, 3.0, 4.0}, worth[RIVAL_TIMES] = {1, 1, 1, 1};
    const size_t ends[] = {1, 2};
    const double halves[] = {0.5, 0.5}, weights[] = {1.0, 1.0};
    for (size_t t = 0; t < RIVAL_TIMES; t++) {
        means[2 * t] = 0.0;
        means[2 * t + 1] = 0.8;
        variances[2 * t] = variances[2 * t + 1] = 1.0;
    }
    const plan_problem problem = {.n_times = RIVAL_TIMES,
                                  .n_draws = 2,
                                  .n_groups = 2,
                                  .ends = ends,
                                  .group_weights = halves,
                                  .weights = weights,
                                  .means = means,
                                  .variances = variances,
                                  .time_days = times,
                                  .worth = worth,
                                  .about_groups = true,
                                  .n_threads = 1};
    mixture_facts facts[RIVAL_TIMES];
    plan_choice chosen[3];
    size_t n_chosen = 0;
    run_search(&problem, 3, gains, facts, chosen, &n_chosen);
    assert_true(fabs(gains[2] - two_rivals(1, 0.8)) < 1e-6);
    /* The others by a few outcomes. */
    double two = chosen[0].gain + chosen[1].gain, three = two + chosen[2].gain;
    assert_true(fabs(two - two_rivals(2, 0.8)) < 0.01);
    assert_true(fabs(three - two_rivals(3, 0.8)) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_white_noise),         cmocka_unit_test(test_correlated_noise),
        cmocka_unit_test(test_expected_spread),     cmocka_unit_test(test_one_place_once),
        cmocka_unit_test(test_gap_cost_and_weight), cmocka_unit_test(test_rivals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
