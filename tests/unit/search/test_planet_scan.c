/* A scan for one planet more: what it is measured against, the grid that it walks over, and
 * the peaks that are read from it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "inference/search/aliases.h"
#include "inference/search/planet_scan.h"
#include "inference/search/scan_prospects.h"
#include "oracle/random_system.h"
#include "quick.h"
#include "unit/studied_star.h"

static const double two_planets[10] = {30.0, 20.0, 0.4, 1.0, 2.0, 150.0, 10.0, 0.0, 0.0, 4.0};

/* ---- the background ------------------------------------------------------ */

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void assert_orthonormal(const base_columns *base)
{
    for (size_t i = 0; i < base->n; i++) {
        const double *column = base->basis + i * base->n_obs;
        for (size_t j = 0; j <= i; j++)
            assert_true(fabs(dot(base->n_obs, column, base->basis + j * base->n_obs) - (i == j)) <
                        1e-12);
        assert_true(fabs(dot(base->n_obs, column, base->residual)) <
                    1e-12 * (1.0 + sqrt(base->chi_square)));
    }
}

/* A solution with planets, a trend and jitters, and its star. */
static void make_background(study *star, const equant_dataset *dataset, size_t n_planets,
                            const double *elements, int trend_order, solution *background)
{
    study_star(star, dataset, 0.0, 0.0);
    assert_int_equal(solution_create(star, background), EQUANT_SUCCESS);
    solution_set_trend(star, background, trend_order);
    for (size_t p = 0; p < n_planets; p++)
        solution_add_planet(star, background, elements + 5 * p);
}

static void columns_are_orthonormal(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 70, 500.0, 2, two_planets, 2.0);
    for (size_t n_planets = 0; n_planets <= 2; n_planets++)
        for (int order = 0; order <= 2; order++)
            for (size_t n_fixed = 0; n_fixed <= n_planets; n_fixed++) {
                study star;
                solution background;
                base_columns base;
                make_background(&star, dataset, n_planets, two_planets, order, &background);
                assert_int_equal(base_columns_create(&star, &background, n_fixed, NULL, &base),
                                 EQUANT_SUCCESS);
                assert_int_equal(base.n, 2 + (size_t)order + 5 * (n_planets - n_fixed));
                assert_orthonormal(&base);
                assert_true(fabs(dot(70, base.residual, base.residual) / base.chi_square - 1.0) <
                            1e-12);
                base_columns_free(&base);
                solution_free(&background);
                study_free(&star);
            }
    equant_dataset_free(dataset);
}

/* The residual is that of a linear fit of everything: exact least squares of the offsets
 * leaves as much. */
static void residual_is_what_the_fit_leaves(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(2, 60, 500.0, 1, two_planets, 2.0);
    study star;
    solution background;
    base_columns base;
    make_background(&star, dataset, 0, NULL, 1, &background);
    background.set[3] = 1.0; /* jitters behind two offsets and a slope */
    background.set[4] = 3.0;
    assert_int_equal(base_columns_create(&star, &background, 0, NULL, &base), EQUANT_SUCCESS);
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_instruments = 2,
                                    .trend = EQUANT_TREND_LINEAR,
                                    .with_jitter = 1};
    double chi_square, residual[60];
    equant_results results = {
        .struct_size = sizeof results, .chi_square = &chi_square, .residuals = residual};
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(dataset, model, NULL, &evaluator), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, (const double[2]){1.0, 3.0}, &results),
                     EQUANT_SUCCESS);
    assert_true(fabs(base.chi_square / chi_square - 1.0) < 1e-12);
    for (size_t k = 0; k < 60; k++) {
        double root = 1.0 / sqrt(4.0 + (equant_dataset_instruments(dataset)[k] ? 9.0 : 1.0));
        assert_true(fabs(base.root_weight[k] - root) < 1e-15);
        assert_true(fabs(base.residual[k] - root * residual[k]) < 1e-11);
        assert_true(base.time_days[k] == equant_dataset_times_days(dataset)[k] - 250.0);
    }
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    base_columns_free(&base);
    solution_free(&background);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* The same planet twice, a planet without amplitude, and more columns than observations. */
