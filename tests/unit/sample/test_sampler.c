/* The sampler on densities whose moments are known, and to the bit on itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/walkers/sampler.h"
#include "unit/toy_target.h"
#include "unit/tuned_ladder.h"

static double uniform(uint64_t i)
{
    return random_uniforms_at((random_stream){11, 2000, 1}, i / 2).half[i % 2];
}

static double *start_around(size_t n_rows, size_t d, double width)
{
    double *start = malloc(n_rows * d * sizeof *start);
    assert_non_null(start);
    for (size_t i = 0; i < n_rows * d; i++)
        start[i] = width * random_normal_quantile(uniform(i));
    return start;
}

static sampler *create(toy_target *toy, const sampler_options *options, const double *start)
{
    sampler_target target = toy_sampler_target(toy);
    sampler *made = NULL;
    if (sampler_create(&target, options, start, &made) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return made;
}

/* ---- moments --------------------------------------------------------------------- */

typedef struct moments {
    double mean[TOY_MAX_COORDINATES], variance[TOY_MAX_COORDINATES];
} moments;

/* Over n_steps, from all walkers of the cold rung. */
static moments sample_moments(sampler *s, size_t d, size_t n_steps)
{
    moments found = {{0.0}, {0.0}};
    const size_t n = sampler_n_populations(s) * sampler_n_walkers(s);
    for (size_t step = 0; step < n_steps; step++) {
        assert_int_equal(sampler_advance(s, 1), EQUANT_SUCCESS);
        const double *x = sampler_cold_parameters(s);
        for (size_t i = 0; i < n * d; i++) {
            found.mean[i % d] += x[i];
            found.variance[i % d] += x[i] * x[i];
        }
    }
    for (size_t j = 0; j < d; j++) {
        found.mean[j] /= (double)(n * n_steps);
        found.variance[j] =
            found.variance[j] / (double)(n * n_steps) - found.mean[j] * found.mean[j];
    }
    return found;
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", found, tolerance, expected);
}

/* Sixteen coordinates, scales from 0.01 to 10, neighbours correlated by 0.9. */
static void correlated_coordinates(void **state)
{
    (void)state;
    enum { D = 16 };
    toy_target toy = {.n_coordinates = D, .log_prior = toy_flat, .log_likelihood = toy_correlated};
    for (size_t j = 0; j < D; j++)
        toy.subset[j] = (unsigned char)(j / 5);
    sampler_options options = {.seed = 1, .n_populations = 1, .n_walkers = 256, .n_threads = 1};
    double *start = start_around(256, D, 1.0);
    sampler *s = create(&toy, &options, start);
    assert_int_equal(sampler_advance(s, 1000), EQUANT_SUCCESS);
    moments found = sample_moments(s, D, 1000);
    for (size_t j = 0; j < D; j++) {
        double scale = toy_scale(j);
        assert_near(found.mean[j] / scale, 0.0, 0.03);
        assert_near(found.variance[j] / (scale * scale), 1.0, 0.05);
    }
    assert_true(sampler_acceptance(s, 0, ENSEMBLE_MOVE_DIFFERENCE) > 0.15);
    assert_true(sampler_acceptance(s, 0, ENSEMBLE_MOVE_GUIDED) > 0.3);
    assert_true(sampler_round_trips(s) == 0);
    sampler_free(s);
    free(start);
}

static void banana(void **state)
{
    (void)state;
    toy_target toy = {.n_coordinates = 2, .log_prior = toy_flat, .log_likelihood = toy_banana};
    sampler_options options = {.seed = 2, .n_walkers = 40, .n_threads = 1};
    double *start = start_around(160, 2, 3.0);
    sampler *s = create(&toy, &options, start);
    assert_int_equal(sampler_advance(s, 500), EQUANT_SUCCESS);
    moments found = sample_moments(s, 2, 4000);
    assert_near(found.mean[0], 0.0, 0.04);
    assert_near(found.variance[0], 1.0, 0.04);
    assert_near(found.mean[1], 1.0, 0.05);
    assert_near(found.variance[1], 2.25, 0.25);
    sampler_free(s);
    free(start);
}

/* ---- bits ------------------------------------------------------------------------- */

/* Large enough for threads to share every phase. */
enum { BIT_D = 8, BIT_TEMPERATURES = 4, BIT_POPULATIONS = 2, BIT_WALKERS = 800 };

static toy_target bit_toy(void)
{
    return (toy_target){.n_coordinates = BIT_D,
                        .log_prior = toy_box_prior,
                        .log_likelihood = toy_two_modes,
                        .quantile = toy_box_quantile,
                        .subset = {0, 0, 0, 1, 1, 2, 2, 2}};
}

static sampler_options bit_options(int n_threads)
{
    return (sampler_options){.seed = 5,
                             .n_populations = BIT_POPULATIONS,
                             .n_temperatures = BIT_TEMPERATURES,
                             .n_walkers = BIT_WALKERS,
                             .n_threads = n_threads};
}

/* The whole state, the future included, as bytes; freed by the caller. */
static void *state_of(const sampler *s)
{
    void *blob = malloc(sampler_state_bytes(s));
    assert_non_null(blob);
    sampler_save(s, blob);
    return blob;
}

