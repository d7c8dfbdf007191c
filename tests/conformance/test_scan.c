/* Scans against an oracle of their own, on every backend in every precision: the right node in
 * every bin, the same bits on all processors, and sense where the data determine nothing. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/scan_oracle.h"
#include "conformance/backend_trial.h"

enum { N_BINS = 5, N_PRECISIONS = 4 };

/* Circles not first, so that the order of layers matters; two frequencies in some, a grid that
 * is not a power of two, and fewer bins than there are. */
static const backend_scan_layer mixed_layers[] = {
    {.eccentricity = 0.3, .n_bins = N_BINS, .n_frequencies = 2, .n_phases = 16},
    {.eccentricity = 0.0, .n_bins = N_BINS, .n_frequencies = 3, .n_phases = 1},
    {.eccentricity = 0.05, .n_bins = N_BINS - 1, .n_frequencies = 1, .n_phases = 16},
    {.eccentricity = 0.9, .n_bins = N_BINS - 2, .n_frequencies = 1, .n_phases = 48},
};
enum { N_LAYERS = sizeof mixed_layers / sizeof *mixed_layers, CIRCULAR_LAYER = 1 };

static equant_engine_options engine_of(const char *name, int precision)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options),
                                   .backend = name,
                                   .precision = (equant_precision)precision,
                                   .n_threads = 1};
}

/* Relative errors of an improvement. In single the phase is what suffers. */
static double tolerance_of(int precision)
{
    static const double tolerances[N_PRECISIONS] = {1e-11, 2e-5, 1e-3, 2e-5};
    return tolerances[precision];
}

static scan_state *open_scan(const equant_engine_options *engine, const backend_scan *scan)
{
    scan_state *state = NULL;
    trial_require(scan_open(NULL, engine, scan, &state), "scan_open");
    return state;
}

/* A scan of all bins in one piece. */
static void run(const equant_engine_options *engine, const backend_scan *scan, size_t n,
                backend_scan_node *best, backend_scan_node *circular)
{
    scan_state *state = open_scan(engine, scan);
    trial_require(scan_run(state, 0, n, best, circular), "scan_run");
    scan_close(state);
}

/* The node is worth what it is said to be, and none is worth more. */
static void check_node(const scan_trial *t, const backend_scan_node *found,
                       const backend_scan_node *expected, double tolerance, const char *engine)
{
    double truth = scan_oracle_improvement(&t->scan, found->frequency_per_day, found->eccentricity,
                                           found->m0_rad);
    double scale = tolerance * expected->improvement;
    if (!(fabs(found->improvement - truth) <= scale) ||
        !(fabs(found->improvement - expected->improvement) <= scale))
        fail_msg("%s, %zu observations, %zu columns: %.12g at (%.9g, %g, %g), which is worth "
                 "%.12g; the best is %.12g at (%.9g, %g, %g)",
                 engine, t->scan.n_obs, t->scan.n_base, found->improvement,
                 found->frequency_per_day, found->eccentricity, found->m0_rad, truth,
                 expected->improvement, expected->frequency_per_day, expected->eccentricity,
                 expected->m0_rad);
}

static void best_nodes_are_those_of_the_oracle(void **state)
{
    (void)state;
    assert_true(engines_announce());
    for (size_t n_base = 0; n_base <= 12; n_base++) {
        scan_trial t = scan_trial_create(100 + n_base, 29 + 9 * n_base, n_base, 150.0);
        t.scan.n_layers = N_LAYERS;
        t.scan.layers = mixed_layers;
        backend_scan_node expected[N_BINS], expected_circular[N_BINS];
        for (size_t bin = 0; bin < N_BINS; bin++) {
            expected[bin] = scan_oracle_best(&t.scan, bin, 0, N_LAYERS);
            expected_circular[bin] =
                scan_oracle_best(&t.scan, bin, CIRCULAR_LAYER, CIRCULAR_LAYER + 1);
        }
        for (size_t b = 0; b < engines_n_backends(); b++)
            for (int precision = 0; precision < N_PRECISIONS; precision++) {
                equant_engine_options engine = engine_of(engines_backend(b), precision);
                backend_scan_node best[N_BINS], circular[N_BINS];
                run(&engine, &t.scan, N_BINS, best, circular);
                for (size_t bin = 0; bin < N_BINS; bin++) {
                    double tolerance = tolerance_of(precision);
                    check_node(&t, &best[bin], &expected[bin], tolerance, engines_name(&engine));
                    check_node(&t, &circular[bin], &expected_circular[bin], tolerance,
                               engines_name(&engine));
                    assert_true(circular[bin].eccentricity == 0.0);
                }
            }
        scan_trial_free(&t);
    }
}