static void dependent_columns_are_left_out(void **state)
{
    (void)state;
    const double twins[10] = {30.0, 20.0, 0.4, 1.0, 2.0, 30.0, 20.0, 0.4, 1.0, 2.0};
    const double still[5] = {30.0, 0.0, 0.4, 1.0, 2.0};
    const struct {
        size_t n_obs, n_planets;
        const double *elements;
        size_t expected;
    } cases[] = {{70, 2, twins, 2 + 5}, {70, 1, still, 2 + 2}, {9, 2, two_planets, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        equant_dataset *dataset = simulate_star(1, cases[i].n_obs, 500.0, 2, two_planets, 2.0);
        study star;
        solution background;
        base_columns base;
        make_background(&star, dataset, cases[i].n_planets, cases[i].elements, 0, &background);
        assert_int_equal(base_columns_create(&star, &background, 0, NULL, &base), EQUANT_SUCCESS);
        assert_int_equal(base.n, cases[i].expected);
        assert_orthonormal(&base);
        base_columns_free(&base);
        solution_free(&background);
        study_free(&star);
        equant_dataset_free(dataset);
    }
}

/* ---- the grid -------------------------------------------------------------- */

static void grid_covers_what_it_should(void **state)
{
    (void)state;
    const double limits[] = {0.0, 0.1, 0.55, 0.9, 0.95};
    const size_t layers[] = {1, 2, 6, 11, 13};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        scan_grid grid = scan_grid_make(1000.0, 0.5, 2000.0, limits[i]);
        assert_int_equal(grid.n_layers, layers[i]);
        assert_true(scan_grid_frequency(&grid, 0) == 1.0 / 2000.0);
        assert_true(scan_grid_frequency(&grid, grid.n_bins - 1) >= 2.0);
        assert_true(scan_grid_frequency(&grid, grid.n_bins - 2) < 2.0);
        double nodes = 0.0;
        for (size_t l = 0; l < grid.n_layers; l++) {
            const backend_scan_layer *layer = &grid.layers[l];
            assert_true(layer->eccentricity <= limits[i]);
            assert_true(layer->n_bins > 0 && layer->n_bins <= grid.n_bins);
            assert_int_equal(layer->n_phases % BACKEND_SCAN_PHASES, 0);
            nodes += (double)(layer->n_bins * layer->n_frequencies) *
                     (l == 0 ? 1.0 : (double)layer->n_phases);
            if (l == 0) {
                assert_true(layer->eccentricity == 0.0 && layer->n_bins == grid.n_bins);
                continue;
            }
            assert_true(layer->eccentricity > layer[-1].eccentricity);
            assert_true(layer->n_bins <= layer[-1].n_bins);
            assert_true(layer->n_frequencies >= layer[-1].n_frequencies ||
                        layer[-1].eccentricity < 0.15);
            assert_true(layer->n_phases >= layer[-1].n_phases || layer[-1].eccentricity < 0.15);
            double last = scan_grid_frequency(&grid, layer->n_bins - 1);
            assert_true(layer->eccentricity <=
                        1.0 - pow(0.33 * last, 2.0 / 3.0) + 1e-9); /* outside the star */
        }
        assert_true(scan_grid_n_nodes(&grid) == nodes);
    }
}

/* Eccentric orbits too short for their star are not in the grid at all. */
static void short_periods_are_nearly_circular(void **state)
{
    (void)state;
    scan_grid grid = scan_grid_make(100.0, 0.2, 0.35, 0.9);
    assert_int_equal(grid.n_layers, 1);
    assert_true(study_largest_eccentricity(0.2) == 0.0);
    assert_true(study_largest_eccentricity(1e6) == STUDY_MAX_ECCENTRICITY);
    for (double e = 0.05; e < 0.95; e += 0.1)
        assert_true(fabs(study_largest_eccentricity(study_shortest_period(e)) - e) < 1e-12);
}

