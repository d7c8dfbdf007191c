/* Scans of positions against an oracle of their own, on every backend in every precision: what
 * nodes gain, the right node in every bin, the same bits whatever the threads and the company, and
 * sense where the data determine nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/sky_oracle.h"
#include "conformance/backend_trial.h"

enum { N_BINS = 4, N_PRECISIONS = 4 };

static const sky_scan_layer few_layers[] = {
    {.eccentricity = 0.3,
     .n_bins = N_BINS,
     .n_frequencies = 2,
     .n_phases = 5,
     .highest_frequency_per_day = 1.0 / 290.0 + 2.4 * 8.38e-5},
    {.eccentricity = 0.0, .n_bins = SIZE_MAX, .n_frequencies = 3, .n_phases = 1},
    {.eccentricity = 0.9, .n_bins = N_BINS - 2, .n_frequencies = 1, .n_phases = 12},
};
enum { N_FEW = sizeof few_layers / sizeof *few_layers };

/* The grid of a search: 61 nodes in a bin. */
static const sky_scan_layer search_layers[] = {
    {.eccentricity = 0.0, .n_bins = SIZE_MAX, .n_frequencies = 1, .n_phases = 1},
    {.eccentricity = 0.2, .n_bins = SIZE_MAX, .n_frequencies = 1, .n_phases = 12},
    {.eccentricity = 0.4, .n_bins = SIZE_MAX, .n_frequencies = 1, .n_phases = 12},
    {.eccentricity = 0.6, .n_bins = SIZE_MAX, .n_frequencies = 1, .n_phases = 12},
    {.eccentricity = 0.8, .n_bins = 40, .n_frequencies = 1, .n_phases = 12},
    {.eccentricity = 0.9, .n_bins = 30, .n_frequencies = 1, .n_phases = 12},
};
enum { N_SEARCH = sizeof search_layers / sizeof *search_layers };

static equant_engine_options engine_of(const char *name, int precision)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options),
                                   .backend = name,
                                   .precision = (equant_precision)precision,
                                   .n_threads = 1};
}

static sky_scan_state *open_scan(const equant_engine_options *engine, size_t n_layers,
                                 const sky_scan_layer *layers)
{
    sky_scan_state *state = NULL;
    trial_require(sky_scan_open(NULL, engine, n_layers, layers, &state), "sky_scan_open");
    return state;
}

static double residual_square(const sky_scan_source *source)
{
    double square = 0.0;
    for (size_t k = 0; k < source->n_rows; k++)
        square += source->residual[k] * source->residual[k];
    return square;
}

/* Errors of a gain, of the residual's square, where a tenth of every column is new. */
static double tolerance_of(int precision)
{
    return precision == EQUANT_PRECISION_DOUBLE ? 1e-12 : 1e-6;
}

/* Where less is, errors of sums count for more, in proportion. */
static double least_new(double left)
{
    return fmin(1.0, left * left / 0.1);
}

/* ---- gains ----------------------------------------------------------------- */

/* Nodes of one eccentricity and M0 = 0, each the only one of a bin of its own. */
enum { N_NODES = 24 };

static void set_nodes(const sky_trial *t, uint64_t seed, sky_scan_source *sources)
{
    double u[N_NODES];
    trial_require(equant_random_uniform(seed, 9, 0, N_NODES, u), "uniform");
    for (size_t i = 0; i < N_NODES; i++) { /* periods of a day to two spans */
        sources[i] = t->source;
        sources[i].first_frequency_per_day = 1.0 / pow(3800.0, u[i]);
        sources[i].n_bins = 1;
    }
}

/* The largest error of a gain. */
static double worst_gain(const equant_engine_options *engine, double e,
                         const sky_scan_source *sources, const double *expected, const double *left)
{
    const sky_scan_layer layer = {
        .eccentricity = e, .n_bins = 1, .n_frequencies = 1, .n_phases = 1};
    sky_scan_state *state = open_scan(engine, 1, &layer);
    sky_scan_node nodes[N_NODES];
    double square = residual_square(sources), worst = 0.0;
    trial_require(sky_scan_bins(state, N_NODES, sources, nodes), "bins");
    for (size_t i = 0; i < N_NODES; i++) {
        assert_true(nodes[i].frequency_per_day == sources[i].first_frequency_per_day);
        assert_true(nodes[i].eccentricity == e && nodes[i].m0_rad == 0.0);
        worst = fmax(worst, fabs(nodes[i].gain - expected[i]) * least_new(left[i]) / square);
    }
    sky_scan_close(state);
    return worst;
}

