/* R-hat and effective sizes: the values that ArviZ gives to the same series, and limits that
 * any such figures must keep. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/draws/diagnostics.h"

enum { N_POPULATIONS = 4, N_STEPS = 100, N_WALKERS = 6 };

/* Series of numbers that remember the last one, and what is done to them; then R-hat, bulk and
 * tail size by ArviZ 0.23.4 (tools/make_diagnostics.py). */
typedef struct known_case {
    const char *name;
    double memory, shift, stretch;
    int is_stuck;
    double grain;
    int is_angle;
    double rhat, ess_bulk, ess_tail;
} known_case;

static const known_case known_cases[] = {
    {"independent", 0.0, 0.0, 0.0, 0, 0.0, 0, 1.000235182663, 2527.079631840, 2454.293132606},
    {"slow", 0.95, 0.0, 0.0, 0, 0.0, 0, 1.049737548771, 65.854223327, 218.534511029},
    {"alternating", -0.6, 0.0, 0.0, 0, 0.0, 0, 1.000429450836, 8112.506980108, 2388.279319426},
    {"shifted", 0.5, 0.2, 0.0, 0, 0.0, 0, 1.221200157511, 88.318871832, 298.710737651},
    {"stretched", 0.5, 0.0, 0.5, 0, 0.0, 0, 1.080596154361, 1008.528656157, 610.926728131},
    {"stuck", 0.5, 0.0, 0.0, 1, 0.0, 0, 1.008644207195, 146.440451492, 1282.198356175},
    {"coarse", 0.5, 0.0, 0.0, 0, 0.25, 0, 1.004506986326, 986.304080039, 1246.036421583},
    {"angle", 0.98, 0.5, 0.0, 0, 0.0, 1, 1.104700756356, 55.352045755, 132.972345751},
};

static double values[N_POPULATIONS][N_STEPS][N_WALKERS];
static double *const flat = values[0][0];
enum { N_VALUES = N_POPULATIONS * N_STEPS * N_WALKERS };

static void make_series(const known_case *known)
{
    uint64_t state = 1;
    for (int p = 0; p < N_POPULATIONS; p++)
        for (int w = 0; w < N_WALKERS; w++) {
            double x = 0.0;
            for (int s = -20; s < N_STEPS; s++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                if (s < 0 || !(known->is_stuck && w == 0))
                    x = known->memory * x + ((double)(state >> 11) * 0x1p-53 - 0.5);
                double y = (x + known->shift * p) * (1.0 + known->stretch * p);
                if (s >= 0)
                    values[p][s][w] =
                        known->grain > 0.0 ? floor(y / known->grain) * known->grain : y;
            }
        }
}

static diagnostics diagnose(size_t n_populations, size_t n_steps, int is_angle)
{
    diagnostics found;
    const diagnostics_series series = {.n_populations = n_populations,
                                       .n_steps = n_steps,
                                       .n_walkers = N_WALKERS,
                                       .values = values[0][0],
                                       .is_angle = is_angle};
    assert_int_equal(diagnostics_compute(&series, &found), EQUANT_SUCCESS);
    return found;
}

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fabs(expected)))
        fail_msg("%.15g, not %.15g", found, expected);
}

static void arviz_says_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_cases / sizeof known_cases[0]; i++) {
        const known_case *known = &known_cases[i];
        make_series(known);
        diagnostics found = diagnose(N_POPULATIONS, N_STEPS, known->is_angle);
        print_message("%s: %.12f %.9f %.9f\n", known->name, found.rhat, found.ess_bulk,
                      found.ess_tail);
        assert_close(found.rhat, known->rhat, 1e-11);
        assert_close(found.ess_bulk, known->ess_bulk, 1e-9);
        assert_close(found.ess_tail, known->ess_tail, 1e-9);
        assert_false(found.is_constant);
    }
}

static void an_odd_step_hardly_matters(void **state)
{
    (void)state;
    make_series(&known_cases[0]);
    diagnostics odd = diagnose(1, N_POPULATIONS * N_STEPS - 1, 0);
    assert_true(odd.ess_bulk > 1500.0 && odd.ess_bulk < 3500.0);
    assert_true(isnan(odd.rhat)); /* one population cannot tell */
}

static void what_cannot_be_said_is_nan(void **state)
{
    (void)state;
    make_series(&known_cases[0]);
    diagnostics found = diagnose(N_POPULATIONS, 3, 0);
    assert_true(isnan(found.rhat) && isnan(found.ess_bulk) && isnan(found.ess_tail));
    assert_false(found.is_constant);

    values[1][7][2] = INFINITY;
    found = diagnose(N_POPULATIONS, N_STEPS, 0);
    assert_true(isnan(found.rhat) && isnan(found.ess_bulk) && isnan(found.ess_tail));

    for (size_t i = 0; i < N_VALUES; i++)
        flat[i] = 2.5;
    found = diagnose(N_POPULATIONS, N_STEPS, 0);
    assert_true(found.is_constant && isnan(found.rhat));
    assert_true(diagnose(N_POPULATIONS, N_STEPS, 1).is_constant);
}