/* How much of the chi-square of a noise-free orbit the best node near it keeps. */
static double share_kept(random_system *random, double e)
{
    double span = 200.0, shortest = fmax(2.5, 1.2 * study_shortest_period(e));
    double period = random_system_log_between(random, shortest, 100.0);
    double elements[5] = {period, 10.0, e, random_system_between(random, 0.0, 6.2),
                          random_system_between(random, 0.0, 6.2)};
    simulated_star model = {.seed = random_system_bits(random),
                            .n_obs = 80,
                            .span_days = span,
                            .n_planets = 1,
                            .elements = elements,
                            .uncertainty_m_s = 1.0};
    equant_dataset *dataset = simulated_star_observe(&model);
    study star;
    solution background;
    planet_scan scan;
    make_background(&star, dataset, 0, NULL, 0, &background);
    background.set[2] = background.set[3] = 0.0; /* no jitter */
    /* A few resolutions of the data on either side of the truth. */
    scan_grid grid = scan_grid_make(star.span_days, 1.0 / (1.0 / period + 2.0 / span),
                                    1.0 / fmax(1.0 / period - 2.0 / span, 1e-3), 0.9);
    assert_int_equal(planet_scan_create(&star, &background, 0, NULL, &grid, "scanning", &scan),
                     EQUANT_SUCCESS);
    double best = 0.0, whole = scan.base.chi_square;
    for (size_t b = 0; b < grid.n_bins; b++) {
        assert_true(scan.best[b].improvement >= scan.circular[b].improvement);
        assert_true(scan.best[b].improvement <= whole * (1.0 + 1e-5));
        best = fmax(best, scan.best[b].improvement);
    }
    planet_scan_free(&scan);
    solution_free(&background);
    study_free(&star);
    equant_dataset_free(dataset);
    return best / whole;
}

static void nothing_falls_between_the_nodes(void **state)
{
    (void)state;
    random_system random = {5};
    const double bands[][2] = {{0.0, 0.0}, {0.0, 0.3}, {0.3, 0.6}, {0.6, 0.8}, {0.8, 0.91}};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        double worst = 1.0, mean = 0.0;
        const int n_trials = quick_run() ? 4 : i < 4 ? 40 : 20;
        for (int n = 0; n < n_trials; n++) {
            double e = bands[i][0] < bands[i][1]
                           ? random_system_between(&random, bands[i][0], bands[i][1])
                           : bands[i][0];
            double kept = share_kept(&random, e);
            worst = fmin(worst, kept);
            mean += kept / n_trials;
        }
        printf("e %.2f to %.2f: %.3f of chi-square kept, %.3f at worst\n", bands[i][0], bands[i][1],
               mean, worst);
        assert_true(worst > 0.95 && mean > 0.98);
    }
}

/* ---- peaks ----------------------------------------------------------------- */

static void peaks_are_distinct_and_sorted(void **state)
{
    (void)state;
    enum { N = 200 };
    static backend_scan_node best[N];
    planet_scan scan = {.grid = {.n_bins = N}, .best = best};
    size_t bins[N];
    assert_int_equal(planet_scan_peaks(&scan, 5, bins), 0); /* nothing rises above nothing */
    best[0].improvement = 3.0;
    best[50].improvement = 9.0;
    best[56].improvement = 8.0; /* within the resolution of the one before */
    best[70].improvement = 5.0;
    best[100].improvement = best[101].improvement = 7.0; /* a plateau counts once */
    best[N - 1].improvement = 4.0;
    const size_t expected[] = {50, 100, 70, N - 1, 0};
    for (size_t wanted = 0; wanted <= 8; wanted++) {
        size_t n = planet_scan_peaks(&scan, wanted, bins);
        assert_int_equal(n, wanted < 5 ? wanted : 5);
        assert_memory_equal(bins, expected, n * sizeof *bins);
    }
}

