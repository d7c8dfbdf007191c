/* Folded scans against those that sum at every node: the same best nodes, on simulated and on real
 * stars; the same bits however they are cut; and the transforms by themselves. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/scan_oracle.h"
#include "conformance/backend_trial.h"
#include "inference/search/scan_grid.h"
#include "lanes/scalar.h"

#include "backends/cpu/fold/fold_layer.h"
#include "backends/cpu/fold/fourier_loop.h"
#include "quick.h"
#include "shared_data.h"

enum { MOST_BINS = 48 };

/* How much worse, at most, the best of what was summed may be than the best of all. */
static const double tolerance = 1e-4;

static equant_engine_options engine_of(const char *name, equant_precision precision, int n_threads)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options),
                                   .backend = name,
                                   .precision = precision,
                                   .n_threads = n_threads};
}

/* Bins from `first` on, in pieces of `cut`. */
static void run(const equant_engine_options *engine, const backend_scan *scan, size_t first,
                size_t n, size_t cut, backend_scan_node *best)
{
    scan_state *state = NULL;
    trial_require(scan_open(NULL, engine, scan, &state), "scan_open");
    for (size_t i = 0; i < n; i += cut)
        trial_require(scan_run(state, first + i, n - i < cut ? n - i : cut, best + i, NULL),
                      "scan_run");
    scan_close(state);
}

/* Nodes are worth as much as where all are summed. */
static void check_bins(const char *star, const backend_scan *folded, equant_precision precision,
                       size_t first, size_t n)
{
    backend_scan_node found[MOST_BINS], expected[MOST_BINS];
    backend_scan summed = *folded;
    equant_engine_options engine = engine_of("cpu", precision, 2);
    summed.sums_all = true;
    run(&engine, folded, first, n, n, found);
    run(&engine, &summed, first, n, n, expected);
    for (size_t i = 0; i < n; i++)
        if (!(found[i].improvement >= (1.0 - tolerance) * expected[i].improvement) ||
            found[i].improvement > expected[i].improvement)
            fail_msg("%s, %zu observations, %zu columns, precision %d, bin %zu: %.9g at (%.9g, %g, "
                     "%g), but %.9g at (%.9g, %g, %g)",
                     star, folded->n_obs, folded->n_base, (int)precision, first + i,
                     found[i].improvement, found[i].frequency_per_day, found[i].eccentricity,
                     found[i].m0_rad, expected[i].improvement, expected[i].frequency_per_day,
                     expected[i].eccentricity, expected[i].m0_rad);
}

/* The grid of a search. */
static scan_grid lay_grid(backend_scan *scan, double span, double eccentricity_max)
{
    scan_grid grid = scan_grid_make(span, 1.1, 4.0 * span, eccentricity_max);
    scan->first_frequency_per_day = grid.first_frequency_per_day;
    scan->bin_width_per_day = grid.bin_width_per_day;
    return grid;
}

static void folding_finds_the_nodes_that_summing_finds(void **state)
{
    (void)state;
    static const struct {
        size_t n_obs, n_base, n_bins;
        double eccentricity_max;
    } stars[] = {{10, 1, 48, 0.95}, {25, 3, 48, 0.9},   {60, 40, 32, 0.9},
                 {64, 0, 32, 0.95}, {150, 12, 32, 0.9}, {401, 5, 24, 0.9},
                 {401, 34, 8, 0.9}, {1000, 30, 4, 0.9}, {5000, 7, 2, 0.9}};
    static const double places[] = {0.0, 0.01, 0.05, 0.3, 0.9};
    for (size_t i = 0; i < sizeof stars / sizeof *stars; i++) {
        if (quick_run() && stars[i].n_obs * stars[i].n_bins > 2500)
            continue;
        scan_trial t = scan_trial_create(300 + i, stars[i].n_obs, stars[i].n_base, 1000.0);
        scan_grid grid = lay_grid(&t.scan, 1000.0, stars[i].eccentricity_max);
        t.scan.n_layers = grid.n_layers;
        t.scan.layers = grid.layers;
        for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
            size_t first = (size_t)(places[j] * (double)grid.n_bins);
            check_bins("simulated", &t.scan, EQUANT_PRECISION_MIXED, first, stars[i].n_bins);
            check_bins("simulated", &t.scan, EQUANT_PRECISION_DOUBLE, first,
                       1 + stars[i].n_bins / 8);
            check_bins("simulated", &t.scan, EQUANT_PRECISION_PAIR, first, 1 + stars[i].n_bins / 8);
        }
        scan_trial_free(&t);
    }
}

