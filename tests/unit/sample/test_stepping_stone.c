/* Sums of powers of likelihoods, and the evidence from them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/walkers/stepping_stone.h"

/* Sums in pieces, in any order, of likelihoods of any size. */
static void stones_add_up(void **state)
{
    (void)state;
    const double values[5] = {-50000.0, -49998.0, -INFINITY, -50003.0, -49990.0};
    for (double exponent = -0.5; exponent <= 0.5; exponent += 0.25) {
        double direct = 0.0, roots = 0.0, by_population[1];
        for (size_t i = 0; i < 5; i++) {
            double above = values[i] + 50000.0;
            direct += isfinite(above) ? exp(exponent * above) : 0.0;
            roots += isfinite(above) ? exp(0.5 * exponent * above) : 0.0;
        }
        stepping_stone stone = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
        stepping_stone_add(&stone.forward, exponent, 2, values);
        stepping_stone_add(&stone.forward, exponent, 1, values + 2);
        stepping_stone_add(&stone.forward, exponent, 2, values + 3);
        stepping_stone_add(&stone.reverse, 0.0, 2, values);
        stepping_stone_evidence found = stepping_stone_estimate(1, 1, &stone, by_population);
        double expected = log(direct / 5.0) - 50000.0 * exponent;
        assert_true(fabs(found.forward - expected) < 1e-10 * (1.0 + fabs(expected)));
        assert_true(fabs(found.reverse) < 1e-12 && isnan(found.error));
        double bridge = log(roots / 5.0) - 25000.0 * exponent;
        assert_true(fabs(by_population[0] - bridge) < 1e-10 * (1.0 + fabs(bridge)));
    }
}

/* A likelihood that is the same everywhere is its own evidence, whatever the ladder. */
static void evidence_of_a_constant(void **state)
{
    (void)state;
    enum { N_STEPS = 3, N_POPULATIONS = 4 };
    const double beta[N_STEPS + 1] = {1.0, 0.5, 0.1, 0.0};
    stepping_stone stones[N_STEPS * N_POPULATIONS] = {{{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}};
    double by_population[N_POPULATIONS];
    assert_true(
        isnan(stepping_stone_estimate(N_STEPS, N_POPULATIONS, stones, by_population).log_evidence));
    for (size_t i = 0; i < N_STEPS * N_POPULATIONS; i++) {
        size_t step = i / N_POPULATIONS;
        double value = -1000.0 - (double)(i % N_POPULATIONS); /* 0 to 3 below */
        stepping_stone_add(&stones[i].forward, beta[step] - beta[step + 1], 1, &value);
        stepping_stone_add(&stones[i].reverse, beta[step + 1] - beta[step], 1, &value);
    }
    stepping_stone_evidence found =
        stepping_stone_estimate(N_STEPS, N_POPULATIONS, stones, by_population);
    const double error = sqrt(5.0 / 3.0 / 4.0);
    assert_true(fabs(found.log_evidence + 1001.5) < 1e-9 && fabs(found.error - error) < 1e-9);
    assert_true(fabs(by_population[3] + 1003.0) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stones_add_up),
        cmocka_unit_test(evidence_of_a_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