/* Whatever the data, peaks descend, keep their distance, and begin with the highest bin. */
static void peaks_of_noise_keep_their_distance(void **state)
{
    (void)state;
    enum { N = 3000, WANTED = 40 };
    random_system random = {6};
    static backend_scan_node best[N];
    planet_scan scan = {.grid = {.n_bins = N}, .best = best};
    double highest = 0.0;
    for (size_t b = 0; b < N; b++) {
        best[b].improvement = floor(random_system_between(&random, 0.0, 50.0));
        highest = fmax(highest, best[b].improvement);
    }
    size_t bins[WANTED], n = planet_scan_peaks(&scan, WANTED, bins);
    assert_int_equal(n, WANTED);
    assert_true(best[bins[0]].improvement == highest);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            assert_true(best[bins[j]].improvement >= best[bins[i]].improvement);
            assert_true(llabs((long long)bins[i] - (long long)bins[j]) > 7);
        }
}

/* Peaks that are looked for alone, and the aliases of the first three, are those of a whole scan.
 */
static size_t compare_searches(uint64_t seed, double e, double k_m_s, size_t n_behind)
{
    enum { WANTED = 40, ALIASED = 3 };
    const double planets[10] = {23.4, k_m_s, e, 1.0, 2.0, 311.0, 12.0, 0.3, 2.0, 4.0};
    equant_dataset *dataset = simulate_star(seed, 90, 900.0, 2, planets, 2.0);
    study star;
    solution background;
    planet_scan whole, found;
    size_t bins[2][WANTED], n_left_out = 0;
    make_background(&star, dataset, n_behind, planets + 5, 0, &background);
    scan_grid grid = scan_grid_make(star.span_days, 0.7, 1500.0, e > 0.5 ? 0.9 : 0.5);
    assert_int_equal(planet_scan_create(&star, &background, 0, NULL, &grid, "scanning", &whole),
                     EQUANT_SUCCESS);
    assert_int_equal(
        planet_scan_find_peaks(&star, &background, 0, &grid, "scanning", WANTED, ALIASED, &found),
        EQUANT_SUCCESS);
    size_t n = planet_scan_peaks(&whole, WANTED, bins[0]);
    assert_int_equal(planet_scan_peaks(&found, WANTED, bins[1]), n);
    assert_memory_equal(bins[0], bins[1], n * sizeof bins[0][0]);
    for (size_t i = 0; i < n; i++) {
        size_t b = bins[0][i];
        assert_memory_equal(&whole.best[b], &found.best[b], sizeof found.best[b]);
        assert_memory_equal(&whole.circular[b], &found.circular[b], sizeof found.circular[b]);
        double aliases[ALIASES_MAX];
        size_t n_aliases = i < ALIASED ? aliases_of(whole.best[b].frequency_per_day, aliases) : 0;
        for (size_t a = 0; a < n_aliases; a++) {
            size_t other = planet_scan_bin(&grid, aliases[a]);
            assert_memory_equal(&whole.best[other], &found.best[other], sizeof found.best[other]);
        }
    }
    for (size_t b = 0; b < grid.n_bins; b++)
        n_left_out += found.best[b].improvement < whole.best[b].improvement;
    planet_scan_free(&whole);
    planet_scan_free(&found);
    solution_free(&background);
    study_free(&star);
    equant_dataset_free(dataset);
    return n_left_out;
}

