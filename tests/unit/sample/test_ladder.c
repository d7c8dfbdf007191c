/* Rungs of a ladder of temperatures, on barriers known beforehand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/walkers/ladder.h"

enum { N = 9 };

static void ladders_begin(void **state)
{
    (void)state;
    double beta[N];
    ladder_begin(1, 0.0, beta);
    assert_true(beta[0] == 1.0);
    ladder_begin(2, 0.0, beta);
    assert_true(beta[0] == 1.0 && beta[1] == 0.0);
    ladder_begin(2, 0.25, beta);
    assert_true(beta[0] == 1.0 && beta[1] == 0.25);
    ladder_begin(3, 0.25, beta);
    assert_true(fabs(beta[1] - 0.5) < 1e-15 && beta[2] == 0.25);
    for (int is_open = 0; is_open < 2; is_open++) {
        ladder_begin(N, is_open ? 0.01 : 0.0, beta);
        assert_true(beta[0] == 1.0 && beta[N - 1] == (is_open ? 0.01 : 0.0));
        for (size_t k = 1; k < N; k++)
            assert_true(beta[k] < beta[k - 1]);
    }
}

/* The barrier from 0 to beta, of a density made up for the purpose. */
static double barrier_to(double beta)
{
    return 3.0 * sqrt(beta) + beta;
}

static void rejections_of(const double *beta, double *rejection)
{
    for (size_t k = 0; k + 1 < N; k++)
        rejection[k] = barrier_to(beta[k]) - barrier_to(beta[k + 1]);
}

/* Rounds converge on rungs between which swaps are refused equally often. */
static void rungs_even_out(void **state)
{
    (void)state;
    double beta[N], rejection[N - 1], scratch[3 * N];
    ladder_begin(N, 0.0, beta);
    for (int round = 0; round < 12; round++) {
        rejections_of(beta, rejection);
        ladder_respace(N, rejection, beta, scratch);
        assert_true(beta[0] == 1.0 && beta[N - 1] == 0.0);
        for (size_t k = 1; k < N; k++)
            assert_true(beta[k] < beta[k - 1]);
    }
    rejections_of(beta, rejection);
    for (size_t k = 0; k + 1 < N; k++)
        assert_true(fabs(rejection[k] - 0.5) < 0.01);
}

static void extreme_rejections(void **state)
{
    (void)state;
    const double none[N - 1] = {0.0}, walls[N - 1] = {1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0};
    const double *const all[2] = {none, walls};
    for (size_t i = 0; i < 2; i++) {
        double beta[N], scratch[3 * N];
        ladder_begin(N, 0.0, beta);
        for (int round = 0; round < 3; round++)
            ladder_respace(N, all[i], beta, scratch);
        for (size_t k = 1; k < N; k++)
            assert_true(beta[k] < beta[k - 1] && beta[k] >= 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ladders_begin),
        cmocka_unit_test(rungs_even_out),
        cmocka_unit_test(extreme_rejections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
