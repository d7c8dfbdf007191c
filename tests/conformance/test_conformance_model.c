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
#include "conformance/backend_trial.h"
#include "equant.h"
#include "quick.h"

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

/* Runs a trial in every way, and frees it. */
static void run_trial(const trial_shape *shape, trial *t, worst_ratios worst[ENGINES_N_WAYS])
{
    checked_sets chosen = choose_sets(t);
    trial_output output = trial_output_create(t, t->n_sets);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            equant_engine_options options = engines_way(engines_backend(b), way);
            error_budget budget = error_budgets_of(&options);
            trial_run(t, &options, t->n_sets + 1, &output);
            worst_ratios here = {0};
            for (size_t i = 0; i < chosen.n; i++)
                compare_set(t, chosen.set[i], &chosen.expected[i], &budget, &output.results, &here);
            if (!(largest(&here) <= 1))
                report_failure(shape, &options, &here);
            raise_to(&worst[way].chi_square, here.chi_square, 1);
            raise_to(&worst[way].log_likelihood, here.log_likelihood, 1);
            raise_to(&worst[way].linear, here.linear, 1);
            raise_to(&worst[way].velocity, here.velocity, 1);
            raise_to(&worst[way].residual, here.residual, 1);
        }
    }
    oracle_free(chosen.expected, chosen.n);
    trial_output_free(&output);
    trial_free(t);
}

static void assert_within_bounds(const worst_ratios worst[ENGINES_N_WAYS])
{
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

static void results_agree_with_the_oracle(void **state)
{
    (void)state;
    worst_ratios worst[ENGINES_N_WAYS] = {{0}};
    size_t n_trials = quick_run() ? N_TRIALS_QUICK : N_TRIALS;
    for (size_t index = 0; index < n_trials; index++) {
        trial_shape shape = draw_shape(index);
        shape.model.trend_solved = shape.model.trend_solved && trend_is_determined(&shape);
        trial t = trial_create(&shape);
        run_trial(&shape, &t, worst);
    }
    assert_within_bounds(worst);
}

/* Trials of two planets whose elements a test draws for itself. */
static void check_drawn_planets(uint64_t seed, void (*draw)(random_system *, double planet[5]))
{
    worst_ratios worst[ENGINES_N_WAYS] = {{0}};
    for (size_t index = 0; index < (quick_run() ? 2 : 8); index++) {
        trial_shape shape = {.seed = seed + index,
                             .n_obs = 101,
                             .n_sets = MAX_CHECKED_SETS,
                             .n_instruments = 1,
                             .model = {.n_planets = 2, .offsets_solved = index % 2 == 0}};
        trial t = trial_create(&shape);
        random_system random = {seed + index};
        for (size_t i = 0; i < 2 * t.n_sets; i++)
            draw(&random, t.parameters + i / 2 * t.n_parameters + i % 2 * 5);
        run_trial(&shape, &t, worst);
    }
    assert_within_bounds(worst);
}

/* Eccentricities up to 1 - 1e-9, seen within a hundredth of a radian of their
 * pericentre: where solvers that are good elsewhere fail. */
static void draw_nearly_parabolic(random_system *random, double planet[5])
{
    planet[0] = random_system_log_between(random, 1e5, 1e9);
    planet[2] = 1 - random_system_log_between(random, 1e-9, 1e-2);
    planet[4] = random_system_between(random, -1e-2, 1e-2);
}

static void nearly_parabolic_orbits_agree_with_the_oracle(void **state)
{
    (void)state;
    check_drawn_planets(500, draw_nearly_parabolic);
}

/* Angles of any size and sign, K of either sign, periods from minutes to ages. */
static void draw_extreme(random_system *random, double planet[5])
{
    planet[0] = random_system_log_between(random, 1e-3, 1e12);
    planet[1] = random_system_between(random, -1, 1) * random_system_log_between(random, 1e-3, 1e5);
    for (int angle = 3; angle < 5; angle++)
        planet[angle] =
            random_system_between(random, -1, 1) * random_system_log_between(random, 1e-300, 1e300);
}

static void extreme_elements_agree_with_the_oracle(void **state)
{
    (void)state;
    check_drawn_planets(600, draw_extreme);
}

/* Chi-square of one planet with offsets and a trend solved; all must be finite. */
static double solved_chi_square(const equant_dataset *dataset, int trend_order,
                                const equant_engine_options *engine)
{
    static const double planet[] = {30, 5, 0.4, 1, 2};
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = 1,
                                    .n_instruments = equant_dataset_n_instruments(dataset),
                                    .trend = (equant_trend)(EQUANT_TREND_NONE + trend_order)};
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    trial_require(equant_model_create(&options, &model), "equant_model_create");
    trial_require(equant_evaluator_create(dataset, model, engine, &evaluator),
                  "equant_evaluator_create");
    double chi_square = NAN, linear[8] = {0}, residuals[5] = {0};
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = &chi_square,
                              .linear = linear,
                              .residuals = residuals};
    trial_require(equant_evaluator_evaluate(evaluator, 1, planet, &results),
                  "equant_evaluator_evaluate");
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    for (size_t j = 0; j < 8; j++)
        if (!isfinite(linear[j]) || !isfinite(residuals[j < 5 ? j : 0]))
            fail_msg("%s: trend %d: linear term %zu is %g", engines_name(engine), trend_order, j,
                     linear[j]);
    return chi_square;
}