static void peaks_are_those_of_a_whole_scan(void **state)
{
    (void)state;
    size_t n_left_out = 0;
    const int n_stars = quick_run() ? 2 : 8;
    for (int i = 0; i < n_stars; i++) {
        n_left_out +=
            compare_searches(31 + (uint64_t)i, 0.0, 4.0, 1); /* weak, a planet behind it */
        n_left_out += compare_searches(61 + (uint64_t)i, 0.45, 15.0, 0);
        n_left_out += compare_searches(91 + (uint64_t)i, 0.85, 30.0, 0);
    }
    assert_true(n_left_out > 1000); /* else nothing was saved */
}

/* What bins may hold, by a GPU and by processors, which go about it in other ways. */
static void prospects_are_the_same_everywhere(void **state)
{
    (void)state;
    const double eccentricities[] = {0.5, 0.9};
    equant_dataset *dataset = simulate_star(5, 300, 900.0, 2, two_planets, 2.0);
    for (size_t i = 0; i < 2; i++) {
        study star;
        solution background;
        planet_scan circles;
        make_background(&star, dataset, 1, two_planets, 0, &background);
        scan_grid grid = scan_grid_make(star.span_days, 0.9, 1500.0, eccentricities[i]);
        scan_grid round = scan_grid_make(star.span_days, 0.9, 1500.0, 0.0);
        assert_int_equal(
            planet_scan_create(&star, &background, 0, NULL, &round, "scanning", &circles),
            EQUANT_SUCCESS);
        const backend_scan scan = {.n_obs = circles.base.n_obs,
                                   .time_days = circles.base.time_days,
                                   .root_weight = circles.base.root_weight,
                                   .residual = circles.base.residual,
                                   .first_frequency_per_day = grid.first_frequency_per_day,
                                   .bin_width_per_day = grid.bin_width_per_day,
                                   .n_layers = grid.n_layers,
                                   .layers = grid.layers};
        float *most[2] = {calloc(grid.n_bins, sizeof(float)), calloc(grid.n_bins, sizeof(float))};
        for (size_t b = 0; b < engines_n_backends(); b++) {
            equant_engine_options engine = {.struct_size = sizeof engine,
                                            .backend = b == 0 ? "cpu" : engines_backend(b),
                                            .n_threads = 1 + (int)b % 3};
            assert_int_equal(
                scan_prospects_find(&engine, &scan, grid.n_bins, circles.best, most[b > 0]),
                EQUANT_SUCCESS);
            for (size_t bin = 0; b > 0 && bin < grid.n_bins; bin++)
                if (!(fabsf(most[1][bin] - most[0][bin]) <= 2e-3f * most[0][bin]))
                    fail_msg("%s: bin %zu of e <= %g may improve by %g, not by %g", engine.backend,
                             bin, eccentricities[i], (double)most[1][bin], (double)most[0][bin]);
        }
        free(most[0]);
        free(most[1]);
        planet_scan_free(&circles);
        solution_free(&background);
        study_free(&star);
    }
    equant_dataset_free(dataset);
}

static void bins_and_orbits(void **state)
{
    (void)state;
    scan_grid grid = scan_grid_make(700.0, 2.0, 1400.0, 0.5);
    for (size_t b = 0; b < grid.n_bins; b++) {
        double frequency = scan_grid_frequency(&grid, b);
        assert_int_equal(planet_scan_bin(&grid, frequency), b);
        assert_int_equal(planet_scan_bin(&grid, frequency + 0.49 * grid.bin_width_per_day), b);
    }
    assert_int_equal(planet_scan_bin(&grid, 0.0), 0);
    assert_int_equal(planet_scan_bin(&grid, 99.0), grid.n_bins - 1);
    const backend_scan_node node = {9.0, 0.25, 0.3, 2.0};
    const double expected[5] = {4.0, 1.0, 0.3, 0.0, 2.0};
    double elements[5];
    planet_scan_orbit(&node, elements);
    assert_memory_equal(elements, expected, sizeof elements);
}

/* ---- aliases --------------------------------------------------------------- */

