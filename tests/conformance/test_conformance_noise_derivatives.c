/* Derivatives of models with correlated noise: gradients computed with 50 digits, agreement with
 * differences of ln L, and a Fisher matrix that says how chi-square curves. */
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

enum { N = 40, MOST = 24 };
#define TWO_PI 6.283185307179586476925286766559

static double times[N], velocities[N], uncertainties[N];
static int halves[N];

static int make_rows(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        times[i] = 1.7 * i + 0.6 * sin(1.3 * i);
        velocities[i] = 5.0 * sin(TWO_PI * times[i] / 11.3) +
                        3.0 * cos(TWO_PI * times[i] / 4.1 + 0.5) + 1.5 * sin(2.9 * i);
        uncertainties[i] = 1.0 + 0.3 * cos(0.7 * i);
        halves[i] = i % 2;
    }
    return engines_announce() ? 0 : -1;
}

/* NULL where a backend has no such thing. */
static equant_evaluator *make(const int *instruments, equant_model_options options,
                              const char *backend)
{
    equant_dataset *data;
    equant_model *model;
    equant_evaluator *made = NULL;
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = backend};
    options.struct_size = sizeof options;
    options.n_instruments = instruments ? 2 : 1;
    assert_int_equal(equant_dataset_from_arrays(N, times, velocities, uncertainties, instruments,
                                                instruments ? 2 : 1, NULL, NULL, &data),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    equant_status status = equant_evaluator_create(data, model, &engine, &made);
    equant_model_free(model);
    equant_dataset_free(data);
    assert_true(status == EQUANT_SUCCESS || status == EQUANT_ERROR_UNAVAILABLE);
    return made;
}

static void assert_close(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g, by %g", found, wanted, found - wanted);
}

/* d ln L / d ln parameter: noise, then jitter. */
static void reference_gradients(void **state)
{
    (void)state;
    static const struct {
        const char *noise;
        size_t n;
        double values[5], wanted[6];
    } cases[] = {
        {"rotation",
         5,
         {4, 11.3, 1.5, 0.7, 0.4},
         {9.34321294918395, -58.6011989528448, -4.38737136971476, .993796647470279,
          5.88653737234328, 3.61213506544935}},
        {"mep",
         4,
         {4, 11.3, 25, 0.6},
         {10.4950370379675, -62.476402370653, -2.72132766400321, -20.8275081708572,
          26.4107345820843}},
        {"mep4",
         4,
         {4, 11.3, 25, 0.6},
         {21.84401301759901, -32.32705457186561, -2.011468128475563, -54.20183935826834,
          17.43540084393907}},
        {"esp2",
         4,
         {4, 11.3, 25, 0.6},
         {-.994321750532457, -10.0810327162501, 3.75748552439253, -4.23540038445057,
          36.460618152312}},
    };
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            double set[7] = {0.0, 0.5}, gradient[7], log_likelihood;
            equant_derivatives out = {.struct_size = sizeof out,
                                      .log_likelihood = &log_likelihood,
                                      .log_likelihood_gradient = gradient};
            equant_evaluator *evaluator =
                make(NULL,
                     (equant_model_options){.offset_columns = EQUANT_NUISANCE_GIVEN,
                                            .with_jitter = 1,
                                            .noise = cases[i].noise},
                     engines_backend(b));
            memcpy(set + 2, cases[i].values, sizeof cases[i].values);
            assert_int_equal(
                equant_evaluator_differentiate(evaluator, EQUANT_BASIS_ELEMENTS, 1, set, &out),
                EQUANT_SUCCESS);
            for (size_t j = 0; j < cases[i].n; j++)
                assert_close(set[2 + j] * gradient[2 + j], cases[i].wanted[j],
                             1e-11 * fabs(cases[i].wanted[j]));
            assert_close(0.5 * gradient[1], cases[i].wanted[cases[i].n], 1e-11);
            equant_evaluator_free(evaluator);
        }
}

typedef struct value {
    double chi_square, log_likelihood;
} value;

static value evaluate(equant_evaluator *evaluator, const double *set)
{
    value found;
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = &found.chi_square,
                              .log_likelihood = &found.log_likelihood};
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
    return found;
}