/* ---- bits ------------------------------------------------------------------ */

enum { N_MANY = 21 };

static const backend_scan_layer many_layers[] = {
    {.eccentricity = 0.0, .n_bins = N_MANY, .n_frequencies = 1, .n_phases = 1},
    {.eccentricity = 0.2, .n_bins = N_MANY, .n_frequencies = 1, .n_phases = 16},
    {.eccentricity = 0.7, .n_bins = 3, .n_frequencies = 2, .n_phases = 32},
};

/* A trial with many bins in layers of every kind. */
static scan_trial trial_of_many(uint64_t seed, size_t n_obs, size_t n_base)
{
    scan_trial t = scan_trial_create(seed, n_obs, n_base, 300.0);
    t.scan.n_layers = sizeof many_layers / sizeof *many_layers;
    t.scan.layers = many_layers;
    return t;
}

/* Nodes of a scan, overall and circular. */
typedef struct nodes {
    backend_scan_node best[N_MANY], circular[N_MANY];
} nodes;

static uint64_t hash_of_nodes(const nodes *found)
{
    return trial_hash(TRIAL_HASH_START, (const double *)found, sizeof *found / sizeof(double));
}

static void run_piece(scan_state *state, size_t first, size_t n, nodes *found)
{
    trial_require(scan_run(state, first, n, found->best + first, found->circular + first),
                  "scan_run");
}

/* Hash of a scan made in pieces of `cut` bins. */
static uint64_t hash_of_scan(const equant_engine_options *engine, const backend_scan *scan,
                             size_t cut)
{
    nodes found;
    scan_state *state = open_scan(engine, scan);
    for (size_t first = 0; first < N_MANY; first += cut)
        run_piece(state, first, N_MANY - first < cut ? N_MANY - first : cut, &found);
    scan_close(state);
    return hash_of_nodes(&found);
}

/* All processors agree; a GPU agrees with itself. */
static void every_processor_thread_and_cut_gives_the_same_bits(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{65, 0}, {70, 2}, {33, 5}, {71, 14}};
    static const size_t cuts[] = {N_MANY, 5, 1, N_MANY - 1};
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        scan_trial t = trial_of_many(200 + shape, shapes[shape][0], shapes[shape][1]);
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of("cpu/scalar", precision);
            uint64_t expected = hash_of_scan(&engine, &t.scan, N_MANY);
            for (size_t b = 0; b < engines_n_backends(); b++) {
                engine.backend = engines_backend(b);
                uint64_t own =
                    engines_is_processor(b) ? expected : hash_of_scan(&engine, &t.scan, N_MANY);
                for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
                    engine.n_threads = 1 + (int)i % 3;
                    if (hash_of_scan(&engine, &t.scan, cuts[i]) != own)
                        fail_msg("%s differs on %d threads in pieces of %zu bins",
                                 engines_name(&engine), engine.n_threads, cuts[i]);
                }
            }
        }
        scan_trial_free(&t);
    }
}

/* What one piece needs must not be what the next one gets: pieces that grow, shrink, go back,
 * repeat each other and reach beyond the last layer, all on one state. */
static void a_state_serves_pieces_of_all_sizes_in_any_order(void **state)
{
    (void)state;
    static const size_t pieces[][2] = {{20, 1}, {3, 2},      {5, 15}, {0, 3},
                                       {4, 1},  {0, N_MANY}, {2, 7}};
    scan_trial t = trial_of_many(600, 70, 9);
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of(engines_backend(b), precision);
            engine.n_threads = 3;
            nodes whole, found;
            run(&engine, &t.scan, N_MANY, whole.best, whole.circular);
            scan_state *scan = open_scan(&engine, &t.scan);
            for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
                size_t first = pieces[i][0], n = pieces[i][1], n_bytes = n * sizeof *found.best;
                memset(&found, 0xff, sizeof found);
                run_piece(scan, first, n, &found);
                assert_memory_equal(found.best + first, whole.best + first, n_bytes);
                assert_memory_equal(found.circular + first, whole.circular + first, n_bytes);
                memset(&found, 0xff, sizeof found);
                trial_require(scan_run(scan, first, n, found.best + first, NULL), "scan_run");
                assert_memory_equal(found.best + first, whole.best + first, n_bytes);
            }
            assert_int_equal(scan_run(scan, 0, 0, NULL, NULL), EQUANT_SUCCESS);
            scan_close(scan);
        }
    scan_trial_free(&t);
}

