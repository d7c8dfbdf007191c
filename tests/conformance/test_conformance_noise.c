/* Correlated noise in evaluators, on every backend: numbers computed with 50 digits, agreement with
 * the likelihood of single sets, bits that depend on a set alone, and nonsense. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"
#include "quick.h"

enum { N = 40, LONG = 1000, MOST = 24 };
#define TWO_PI 6.283185307179586476925286766559

static double times[LONG], velocities[LONG], uncertainties[LONG];
static int halves[LONG];

static int make_rows(void **state)
{
    (void)state;
    for (int i = 0; i < LONG; i++) {
        times[i] = 1.7 * i + 0.6 * sin(1.3 * i);
        velocities[i] = 5.0 * sin(TWO_PI * times[i] / 11.3) +
                        3.0 * cos(TWO_PI * times[i] / 4.1 + 0.5) + 1.5 * sin(2.9 * i);
        uncertainties[i] = 1.0 + 0.3 * cos(0.7 * i);
        halves[i] = i % 2;
    }
    return engines_announce() ? 0 : -1;
}

static equant_evaluator *make(size_t n, const int *instruments, equant_model_options model_options,
                              const char *backend, equant_precision precision)
{
    equant_dataset *data;
    equant_model *model;
    equant_evaluator *made = NULL;
    equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = backend, .precision = precision, .n_threads = 2};
    model_options.struct_size = sizeof model_options;
    model_options.n_instruments = instruments ? 2 : 1;
    assert_int_equal(equant_dataset_from_arrays(n, times, velocities, uncertainties, instruments,
                                                instruments ? 2 : 1, NULL, NULL, &data),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_model_create(&model_options, &model), EQUANT_SUCCESS);
    equant_status status = equant_evaluator_create(data, model, &engine, &made);
    equant_model_free(model);
    equant_dataset_free(data);
    if (status == EQUANT_ERROR_UNAVAILABLE)
        return NULL;
    assert_int_equal(status, EQUANT_SUCCESS);
    return made;
}

static void assert_close(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%.17g is not %.17g, by %g", found, wanted, found / wanted - 1.0);
}

static double log_likelihood(equant_evaluator *evaluator, const double *set)
{
    double result = NAN;
    equant_results results = {.struct_size = sizeof results, .log_likelihood = &result};
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
    return result;
}

/* Given offset, jitter 1/2, then the parameters of the noise. */
static void reference_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *noise;
        double values[5], wanted, of_long; /* 0: unknown */
    } cases[] = {
        {"sho", {4, 11.3, 3}, -146.70370026847076557, 0},
        {"sho", {4, 11.3, 0.3}, -139.20685093918882401, 0},
        {"rotation", {4, 11.3, 1.5, 0.7, 0.4}, -116.42717060428382379, -2863.75513798458},
        {"matern32", {4, 6}, -177.16565794123913457, -4443.177009357},
        {"matern52", {4, 6}, -198.85622208020217923, 0},
        {"es", {4, 6}, -238.25787489135704926, 0},
        {"esp2", {4, 11.3, 25, 0.6}, -156.83780505874473132, -3791.31787599448},
        {"esp3", {4, 11.3, 25, 0.6}, -145.8543802065577972, 0},
        {"mep", {4, 11.3, 25, 0.6}, -149.93327031409786572, -3634.7568820170},
        {"mep4", {4, 11.3, 25, 0.6}, -138.4814885877159618, 0},
    };
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            for (int is_long = 0; is_long <= (cases[i].of_long != 0.0); is_long++) {
                double set[7] = {0.0, 0.5};
                equant_evaluator *evaluator =
                    make(is_long ? LONG : N, NULL,
                         (equant_model_options){.offset_columns = EQUANT_NUISANCE_GIVEN,
                                                .with_jitter = 1,
                                                .noise = cases[i].noise},
                         engines_backend(b), EQUANT_PRECISION_DOUBLE);
                memcpy(set + 2, cases[i].values, sizeof cases[i].values);
                assert_close(log_likelihood(evaluator, set),
                             is_long ? cases[i].of_long : cases[i].wanted, is_long ? 1e-12 : 1e-13);
                equant_evaluator_free(evaluator);
            }
}

