/* Long data sets: what summation must do for a hundred thousand observations,
 * and that a million of them still add up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/backend_trial.h"
#include "equant.h"
#include "quick.h"

static double chi_square_of(const trial *t, const equant_engine_options *options,
                            const double *parameters)
{
    equant_evaluator *evaluator = NULL;
    trial_require(equant_evaluator_create(t->dataset, t->model, options, &evaluator),
                  "equant_evaluator_create");
    double chi_square = NAN;
    equant_results results = {.struct_size = sizeof results, .chi_square = &chi_square};
    trial_require(equant_evaluator_evaluate(evaluator, 1, parameters, &results),
                  "equant_evaluator_evaluate");
    equant_evaluator_free(evaluator);
    return chi_square;
}

/* Without planets every term is right to a few units, so that what remains is
 * the error of summation alone. */
static void compensated_sums_are_no_worse_than_plain_ones(void **state)
{
    (void)state;
    trial_shape shape = {.seed = 41, .n_obs = 100000, .n_sets = 1, .n_instruments = 1};
    trial t = trial_create(&shape);
    const double offset = 0;
    oracle_result *exact = oracle_evaluate(&t.data, &t.oracle, 1, &offset);
    assert_non_null(exact);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (int precision = 0; precision < 4; precision++) {
            equant_engine_options options = engines_way(engines_backend(b), 4 * (size_t)precision);
            double unit = engines_is_double(&options) ? 0x1p-53 : 0x1p-24;
            double plain = fabs(chi_square_of(&t, &options, &offset) / exact->chi_square - 1);
            options.summation = EQUANT_SUMMATION_COMPENSATED;
            double careful = fabs(chi_square_of(&t, &options, &offset) / exact->chi_square - 1);
            printf("%-36s relative error: plain %.2e, compensated %.2e\n", engines_name(&options),
                   plain, careful);
            assert_true(careful <= plain + 4 * unit);
            assert_true(careful <= 8 * unit);
        }
    }
    oracle_free(exact, 1);
    trial_free(&t);
}

/* Half of the observations and the other half, with the same reference time. */
static equant_dataset *part_of(const trial *t, size_t first, size_t n)
{
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .has_reference_time = 1,
                                      .reference_time_days = t->data.reference_time_days};
    equant_dataset *dataset = NULL;
    trial_require(equant_dataset_from_arrays(
                      n, t->data.time_days + first, t->data.velocity_m_s + first,
                      t->data.uncertainty_m_s + first, NULL, 1, NULL, &options, &dataset),
                  "equant_dataset_from_arrays");
    return dataset;
}

static void a_million_observations_add_up(void **state)
{
    (void)state;
    size_t n = quick_run() ? 100000 : 1000000;
    trial_shape shape = {
        .seed = 42, .n_obs = n, .n_sets = 1, .n_instruments = 1, .model = {.n_planets = 1}};
    trial t = trial_create(&shape), low = t, high = t;
    low.dataset = part_of(&t, 0, n / 3);
    high.dataset = part_of(&t, n / 3, n - n / 3);
    const double circular[] = {100, 50, 0, 1, 2, 3};
    long double expected = 0;
    for (size_t k = 0; k < n; k++) {
        long double turns = ((long double)t.data.time_days[k] - t.data.reference_time_days) / 100;
        long double angle = 2 * acosl(-1) * (turns - rintl(turns)) + 3;
        long double residual = t.data.velocity_m_s[k] - 50 * cosl(angle) - 3;
        expected += residual * residual /
                    ((long double)t.data.uncertainty_m_s[k] * t.data.uncertainty_m_s[k]);
    }
    for (size_t b = 0; b < engines_n_backends(); b++) {
        equant_engine_options options = engines_way(engines_backend(b), 0);
        double whole = chi_square_of(&t, &options, circular);
        assert_true(fabsl(whole / expected - 1) < 1e-12);
        const double eccentric[] = {100, 50, 0.7, 1, 2, 3};
        whole = chi_square_of(&t, &options, eccentric);
        double parts =
            chi_square_of(&low, &options, eccentric) + chi_square_of(&high, &options, eccentric);
        assert_true(fabs(whole / parts - 1) < 1e-12);
    }
    equant_dataset_free(low.dataset);
    equant_dataset_free(high.dataset);
    trial_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compensated_sums_are_no_worse_than_plain_ones),
        cmocka_unit_test(a_million_observations_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