static void assert_same_state(const sampler *one, const sampler *other)
{
    size_t n_bytes = sampler_state_bytes(one);
    void *a = state_of(one), *b = state_of(other);
    assert_int_equal(n_bytes, sampler_state_bytes(other));
    assert_memory_equal(a, b, n_bytes);
    free(a);
    free(b);
}

static void threads_and_calls(void **state)
{
    (void)state;
    toy_target toys[2] = {bit_toy(), bit_toy()};
    sampler_options serial = bit_options(1), parallel = bit_options(3);
    sampler *one = create(&toys[0], &serial, NULL), *other = create(&toys[1], &parallel, NULL);
    assert_int_equal(tune_ladder(one, 2, 10), EQUANT_SUCCESS);
    assert_int_equal(sampler_advance(one, 20), EQUANT_SUCCESS);
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(sampler_advance(other, round == 0 ? 2 : 4), EQUANT_SUCCESS);
        assert_int_equal(sampler_adapt_ladder(other), EQUANT_SUCCESS);
    }
    assert_int_equal(sampler_advance(other, 20), EQUANT_SUCCESS);
    assert_int_equal(sampler_n_steps(other), 50);
    assert_same_state(one, other);
    assert_int_equal(toys[0].n_evaluated, toys[1].n_evaluated);
    sampler_free(one);
    sampler_free(other);
}

static void seeds_differ(void **state)
{
    (void)state;
    toy_target toy = bit_toy();
    sampler_options options = bit_options(1);
    double *start = start_around(BIT_TEMPERATURES * BIT_POPULATIONS * BIT_WALKERS, BIT_D, 1.0);
    sampler *one = create(&toy, &options, start);
    options.seed = 6;
    sampler *other = create(&toy, &options, start);
    assert_int_equal(sampler_advance(one, 5), EQUANT_SUCCESS);
    assert_int_equal(sampler_advance(other, 5), EQUANT_SUCCESS);
    assert_memory_not_equal(sampler_cold_parameters(one), sampler_cold_parameters(other),
                            BIT_POPULATIONS * BIT_WALKERS * BIT_D * sizeof(double));
    sampler_free(one);
    sampler_free(other);
    free(start);
}

static void interrupted_and_resumed(void **state)
{
    (void)state;
    toy_target toy = bit_toy();
    sampler_options options = bit_options(1);
    sampler *whole = create(&toy, &options, NULL);
    assert_int_equal(tune_ladder(whole, 2, 5), EQUANT_SUCCESS);
    sampler_freeze(whole);
    assert_int_equal(sampler_advance(whole, 7), EQUANT_SUCCESS);
    size_t n_bytes = sampler_state_bytes(whole);
    void *blob = state_of(whole);
    assert_int_equal(sampler_advance(whole, 13), EQUANT_SUCCESS);

    options.n_threads = 2;
    sampler *resumed = create(&toy, &options, NULL);
    assert_int_equal(sampler_restore(resumed, blob, n_bytes), EQUANT_SUCCESS);
    assert_int_equal(sampler_adapt_ladder(resumed), EQUANT_ERROR_INVALID_ARGUMENT); /* frozen */
    assert_int_equal(sampler_advance(resumed, 13), EQUANT_SUCCESS);
    assert_same_state(whole, resumed);
    assert_memory_equal(sampler_cold_parameters(whole), sampler_cold_parameters(resumed),
                        BIT_POPULATIONS * BIT_WALKERS * BIT_D * sizeof(double));
    sampler_free(whole);
    sampler_free(resumed);
    free(blob);
}

static void foreign_states(void **state)
{
    (void)state;
    toy_target toy = bit_toy();
    sampler_options options = bit_options(1);
    sampler *s = create(&toy, &options, NULL);
    size_t n_bytes = sampler_state_bytes(s);
    char *blob = state_of(s);
    assert_int_equal(sampler_restore(s, blob, 3), EQUANT_ERROR_FORMAT);
    assert_int_equal(sampler_restore(s, blob, n_bytes - 1), EQUANT_ERROR_FORMAT);
    blob[0] ^= 1;
    assert_int_equal(sampler_restore(s, blob, n_bytes), EQUANT_ERROR_FORMAT);
    blob[0] ^= 1;
    sampler_options others[3] = {options, options, options};
    others[0].seed = 77;
    others[1].n_walkers += 2;
    others[2].shares[ENSEMBLE_MOVE_JUMP] = 1.0;
    for (size_t i = 0; i < 3; i++) {
        sampler *other = create(&toy, &others[i], NULL);
        assert_int_equal(sampler_restore(other, blob, n_bytes), EQUANT_ERROR_FORMAT);
        assert_true(strstr(equant_last_error(), i == 0 ? "seed 5" : "other walkers") != NULL);
        sampler_free(other);
    }
    sampler_free(s);
    free(blob);
}

/* The number of coordinates of a state that is only told from: with a row of them it is 2^64, so
 * that a product that wraps has the right number of bytes. */