static void nodes_gain_what_the_oracle_says(void **unused)
{
    (void)unused;
    static const double eccentricities[] = {0.0, 1e-3, 0.2, 0.5, 0.8, 0.9, 0.97, 0.995, 0.9999};
    enum { N_ECCENTRICITIES = sizeof eccentricities / sizeof *eccentricities };
    double worst[2][ENGINES_MAX_BACKENDS] = {{0.0}};
    for (size_t i = 0; i < N_ECCENTRICITIES; i++) {
        size_t n_base = 3 + i;
        double expected[N_NODES], left[N_NODES];
        sky_trial t = sky_trial_create(300 + i, 60 + 11 * n_base, n_base);
        sky_scan_source sources[N_NODES];
        set_nodes(&t, i, sources);
        for (size_t k = 0; k < N_NODES; k++) {
            const sky_scan_node node = {.frequency_per_day = sources[k].first_frequency_per_day,
                                        .eccentricity = eccentricities[i]};
            expected[k] = sky_oracle_gain(&t.source, &node, &left[k]);
        }
        for (size_t b = 0; b < engines_n_backends(); b++)
            for (int precision = 0; precision < 2; precision++) {
                equant_engine_options engine = engine_of(engines_backend(b), precision);
                double own = worst_gain(&engine, eccentricities[i], sources, expected, left);
                worst[precision][b] = fmax(worst[precision][b], own);
                if (!(own < tolerance_of(precision) * (engines_is_processor(b) ? 1.0 : 4.0)))
                    fail_msg("%s, e = %g, %zu columns: a gain is off by %.3g",
                             engines_name(&engine), eccentricities[i], n_base, own);
            }
        sky_trial_free(&t);
    }
    for (size_t b = 0; b < engines_n_backends(); b++)
        printf("%s: gains within %.2g (double) and %.2g (mixed) of the residual's square\n",
               engines_backend(b), worst[0][b], worst[1][b]);
}

/* ---- bins ------------------------------------------------------------------ */

static void best_nodes_are_those_of_the_oracle(void **unused)
{
    (void)unused;
    assert_true(engines_announce());
    for (size_t n_base = 0; n_base <= 25; n_base += 5) {
        sky_trial t = sky_trial_create(100 + n_base, 70 + n_base, n_base);
        t.source.n_bins = N_BINS;
        t.source.first_frequency_per_day = 1.0 / 290.0;
        sky_scan_node expected[N_BINS];
        for (size_t bin = 0; bin < N_BINS; bin++)
            expected[bin] = sky_oracle_best(&t.source, N_FEW, few_layers, bin);
        double square = residual_square(&t.source);
        for (size_t b = 0; b < engines_n_backends(); b++)
            for (int precision = 0; precision < N_PRECISIONS; precision++) {
                equant_engine_options engine = engine_of(engines_backend(b), precision);
                sky_scan_state *state = open_scan(&engine, N_FEW, few_layers);
                sky_scan_node best[N_BINS];
                double left, tolerance = tolerance_of(precision) * square;
                trial_require(sky_scan_bins(state, 1, &t.source, best), "bins");
                for (size_t bin = 0; bin < N_BINS; bin++) {
                    double truth = sky_oracle_gain(&t.source, &best[bin], &left);
                    if (!(fabs(best[bin].gain - truth) <= tolerance) ||
                        !(fabs(best[bin].gain - expected[bin].gain) <= tolerance))
                        fail_msg("%s, %zu columns, bin %zu: %.12g, which is worth %.12g; the best "
                                 "is %.12g (of %.6g)",
                                 engines_name(&engine), n_base, bin, best[bin].gain, truth,
                                 expected[bin].gain, square);
                }
                sky_scan_close(state);
            }
        sky_trial_free(&t);
    }
}

/* ---- bits ------------------------------------------------------------------ */

enum { N_SOURCES = 7, MOST_BINS = 50 };

/* All sources in one call, or each in its own. */
static uint64_t hash_of_scans(const equant_engine_options *engine, const sky_trial *trials,
                              bool together)
{
    sky_scan_source sources[N_SOURCES];
    static sky_scan_node best[N_SOURCES * MOST_BINS];
    sky_scan_state *state = open_scan(engine, N_SEARCH, search_layers);
    size_t n = 0;
    for (size_t i = 0; i < N_SOURCES; i++) {
        sources[i] = trials[i].source;
        if (!together)
            trial_require(sky_scan_bins(state, 1, &sources[i], best + n), "bins");
        n += sources[i].n_bins;
    }
    if (together)
        trial_require(sky_scan_bins(state, N_SOURCES, sources, best), "bins");
    sky_scan_close(state);
    return trial_hash(TRIAL_HASH_START, (const double *)best, n * sizeof *best / sizeof(double));
}