/* Two offsets and a slope, solved for. */
static void solved_terms(void **state)
{
    (void)state;
    for (size_t b = 0; b < engines_n_backends(); b++) {
        double set[7] = {0.5, 0.5, 4, 11.3, 1.5, 0.7, 0.4}, linear[3], result, chi_square;
        equant_evaluator *evaluator =
            make(N, halves,
                 (equant_model_options){
                     .trend = EQUANT_TREND_LINEAR, .with_jitter = 1, .noise = "rotation"},
                 engines_backend(b), EQUANT_PRECISION_DOUBLE);
        if (!evaluator)
            continue;
        equant_results results = {.struct_size = sizeof results,
                                  .chi_square = &chi_square,
                                  .log_likelihood = &result,
                                  .linear = linear};
        assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
        assert_close(result, -115.8710416837049433, 1e-13);
        assert_close(linear[2], -1.6936770108351 / 100.0, 1e-11);
        /* (t - 50) / 100 against t - t_ref: the offsets differ by a constant. */
        assert_close(linear[0] - linear[1], -0.507265657799509 + 0.0407239244476749, 1e-10);
        equant_evaluator_free(evaluator);
    }
}

/* Everything at once: planets, two instruments, three terms with nights among them. */
static const equant_model_options whole = {.n_planets = 2,
                                           .trend = EQUANT_TREND_LINEAR,
                                           .offset_columns = EQUANT_NUISANCE_GIVEN,
                                           .trend_columns = EQUANT_NUISANCE_GIVEN,
                                           .with_jitter = 1,
                                           .noise = "mep, night , exponential"};
enum { WHOLE = 10 + 2 + 1 + 2 + 4 + 1 + 2, N_SETS = 37 };

static void make_set(size_t s, double *set)
{
    double shift = (double)s / N_SETS;
    const double values[WHOLE] = {20.0 + shift, 3.0,          0.2 * shift, 1.0,
                                  2.0,          4.1,          2.0 + shift, 0.5,
                                  0.3,          shift,        0.1,         -0.2,
                                  1e-3,         0.5,          0.7,         4.0 * shift + 0.1,
                                  11.3,         25.0 + shift, 0.6,         1.0 + shift,
                                  1.5,          0.9};
    memcpy(set, values, sizeof values);
}

/* The residuals go to the likelihood of noise alone. */
static void agrees_with_single_sets(void **state)
{
    (void)state;
    double sets[N_SETS][WHOLE], found[N_SETS], wanted[N_SETS], *residuals;
    residuals = malloc(sizeof(double) * N_SETS * LONG);
    for (size_t s = 0; s < N_SETS; s++)
        make_set(s, sets[s]);
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < 2; precision++) {
            equant_noise *noise;
            equant_evaluator *evaluator =
                make(LONG, halves, whole, engines_backend(b), (equant_precision)precision);
            equant_results results = {
                .struct_size = sizeof results, .log_likelihood = found, .residuals = residuals};
            assert_int_equal(equant_evaluator_evaluate(evaluator, N_SETS, sets[0], &results),
                             EQUANT_SUCCESS);
            assert_int_equal(equant_noise_create(
                                 "mep(amplitude=1,period=1,decay=1,width=1), night(amplitude=1), "
                                 "exponential(amplitude=1,decay=1)",
                                 &noise),
                             EQUANT_SUCCESS);
            for (size_t s = 0; s < N_SETS; s++) {
                double variances[LONG];
                equant_noise_rows rows = {.struct_size = sizeof rows,
                                          .n = LONG,
                                          .time_days = times,
                                          .values = residuals + s * LONG,
                                          .variances = variances,
                                          .instruments = halves};
                for (int k = 0; k < LONG; k++)
                    variances[k] = uncertainties[k] * uncertainties[k] +
                                   sets[s][13 + k % 2] * sets[s][13 + k % 2];
                assert_int_equal(
                    equant_noise_log_likelihood(noise, &rows, 1, sets[s] + 15, &wanted[s]),
                    EQUANT_SUCCESS);
                assert_close(found[s], wanted[s], precision == 0 ? 1e-12 : 1e-5);
            }
            equant_noise_free(noise);
            equant_evaluator_free(evaluator);
        }
    free(residuals);
}

/* A set alone, in a crowd, beside nonsense: the same bits; on all processors the same, too. */
static void bits_of_a_set(void **state)
{
    (void)state;
    double sets[N_SETS][WHOLE], crowd[N_SETS], first[N_SETS];
    for (size_t b = 0; b < engines_n_backends(); b++) {
        equant_evaluator *evaluator =
            make(LONG, halves, whole, engines_backend(b), EQUANT_PRECISION_DOUBLE);
        equant_results results = {.struct_size = sizeof results, .log_likelihood = crowd};
        for (size_t s = 0; s < N_SETS; s++)
            make_set(s, sets[s]);
        sets[3][15] = -1.0;
        sets[4][16] = NAN;
        sets[5][19] = INFINITY;
        assert_int_equal(equant_evaluator_evaluate(evaluator, N_SETS, sets[0], &results),
                         EQUANT_SUCCESS);
        for (size_t s = 0; s < N_SETS; s++) {
            double alone = log_likelihood(evaluator, sets[s]);
            assert_memory_equal(&alone, &crowd[s], sizeof alone);
            assert_true(s >= 3 && s <= 5 ? crowd[s] == -INFINITY : isfinite(crowd[s]));
        }
        if (b == 0)
            memcpy(first, crowd, sizeof first);
        if (engines_is_processor(b) && engines_is_processor(0))
            assert_memory_equal(first, crowd, sizeof first);
        for (size_t s = 0; s < N_SETS && !engines_is_processor(0); s++)
            if (isfinite(first[s]))
                assert_close(crowd[s], first[s], 1e-12);
        equant_evaluator_free(evaluator);
    }
}