static void aliases_are_listed_and_named(void **state)
{
    (void)state;
    const double sidereal = 1.0 / 0.99726957, year = 1.0 / 365.25;
    double found[ALIASES_MAX];
    size_t n = aliases_of(0.3, found);
    const double expected[] = {sidereal + 0.3, sidereal - 0.3, 1.3, 0.7, 0.3 + year, 0.3 - year};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        bool listed = false;
        for (size_t j = 0; j < n; j++)
            listed = listed || fabs(found[j] - expected[i]) < 1e-12;
        assert_true(listed);
    }
    assert_int_equal(n, ALIASES_MAX);
    assert_int_equal(aliases_of(1.0, found), ALIASES_MAX - 1); /* no planet has frequency 0 */
    for (size_t j = 0; j < ALIASES_MAX - 1; j++)
        assert_true(found[j] > 0.0);
    assert_string_equal(aliases_name(0.7, 0.3, 1e-4), "the day");
    assert_string_equal(aliases_name(sidereal - 0.3, 0.3, 1e-4), "the sidereal day");
    assert_string_equal(aliases_name(0.3 + year, 0.3, 1e-4), "the year");
    assert_string_equal(aliases_name(0.3 - 1.0 / 29.530589, 0.3, 1e-4), "the month");
    assert_string_equal(aliases_name(0.7 + 1e-4, 0.3, 1e-2), "the day"); /* the nearest */
    assert_null(aliases_name(0.5, 0.3, 1e-4));
    assert_null(aliases_name(0.3, 0.3, 1e-4));
}

static void drifts_hide_near_the_day(void **state)
{
    (void)state;
    assert_true(aliases_is_drift(1.0, 1000.0));
    assert_true(aliases_is_drift(1.0 / 0.99726957 + 1e-3, 1000.0));
    assert_true(aliases_is_drift(2.0, 1000.0));
    assert_false(aliases_is_drift(0.99, 1000.0));
    assert_true(aliases_is_drift(0.99, 100.0));
    assert_false(aliases_is_drift(0.3, 10.0));
}

static void window_of_known_times(void **state)
{
    (void)state;
    enum { N = 64 };
    double nightly[N], scattered[N], root_weight[N], uniform[N];
    assert_int_equal(equant_random_uniform(8, 0, 0, N, uniform), EQUANT_SUCCESS);
    for (size_t k = 0; k < N; k++) {
        nightly[k] = (double)(3 * k) - 90.0;
        scattered[k] = 1000.0 * uniform[k];
        root_weight[k] = 0.5 + uniform[k];
    }
    assert_true(fabs(aliases_window(N, scattered, root_weight, 0.0) - 1.0) < 1e-14);
    assert_true(fabs(aliases_window(N, nightly, root_weight, 1.0) - 1.0) < 1e-12);
    assert_true(aliases_window(N, scattered, root_weight, 1.0) < 0.2);
    for (size_t k = 0; k < N; k++)
        root_weight[k] = 2.0;
    assert_true(aliases_window(N, nightly, root_weight, 1.0 / (3.0 * N)) < 1e-25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_orthonormal),
        cmocka_unit_test(residual_is_what_the_fit_leaves),
        cmocka_unit_test(dependent_columns_are_left_out),
        cmocka_unit_test(grid_covers_what_it_should),
        cmocka_unit_test(short_periods_are_nearly_circular),
        cmocka_unit_test(nothing_falls_between_the_nodes),
        cmocka_unit_test(peaks_are_distinct_and_sorted),
        cmocka_unit_test(peaks_of_noise_keep_their_distance),
        cmocka_unit_test(peaks_are_those_of_a_whole_scan),
        cmocka_unit_test(prospects_are_the_same_everywhere),
        cmocka_unit_test(bins_and_orbits),
        cmocka_unit_test(aliases_are_listed_and_named),
        cmocka_unit_test(drifts_hide_near_the_day),
        cmocka_unit_test(window_of_known_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