static void every_processor_thread_and_company_gives_the_same_bits(void **unused)
{
    (void)unused;
    sky_trial trials[N_SOURCES];
    for (size_t i = 0; i < N_SOURCES; i++) {
        trials[i] = sky_trial_create(500 + i, 30 + 17 * i, i % 2 ? 5 : 3 + i);
        trials[i].source.n_bins = i == 2 ? 1 : MOST_BINS - i;
    }
    for (int precision = 0; precision < 2; precision++) {
        equant_engine_options engine = engine_of("cpu/scalar", precision);
        uint64_t expected = hash_of_scans(&engine, trials, true);
        for (size_t b = 0; b < engines_n_backends(); b++) {
            engine.backend = engines_backend(b);
            engine.n_threads = 1;
            uint64_t own =
                engines_is_processor(b) ? expected : hash_of_scans(&engine, trials, true);
            for (int n_threads = 1; n_threads <= 4; n_threads++) {
                engine.n_threads = n_threads;
                if (hash_of_scans(&engine, trials, n_threads % 2) != own ||
                    hash_of_scans(&engine, trials, n_threads % 2 == 0) != own)
                    fail_msg("%s differs on %d threads", engines_name(&engine), n_threads);
            }
        }
    }
    for (size_t i = 0; i < N_SOURCES; i++)
        sky_trial_free(&trials[i]);
}

/* ---- the ends of sense ------------------------------------------------------ */

static void what_the_data_do_not_determine_gains_nothing(void **unused)
{
    (void)unused;
    /* No more rows than columns; one row; nothing left of the residual; periods beyond all. */
    for (size_t n_rows = 1; n_rows <= 9; n_rows++) {
        sky_trial t = sky_trial_create(700 + n_rows, n_rows, n_rows < 5 ? n_rows : 5);
        double square = residual_square(&t.source);
        for (size_t b = 0; b < engines_n_backends(); b++)
            for (int precision = 0; precision < 2; precision++) {
                equant_engine_options engine = engine_of(engines_backend(b), precision);
                sky_scan_state *state = open_scan(&engine, N_SEARCH, search_layers);
                sky_scan_node best[MOST_BINS];
                t.source.first_frequency_per_day = 1e-9;
                trial_require(sky_scan_bins(state, 1, &t.source, best), "bins");
                for (size_t bin = 0; bin < t.source.n_bins; bin++)
                    if (!(best[bin].gain >= 0.0 && best[bin].gain <= square * (1.0 + 1e-12)))
                        fail_msg("%s, %zu rows, bin %zu: %g of %g", engines_name(&engine), n_rows,
                                 bin, best[bin].gain, square);
                sky_scan_close(state);
            }
        sky_trial_free(&t);
    }
}

/* ---- peaks ----------------------------------------------------------------- */

static void peaks_are_high_and_apart(void **unused)
{
    (void)unused;
    sky_trial t = sky_trial_create(900, 93, 5);
    t.source.n_bins = MOST_BINS;
    equant_engine_options engine = engine_of("cpu", EQUANT_PRECISION_DOUBLE);
    sky_scan_state *state = open_scan(&engine, N_SEARCH, search_layers);
    sky_scan_source pair[2] = {t.source, t.source};
    sky_scan_node peaks[2][5], best[MOST_BINS];
    trial_require(sky_scan_peaks(state, 2, pair, 5, 6, peaks[0]), "peaks");
    trial_require(sky_scan_bins(state, 1, &t.source, best), "bins");
    assert_memory_equal(peaks[0], peaks[1], sizeof peaks[0]);
    double most = 0.0;
    for (size_t i = 0; i < MOST_BINS; i++)
        most = fmax(most, best[i].gain);
    assert_true(peaks[0][0].gain == most);
    assert_true(fabs(1.0 / peaks[0][0].frequency_per_day - 270.0) < 12.0);
    for (size_t i = 1; i < 5; i++) {
        assert_true(peaks[0][i].gain <= peaks[0][i - 1].gain);
        for (size_t j = 0; j < i && peaks[0][i].gain > 0.0; j++)
            assert_true(fabs(peaks[0][i].frequency_per_day - peaks[0][j].frequency_per_day) >
                        5.0 * t.source.bin_width_per_day);
    }
    assert_int_equal(sky_scan_peaks(state, 1, pair, SKY_SCAN_MOST_PEAKS + 1, 6, peaks[0]),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    sky_scan_close(state);
    sky_trial_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_gain_what_the_oracle_says),
        cmocka_unit_test(best_nodes_are_those_of_the_oracle),
        cmocka_unit_test(every_processor_thread_and_company_gives_the_same_bits),
        cmocka_unit_test(what_the_data_do_not_determine_gains_nothing),
        cmocka_unit_test(peaks_are_high_and_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