static double next_uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Parameters over forty powers of ten: a likelihood or minus infinity, never NaN. */
static void nonsense(void **state)
{
    (void)state;
    static const char *const terms[] = {"night",
                                        "exponential",
                                        "matern32",
                                        "matern52",
                                        "sho",
                                        "granulation",
                                        "rotation",
                                        "mep",
                                        "es",
                                        "esp2",
                                        "sho, rotation, night"};
    const size_t n_sets = quick_run() ? 100 : 2000;
    uint64_t random = 1;
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
            equant_model_options options = {.struct_size = sizeof options, .noise = terms[i]};
            equant_model *model;
            assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
            size_t n = equant_model_n_parameters(model);
            equant_model_free(model);
            options.offset_columns = EQUANT_NUISANCE_GIVEN;
            equant_evaluator *evaluator =
                make(N, NULL, options, engines_backend(b), EQUANT_PRECISION_DOUBLE);
            double *sets = malloc((n + 1) * n_sets * sizeof *sets),
                   *found = malloc(2 * n_sets * sizeof *found);
            equant_results results = {.struct_size = sizeof results,
                                      .log_likelihood = found,
                                      .chi_square = found + n_sets};
            for (size_t j = 0; j < (n + 1) * n_sets; j++)
                sets[j] = j % (n + 1) == 0 ? 0.0 : pow(10.0, 40.0 * next_uniform(&random) - 20.0);
            assert_int_equal(equant_evaluator_evaluate(evaluator, n_sets, sets, &results),
                             EQUANT_SUCCESS);
            for (size_t s = 0; s < n_sets; s++)
                assert_true(found[s] == -INFINITY
                                ? found[n_sets + s] == INFINITY
                                : isfinite(found[s]) && isfinite(found[n_sets + s]));
            free(sets);
            free(found);
            equant_evaluator_free(evaluator);
        }
}

static void words(void **state)
{
    (void)state;
    static const char *const wrong[] = {"rotatoin", "rotation, rotation", "rotation(period=3)",
                                        "night exponential", "night,"};
    equant_model *model = NULL;
    equant_model_options options = {
        .struct_size = sizeof options, .with_jitter = 1, .noise = " night, rotation"};
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_model_n_parameters(model), 7);
    assert_string_equal(equant_model_parameter_name(model, 0), "jitter_m_s_1");
    assert_string_equal(equant_model_parameter_name(model, 1), "night_amplitude_m_s");
    assert_string_equal(equant_model_parameter_name(model, 3), "rotation_period_days");
    assert_string_equal(equant_model_parameter_name(model, 6), "rotation_mix");
    equant_model_free(model);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.noise = wrong[i];
        assert_int_equal(equant_model_create(&options, &model), EQUANT_ERROR_INVALID_ARGUMENT);
    }
    options.noise = "";
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_model_n_parameters(model), 1);
    equant_model_free(model);
}

/* Columns are called as the catalogue of terms calls its parameters, with their units. */
static void names_of_columns(void **state)
{
    (void)state;
    for (size_t t = 0; t < equant_n_noise_terms(); t++) {
        equant_noise_term_info term = {.struct_size = sizeof term};
        assert_int_equal(equant_noise_term_at(t, &term), EQUANT_SUCCESS);
        equant_model_options options = {.struct_size = sizeof options, .noise = term.name};
        equant_model *model;
        assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
        assert_int_equal(equant_model_n_parameters(model), term.n_parameters);
        for (size_t i = 0; i < term.n_parameters; i++) {
            char name[80];
            equant_noise_parameter_info info = {.struct_size = sizeof info};
            assert_int_equal(equant_noise_term_parameter(t, i, &info), EQUANT_SUCCESS);
            snprintf(name, sizeof name, "%s_%s%s", term.name, info.name,
                     strcmp(info.unit, "d") == 0     ? "_days"
                     : strcmp(info.unit, "m/s") == 0 ? "_m_s"
                                                     : "");
            assert_string_equal(equant_model_parameter_name(model, i), name);
        }
        equant_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_numbers),
        cmocka_unit_test(solved_terms),
        cmocka_unit_test(agrees_with_single_sets),
        cmocka_unit_test(bits_of_a_set),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(words),
        cmocka_unit_test(names_of_columns),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
