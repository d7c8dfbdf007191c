/* Chi-square, likelihood, linear terms, velocities and residuals of random
 * systems against the oracle, for every backend, precision, solver and
 * summation. Bounds come from oracle/error_bounds.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/error_budgets.h"
#include "conformance/trial.h"
#include "equant.h"

enum { N_TRIALS = 60, N_TRIALS_QUICK = 14, MAX_CHECKED_SETS = 5 };

static const size_t observation_counts[] = {1, 2, 3, 7, 15, 16, 17, 31, 33, 100, 256, 401};
static const size_t set_counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Largest errors as fractions of their bounds; above 1 is a failure. */
typedef struct worst_ratios {
    double chi_square, log_likelihood, linear, velocity, residual;
} worst_ratios;

/* Trial shapes walk through all counts; the rest is drawn. Times are days from
 * an epoch, or Julian dates, in turn. */
static trial_shape draw_shape(size_t index)
{
    random_system random = {1000 + index};
    trial_shape shape = {
        .seed = index,
        .n_obs = observation_counts[index % COUNT(observation_counts)],
        .n_sets = set_counts[index % COUNT(set_counts)],
        .n_instruments = 1 + random_system_below(&random, 5),
        .model = {.n_planets = random_system_below(&random, 10),
                  .trend_order = (int)random_system_below(&random, 3),
                  .offsets_solved = random_system_below(&random, 2) == 0,
                  .trend_solved = random_system_below(&random, 2) == 0,
                  .with_jitter = random_system_below(&random, 2) == 0},
        .first_time = index % 2 ? 2450000.0 : 0.0,
    };
    if (shape.n_sets == 1000 && shape.n_obs > 100)
        shape.n_sets = 100;
    if (shape.n_instruments > shape.n_obs)
        shape.n_instruments = shape.n_obs;
    return shape;
}

/* A solved trend must be determined by the data: two rows to spare. */
static bool trend_is_determined(const trial_shape *shape)
{
    size_t n_offsets = shape->model.offsets_solved ? shape->n_instruments : 0;
    return shape->n_obs >= n_offsets + (size_t)shape->model.trend_order + 2;
}

static void raise_to(double *worst, double error, double bound)
{
    double ratio = error == 0 ? 0 : error / bound;
    if (!(ratio <= *worst))
        *worst = ratio;
}

/* Compares set `s` of a run with the oracle. */
static void compare_set(const trial *t, size_t s, const oracle_result *expected,
                        const error_budget *budget, const equant_results *got, worst_ratios *worst)
{
    double *memory = trial_allocate(t->n_linear + t->n_obs, sizeof(double));
    error_bounds bounds = {.linear = memory, .velocity = memory + t->n_linear};
    error_bounds_compute(&t->data, &t->oracle, t->parameters + s * t->n_parameters, expected,
                         budget, &bounds);
    raise_to(&worst->chi_square, fabs(got->chi_square[s] - expected->chi_square),
             bounds.chi_square);
    raise_to(&worst->log_likelihood, fabs(got->log_likelihood[s] - expected->log_likelihood),
             bounds.log_likelihood);
    for (size_t j = 0; j < t->n_linear; j++)
        raise_to(&worst->linear, fabs(got->linear[s * t->n_linear + j] - expected->linear[j]),
                 bounds.linear[j]);
    for (size_t k = 0; k < t->n_obs; k++) {
        raise_to(&worst->velocity, fabs(got->velocities[s * t->n_obs + k] - expected->velocity[k]),
                 bounds.velocity[k]);
        raise_to(&worst->residual, fabs(got->residuals[s * t->n_obs + k] - expected->residual[k]),
                 bounds.velocity[k]);
    }
    free(memory);
}

/* Up to MAX_CHECKED_SETS sets of a trial, spread evenly, with their truth. */
typedef struct checked_sets {
    size_t n, set[MAX_CHECKED_SETS];
    oracle_result *expected;
} checked_sets;