/* Wanted bins have the nodes that they have among all, in one piece and in several, whichever they
 * are; of none, all, the last alone. */
static void wanted_bins_are_as_among_all(void **state)
{
    (void)state;
    static const uint32_t masks[] = {0, 0x1fffff, 0x100000, 0x000007, 0x0f0a51, 0x155555};
    scan_trial t = trial_of_many(650, 83, 8);
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of(engines_backend(b), precision);
            nodes whole, found;
            t.scan.wanted = NULL;
            run(&engine, &t.scan, N_MANY, whole.best, whole.circular);
            for (size_t i = 0; i < 2 * sizeof masks / sizeof *masks; i++) {
                unsigned char wanted[N_MANY];
                for (size_t bin = 0; bin < N_MANY; bin++)
                    wanted[bin] = masks[i / 2] >> bin & 1;
                t.scan.wanted = wanted;
                scan_state *scan = open_scan(&engine, &t.scan);
                for (size_t first = 0; first < N_MANY; first += i % 2 ? 7 : N_MANY)
                    run_piece(scan, first, i % 2 ? 7 : N_MANY, &found);
                scan_close(scan);
                for (size_t bin = 0; bin < N_MANY; bin++)
                    if (wanted[bin] &&
                        (memcmp(&found.best[bin], &whole.best[bin], sizeof whole.best[bin]) != 0 ||
                         memcmp(&found.circular[bin], &whole.circular[bin],
                                sizeof whole.circular[bin]) != 0))
                        fail_msg("%s: bin %zu, wanted with others (%x), has other nodes",
                                 engines_name(&engine), bin, (unsigned)masks[i / 2]);
            }
        }
    scan_trial_free(&t);
}

/* One circle at the centre of each bin, as a fit's second looks scan them. */
static void circles_alone_are_as_among_all(void **state)
{
    (void)state;
    const backend_scan_layer circles = {
        .eccentricity = 0.0, .n_bins = N_MANY - 2, .n_frequencies = 1, .n_phases = 1};
    scan_trial t = trial_of_many(660, 77, 13);
    backend_scan alone = t.scan;
    alone.n_layers = 1;
    alone.layers = &circles;
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of(engines_backend(b), precision);
            nodes whole, found;
            run(&engine, &t.scan, N_MANY, whole.best, whole.circular);
            run(&engine, &alone, N_MANY, found.best, found.circular);
            assert_memory_equal(found.best, found.circular, sizeof found.best);
            assert_memory_equal(found.best, whole.circular, circles.n_bins * sizeof found.best[0]);
            for (size_t bin = circles.n_bins; bin < N_MANY; bin++) {
                assert_true(found.best[bin].improvement == 0.0);
                assert_true(found.best[bin].frequency_per_day ==
                            whole.circular[bin].frequency_per_day);
            }
        }
    scan_trial_free(&t);
}

enum { N_AT_ONCE = 4 };

/* Different data, sizes and precisions, their pieces in turns. */
static void several_states_at_once_do_not_meet(void **state)
{
    (void)state;
    scan_trial trials[N_AT_ONCE];
    for (size_t i = 0; i < N_AT_ONCE; i++)
        trials[i] = trial_of_many(700 + i, 40 + 13 * i, 4 * i);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        scan_state *scans[N_AT_ONCE];
        uint64_t alone[N_AT_ONCE];
        nodes found[N_AT_ONCE];
        for (size_t i = 0; i < N_AT_ONCE; i++) {
            equant_engine_options engine = engine_of(engines_backend(b), (int)(i % N_PRECISIONS));
            engine.n_threads = 1 + (int)i % 2;
            alone[i] = hash_of_scan(&engine, &trials[i].scan, N_MANY);
            scans[i] = open_scan(&engine, &trials[i].scan);
        }
        for (size_t first = 0; first < N_MANY; first += 7)
            for (size_t i = 0; i < N_AT_ONCE; i++)
                run_piece(scans[i], first, 7, &found[i]);
        for (size_t i = 0; i < N_AT_ONCE; i++) { /* those that are left outlive the others */
            run_piece(scans[i], 0, N_MANY, &found[i]);
            scan_close(scans[i]);
            if (hash_of_nodes(&found[i]) != alone[i])
                fail_msg("%s: scan %zu is disturbed by others", engines_backend(b), i);
        }
    }
    for (size_t i = 0; i < N_AT_ONCE; i++)
        scan_trial_free(&trials[i]);
}

