/* The joint map of two frequencies, against least squares in extended precision. */
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
#include "inference/search/joint_map.h"

#define TWO_PI 6.28318530717958647693

enum { MAX_OBS = 150, MAX_BASE = 3, N_BEST = 12 };

/* A whitened problem with offset and trend as its base. */
typedef struct trial {
    double time[MAX_OBS], root_weight[MAX_OBS], residual[MAX_OBS], base[MAX_BASE * MAX_OBS];
    backend_scan data;
} trial;

/* Takes the parts along n columns out of a vector. */
static void project(size_t n_obs, size_t n, const double *columns, double *vector)
{
    for (size_t c = 0; c < n; c++) {
        long double along = 0.0L;
        for (size_t k = 0; k < n_obs; k++)
            along += (long double)columns[c * n_obs + k] * vector[k];
        for (size_t k = 0; k < n_obs; k++)
            vector[k] = (double)(vector[k] - along * columns[c * n_obs + k]);
    }
}

/* Times in three yearly seasons of `season` days; velocities are two sinusoids of
 * unit amplitude and a little noise. */
static void make_trial(trial *made, size_t n_obs, double season, const double frequency[2],
                       double noise)
{
    double normal[2 * MAX_OBS], uniform[MAX_OBS];
    assert_int_equal(equant_random_uniform(21, 0, 0, n_obs, uniform), EQUANT_SUCCESS);
    assert_int_equal(equant_random_normal(22, 0, 0, 2 * n_obs, normal), EQUANT_SUCCESS);
    for (size_t k = 0; k < n_obs; k++) {
        made->time[k] = 365.25 * (double)(k % 3) + season * uniform[k] - 400.0;
        made->root_weight[k] = exp(0.2 * normal[2 * k]);
        double phase = TWO_PI * made->time[k];
        made->residual[k] =
            made->root_weight[k] *
            (cos(phase * frequency[0]) + cos(phase * frequency[1]) + noise * normal[2 * k + 1]);
    }
    for (size_t b = 0; b < MAX_BASE; b++) {
        double *column = made->base + b * n_obs;
        long double square = 0.0L;
        for (size_t k = 0; k < n_obs; k++)
            column[k] = made->root_weight[k] * pow(made->time[k] / 400.0, (double)b);
        for (int pass = 0; pass < 2; pass++)
            project(n_obs, b, made->base, column);
        for (size_t k = 0; k < n_obs; k++)
            square += (long double)column[k] * column[k];
        for (size_t k = 0; k < n_obs; k++)
            column[k] = (double)(column[k] / sqrtl(square));
    }
    for (int pass = 0; pass < 2; pass++)
        project(n_obs, MAX_BASE, made->base, made->residual);
    made->data = (backend_scan){.n_obs = n_obs,
                                .time_days = made->time,
                                .root_weight = made->root_weight,
                                .residual = made->residual,
                                .n_base = MAX_BASE,
                                .base = made->base};
}

/* Solves the normal equations of n <= 8 columns by elimination; returns the improvement. */
static long double solve(size_t n, long double matrix[8][9])
{
    long double improvement = 0.0L;
    for (size_t p = 0; p < n; p++) {
        improvement += matrix[p][n] * matrix[p][n] / matrix[p][p];
        for (size_t r = p + 1; r < n; r++) {
            long double factor = matrix[r][p] / matrix[p][p];
            for (size_t c = p; c <= n; c++)
                matrix[r][c] -= factor * matrix[p][c];
        }
    }
    return improvement;
}

/* Improvement by n frequencies: base and sinusoids in one dense system. */
static double dense_improvement(const trial *given, size_t n, const double *frequency)
{
    size_t n_columns = MAX_BASE + 2 * n, n_obs = given->data.n_obs;
    long double matrix[8][9] = {{0.0L}};
    for (size_t k = 0; k < n_obs; k++) {
        long double row[9];
        for (size_t b = 0; b < MAX_BASE; b++)
            row[b] = given->base[b * n_obs + k];
        for (size_t f = 0; f < n; f++) {
            long double phase = (long double)TWO_PI * frequency[f] * given->time[k];
            row[MAX_BASE + 2 * f] = given->root_weight[k] * cosl(phase);
            row[MAX_BASE + 2 * f + 1] = given->root_weight[k] * sinl(phase);
        }
        row[n_columns] = given->residual[k];
        for (size_t r = 0; r < n_columns; r++)
            for (size_t c = 0; c <= n_columns; c++)
                matrix[r][c] += row[r] * row[c];
    }
    return (double)solve(n_columns, matrix);
}

static const equant_engine_options one_thread = {
    .struct_size = sizeof one_thread, .backend = "cpu", .n_threads = 1};

static joint_map_options grid(double first, double step, size_t n)
{
    return (joint_map_options){.first_frequency_per_day = first,
                               .step_per_day = step,
                               .n_frequencies = n,
                               .engine = &one_thread};
}

