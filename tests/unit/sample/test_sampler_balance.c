/* Detailed balance of every move: small ensembles that begin as independent draws from the
 * target remain such, each walker by itself and any two of an ensemble together. Moves that
 * consulted walkers which move at the same time would fail here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inference/sample/walkers/sampler.h"
#include "unit/distribution_checks.h"
#include "unit/toy_target.h"

enum { D = 2, N_ENSEMBLES = 6000, N_WALKERS = 8, N_ALL = N_ENSEMBLES * N_WALKERS, N_STEPS = 8 };

/* A target by its distribution: coordinates to two independent uniform numbers and back. */
typedef struct balanced_target {
    toy_target toy;
    void (*to_coordinates)(const double *u, double *x);
    void (*to_uniform)(const double *x, double *u);
} balanced_target;

static double normal_cdf(double z)
{
    return 0.5 * erfc(-z / sqrt(2.0));
}

/* ---- two correlated normal coordinates of different scale -------------------------- */

static double tilted(const double *x, size_t d)
{
    (void)d;
    double z = x[1] / 100.0 - 2.0 * x[0];
    return -0.5 * (x[0] * x[0] + z * z);
}

static void tilted_coordinates(const double *u, double *x)
{
    x[0] = random_normal_quantile(u[0]);
    x[1] = 100.0 * (random_normal_quantile(u[1]) + 2.0 * x[0]);
}

static void tilted_uniform(const double *x, double *u)
{
    u[0] = normal_cdf(x[0]);
    u[1] = normal_cdf(x[1] / 100.0 - 2.0 * x[0]);
}

/* ---- an angle across the wrap, and a coordinate that depends on it ------------------- */

/* Density 1 + 0.8 cos(angle - 3), and its integral from -pi. */
static double lopsided_cdf(double angle)
{
    return (angle + TOY_PI + 0.8 * (sin(angle - 3.0) - sin(-TOY_PI - 3.0))) / (2.0 * TOY_PI);
}

static double lopsided(const double *x, size_t d)
{
    (void)d;
    double z = x[1] - 2.0 * cos(x[0]);
    return log(1.0 + 0.8 * cos(x[0] - 3.0)) - 0.5 * z * z;
}

static void lopsided_coordinates(const double *u, double *x)
{
    double low = -TOY_PI, high = TOY_PI;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (lopsided_cdf(middle) < u[0])
            low = middle;
        else
            high = middle;
    }
    x[0] = high;
    x[1] = 2.0 * cos(x[0]) + random_normal_quantile(u[1]);
}

static void lopsided_uniform(const double *x, double *u)
{
    u[0] = lopsided_cdf(x[0]);
    u[1] = normal_cdf(x[1] - 2.0 * cos(x[0]));
}

static const balanced_target targets[2] = {
    {{.n_coordinates = D, .log_prior = toy_flat, .log_likelihood = tilted, .subset = {0, 1}},
     tilted_coordinates,
     tilted_uniform},
    {{.n_coordinates = D,
      .log_prior = toy_flat,
      .log_likelihood = lopsided,
      .is_angle = {1, 0},
      .subset = {0, 1}},
     lopsided_coordinates,
     lopsided_uniform},
};

/* ---- the test --------------------------------------------------------------------------- */

static double *exact_draws(const balanced_target *target)
{
    double *x = malloc((size_t)N_ALL * D * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < N_ALL; i++) {
        random_uniforms u = random_uniforms_at((random_stream){3, 3000, 1}, i);
        target->to_coordinates(u.half, x + i * D);
    }
    return x;
}

/* Each walker's distribution; then, in normal scores, that the means over ensembles spread as
 * those of independent walkers do. */
static void assert_independent(const balanced_target *target, const double *x, int move)
{
    double *by_coordinate[D];
    for (size_t j = 0; j < D; j++)
        assert_non_null(by_coordinate[j] = malloc(N_ALL * sizeof **by_coordinate));
    double spread[D] = {0.0}, square[D] = {0.0}, mixed = 0.0;
    for (size_t ensemble = 0; ensemble < N_ENSEMBLES; ensemble++) {
        double sum[D] = {0.0};
        for (size_t i = ensemble * N_WALKERS; i < (ensemble + 1) * N_WALKERS; i++) {
            double u[D], score[D];
            target->to_uniform(x + i * D, u);
            for (size_t j = 0; j < D; j++) {
                by_coordinate[j][i] = u[j];
                score[j] = random_normal_quantile(fmin(fmax(u[j], 1e-15), 1.0 - 1e-15));
                sum[j] += score[j];
                square[j] += score[j] * score[j];
            }
            mixed += score[0] * score[1];
        }
        for (size_t j = 0; j < D; j++)
            spread[j] += sum[j] * sum[j] / N_WALKERS;
    }
    for (size_t j = 0; j < D; j++) {
        double distance = kolmogorov_distance(N_ALL, by_coordinate[j]);
        free(by_coordinate[j]);
        /* Each is 1 but for about four times its standard error. */
        if (!(distance < KOLMOGOROV_LIMIT && fabs(spread[j] / N_ENSEMBLES - 1.0) < 0.075 &&
              fabs(square[j] / N_ALL - 1.0) < 0.027))
            fail_msg("move %d, coordinate %zu: distance %g, spread %g, square %g", move, j,
                     distance, spread[j] / N_ENSEMBLES, square[j] / N_ALL);
    }
    assert_true(fabs(mixed / N_ALL) < 0.02);
}

static void ensembles_stay_independent(void **state)
{
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        double *start = exact_draws(&targets[t]);
        assert_independent(&targets[t], start, -1);
        for (int move = 0; move < ENSEMBLE_N_MOVES; move++) {
            toy_target toy = targets[t].toy;
            sampler_target target = toy_sampler_target(&toy);
            sampler_options options = {
                .seed = 8, .n_populations = N_ENSEMBLES, .n_walkers = N_WALKERS, .n_threads = 1};
            options.shares[move] = 1.0;
            sampler *s = NULL;
            assert_int_equal(sampler_create(&target, &options, start, &s), EQUANT_SUCCESS);
            assert_int_equal(sampler_advance(s, N_STEPS), EQUANT_SUCCESS);
            assert_true(sampler_acceptance(s, 0, (ensemble_move)move) > 0.05);
            assert_independent(&targets[t], sampler_cold_parameters(s), move);
            sampler_free(s);
        }
        free(start);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ensembles_stay_independent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
