/* The same bits from every processor, for any number of threads and any batch
 * size: one hash per precision, solver and summation, printed so that it can be
 * compared between machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/backend_trial.h"
#include "equant.h"

/* Shapes that leave every lane count and tile with a remainder. */
static const trial_shape shapes[] = {
    {.seed = 1, .n_obs = 1, .n_sets = 5, .n_instruments = 1, .model = {.n_planets = 1}},
    {.seed = 2,
     .n_obs = 37,
     .n_sets = 131,
     .n_instruments = 3,
     .model = {.n_planets = 3, .trend_order = 1, .offsets_solved = true, .with_jitter = true}},
    {.seed = 3,
     .n_obs = 256,
     .n_sets = 67,
     .n_instruments = 1,
     .model = {.n_planets = 4, .offsets_solved = true}},
    {.seed = 4,
     .n_obs = 401,
     .n_sets = 33,
     .n_instruments = 5,
     .first_time = 2450000,
     .model = {.n_planets = 2, .trend_order = 2, .offsets_solved = true, .trend_solved = true}},
    {.seed = 5, .n_obs = 63, .n_sets = 17, .n_instruments = 2, .model = {.n_planets = 0}},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static trial trials[N_SHAPES];

static int draw_trials(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++)
        trials[i] = trial_create(&shapes[i]);
    return 0;
}

static int free_trials(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++)
        trial_free(&trials[i]);
    return 0;
}

/* Hash of all results of all trials, evaluated at most `batch` sets at a time. */
static uint64_t hash_of_run(const equant_engine_options *options, size_t batch)
{
    uint64_t hash = TRIAL_HASH_START;
    for (size_t i = 0; i < N_SHAPES; i++) {
        trial_output output = trial_output_create(&trials[i], trials[i].n_sets);
        trial_run(&trials[i], options, batch, &output);
        hash = trial_hash(hash, output.memory, output.n_doubles);
        trial_output_free(&output);
    }
    return hash;
}

static void every_processor_gives_the_same_bits(void **state)
{
    (void)state;
    assert_true(engines_announce());
    bool same = true;
    for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
        uint64_t first = 0;
        for (size_t b = 0; b < engines_n_backends(); b++) {
            if (!engines_is_processor(b))
                continue;
            equant_engine_options options = engines_way(engines_backend(b), way);
            options.n_threads = 1;
            uint64_t hash = hash_of_run(&options, SIZE_MAX / 2);
            if (b == 0) {
                first = hash;
                printf("%-26s %016llx\n", engines_way_name(&options), (unsigned long long)hash);
            } else if (hash != first) {
                same = false;
                printf("%s differs: %016llx\n", engines_name(&options), (unsigned long long)hash);
            }
        }
    }
    assert_true(same);
}

static void threads_and_batches_change_no_bit(void **state)
{
    (void)state;
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            equant_engine_options options = engines_way(engines_backend(b), way);
            options.n_threads = 1;
            uint64_t expected = hash_of_run(&options, SIZE_MAX / 2);
            for (int n_threads = 2; n_threads <= 3; n_threads++) {
                options.n_threads = n_threads;
                if (hash_of_run(&options, SIZE_MAX / 2) != expected)
                    fail_msg("%s: %d threads change the results", engines_name(&options),
                             n_threads);
            }
            const size_t batches[] = {1, 2, 7, 8, 16, 50};
            for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
                options.n_threads = 1 + (int)(i % 2);
                if (hash_of_run(&options, batches[i]) != expected)
                    fail_msg("%s: batches of %zu change the results", engines_name(&options),
                             batches[i]);
            }
        }
    }
}

/* Each output on its own, into `one`. */
static void ask_one_by_one(const trial *t, const equant_engine_options *options,
                           const trial_output *one)
{
    equant_evaluator *evaluator = NULL;
    trial_require(equant_evaluator_create(t->dataset, t->model, options, &evaluator),
                  "equant_evaluator_create");
    double *const single[] = {one->results.chi_square, one->results.log_likelihood,
                              one->results.linear, one->results.velocities, one->results.residuals};
    for (int i = 0; i < 5; i++) {
        equant_results results = {.struct_size = sizeof results};
        double **const member[] = {&results.chi_square, &results.log_likelihood, &results.linear,
                                   &results.velocities, &results.residuals};
        *member[i] = single[i];
        trial_require(equant_evaluator_evaluate(evaluator, t->n_sets, t->parameters, &results),
                      "equant_evaluator_evaluate");
    }
    equant_evaluator_free(evaluator);
}

/* Asking for fewer outputs must not change those that are left. */
static void outputs_do_not_depend_on_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        const trial *t = &trials[i];
        trial_output all = trial_output_create(t, t->n_sets);
        trial_output one = trial_output_create(t, t->n_sets);
        for (size_t b = 0; b < engines_n_backends(); b++) {
            for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
                equant_engine_options options = engines_way(engines_backend(b), way);
                trial_run(t, &options, t->n_sets, &all);
                ask_one_by_one(t, &options, &one);
                if (memcmp(all.memory, one.memory, all.n_doubles * sizeof(double)) != 0)
                    fail_msg("%s, trial %zu: an output changes when it is asked for alone",
                             engines_name(&options), i + 1);
            }
        }
        trial_output_free(&all);
        trial_output_free(&one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_processor_gives_the_same_bits),
        cmocka_unit_test(threads_and_batches_change_no_bit),
        cmocka_unit_test(outputs_do_not_depend_on_each_other),
    };
    return cmocka_run_group_tests(tests, draw_trials, free_trials);
}