/* ---- real stars ------------------------------------------------------------ */

/* A scan behind offsets, a trend and sines of n_planets periods, five columns each. */
static scan_trial observe(const equant_dataset *star, size_t n_planets)
{
    size_t n_obs = equant_dataset_n_obs(star), n_instruments = equant_dataset_n_instruments(star);
    size_t n_base = n_instruments + 1 + 5 * n_planets;
    scan_trial t = {.time = scan_oracle_allocate(n_obs, sizeof(double)),
                    .root_weight = scan_oracle_allocate(n_obs, sizeof(double)),
                    .residual = scan_oracle_allocate(n_obs, sizeof(double)),
                    .base = scan_oracle_allocate(n_base * n_obs, sizeof(double))};
    const double *times = equant_dataset_times_days(star);
    const double *velocities = equant_dataset_velocities_m_s(star);
    const double *sigmas = equant_dataset_uncertainties_m_s(star);
    for (size_t k = 0; k < n_obs; k++) {
        t.time[k] = times[k] - 0.5 * (times[0] + times[n_obs - 1]);
        t.root_weight[k] = 1.0 / sqrt(1.0 + sigmas[k] * sigmas[k]);
        t.residual[k] = t.root_weight[k] * velocities[k];
    }
    for (size_t j = 0; j < n_base; j++) {
        double *column = t.base + j * n_obs, rate = 2.0 * (double)(j / 5) + 1.7;
        for (size_t k = 0; k < n_obs; k++) {
            bool own = j < n_instruments && (size_t)equant_dataset_instruments(star)[k] == j;
            double value = j < n_instruments ? own
                           : j == n_instruments
                               ? t.time[k]
                               : sin(t.time[k] * (double)(1 + j % 5 / 2) / rate + (double)(j % 2));
            column[k] = t.root_weight[k] * value;
        }
        scan_oracle_project(n_obs, j, t.base, column);
        double length = sqrt((double)scan_oracle_square(n_obs, column));
        for (size_t k = 0; k < n_obs; k++)
            column[k] /= length;
    }
    scan_oracle_project(n_obs, n_base, t.base, t.residual);
    t.scan = (backend_scan){.n_obs = n_obs,
                            .time_days = t.time,
                            .root_weight = t.root_weight,
                            .residual = t.residual,
                            .n_base = n_base,
                            .base = t.base};
    return t;
}

static void check_star(const char *name, const equant_dataset *star, size_t n_planets,
                       size_t n_bins)
{
    scan_trial t = observe(star, n_planets);
    scan_grid grid = lay_grid(&t.scan, 2.0 * fabs(t.time[0]), 0.9);
    t.scan.n_layers = grid.n_layers;
    t.scan.layers = grid.layers;
    for (size_t part = 0; part < 8; part++)
        check_bins(name, &t.scan, EQUANT_PRECISION_MIXED, part * part * (grid.n_bins / 64), n_bins);
    scan_trial_free(&t);
}

static void real_stars_too(void **state)
{
    (void)state;
    equant_dataset *star = NULL;
    if (quick_run())
        return;
    trial_require(equant_dataset_demonstration(&star), "the demonstration");
    check_star("HD 164922", star, 0, 32);
    check_star("HD 164922", star, 6, 16);
    equant_dataset_free(star);
    const char *path = shared_file("agatha/HD020794_HARPS_TERRA.dat");
    if (path == NULL)
        return;
    trial_require(equant_dataset_from_files(1, &path, NULL, &star), "HD 20794");
    check_star("HD 20794", star, 1, 2);
    equant_dataset_free(star);
}