static equant_dataset *few_rows(size_t n_obs, const double *time, const int *instrument,
                                size_t n_instruments)
{
    static const double velocity[] = {3, -7, 11, 2, 5}, sigma[] = {1, 2, 1, 3, 2};
    equant_dataset *dataset = NULL;
    trial_require(equant_dataset_from_arrays(n_obs, time, velocity, sigma, instrument,
                                             n_instruments, NULL, NULL, &dataset),
                  "equant_dataset_from_arrays");
    return dataset;
}

/* Checks that two fits are equally good in every way of computing; frees both. */
static void assert_same_fit(equant_dataset *a, int order_a, equant_dataset *b, int order_b)
{
    for (size_t i = 0; i < engines_n_backends(); i++) {
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            equant_engine_options engine = engines_way(engines_backend(i), way);
            double chi_a = solved_chi_square(a, order_a, &engine);
            double chi_b = solved_chi_square(b, order_b, &engine);
            if (!(fabs(chi_a - chi_b) < (engines_is_double(&engine) ? 1e-9 : 1e-3)))
                fail_msg("%s: %zu rows, %zu instruments, trend %d: chi-square %.17g, not %.17g",
                         engines_name(&engine), equant_dataset_n_obs(a),
                         equant_dataset_n_instruments(a), order_a, chi_a, chi_b);
        }
    }
    equant_dataset_free(a);
    equant_dataset_free(b);
}

static const double apart[] = {10, 20, 35, 50, 80}, together[] = {10, 10, 10, 10, 10};

/* A fit that asks for more trend than the rows determine is as good as the one
 * that asks for what they do determine. */
static void undetermined_trends_do_no_harm(void **state)
{
    (void)state;
    static const int one[] = {0, 0, 0, 0, 0}, each[] = {0, 1, 2, 3, 4};
    assert_same_fit(few_rows(1, apart, one, 1), 1, few_rows(1, apart, one, 1), 0);
    assert_same_fit(few_rows(1, apart, one, 1), 2, few_rows(1, apart, one, 1), 0);
    assert_same_fit(few_rows(2, apart, one, 1), 2, few_rows(2, apart, one, 1), 1);
    assert_same_fit(few_rows(5, together, one, 1), 2, few_rows(5, together, one, 1), 0);
    assert_same_fit(few_rows(5, apart, each, 5), 2, few_rows(5, apart, each, 5), 0);
}

static void an_instrument_without_rows_does_no_harm(void **state)
{
    (void)state;
    static const int gap[] = {0, 2, 0, 2, 0}, no_gap[] = {0, 1, 0, 1, 0};
    for (int order = 0; order <= 2; order++)
        assert_same_fit(few_rows(5, apart, gap, 3), order, few_rows(5, apart, no_gap, 2), order);
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
        cmocka_unit_test(nearly_parabolic_orbits_agree_with_the_oracle),
        cmocka_unit_test(extreme_elements_agree_with_the_oracle),
        cmocka_unit_test(undetermined_trends_do_no_harm),
        cmocka_unit_test(an_instrument_without_rows_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
