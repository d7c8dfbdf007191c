/* What R-hat does not see: tails that all populations move alike, burn-ins that are shorter than
 * what they should forget, walkers that began no wider than the posterior. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/draws/convergence.h"

enum { N_POPULATIONS = 4, N_STEPS = 200, N_WALKERS = 100 };

static double values[N_POPULATIONS][N_STEPS][N_WALKERS];
static double starts[N_POPULATIONS * N_WALKERS];
static uint64_t state = 1;

static double normal(void)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(state >> 11) * 0x1p-53;
    }
    return sum;
}

/* Independent draws; their upper tail grows by this share in the course of the run, and populations
 * are apart by that much. */
static void make(double growth, double apart, double start_width)
{
    for (int p = 0; p < N_POPULATIONS; p++)
        for (int s = 0; s < N_STEPS; s++)
            for (int w = 0; w < N_WALKERS; w++) {
                double x = normal() + apart * p;
                values[p][s][w] = x > 1.0 ? 1.0 + (x - 1.0) * (1.0 + growth * s / N_STEPS) : x;
            }
    for (int i = 0; i < N_POPULATIONS * N_WALKERS; i++)
        starts[i] = start_width * normal();
}

static const convergence_goals goals = {
    .max_rhat = 1.01, .min_ess = 1000.0, .n_steps = 800.0, .n_burn_in = 800.0};

static diagnostics diagnose(void)
{
    const diagnostics_series series = {.n_populations = N_POPULATIONS,
                                       .n_steps = N_STEPS,
                                       .n_walkers = N_WALKERS,
                                       .values = values[0][0],
                                       .n_starts = N_POPULATIONS * N_WALKERS,
                                       .starts = starts};
    diagnostics found;
    assert_int_equal(diagnostics_compute(&series, &found), EQUANT_SUCCESS);
    print_message("R-hat %.4f drift %.2f discord %.2f start width %.2f turnover %.1f %.1f\n",
                  found.rhat, found.drift, found.discord, found.start_width, found.turnover,
                  found.tail_turnover);
    return found;
}

static convergence_verdict judge(const diagnostics *found)
{
    return convergence_judge(&goals, 1, found);
}

static void independent_draws_have_converged(void **unused)
{
    (void)unused;
    make(0.0, 0.0, 2.0);
    diagnostics found = diagnose();
    assert_true(found.drift < 4.0 && found.discord < 4.0 && fabs(found.start_width - 2.0) < 0.2);
    assert_int_equal(judge(&found).lacks, EQUANT_CRITERION_NONE);
}

/* The 99 % quantile climbs by a tenth of its height, and R-hat stays below 1.001. */
static void a_tail_that_grows_is_a_drift(void **unused)
{
    (void)unused;
    make(0.3, 0.0, 2.0);
    diagnostics found = diagnose();
    assert_true(found.rhat < 1.001 && found.drift > 4.0);
    assert_int_equal(judge(&found).lacks, EQUANT_CRITERION_DRIFT);
}

static void populations_apart_are_told_where_rhat_is_content(void **unused)
{
    (void)unused;
    make(0.0, 0.03, 2.0);
    diagnostics found = diagnose();
    assert_true(found.rhat < 1.01 && found.discord > 4.0);
    assert_int_equal(judge(&found).lacks, EQUANT_CRITERION_POPULATIONS);
}

/* A series with this number of autocorrelation times. */
static diagnostics plain(double turnover)
{
    return (diagnostics){.rhat = 1.0,
                         .ess_bulk = 1e6,
                         .ess_tail = 1e6,
                         .turnover = turnover,
                         .tail_turnover = turnover,
                         .start_width = 2.0};
}

static void each_figure_counts(void **unused)
{
    (void)unused;
    diagnostics slow = plain(9.0), tail = plain(100.0), early = plain(7.0), good = plain(20.0);
    tail.tail_turnover = 4.0;
    early.turnover = 12.0; /* 8 * 800 / 7 steps of burn-in */
    assert_int_equal(judge(&slow).lacks, EQUANT_CRITERION_TURNOVER);
    assert_int_equal(judge(&early).lacks, EQUANT_CRITERION_BURN_IN);
    assert_true(fabs(judge(&early).wanted - 914.29) < 0.01 && judge(&early).found == 800.0);
    assert_int_equal(judge(&tail).lacks, EQUANT_CRITERION_BURN_IN); /* missed by more */
    assert_int_equal(judge(&good).lacks, EQUANT_CRITERION_NONE);
    good.start_width = 0.5;
    assert_int_equal(judge(&good).lacks, EQUANT_CRITERION_TURNOVER);
    assert_true(judge(&good).wanted == 30.0);
    good.start_width = NAN; /* not known */
    assert_int_equal(judge(&good).lacks, EQUANT_CRITERION_TURNOVER);
    good = plain(100.0);
    good.rhat = NAN;
    assert_int_equal(judge(&good).lacks, EQUANT_CRITERION_RHAT);
    good.has_gaps = true; /* of such nothing can be said */
    assert_int_equal(judge(&good).lacks, EQUANT_CRITERION_NONE);
}

static void the_worst_row_is_named(void **unused)
{
    (void)unused;
    diagnostics rows[] = {plain(100.0), plain(100.0), plain(100.0)};
    rows[1].drift = 5.0;
    rows[2].drift = 8.0;
    convergence_verdict verdict = convergence_judge(&goals, 3, rows);
    assert_true(verdict.row == 2 && verdict.found == 8.0 && verdict.wanted == CONVERGENCE_DRIFT);
    assert_true(verdict.burn_in == 64.0);
    rows[0] = plain(40.0);
    assert_true(convergence_judge(&goals, 3, rows).burn_in == 160.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_draws_have_converged),
        cmocka_unit_test(a_tail_that_grows_is_a_drift),
        cmocka_unit_test(populations_apart_are_told_where_rhat_is_content),
        cmocka_unit_test(each_figure_counts),
        cmocka_unit_test(the_worst_row_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