/* A scan that another thread has opened. */
typedef struct handed_over {
    scan_state *scan;
    nodes found;
    equant_status status;
} handed_over;

static void *run_elsewhere(void *context)
{
    handed_over *given = context;
    given->status = scan_run(given->scan, 0, N_MANY, given->found.best, given->found.circular);
    scan_close(given->scan);
    return NULL;
}

/* One thread opens, others run and close, all at the same time. */
static void states_go_from_thread_to_thread(void **state)
{
    (void)state;
    scan_trial t = trial_of_many(800, 60, 3);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        handed_over given[N_AT_ONCE];
        pthread_t threads[N_AT_ONCE];
        uint64_t alone[N_AT_ONCE];
        for (size_t i = 0; i < N_AT_ONCE; i++) {
            equant_engine_options engine = engine_of(engines_backend(b), (int)(i % N_PRECISIONS));
            alone[i] = hash_of_scan(&engine, &t.scan, N_MANY);
            given[i].scan = open_scan(&engine, &t.scan);
        }
        for (size_t i = 0; i < N_AT_ONCE; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, run_elsewhere, &given[i]), 0);
        for (size_t i = 0; i < N_AT_ONCE; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(given[i].status, EQUANT_SUCCESS);
            assert_true(hash_of_nodes(&given[i].found) == alone[i]);
        }
    }
    scan_trial_free(&t);
}

/* ---- where the data determine little ------------------------------------------ */

static void every_way(const scan_trial *t, double least_share, double most_share)
{
    double square = (double)scan_oracle_square(t->scan.n_obs, t->residual);
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of(engines_backend(b), precision);
            backend_scan_node best[N_BINS], circular[N_BINS];
            run(&engine, &t->scan, N_BINS, best, circular);
            for (size_t bin = 0; bin < N_BINS; bin++) {
                double improvement = best[bin].improvement;
                if (!(improvement >= least_share * square && improvement <= most_share * square) ||
                    !(circular[bin].improvement >= 0 && circular[bin].improvement <= improvement))
                    fail_msg("%s, %zu observations, %zu columns: an improvement of %g of %g",
                             engines_name(&engine), t->scan.n_obs, t->scan.n_base, improvement,
                             square);
            }
        }
}

static scan_trial small_trial(size_t n_obs, size_t n_base)
{
    scan_trial t = scan_trial_create(300 + n_obs, n_obs, n_base, 60.0);
    t.scan.n_layers = N_LAYERS;
    t.scan.layers = mixed_layers;
    return t;
}

/* As many unknowns as observations explain everything, and more of them no more than that. */
static void few_observations_are_explained_but_not_more_than_that(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {4, 3}, {8, 7}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        scan_trial t = small_trial(shapes[i][0], shapes[i][1]);
        every_way(&t, 0.9999, 1.0);
        scan_trial_free(&t);
    }
}

static void a_base_that_spans_everything_leaves_nothing(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 12; n++) {
        scan_trial t = small_trial(n, n);
        for (size_t k = 0; k < n; k++) /* what no residual can be: of the base alone */
            t.residual[k] = t.base[k] + (k == 0 ? 1.0 : 0.0);
        every_way(&t, 0.0, 0.0);
        scan_trial_free(&t);
    }
}

static void no_residual_gives_the_first_node(void **state)
{
    (void)state;
    scan_trial t = small_trial(40, 2);
    memset(t.residual, 0, 40 * sizeof *t.residual);
    every_way(&t, 0.0, 0.0);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        equant_engine_options engine = engine_of(engines_backend(b), EQUANT_PRECISION_MIXED);
        backend_scan_node best[N_BINS];
        run(&engine, &t.scan, N_BINS, best, NULL);
        for (size_t bin = 0; bin < N_BINS; bin++) {
            double expected =
                t.scan.first_frequency_per_day + ((double)bin - 0.25) * t.scan.bin_width_per_day;
            assert_true(best[bin].eccentricity == mixed_layers[0].eccentricity);
            assert_true(best[bin].m0_rad == 0.0);
            assert_true(fabs(best[bin].frequency_per_day - expected) < 1e-12);
        }
    }
    scan_trial_free(&t);
}