static checked_sets choose_sets(const trial *t)
{
    checked_sets chosen = {.n = t->n_sets < MAX_CHECKED_SETS ? t->n_sets : MAX_CHECKED_SETS};
    double *parameters = trial_allocate(chosen.n * t->n_parameters, sizeof(double));
    for (size_t i = 0; i < chosen.n; i++) {
        chosen.set[i] = chosen.n == 1 ? 0 : i * (t->n_sets - 1) / (chosen.n - 1);
        memcpy(parameters + i * t->n_parameters, t->parameters + chosen.set[i] * t->n_parameters,
               t->n_parameters * sizeof(double));
    }
    chosen.expected = oracle_evaluate(&t->data, &t->oracle, chosen.n, parameters);
    assert_non_null(chosen.expected);
    free(parameters);
    return chosen;
}

static double largest(const worst_ratios *worst)
{
    return fmax(fmax(fmax(worst->chi_square, worst->log_likelihood), worst->linear),
                fmax(worst->velocity, worst->residual));
}

static void report_failure(const trial_shape *shape, const equant_engine_options *options,
                           const worst_ratios *worst)
{
    printf("trial %zu (%zu planets, %zu observations, %zu instruments, %s offsets, trend %d %s, "
           "%s jitter), %s: error / bound: chi-square %.3g, log-likelihood %.3g, linear %.3g, "
           "velocity %.3g, residual %.3g\n",
           (size_t)shape->seed, shape->model.n_planets, shape->n_obs, shape->n_instruments,
           shape->model.offsets_solved ? "solved" : "given", shape->model.trend_order,
           shape->model.trend_solved ? "solved" : "given", shape->model.with_jitter ? "with" : "no",
           engines_name(options), worst->chi_square, worst->log_likelihood, worst->linear,
           worst->velocity, worst->residual);
}

static void run_trial(size_t index, worst_ratios worst[ENGINES_N_WAYS])
{
    trial_shape shape = draw_shape(index);
    shape.model.trend_solved = shape.model.trend_solved && trend_is_determined(&shape);
    trial t = trial_create(&shape);
    checked_sets chosen = choose_sets(&t);
    trial_output output = trial_output_create(&t, t.n_sets);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            equant_engine_options options = engines_way(engines_backend(b), way);
            error_budget budget = error_budgets_of(&options);
            trial_run(&t, &options, t.n_sets + 1, &output);
            worst_ratios here = {0};
            for (size_t i = 0; i < chosen.n; i++)
                compare_set(&t, chosen.set[i], &chosen.expected[i], &budget, &output.results,
                            &here);
            if (!(largest(&here) <= 1))
                report_failure(&shape, &options, &here);
            raise_to(&worst[way].chi_square, here.chi_square, 1);
            raise_to(&worst[way].log_likelihood, here.log_likelihood, 1);
            raise_to(&worst[way].linear, here.linear, 1);
            raise_to(&worst[way].velocity, here.velocity, 1);
            raise_to(&worst[way].residual, here.residual, 1);
        }
    }
    oracle_free(chosen.expected, chosen.n);
    trial_output_free(&output);
    trial_free(&t);
}

static void results_agree_with_the_oracle(void **state)
{
    (void)state;
    worst_ratios worst[ENGINES_N_WAYS] = {{0}};
    size_t n_trials = engines_quick() ? N_TRIALS_QUICK : N_TRIALS;
    for (size_t index = 0; index < n_trials; index++)
        run_trial(index, worst);
    printf("largest error as a fraction of its bound\n%-26s %10s %10s %10s %10s %10s\n", "",
           "chi-square", "lnL", "linear", "velocity", "residual");
    bool within = true;
    for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
        equant_engine_options options = engines_way("", way);
        printf("%-26s %10.3f %10.3f %10.3f %10.3f %10.3f\n", engines_way_name(&options),
               worst[way].chi_square, worst[way].log_likelihood, worst[way].linear,
               worst[way].velocity, worst[way].residual);
        within = within && largest(&worst[way]) <= 1;
    }
    assert_true(within);
}

static void required_backends_are_here(void **state)
{
    (void)state;
    assert_true(engines_announce());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(required_backends_are_here),
        cmocka_unit_test(results_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