/* Every column against differences, with linear terms given and solved. */
static void differences(void **state)
{
    (void)state;
    static const char *const terms[] = {"night, matern52", "sho, exponential",
                                        "rotation, night", "es",
                                        "matern32, mep",   "granulation"};
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
            for (int is_given = 0; is_given < 2; is_given++) {
                equant_nuisance nuisance =
                    is_given ? EQUANT_NUISANCE_GIVEN : EQUANT_NUISANCE_SOLVED;
                equant_model_options options = {.n_planets = 1,
                                                .trend = EQUANT_TREND_QUADRATIC,
                                                .offset_columns = nuisance,
                                                .trend_columns = nuisance,
                                                .with_jitter = 1,
                                                .noise = terms[i]};
                double set[MOST] = {20.0, 3.0, 0.3, 1.0, 2.0, 0.3, -0.2, 0.01, 1e-4},
                       chi_gradient[MOST], gradient[MOST], chi_square, log_likelihood;
                size_t first = is_given ? 9 : 5, n = first + 2;
                const double noise[] = {1.5, 9.0, 0.7, 1.2, 2.0, 0.8};
                equant_evaluator *evaluator = make(halves, options, engines_backend(b));
                if (!evaluator)
                    continue;
                set[first] = 0.5;
                set[first + 1] = 0.8;
                for (size_t j = 0; j < 6; j++)
                    set[n + j] = noise[j];
                equant_model *model;
                options.struct_size = sizeof options;
                options.n_instruments = 2;
                assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
                n = equant_model_n_parameters(model);
                equant_model_free(model);
                equant_derivatives out = {.struct_size = sizeof out,
                                          .chi_square = &chi_square,
                                          .log_likelihood = &log_likelihood,
                                          .chi_square_gradient = chi_gradient,
                                          .log_likelihood_gradient = gradient};
                assert_int_equal(
                    equant_evaluator_differentiate(evaluator, EQUANT_BASIS_ELEMENTS, 1, set, &out),
                    EQUANT_SUCCESS);
                value at = evaluate(evaluator, set);
                assert_close(log_likelihood, at.log_likelihood, 1e-11 * fabs(at.log_likelihood));
                assert_close(chi_square, at.chi_square, 1e-11 * at.chi_square);
                for (size_t j = 0; j < n; j++) {
                    double kept = set[j], step = 1e-4 * fabs(kept), chi = 0.0, likelihood = 0.0;
                    for (int side = -2; side <= 2; side++) {
                        static const double share[] = {1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12,
                                                       -1.0 / 12};
                        set[j] = kept + side * step;
                        value moved = evaluate(evaluator, set);
                        chi += share[side + 2] * moved.chi_square / step;
                        likelihood += share[side + 2] * moved.log_likelihood / step;
                    }
                    set[j] = kept;
                    assert_close(chi_gradient[j], chi, 1e-7 * (1.0 + fabs(chi)));
                    assert_close(gradient[j], likelihood, 1e-7 * (1.0 + fabs(likelihood)));
                }
                equant_evaluator_free(evaluator);
            }
}

/* Chi-square is a parabola in offsets, trend and K: half its curvature is the matrix. */
static void fisher_of_the_mean(void **state)
{
    (void)state;
    enum { WIDTH = 5 + 2 + 1 + 2 + 4 };
    for (size_t b = 0; b < engines_n_backends(); b++) {
        double set[WIDTH] = {20.0, 3.0, 0.3, 1.0, 2.0, 0.3, -0.2, 0.01, 0.5, 0.8, 4, 11.3, 25, 0.6};
        double fisher[WIDTH][WIDTH], jacobian[WIDTH][N];
        static const size_t linear[] = {1, 5, 6, 7};
        equant_evaluator *evaluator = make(halves,
                                           (equant_model_options){
                                               .n_planets = 1,
                                               .trend = EQUANT_TREND_LINEAR,
                                               .offset_columns = EQUANT_NUISANCE_GIVEN,
                                               .trend_columns = EQUANT_NUISANCE_GIVEN,
                                               .with_jitter = 1,
                                               .noise = "mep",
                                           },
                                           engines_backend(b));
        equant_derivatives out = {
            .struct_size = sizeof out, .fisher = fisher[0], .jacobian = jacobian[0]};
        assert_int_equal(
            equant_evaluator_differentiate(evaluator, EQUANT_BASIS_ELEMENTS, 1, set, &out),
            EQUANT_SUCCESS);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++) {
                double sum = 0.0;
                for (int code = 0; code < 4; code++) {
                    double moved[WIDTH];
                    memcpy(moved, set, sizeof moved);
                    moved[linear[i]] += code % 2 ? 1.0 : -1.0;
                    moved[linear[j]] += code / 2 ? 1.0 : -1.0;
                    sum += (code % 2 == code / 2 ? 1.0 : -1.0) *
                           evaluate(evaluator, moved).chi_square / 8.0;
                }
                assert_close(fisher[linear[i]][linear[j]], sum, 1e-9 * (1.0 + fabs(sum)));
            }
        for (int k = 0; k < N; k++) {
            assert_close(jacobian[5][k], halves[k] == 0, 0.0);
            assert_close(jacobian[12][k], 0.0, 0.0);
        }
        for (size_t i = 8; i < WIDTH; i++)
            for (size_t j = 0; j < WIDTH; j++) {
                assert_true(isfinite(fisher[i][j]) && fisher[i][j] == fisher[j][i]);
                assert_true(j >= 8 || fisher[i][j] == 0.0);
            }
        equant_evaluator_free(evaluator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_gradients),
        cmocka_unit_test(differences),
        cmocka_unit_test(fisher_of_the_mean),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
