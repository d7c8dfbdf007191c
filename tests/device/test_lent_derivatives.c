/* An evaluator on processors that is lent a GPU has long derivatives taken there: the same to
 * rounding, the bits of the GPU, and by the processor where there is none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/evaluators/evaluator.h"
#include "equant.h"

/* Long enough for a GPU with two planets, and too short with one. */
enum { N_OBS = 5003, MOST_PLANETS = 2, MOST_PARAMETERS = 5 * MOST_PLANETS + 2 };

typedef struct slopes {
    double chi_square, gradient[MOST_PARAMETERS], fisher[MOST_PARAMETERS][MOST_PARAMETERS];
} slopes;

static equant_evaluator *make_evaluator(size_t n_planets, const char *backend, bool is_lent)
{
    static double u[3 * N_OBS];
    assert_int_equal(equant_random_uniform(5, 1, 0, 3 * N_OBS, u), EQUANT_SUCCESS);
    for (size_t k = 0; k < N_OBS; k++) {
        u[k] *= 3000.0;
        u[2 * N_OBS + k] += 0.5;
    }
    const equant_model_options shape = {.struct_size = sizeof shape,
                                        .n_planets = n_planets,
                                        .offset_columns = EQUANT_NUISANCE_GIVEN,
                                        .with_jitter = 1};
    const equant_engine_options engine = {.struct_size = sizeof engine, .backend = backend};
    equant_dataset *dataset;
    equant_model *model;
    equant_evaluator *evaluator;
    assert_int_equal(equant_dataset_from_arrays(N_OBS, u, u + N_OBS, u + 2 * N_OBS, NULL, 1, NULL,
                                                NULL, &dataset),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_model_create(&shape, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(dataset, model, &engine, &evaluator), EQUANT_SUCCESS);
    if (is_lent)
        evaluator_lend(evaluator, (accelerator){.is_wanted = true});
    equant_model_free(model);
    equant_dataset_free(dataset);
    return evaluator;
}

static slopes slopes_of(equant_evaluator *evaluator, size_t n_planets)
{
    const double orbits[MOST_PLANETS][5] = {{12.3, 4.0, 0.2, 1.0, 2.0},
                                            {321.0, 7.0, 0.6, 3.0, 0.5}};
    double set[MOST_PARAMETERS];
    size_t n = 0;
    for (; n < 5 * n_planets; n++)
        set[n] = orbits[n / 5][n % 5];
    set[n++] = 0.4;
    set[n++] = 1.5;
    slopes made = {0};
    const equant_derivatives asked = {.struct_size = sizeof asked,
                                      .chi_square = &made.chi_square,
                                      .chi_square_gradient = made.gradient,
                                      .fisher = made.fisher[0]};
    assert_int_equal(equant_evaluator_differentiate(evaluator, EQUANT_BASIS_LINEAR, 1, set, &asked),
                     EQUANT_SUCCESS);
    return made;
}

static slopes slopes_on(size_t n_planets, const char *backend, bool is_lent)
{
    equant_evaluator *evaluator = make_evaluator(n_planets, backend, is_lent);
    slopes made = slopes_of(evaluator, n_planets);
    equant_evaluator_free(evaluator);
    return made;
}

static void check_same(const slopes *one, const slopes *other, double allowed)
{
    const double *a = &one->chi_square, *b = &other->chi_square;
    double largest = 0.0;
    for (size_t i = 0; i < sizeof *one / sizeof *a; i++)
        largest = fmax(largest, fabs(a[i]));
    for (size_t i = 0; i < sizeof *one / sizeof *a; i++)
        assert_true(fabs(a[i] - b[i]) <= allowed * largest);
}

static void short_ones_stay_with_the_processor(void **state)
{
    (void)state;
    slopes own = slopes_on(1, "cpu", false), lent = slopes_on(1, "cpu", true);
    check_same(&own, &lent, 0.0);
}

static void long_ones_are_the_same_to_rounding(void **state)
{
    (void)state;
    slopes own = slopes_on(2, "cpu", false), lent = slopes_on(2, "cpu", true);
    check_same(&own, &lent, 1e-13);
}

static void a_fast_gpu_takes_long_ones(void **state)
{
    (void)state;
    const backend *gpu = placement_accelerator(NULL);
    if (!gpu || !placement_is_fast_in_double(gpu, 0))
        skip();
    slopes there = slopes_on(2, gpu->name, false), lent = slopes_on(2, "cpu", true);
    check_same(&there, &lent, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ones_stay_with_the_processor),
        cmocka_unit_test(long_ones_are_the_same_to_rounding),
        cmocka_unit_test(a_fast_gpu_takes_long_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
