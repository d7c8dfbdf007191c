/* Targets as XLA calls them: by frames that are made up here. JAX itself calls them in
 * tests/python/test_jax.py. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/sample/target/xla_call.h"

enum { N_OBS = 30, N_POINTS = 6, N_CALLS = 200, N_THREADS = 4 };

static equant_target *open_target(void)
{
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS];
    for (int k = 0; k < N_OBS; k++) {
        time[k] = 2455000.0 + 3.7 * k;
        velocity[k] = 9.0 * cos(0.31 * time[k]);
        sigma[k] = 1.0 + 0.25 * (k % 3);
    }
    equant_dataset *dataset;
    assert_int_equal(
        equant_dataset_from_arrays(N_OBS, time, velocity, sigma, NULL, 0, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    const equant_target_options options = {.struct_size = sizeof options, .n_planets = 1};
    equant_target *target;
    assert_int_equal(equant_target_create(dataset, &options, &target), EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return target;
}

/* XLA owns its errors; this one is the sentence. */
static void *keep_sentence(xla_error_request *request)
{
    return strdup(request->message);
}

static const xla_functions functions = {
    .struct_size = sizeof functions, .version = {.minor = 3}, .create_error = keep_sentence};

/* What a program asks, and where the answers go. */
typedef struct asked {
    int64_t number, density, sizes[3];
    int rank, has_gradients, type;
    const double *points;
    double *values, *gradients;
} asked;

static char *ask(const asked *what)
{
    asked own = *what;
    xla_buffer points = {.type = own.type ? own.type : XLA_TYPE_FLOAT64,
                         .data = (void *)own.points,
                         .rank = own.rank,
                         .sizes = own.sizes},
               values = {.type = XLA_TYPE_FLOAT64,
                         .data = own.values,
                         .rank = own.rank - 1,
                         .sizes = own.sizes},
               gradients = {.type = XLA_TYPE_FLOAT64,
                            .data = own.gradients,
                            .rank = own.rank,
                            .sizes = own.sizes};
    xla_buffer *in[1] = {&points}, *out[2] = {&values, &gradients};
    int attribute_kinds[2] = {XLA_ATTRIBUTE_SCALAR, XLA_ATTRIBUTE_SCALAR}, buffer_kinds[2] = {1, 1};
    xla_scalar density = {XLA_TYPE_INT64, &own.density}, number = {XLA_TYPE_INT64, &own.number};
    xla_text names[2] = {{"densityX", 7}, {"targetX", 6}}, *name_of[2] = {&names[0], &names[1]};
    void *attributes[2] = {&density, &number};
    xla_call call = {
        .struct_size = sizeof call,
        .functions = &functions,
        .stage = XLA_STAGE_EXECUTE,
        .arguments = {.n = 1, .kinds = buffer_kinds, .buffers = in},
        .results = {.n = 1 + own.has_gradients, .kinds = buffer_kinds, .buffers = out},
        .attributes = {.n = 2, .kinds = attribute_kinds, .names = name_of, .values = attributes}};
    return equant_xla_handler(&call);
}

static void expect_error(const asked *what, const char *words)
{
    char *sentence = ask(what);
    assert_non_null(sentence);
    assert_non_null(strstr(sentence, words));
    free(sentence);
}

static void answers_are_those_of_the_target(void **state)
{
    (void)state;
    equant_target *target = open_target();
    const size_t n = equant_target_n_dimensions(target);
    double points[N_POINTS * 16], values[N_POINTS], expected[N_POINTS], slopes[N_POINTS * 16],
        expected_slopes[N_POINTS * 16];
    assert_int_equal(equant_target_draw(target, 3, 0, N_POINTS, points), EQUANT_SUCCESS);
    points[n] = NAN;
    asked what = {.sizes = {2, N_POINTS / 2, (int64_t)n}, .rank = 3, .points = points};
    what.values = values;
    what.gradients = slopes;
    assert_int_equal(equant_xla_target_enter(target, &what.number), EQUANT_SUCCESS);
    for (int density = 0; density < 3; density++) {
        what.density = density;
        what.has_gradients = 0;
        assert_null(ask(&what));
        assert_int_equal((density == 0 ? equant_target_log_probability
                          : density == 1
                              ? equant_target_log_likelihood
                              : equant_target_log_prior)(target, N_POINTS, points, expected),
                         EQUANT_SUCCESS);
        assert_memory_equal(values, expected, sizeof values);
        what.has_gradients = 1;
        assert_null(ask(&what));
        equant_target_derivatives out = {.struct_size = sizeof out};
        *(density == 0   ? &out.log_probability
          : density == 1 ? &out.log_likelihood
                         : &out.log_prior) = expected;
        *(density == 0   ? &out.log_probability_gradient
          : density == 1 ? &out.log_likelihood_gradient
                         : &out.log_prior_gradient) = expected_slopes;
        assert_int_equal(equant_target_differentiate(target, N_POINTS, points, &out),
                         EQUANT_SUCCESS);
        assert_memory_equal(values, expected, sizeof values);
        for (size_t i = 0; i < N_POINTS * n; i++)
            assert_true(slopes[i] == expected_slopes[i] || i / n == 1);
        assert_true(values[1] == -INFINITY && isnan(slopes[n]));
    }
    equant_xla_target_leave(what.number);
    equant_target_free(target);
}

