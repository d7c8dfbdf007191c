/* Sets outside the domain get chi-square +inf, log-likelihood -inf and NaN
 * elsewhere, on every backend, and leave the bits of their neighbours alone. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/backend_trial.h"
#include "equant.h"
#include "quick.h"

enum { N_SETS = 23, N_WAYS = ENGINES_N_WAYS / 2 };

static const trial_shape given_shape = {
    .seed = 11,
    .n_obs = 19,
    .n_sets = N_SETS,
    .n_instruments = 2,
    .model = {.n_planets = 2, .trend_order = 2, .with_jitter = true},
};
static const trial_shape solved_shape = {
    .seed = 12,
    .n_obs = 19,
    .n_sets = N_SETS,
    .n_instruments = 2,
    .model = {.n_planets = 2, .trend_order = 2, .offsets_solved = true, .trend_solved = true},
};

/* Every precision and solver, summations in turn. */
static equant_engine_options domain_way(const char *backend, size_t index)
{
    return engines_way(backend, 2 * index + index % 2);
}

static void check_refused(const trial *t, const equant_results *results, size_t s, const char *what)
{
    bool refused = results->chi_square[s] == INFINITY && results->log_likelihood[s] == -INFINITY;
    for (size_t j = 0; j < t->n_linear; j++)
        refused = refused && isnan(results->linear[s * t->n_linear + j]);
    for (size_t k = 0; k < t->n_obs; k++)
        refused = refused && isnan(results->velocities[s * t->n_obs + k]) &&
                  isnan(results->residuals[s * t->n_obs + k]);
    if (!refused)
        fail_msg("%s: set %zu is outside the domain, but chi-square is %g, log-likelihood %g", what,
                 s, results->chi_square[s], results->log_likelihood[s]);
}

static bool same_bits(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof(double)) == 0;
}

static void check_neighbour(const trial *t, const equant_results *clean,
                            const equant_results *results, size_t s, const char *what)
{
    size_t n_linear = t->n_linear, n_obs = t->n_obs;
    if (!same_bits(clean->chi_square + s, results->chi_square + s, 1) ||
        !same_bits(clean->log_likelihood + s, results->log_likelihood + s, 1) ||
        !same_bits(clean->linear + s * n_linear, results->linear + s * n_linear, n_linear) ||
        !same_bits(clean->velocities + s * n_obs, results->velocities + s * n_obs, n_obs) ||
        !same_bits(clean->residuals + s * n_obs, results->residuals + s * n_obs, n_obs))
        fail_msg("%s: set %zu changed because of a neighbour outside the domain", what, s);
}

/* Puts value into `column` of every third set and compares with a clean run. */
static void check_poison(trial *t, const equant_engine_options *options, const trial_output *clean,
                         trial_output *output, size_t column, double value)
{
    double saved[N_SETS];
    for (size_t s = 0; s < t->n_sets; s++) {
        double *parameter = &t->parameters[s * t->n_parameters + column];
        saved[s] = *parameter;
        if (s % 3 == 1)
            *parameter = value;
    }
    trial_run(t, options, t->n_sets, output);
    char what[256];
    snprintf(what, sizeof what, "%s: %s = %g", engines_name(options),
             equant_model_parameter_name(t->model, column), value);
    for (size_t s = 0; s < t->n_sets; s++) {
        if (s % 3 == 1)
            check_refused(t, &output->results, s, what);
        else
            check_neighbour(t, &clean->results, &output->results, s, what);
        t->parameters[s * t->n_parameters + column] = saved[s];
    }
}

static void check_all_poisons(trial *t, const equant_engine_options *options)
{
    trial_output clean = trial_output_create(t, t->n_sets);
    trial_output output = trial_output_create(t, t->n_sets);
    trial_run(t, options, t->n_sets, &clean);
    for (size_t column = 0; column < t->n_parameters; column++) {
        const double never[] = {NAN, -NAN, INFINITY, -INFINITY};
        for (size_t i = 0; i < 4; i++)
            check_poison(t, options, &clean, &output, column, never[i]);
        const char *name = equant_model_parameter_name(t->model, column);
        const double bad_periods[] = {0, -0.0, -1, -DBL_MIN, -DBL_MAX};
        for (size_t i = 0; strncmp(name, "period_", 7) == 0 && i < 5; i++)
            check_poison(t, options, &clean, &output, column, bad_periods[i]);
        const double bad_eccentricities[] = {-0x1p-1074, -1e-9, -1, 1, 1 + 0x1p-52, 2, DBL_MAX};
        for (size_t i = 0; strncmp(name, "eccentricity_", 13) == 0 && i < 7; i++)
            check_poison(t, options, &clean, &output, column, bad_eccentricities[i]);
        const double bad_jitters[] = {-0x1p-1074, -1};
        for (size_t i = 0; strncmp(name, "jitter_", 7) == 0 && i < 2; i++)
            check_poison(t, options, &clean, &output, column, bad_jitters[i]);
    }
    trial_output_free(&clean);
    trial_output_free(&output);
}

static void sets_outside_the_domain_are_refused(void **state)
{
    (void)state;
    trial given = trial_create(&given_shape), solved = trial_create(&solved_shape);
    size_t step = quick_run() ? 3 : 1;
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < N_WAYS; way += step) {
            equant_engine_options options = domain_way(engines_backend(b), way);
            check_all_poisons(&given, &options);
            check_all_poisons(&solved, &options);
        }
    }
    trial_free(&given);
    trial_free(&solved);
}

/* Inside the domain, however odd: K of any sign, -0 for e, M0 and omega of any
 * size, e at its largest, periods from minutes to ages. Nothing may be NaN. */
static void edges_of_the_domain_are_accepted(void **state)
{
    (void)state;
    static const double planets[][5] = {
        {100, 10, 0, 0, 0},          {100, 10, -0.0, 1, 1},         {100, -10, 0.5, 1, 1},
        {100, 0, 0.5, 1, 1},         {100, 10, 1 - 0x1p-53, 1, 1},  {100, 10, 0x1p-1074, 1, 1},
        {1e-3, 10, 0.3, 1, 1},       {1e12, 10, 0.3, 1, 1},         {100, 10, 0.3, 1e6, -1e6},
        {100, 10, 0.3, -1e15, 1e15}, {100, 10, 0.3, 1e300, -1e300}, {DBL_MAX, 10, 0.3, 1, 1},
        {100, 1e-300, 0.3, 1, 1},    {100, 10, 0.99, 0, 0},
    };
    trial_shape shape = {.seed = 13,
                         .n_obs = 19,
                         .n_sets = sizeof planets / sizeof *planets,
                         .n_instruments = 1,
                         .model = {.n_planets = 1, .offsets_solved = true}};
    trial t = trial_create(&shape);
    memcpy(t.parameters, planets, sizeof planets);
    trial_output output = trial_output_create(&t, t.n_sets);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < N_WAYS; way++) {
            equant_engine_options options = domain_way(engines_backend(b), way);
            trial_run(&t, &options, t.n_sets, &output);
            for (size_t i = 0; i < output.n_doubles; i++)
                if (!isfinite(output.memory[i]))
                    fail_msg("%s: result %zu of %zu is %g for sets inside the domain",
                             engines_name(&options), i, output.n_doubles, output.memory[i]);
        }
    }
    trial_output_free(&output);
    trial_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_outside_the_domain_are_refused),
        cmocka_unit_test(edges_of_the_domain_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