/* Each population at a place of its own, for ever. */
static void populations_that_never_move_are_told(void **state)
{
    (void)state;
    for (int i = 0; i < N_VALUES; i++)
        flat[i] = i / (N_STEPS * N_WALKERS);
    diagnostics found = diagnose(N_POPULATIONS, N_STEPS, 0);
    assert_true(found.rhat > 1e3);
}

/* Walkers at places of their own look like as many draws, and like no more. */
static void walkers_that_never_move_are_told(void **state)
{
    (void)state;
    make_series(&known_cases[0]);
    for (int i = 0; i < N_VALUES; i++)
        flat[i] = values[i / (N_STEPS * N_WALKERS)][0][i % N_WALKERS];
    diagnostics found = diagnose(N_POPULATIONS, N_STEPS, 0);
    assert_true(found.turnover < 3.0 && found.turnover > 1.0);
    make_series(&known_cases[0]);
    assert_true(diagnose(N_POPULATIONS, N_STEPS, 0).turnover > 50.0);
}

static void the_worst_column_counts(void **state)
{
    (void)state;
    const diagnostics each[] = {
        {.rhat = NAN, .is_constant = true},
        {.rhat = 1.001, .ess_bulk = 900.0, .ess_tail = 500.0, .turnover = 9.0, .drift = 3.0},
        {.rhat = 1.02, .ess_bulk = 2000.0, .ess_tail = 400.0, .turnover = 20.0, .drift = 1.0},
        {.rhat = 1.01, .ess_bulk = 800.0, .ess_tail = 1000.0, .turnover = 8.0, .drift = 2.0}};
    diagnostics worst = diagnostics_worst(4, each);
    assert_true(worst.rhat == 1.02 && worst.ess_bulk == 800.0 && worst.ess_tail == 400.0);
    assert_true(worst.turnover == 8.0 && worst.drift == 3.0);
    assert_true(diagnostics_worst(1, each).is_constant);
    const diagnostics unknown[] = {{.rhat = 1.0, .ess_bulk = 100.0, .ess_tail = 100.0},
                                   {.rhat = NAN, .ess_bulk = 50.0, .ess_tail = NAN}};
    for (int turn = 0; turn < 2; turn++) {
        const diagnostics pair[] = {unknown[turn], unknown[1 - turn]};
        worst = diagnostics_worst(2, pair);
        assert_true(isnan(worst.rhat) && worst.ess_bulk == 50.0 && isnan(worst.ess_tail));
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    const draws_shape shape = {
        .n_populations = N_POPULATIONS, .n_walkers = N_WALKERS, .n_parameters = 8};
    static double parameters[N_POPULATIONS * N_WALKERS * 8];
    const double zeros[N_POPULATIONS * N_WALKERS] = {0.0};
    draws *kept;
    assert_int_equal(draws_create(&shape, &kept), EQUANT_SUCCESS);
    static double columns[8][N_VALUES];
    for (size_t c = 0; c < 8; c++) {
        make_series(&known_cases[c]);
        memcpy(columns[c], values, sizeof values);
    }
    for (size_t s = 0; s < N_STEPS; s++) {
        for (size_t p = 0; p < N_POPULATIONS; p++)
            for (size_t w = 0; w < N_WALKERS; w++)
                for (size_t c = 0; c < 8; c++)
                    parameters[(p * N_WALKERS + w) * 8 + c] =
                        columns[c][(p * N_STEPS + s) * N_WALKERS + w];
        assert_int_equal(draws_append(kept, s, parameters, zeros, zeros), EQUANT_SUCCESS);
    }
    bool is_angle[8] = {false};
    is_angle[7] = true;
    diagnostics one[8], two[8];
    assert_int_equal(diagnostics_of_draws(kept, NULL, is_angle, 1, one), EQUANT_SUCCESS);
    assert_int_equal(diagnostics_of_draws(kept, NULL, is_angle, 2, two), EQUANT_SUCCESS);
    for (size_t c = 0; c < 8; c++) {
        assert_close(one[c].rhat, known_cases[c].rhat, 1e-11);
        assert_true(one[c].rhat == two[c].rhat && one[c].ess_bulk == two[c].ess_bulk &&
                    one[c].ess_tail == two[c].ess_tail);
    }
    draws_free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arviz_says_the_same),
        cmocka_unit_test(an_odd_step_hardly_matters),
        cmocka_unit_test(what_cannot_be_said_is_nan),
        cmocka_unit_test(populations_that_never_move_are_told),
        cmocka_unit_test(walkers_that_never_move_are_told),
        cmocka_unit_test(the_worst_column_counts),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