/* ---- bits ------------------------------------------------------------------ */

static void every_processor_thread_and_cut_gives_the_same_bits(void **state)
{
    (void)state;
    enum { N = 11 };
    static const size_t cuts[] = {N, 3, 1};
    scan_trial t = scan_trial_create(400, 120, 9, 500.0);
    scan_grid grid = lay_grid(&t.scan, 500.0, 0.9);
    t.scan.n_layers = grid.n_layers;
    t.scan.layers = grid.layers;
    backend_scan_node expected[N], found[N];
    equant_engine_options engine = engine_of("cpu/scalar", EQUANT_PRECISION_MIXED, 1);
    run(&engine, &t.scan, 50, N, N, expected);
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (size_t i = 0; i < sizeof cuts / sizeof *cuts && engines_is_processor(b); i++) {
            engine = engine_of(engines_backend(b), EQUANT_PRECISION_MIXED, 1 + (int)i);
            run(&engine, &t.scan, 50, N, cuts[i], found);
            assert_memory_equal(found, expected, sizeof found);
        }
    scan_trial_free(&t);
}

/* ---- its parts ------------------------------------------------------------- */

static void large_stars_are_folded_and_small_ones_are_not(void **state)
{
    (void)state;
    for (size_t n_base = 1; n_base <= 40; n_base += 13) {
        assert_true(0 < fold_layer_taps(0.9, 288, 401, n_base));
        assert_true(0 < fold_layer_taps(0.8, 96, 401, n_base));
        assert_true(0 < fold_layer_taps(0.5, 32, 5000, n_base));
        assert_int_equal(fold_layer_taps(0.9, 288, 10, n_base), 0);
    }
    assert_int_equal(fold_layer_taps(0.0, 16, 5000, 5), 0);
    assert_int_equal(fold_layer_taps(0.9, 7 * 16, 5000, 5), 0); /* no transform of that length */
    assert_int_equal(fold_layer_taps(1.0 - 1e-12, 32, 5000, 5), 0);
}

static void transforms_are_those_of_the_definition(void **state)
{
    (void)state;
    enum { MOST = 800 };
    static const size_t lengths[] = {1,  2,  3,  4,  5,   8,   9,   15, 16,
                                     25, 32, 60, 96, 160, 288, 384, 800};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i];
        float numbers[2 * MOST];
        random_system random = {500 + i};
        double complex given[MOST];
        for (size_t k = 0; k < n; k++) {
            numbers[2 * k] = (float)random_system_between(&random, -1.0, 1.0);
            numbers[2 * k + 1] = (float)random_system_between(&random, -1.0, 1.0);
            given[k] = (double)numbers[2 * k] + (double)numbers[2 * k + 1] * I;
        }
        fourier_plan plan = {.length = 0};
        assert_true(fourier_plan_can(n));
        assert_true(fourier_plan_create(&plan, n));
        fourier_transform(&plan, numbers);
        for (size_t j = 0; j < n; j++) {
            double complex sum = 0.0;
            for (size_t k = 0; k < n; k++)
                sum += given[k] * cexp(-2.0 * M_PI * I * (double)(j * k % n) / (double)n);
            const float *result = numbers + 2 * plan.places[j];
            assert_true(cabs(sum - result[0] - result[1] * I) < 2e-6 * sqrt((double)n));
        }
        fourier_plan_free(&plan);
    }
    assert_false(fourier_plan_can(7 * 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folding_finds_the_nodes_that_summing_finds),
        cmocka_unit_test(real_stars_too),
        cmocka_unit_test(every_processor_thread_and_cut_gives_the_same_bits),
        cmocka_unit_test(large_stars_are_folded_and_small_ones_are_not),
        cmocka_unit_test(transforms_are_those_of_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