static void counts_of_a_state_that_wrap(void **state)
{
    (void)state;
    toy_target toy = bit_toy();
    sampler_options options = bit_options(1);
    sampler *s = create(&toy, &options, NULL), *told = NULL;
    size_t n_bytes = sampler_state_bytes(s);
    char *blob = state_of(s);
    const uint64_t wraps = UINT64_MAX;
    memcpy(blob + 16 + 4 * sizeof wraps, &wraps,
           sizeof wraps); /* behind mark, seed, three counts */
    n_bytes -= BIT_TEMPERATURES * BIT_POPULATIONS * BIT_WALKERS * (BIT_D + 1) * sizeof(double);
    assert_int_equal(sampler_tell(blob, n_bytes, &told), EQUANT_ERROR_FORMAT);
    assert_null(told);
    sampler_free(s);
    free(blob);
}

/* ---- requests that cannot be met ---------------------------------------------------- */

static void assert_refused(toy_target *toy, sampler_options options, const double *start)
{
    sampler_target target = toy_sampler_target(toy);
    sampler *made = NULL;
    assert_int_equal(sampler_create(&target, &options, start, &made),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(made);
}

static void bad_requests(void **state)
{
    (void)state;
    const double rising[BIT_TEMPERATURES] = {1.0, 0.5, 0.6, 0.0};
    const double cold[BIT_TEMPERATURES] = {0.9, 0.5, 0.2, 0.0};
    toy_target toy = bit_toy();
    sampler_options good = bit_options(1), bad = good;
    bad.n_walkers = 801;
    assert_refused(&toy, bad, NULL);
    bad.n_walkers = 16;
    assert_refused(&toy, bad, NULL);
    bad = good;
    bad.n_populations = (size_t)1 << 40;
    assert_refused(&toy, bad, NULL);
    bad = good;
    bad.hottest_beta = 1.0;
    assert_refused(&toy, bad, NULL);
    bad = good;
    bad.beta = rising;
    assert_refused(&toy, bad, NULL);
    bad.beta = cold;
    assert_refused(&toy, bad, NULL);
    bad = good;
    bad.shares[0] = -1.0;
    assert_refused(&toy, bad, NULL);
    double *outside = start_around(BIT_TEMPERATURES * BIT_POPULATIONS * BIT_WALKERS, BIT_D, 100.0);
    assert_refused(&toy, good, outside);
    free(outside);
    toy.quantile = NULL;
    assert_refused(&toy, good, NULL);
    toy.n_coordinates = 0;
    assert_refused(&toy, good, NULL);
}

static void failing_targets(void **state)
{
    (void)state;
    toy_target toy = bit_toy();
    sampler_options options = bit_options(1);
    sampler_target target = toy_sampler_target(&toy);
    sampler *s = NULL;
    toy.failing_call = 2;
    assert_int_equal(sampler_create(&target, &options, NULL, &s), EQUANT_ERROR_DEVICE);
    assert_null(s);
    toy.failing_call = toy.n_calls + 2 + 5; /* creation takes two */
    s = create(&toy, &options, NULL);
    assert_int_equal(sampler_advance(s, 10), EQUANT_ERROR_DEVICE);
    assert_int_equal(sampler_n_steps(s), 2);
    sampler_freeze(s);
    assert_int_equal(sampler_adapt_ladder(s), EQUANT_ERROR_INVALID_ARGUMENT);
    sampler_free(s);
    sampler_free(NULL);
}

/* Likelihoods of zero and of no value are places where no walker goes. */
static double half_undefined(const double *x, size_t d)
{
    (void)d;
    return x[0] < 0.0 ? (x[1] < 0.0 ? NAN : -INFINITY) : -0.5 * (x[0] * x[0] + x[1] * x[1]);
}

static void undefined_likelihoods(void **state)
{
    (void)state;
    toy_target toy = {.n_coordinates = 2, .log_prior = toy_flat, .log_likelihood = half_undefined};
    sampler_options options = {.seed = 4, .n_populations = 2, .n_walkers = 100, .n_threads = 1};
    double *start = start_around(200, 2, 1.0);
    sampler *s = create(&toy, &options, start);
    assert_int_equal(sampler_advance(s, 200), EQUANT_SUCCESS);
    moments found = sample_moments(s, 2, 1000);
    assert_near(found.mean[0], sqrt(2.0 / TOY_PI), 0.02);
    assert_near(found.variance[0], 1.0 - 2.0 / TOY_PI, 0.02);
    for (size_t i = 0; i < 200; i++)
        assert_true(sampler_cold_parameters(s)[2 * i] >= 0.0 &&
                    isfinite(sampler_cold_log_likelihood(s)[i]));
    sampler_free(s);
    free(start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correlated_coordinates),
        cmocka_unit_test(banana),
        cmocka_unit_test(threads_and_calls),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(interrupted_and_resumed),
        cmocka_unit_test(foreign_states),
        cmocka_unit_test(counts_of_a_state_that_wrap),
        cmocka_unit_test(bad_requests),
        cmocka_unit_test(failing_targets),
        cmocka_unit_test(undefined_likelihoods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
