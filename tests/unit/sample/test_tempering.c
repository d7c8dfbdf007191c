/* Tempered ensembles: modes get their weights, every rung its density, and the hottest rung is
 * the prior. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inference/sample/walkers/sampler_state.h"
#include "unit/toy_target.h"
#include "unit/tuned_ladder.h"

enum { N_POPULATIONS = 4 };

static sampler *tuned(toy_target *toy, size_t n_temperatures, size_t n_walkers, const double *start)
{
    sampler_target target = toy_sampler_target(toy);
    sampler_options options = {.seed = 12,
                               .n_populations = N_POPULATIONS,
                               .n_temperatures = n_temperatures,
                               .n_walkers = n_walkers,
                               .n_threads = 1};
    sampler *s = NULL;
    if (sampler_create(&target, &options, start, &s) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    assert_int_equal(tune_ladder(s, 5, 20), EQUANT_SUCCESS);
    sampler_freeze(s);
    return s;
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", found, tolerance, expected);
}

/* Rungs between which swaps are refused about equally often, walkers that travel. */
static void assert_ladder(const sampler *s)
{
    const size_t n = sampler_n_temperatures(s);
    double mean = 0.0;
    for (size_t gap = 0; gap + 1 < n; gap++)
        mean += sampler_swap_rejection(s, gap) / (double)(n - 1);
    assert_true(sampler_beta(s)[0] == 1.0 && sampler_beta(s)[n - 1] == 0.0);
    for (size_t gap = 0; gap + 1 < n; gap++)
        assert_near(sampler_swap_rejection(s, gap), mean, 0.1);
    assert_true(sampler_round_trips(s) > sampler_n_walkers(s));
}

/* The mean of ln L over the walkers of each rung now. */
static void add_likelihoods(const sampler *s, double *sums)
{
    const size_t n = N_POPULATIONS * sampler_n_walkers(s);
    for (size_t t = 0; t < sampler_n_temperatures(s); t++)
        for (size_t i = 0; i < n; i++)
            sums[t] += s->walkers.log_likelihood[t * n + i] / (double)n;
}

/* Normal prior, normal measurements: everything about the posterior is known. With draws from
 * the prior at the hot end, and with walkers that wander there. */
static void linear_gaussian(void **state)
{
    (void)state;
    enum { D = 4 };
    const double prior = TOY_PRIOR_SIGMA * TOY_PRIOR_SIGMA;
    const double noise = TOY_MEASURED_SIGMA * TOY_MEASURED_SIGMA;
    for (int is_drawn = 0; is_drawn < 2; is_drawn++) {
        toy_target toy = {.n_coordinates = D,
                          .log_prior = toy_normal_prior,
                          .log_likelihood = toy_linear,
                          .quantile = is_drawn ? toy_normal_quantile : NULL};
        double scattered[N_POPULATIONS * 6 * 40 * D];
        for (size_t i = 0; i < sizeof scattered / sizeof *scattered; i++)
            scattered[i] =
                toy_normal_quantile(random_uniforms_at((random_stream){2, 3001, 1}, i).half[0]);
        sampler *s = tuned(&toy, 6, 40, is_drawn ? NULL : scattered);
        double sum = 0.0, square = 0.0, count = 0.0, log_likelihoods[6] = {0.0};
        for (size_t step = 0; step < 1500; step++) {
            assert_int_equal(sampler_advance(s, 1), EQUANT_SUCCESS);
            const double *x = sampler_cold_parameters(s);
            add_likelihoods(s, log_likelihoods);
            for (size_t i = 0; i < N_POPULATIONS * 40 * D; i++, count += 1.0) {
                sum += x[i];
                square += x[i] * x[i];
            }
        }
        double mean = TOY_MEASURED * prior / (prior + noise);
        assert_near(sum / count, mean, 0.01);
        assert_near(square / count - mean * mean, prior * noise / (prior + noise), 0.01);
        for (size_t t = 0; t < 6; t++) {
            double variance = 1.0 / (1.0 / prior + sampler_beta(s)[t] / noise),
                   offset = sampler_beta(s)[t] * variance * TOY_MEASURED / noise - TOY_MEASURED,
                   expected = D * (toy_normal_log_density(0.0, 0.0, sqrt(noise)) -
                                   0.5 * (offset * offset + variance) / noise);
            assert_near(log_likelihoods[t] / 1500.0, expected, 0.03 * fabs(expected));
        }
        assert_ladder(s);
        assert_true(isnan(sampler_acceptance(s, 5, ENSEMBLE_MOVE_GUIDED)) == is_drawn);
        sampler_free(s);
    }
}

/* All walkers begin in the lesser mode. */
static void two_modes(void **state)
{
    (void)state;
    enum { D = 2, N_TEMPERATURES = 10, N_WALKERS = 40 };
    toy_target toy = {.n_coordinates = D,
                      .log_prior = toy_box_prior,
                      .log_likelihood = toy_two_modes,
                      .quantile = toy_box_quantile};
    double start[N_POPULATIONS * N_TEMPERATURES * N_WALKERS * D];
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        start[i] = -5.0 + 0.6 * (random_uniforms_at((random_stream){2, 3001, 1}, i).half[0] - 0.5);
    sampler *s = tuned(&toy, N_TEMPERATURES, N_WALKERS, start);
    double n_right = 0.0, n_all = 0.0;
    for (size_t step = 0; step < 1500; step++) {
        assert_int_equal(sampler_advance(s, 1), EQUANT_SUCCESS);
        for (size_t i = 0; i < N_POPULATIONS * N_WALKERS; i++, n_all += 1.0)
            n_right += sampler_cold_parameters(s)[i * D] > 0.0;
    }
    assert_near(n_right / n_all, 0.7, 0.02);
    assert_ladder(s);
    sampler_free(s);
}

static void angles(void **state)
{
    (void)state;
    enum { D = 3, N_TEMPERATURES = 4, N_WALKERS = 30 };
    toy_target toy = {.n_coordinates = D,
                      .log_prior = toy_circle_prior,
                      .log_likelihood = toy_von_mises,
                      .is_angle = {1, 1, 1}};
    double start[N_POPULATIONS * N_TEMPERATURES * N_WALKERS * D];
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        start[i] = 20.0 * random_uniforms_at((random_stream){2, 3001, 1}, i).half[0];
    sampler *s = tuned(&toy, N_TEMPERATURES, N_WALKERS, start);
    double cosine = 0.0, sine = 0.0, count = 0.0;
    for (size_t step = 0; step < 2000; step++) {
        assert_int_equal(sampler_advance(s, 1), EQUANT_SUCCESS);
        for (size_t i = 0; i < N_POPULATIONS * N_WALKERS * D; i++, count += 1.0) {
            double angle = sampler_cold_parameters(s)[i];
            assert_true(angle > -TOY_PI && angle <= TOY_PI);
            cosine += cos(angle - TOY_ANGLE);
            sine += sin(angle - TOY_ANGLE);
        }
    }
    assert_near(sine / count, 0.0, 0.01);
    assert_near(cosine / count, 0.697774658, 0.01); /* I1(2) / I0(2) */
    sampler_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_gaussian),
        cmocka_unit_test(two_modes),
        cmocka_unit_test(angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