static void what_makes_no_sense_is_an_error_of_xla(void **state)
{
    (void)state;
    equant_target *target = open_target();
    const int64_t n = (int64_t)equant_target_n_dimensions(target);
    double points[16] = {0}, value, slopes[16];
    asked right = {
        .sizes = {n}, .rank = 1, .points = points, .values = &value, .gradients = slopes};
    assert_int_equal(equant_xla_target_enter(NULL, &right.number), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_xla_target_enter(target, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_xla_target_enter(target, &right.number), EQUANT_SUCCESS);
    assert_null(ask(&right));
    asked wrong = right;
    wrong.sizes[0] = n - 1;
    expect_error(&wrong, "another number of dimensions");
    wrong = right;
    wrong.density = 3;
    expect_error(&wrong, "float64");
    wrong = right;
    wrong.type = 11; /* single precision */
    expect_error(&wrong, "float64");
    wrong = right;
    wrong.number = 1000000;
    expect_error(&wrong, "is gone");
    equant_xla_target_leave(wrong.number);
    equant_xla_target_leave(right.number);
    expect_error(&right, "is gone");
    equant_xla_target_leave(right.number);
    int64_t number;
    assert_int_equal(equant_xla_target_enter(target, &number), EQUANT_SUCCESS);
    assert_true(number > right.number);
    equant_xla_target_leave(number);
    equant_target_free(target);
}

static void the_version_is_told(void **state)
{
    (void)state;
    xla_metadata metadata = {.version = {.major = -1, .minor = -1}};
    xla_metadata_extension question = {{sizeof question, XLA_EXTENSION_METADATA, NULL}, &metadata};
    xla_call call = {.extension = &question.base, .functions = &functions};
    assert_null(equant_xla_handler(&call));
    assert_int_equal(metadata.version.major, 0);
    assert_int_equal(metadata.version.minor, 3);
    call.functions = NULL;
    assert_null(equant_xla_handler(&call));
    assert_int_equal(metadata.version.minor, 1);
    xla_call other = {.functions = &functions, .stage = XLA_STAGE_EXECUTE - 1};
    assert_null(equant_xla_handler(&other));
}

/* Each thread has points of its own; all ask one target. */
typedef struct asker {
    asked what;
    double points[16], value, slopes[16], expected;
    int n_wrong;
} asker;

static void *ask_often(void *context)
{
    asker *own = context;
    for (int i = 0; i < N_CALLS; i++) {
        own->value = NAN;
        char *sentence = ask(&own->what);
        own->n_wrong += sentence || own->value != own->expected;
        free(sentence);
    }
    return NULL;
}

static void threads_take_turns(void **state)
{
    (void)state;
    equant_target *target = open_target();
    static asker askers[N_THREADS];
    pthread_t threads[N_THREADS];
    int64_t number;
    for (int i = 0; i < N_THREADS; i++) {
        asker *one = &askers[i];
        assert_int_equal(equant_target_draw(target, 9, (uint64_t)i, 1, one->points),
                         EQUANT_SUCCESS);
        assert_int_equal(equant_target_log_probability(target, 1, one->points, &one->expected),
                         EQUANT_SUCCESS);
    }
    assert_int_equal(equant_xla_target_enter(target, &number), EQUANT_SUCCESS);
    for (int i = 0; i < N_THREADS; i++) {
        asker *one = &askers[i];
        one->what = (asked){.number = number,
                            .sizes = {(int64_t)equant_target_n_dimensions(target)},
                            .rank = 1,
                            .has_gradients = i % 2,
                            .points = one->points,
                            .values = &one->value,
                            .gradients = one->slopes};
        if (i % 2) /* values that come with gradients may differ in their last bits */
            assert_null(ask(&one->what));
        one->expected = i % 2 ? one->value : one->expected;
    }
    for (int i = 0; i < N_THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &askers[i]), 0);
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(askers[i].n_wrong, 0);
    }
    equant_xla_target_leave(number);
    equant_target_free(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_target),
        cmocka_unit_test(what_makes_no_sense_is_an_error_of_xla),
        cmocka_unit_test(the_version_is_told),
        cmocka_unit_test(threads_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