/* Of all pairs of a grid that are at least n_apart steps apart. */
static void find_best_densely(const trial *given, const joint_map_options *options, size_t n_apart,
                              double best[2])
{
    double highest = 0.0;
    for (size_t i = 0; i < options->n_frequencies; i++)
        for (size_t j = i + n_apart; j < options->n_frequencies; j++) {
            double first = options->first_frequency_per_day, step = options->step_per_day;
            double pair[2] = {first + step * (double)i, first + step * (double)j};
            double improvement = dense_improvement(given, 2, pair);
            if (improvement > highest) {
                highest = improvement;
                memcpy(best, pair, sizeof pair);
            }
        }
}

static void agrees_with_dense_least_squares(void **state)
{
    (void)state;
    static trial given;
    const double signal[2] = {0.0213, 0.0401};
    make_trial(&given, 60, 300.0, signal, 1.0);
    joint_map_options options = grid(0.01, 0.0004, 150);
    joint_map_entry found[N_BEST];
    size_t n_found = 0;
    assert_int_equal(joint_map_run(&given.data, &options, N_BEST, found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, N_BEST);
    double best[2];
    find_best_densely(&given, &options, 3, best); /* 1/span is 2.5 steps */
    assert_true(fabs(found[0].frequency_per_day[0] - best[0]) < 1e-12);
    assert_true(fabs(found[0].frequency_per_day[1] - best[1]) < 1e-12);
    for (size_t p = 0; p < n_found; p++) {
        double expected = dense_improvement(&given, 2, found[p].frequency_per_day);
        assert_true(fabs(found[p].improvement - expected) < 1e-10 * expected);
        assert_true(p == 0 || found[p].improvement <= found[p - 1].improvement);
    }
}

/* A coarse grid, long enough that most of it is ruled out by bounds. */
static void bounds_rule_out_no_winner(void **state)
{
    (void)state;
    static trial given;
    for (int weak = 0; weak < 2; weak++) {
        const double signal[2] = {0.0213, 0.0401};
        make_trial(&given, 24, 300.0, signal, weak ? 10.0 : 0.5);
        joint_map_options options = grid(0.0012, 0.0012, 300);
        joint_map_entry found;
        size_t n_found = 0;
        double best[2];
        assert_int_equal(joint_map_run(&given.data, &options, 1, &found, &n_found), EQUANT_SUCCESS);
        assert_int_equal(n_found, 1);
        find_best_densely(&given, &options, 1, best);
        assert_true(fabs(found.frequency_per_day[0] - best[0]) < 1e-12);
        assert_true(fabs(found.frequency_per_day[1] - best[1]) < 1e-12);
    }
}

static void pairs_are_distinct(void **state)
{
    (void)state;
    static trial given;
    const double signal[2] = {0.0213, 0.0401};
    make_trial(&given, 60, 300.0, signal, 1.0);
    joint_map_options options = grid(0.01, 0.0001, 600);
    joint_map_entry found[N_BEST];
    size_t n_found = 0;
    assert_int_equal(joint_map_run(&given.data, &options, N_BEST, found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, N_BEST);
    double resolution = 1.0 / 1030.5; /* 1/span is a little more */
    for (size_t p = 0; p < n_found; p++) {
        const double *one = found[p].frequency_per_day;
        assert_true(one[1] - one[0] >= resolution);
        for (size_t q = 0; q < p; q++) {
            const double *other = found[q].frequency_per_day;
            assert_true(fabs(one[0] - other[0]) >= resolution ||
                        fabs(one[1] - other[1]) >= resolution);
        }
    }
}

/* Data of a third of each year make every signal appear a cycle a year higher and lower. Of
 * two signals two cycles a year apart the aliases fall together, in the middle, and are
 * higher there than either signal. */
static void finds_two_signals_behind_an_alias(void **state)
{
    (void)state;
    static trial given;
    const double year = 1.0 / 365.25, signal[2] = {0.08 - year, 0.08 + year};
    make_trial(&given, 120, 100.0, signal, 0.2);
    joint_map_options options = grid(0.05, 0.00025, 240);
    double highest = 0.0, peak = 0.0;
    for (size_t i = 0; i < options.n_frequencies; i++) {
        double frequency = 0.05 + 0.00025 * (double)i;
        double improvement = dense_improvement(&given, 1, &frequency);
        if (improvement > highest) {
            highest = improvement;
            peak = frequency;
        }
    }
    assert_true(fabs(peak - 0.08) < 0.0005);
    joint_map_entry found;
    size_t n_found = 0;
    assert_int_equal(joint_map_run(&given.data, &options, 1, &found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, 1);
    assert_true(fabs(found.frequency_per_day[0] - signal[0]) < 0.0003);
    assert_true(fabs(found.frequency_per_day[1] - signal[1]) < 0.0003);
}

/* With one observation a day at the same hour, f and 1 - f are the same. */
static void leaves_out_pairs_that_are_one(void **state)
{
    (void)state;
    static trial given;
    const double signal[2] = {0.213, 0.401};
    make_trial(&given, 100, 300.0, signal, 0.5);
    for (size_t k = 0; k < 100; k++)
        given.time[k] = round(given.time[k]);
    joint_map_options options = grid(0.2, 0.001, 601);
    joint_map_entry found[N_BEST];
    size_t n_found = 0;
    assert_int_equal(joint_map_run(&given.data, &options, N_BEST, found, &n_found), EQUANT_SUCCESS);
    assert_true(n_found > 0);
    for (size_t p = 0; p < n_found; p++) {
        const double *pair = found[p].frequency_per_day;
        assert_true(fabs(pair[0] + pair[1] - 1.0) > 1e-4);
        double expected = dense_improvement(&given, 2, pair);
        assert_true(fabs(found[p].improvement - expected) < 1e-9 * expected);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static trial given;
    const double signal[2] = {0.0213, 0.0401};
    make_trial(&given, 60, 300.0, signal, 2.0);
    joint_map_options options = grid(0.001, 0.00025, 1500);
    joint_map_entry one[N_BEST], several[N_BEST];
    size_t n_one = 0, n_several = 0;
    assert_int_equal(joint_map_run(&given.data, &options, N_BEST, one, &n_one), EQUANT_SUCCESS);
    const equant_engine_options three_threads = {
        .struct_size = sizeof three_threads, .backend = "cpu", .n_threads = 3};
    options.engine = &three_threads;
    assert_int_equal(joint_map_run(&given.data, &options, N_BEST, several, &n_several),
                     EQUANT_SUCCESS);
    assert_int_equal(n_one, N_BEST);
    assert_int_equal(n_several, N_BEST);
    assert_memory_equal(one, several, sizeof one);
}

/* Bands of one, four and ten rows, on whatever there is. */
static void backends_change_nothing(void **state)
{
    (void)state;
    static trial given;
    const double signal[2] = {0.0213, 0.0401};
    make_trial(&given, 60, 300.0, signal, 2.0);
    const joint_map_options grids[] = {grid(0.001, 0.0011, 400), grid(0.001, 0.00025, 1500),
                                       grid(0.003, 0.0001, 901)};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        joint_map_entry here[N_BEST], there[N_BEST];
        size_t n_here = 0, n_there = 0;
        assert_int_equal(joint_map_run(&given.data, &grids[g], N_BEST, here, &n_here),
                         EQUANT_SUCCESS);
        assert_int_equal(n_here, N_BEST);
        for (size_t b = 0; b < engines_n_backends(); b++) {
            const equant_engine_options engine = {
                .struct_size = sizeof engine, .backend = engines_backend(b), .n_threads = 2};
            joint_map_options options = grids[g];
            options.engine = &engine;
            assert_int_equal(joint_map_run(&given.data, &options, N_BEST, there, &n_there),
                             EQUANT_SUCCESS);
            assert_int_equal(n_there, N_BEST);
            assert_memory_equal(here, there, sizeof here);
        }
    }
}

static void small_grids_have_no_pairs(void **state)
{
    (void)state;
    static trial given;
    const double signal[2] = {0.0213, 0.0401};
    make_trial(&given, 10, 300.0, signal, 1.0);
    joint_map_entry found;
    size_t n_found = 7;
    joint_map_options options = grid(0.01, 1e-6, 900); /* narrower than the resolution */
    assert_int_equal(joint_map_run(&given.data, &options, 1, &found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, 0);
    options = grid(0.01, 0.01, 0);
    assert_int_equal(joint_map_run(&given.data, &options, 1, &found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, 0);
    options = grid(0.01, 0.01, 2);
    assert_int_equal(joint_map_run(&given.data, &options, 0, &found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, 0);
    assert_int_equal(joint_map_run(&given.data, &options, 1, &found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, 1);
    given.data.n_obs = 1; /* no span, no resolution */
    given.data.n_base = 0;
    assert_int_equal(joint_map_run(&given.data, &options, 1, &found, &n_found), EQUANT_SUCCESS);
    assert_int_equal(n_found, 0);
}

/* Counts calls in *context, and has enough at the second. */
static int stop_at_second(const equant_progress_report *report, void *context)
{
    int *n_calls = context;
    assert_non_null(report->stage);
    assert_true(report->done >= 0.0 && report->done < 1.0);
    return ++*n_calls == 2;
}

static void can_be_cancelled(void **state)
{
    (void)state;
    static trial given;
    const double signal[2] = {0.0213, 0.0401};
    make_trial(&given, 20, 300.0, signal, 1.0);
    joint_map_options options = grid(0.001, 0.0015, 400);
    int n_calls = 0;
    options.progress = stop_at_second;
    options.progress_context = &n_calls;
    joint_map_entry found;
    size_t n_found = 0;
    assert_int_equal(joint_map_run(&given.data, &options, 1, &found, &n_found),
                     EQUANT_ERROR_CANCELLED);
    assert_int_equal(n_calls, 2);
    assert_int_equal(n_found, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense_least_squares),
        cmocka_unit_test(bounds_rule_out_no_winner),
        cmocka_unit_test(pairs_are_distinct),
        cmocka_unit_test(finds_two_signals_behind_an_alias),
        cmocka_unit_test(leaves_out_pairs_that_are_one),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(backends_change_nothing),
        cmocka_unit_test(small_grids_have_no_pairs),
        cmocka_unit_test(can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