/* Bins that no layer reaches, and layers without circles: nothing, at the centre of the bin. */
static void where_no_node_is_nothing_is_found(void **state)
{
    (void)state;
    scan_trial t = small_trial(40, 1);
    const backend_scan_layer layer = {
        .eccentricity = 0.3, .n_bins = 2, .n_frequencies = 1, .n_phases = 16};
    t.scan.n_layers = 1;
    t.scan.layers = &layer;
    for (size_t b = 0; b < engines_n_backends(); b++) {
        equant_engine_options engine = engine_of(engines_backend(b), EQUANT_PRECISION_DOUBLE);
        backend_scan_node best[N_BINS], circular[N_BINS];
        run(&engine, &t.scan, N_BINS, best, circular);
        for (size_t bin = 0; bin < N_BINS; bin++) {
            double centre = t.scan.first_frequency_per_day + (double)bin * t.scan.bin_width_per_day;
            assert_true(circular[bin].improvement == 0.0);
            assert_true(circular[bin].frequency_per_day == centre);
            assert_true(bin < 2 ? best[bin].improvement > 0.0 : best[bin].improvement == 0.0);
            assert_true(bin < 2 || best[bin].frequency_per_day == centre);
        }
    }
    scan_trial_free(&t);
}

/* A period of several spans, which an offset and a trend imitate almost: nodes of which rounding
 * is all that is left must not win. */
static void long_periods_are_not_made_of_rounding(void **state)
{
    (void)state;
    for (size_t n_base = 2; n_base <= 3; n_base++) {
        scan_trial t = scan_trial_create(400, 200, n_base, 1000.0);
        t.scan.n_layers = N_LAYERS;
        t.scan.layers = mixed_layers;
        t.scan.first_frequency_per_day = 1e-5;
        t.scan.bin_width_per_day = 1e-4;
        double exact = 0, all = (double)scan_oracle_square(t.scan.n_obs, t.residual);
        for (size_t bin = 0; bin < N_BINS; bin++)
            exact = fmax(exact, scan_oracle_best(&t.scan, bin, 0, N_LAYERS).improvement);
        every_way(&t, 0.0, 1.01 * exact / all);
        scan_trial_free(&t);
    }
}

static void many_observations_lose_no_precision(void **state)
{
    (void)state;
    const backend_scan_layer layers[] = {
        {.eccentricity = 0.0, .n_bins = 1, .n_frequencies = 1, .n_phases = 1},
        {.eccentricity = 0.5, .n_bins = 1, .n_frequencies = 1, .n_phases = 16},
    };
    scan_trial t = scan_trial_create(500, 5000, 4, 3000.0);
    t.scan.n_layers = 2;
    t.scan.layers = layers;
    t.scan.first_frequency_per_day = 0.75 / 6.283185307179586;
    backend_scan_node expected = scan_oracle_best(&t.scan, 0, 0, 2);
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of(engines_backend(b), precision);
            backend_scan_node best;
            run(&engine, &t.scan, 1, &best, NULL);
            check_node(&t, &best, &expected, tolerance_of(precision), engines_name(&engine));
        }
    scan_trial_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_nodes_are_those_of_the_oracle),
        cmocka_unit_test(every_processor_thread_and_cut_gives_the_same_bits),
        cmocka_unit_test(a_state_serves_pieces_of_all_sizes_in_any_order),
        cmocka_unit_test(wanted_bins_are_as_among_all),
        cmocka_unit_test(circles_alone_are_as_among_all),
        cmocka_unit_test(several_states_at_once_do_not_meet),
        cmocka_unit_test(states_go_from_thread_to_thread),
        cmocka_unit_test(few_observations_are_explained_but_not_more_than_that),
        cmocka_unit_test(a_base_that_spans_everything_leaves_nothing),
        cmocka_unit_test(no_residual_gives_the_first_node),
        cmocka_unit_test(where_no_node_is_nothing_is_found),
        cmocka_unit_test(long_periods_are_not_made_of_rounding),
        cmocka_unit_test(many_observations_lose_no_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
