/* Scans behind correlated noise, on every backend in every precision: the right node in every bin
 * by an oracle with a dense covariance, and the same bits on all processors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "conformance/noise_trial.h"
#include "conformance/backend_trial.h"

enum { N_BINS = 5, N_PRECISIONS = 4 };

static const backend_scan_layer layers[] = {
    {.eccentricity = 0.3, .n_bins = N_BINS, .n_frequencies = 2, .n_phases = 16},
    {.eccentricity = 0.0, .n_bins = N_BINS, .n_frequencies = 3, .n_phases = 1},
    {.eccentricity = 0.8, .n_bins = N_BINS - 2, .n_frequencies = 1, .n_phases = 32},
};
enum { N_LAYERS = sizeof layers / sizeof *layers, CIRCULAR_LAYER = 1 };

/* Blocks of every kind and of variances a little above that of the errors. */
static const noise_block night = {.kind = NOISE_BLOCK_NIGHT, .a = 3.0};
static const noise_block fast = {.kind = NOISE_BLOCK_EXPONENTIAL, .a = 4.0, .c = 0.9};
static const noise_block swing = {
    .kind = NOISE_BLOCK_DAMPED, .a = 9.0, .b = 0.3, .c = 0.04, .q = 0.06};
static const noise_block creep = {
    .kind = NOISE_BLOCK_DAMPED, .a = 5.0, .b = 0.5, .c = 0.15, .q = -0.01};
static const noise_block rough = {.kind = NOISE_BLOCK_DAMPED, .a = 4.0, .b = 0.8, .c = 0.2};
static const noise_block smooth = {.kind = NOISE_BLOCK_MATERN52, .a = 6.0, .c = 0.1};

static void add(noise_process *process, noise_block block, int times)
{
    for (int i = 0; i < times; i++) {
        block.c *= 1.0 + 0.1 * i;
        process->block[process->n_blocks++] = block;
        process->n_states += noise_block_states(block.kind);
    }
}

/* Every shape that has loops of its own, then others, up to the most states that there are. */
static bool process_at(int index, noise_process *made)
{
    memset(made, 0, sizeof *made);
    int n_own = 11, singles = (index + 1) % 3, pairs = (index + 1) / 3;
    const noise_block pair_kinds[] = {swing, creep, rough};
    if (index < n_own) { /* pairs before singles: loops want them the other way round */
        for (int p = 0; p < pairs; p++)
            add(made, pair_kinds[p], 1);
        if (singles > 0)
            add(made, night, 1);
        if (singles > 1)
            add(made, fast, 1);
        return true;
    }
    switch (index - n_own) {
    case 0:
        add(made, smooth, 1);
        return true;
    case 1:
        add(made, swing, 1);
        add(made, smooth, 2);
        add(made, night, 1);
        add(made, creep, 2);
        add(made, fast, 3);
        return true;
    case 2:
        add(made, rough, NOISE_PROCESS_MOST_STATES / 2);
        return true;
    default:
        return false;
    }
}

static equant_engine_options engine_of(const char *name, int precision)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options),
                                   .backend = name,
                                   .precision = (equant_precision)precision,
                                   .n_threads = 1};
}

static void run(const equant_engine_options *engine, const backend_scan *scan,
                backend_scan_node *best, backend_scan_node *circular)
{
    scan_state *state = NULL;
    trial_require(scan_open(NULL, engine, scan, &state), "scan_open");
    trial_require(scan_run(state, 0, N_BINS, best, circular), "scan_run");
    scan_close(state);
}

static noise_trial trial_of(uint64_t seed, size_t n_obs, size_t n_base,
                            const noise_process *process)
{
    noise_trial t = noise_trial_create(seed, n_obs, n_base, 150.0, process);
    t.trial.scan.n_layers = N_LAYERS;
    t.trial.scan.layers = layers;
    return t;
}

/* The largest error, as a share of chi-square, of the nodes that an engine finds: of what it says
 * that they are worth, and of what they are worth against the best. */
static double error_of(const noise_trial *t, const equant_engine_options *engine,
                       const backend_scan_node *expected, const backend_scan_node *circles)
{
    const backend_scan scan = t->trial.scan;
    backend_scan_node found[2][N_BINS];
    double worst = 0.0;
    run(engine, &scan, found[0], found[1]);
    for (size_t bin = 0; bin < N_BINS; bin++)
        for (int which = 0; which < 2; which++) {
            backend_scan_node node = found[which][bin];
            double best = (which ? circles : expected)[bin].improvement;
            double truth = scan_oracle_fall(&scan, t->lower, node.frequency_per_day,
                                            node.eccentricity, node.m0_rad);
            assert_true(which == 0 || node.eccentricity == 0.0);
            worst = fmax(worst, fabs(node.improvement - truth) / best);
            worst = fmax(worst, fabs(node.improvement - best) / best);
        }
    return worst;
}

static void check_all(const noise_trial *t, const double tolerances[N_PRECISIONS])
{
    backend_scan_node expected[N_BINS], circles[N_BINS];
    for (size_t bin = 0; bin < N_BINS; bin++) {
        expected[bin] = scan_oracle_best_under(&t->trial.scan, t->lower, bin, 0, N_LAYERS);
        circles[bin] = scan_oracle_best_under(&t->trial.scan, t->lower, bin, CIRCULAR_LAYER,
                                              CIRCULAR_LAYER + 1);
    }
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of(engines_backend(b), precision);
            double error = error_of(t, &engine, expected, circles);
            if (!(error <= tolerances[precision]))
                fail_msg("%s, %zu observations, %zu columns, %zu states: an error of %g",
                         engines_name(&engine), t->trial.scan.n_obs, t->trial.scan.n_base,
                         t->noise.n_states, error);
        }
}

static void best_nodes_are_those_of_a_dense_covariance(void **state)
{
    (void)state;
    static const double tolerances[N_PRECISIONS] = {1e-11, 3e-5, 1e-3, 3e-5};
    noise_process process;
    assert_true(engines_announce());
    for (int index = 0; process_at(index, &process); index++) {
        size_t n_base = (size_t)index % 11; /* more than a strip of rows, in most */
        noise_trial t = trial_of(900 + (uint64_t)index, 50 + 9 * n_base, n_base, &process);
        t.trial.scan.noise = &t.noise;
        check_all(&t, tolerances);
        noise_trial_free(&t);
    }
}

/* Noise of thirty times the errors takes most of what a slow orbit does, and single precision has
 * to find the rest. */
static void strong_noise_leaves_single_precision_enough(void **state)
{
    (void)state;
    static const double tolerances[N_PRECISIONS] = {1e-10, 2e-4, 1e-3, 2e-4};
    const noise_block kinds[] = {swing, rough, fast, smooth};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        noise_process process = {.n_blocks = 1, .n_states = noise_block_states(kinds[i].kind)};
        process.block[0] = kinds[i];
        process.block[0].b *= 900.0 / kinds[i].a;
        process.block[0].a = 900.0;
        noise_trial t = trial_of(950 + i, 300, 2, &process);
        t.trial.scan.noise = &t.noise;
        check_all(&t, tolerances);
        noise_trial_free(&t);
    }
}

/* Noise without states is white, to the bit. */
static void no_states_are_white_noise(void **state)
{
    (void)state;
    scan_trial t = scan_trial_create(970, 90, 4, 150.0);
    const backend_scan_noise none = {.inverse_root = t.root_weight};
    t.scan.n_layers = N_LAYERS;
    t.scan.layers = layers;
    for (size_t b = 0; b < engines_n_backends(); b++)
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of(engines_backend(b), precision);
            backend_scan_node white[2][N_BINS], found[2][N_BINS];
            t.scan.noise = NULL;
            run(&engine, &t.scan, white[0], white[1]);
            t.scan.noise = &none;
            run(&engine, &t.scan, found[0], found[1]);
            assert_memory_equal(found, white, sizeof white);
        }
    scan_trial_free(&t);
}

static void every_processor_gives_the_same_bits(void **state)
{
    (void)state;
    noise_process process;
    for (int index = 0; process_at(index, &process); index++) {
        noise_trial t = trial_of(980 + (uint64_t)index, 70, 5, &process);
        t.trial.scan.noise = &t.noise;
        for (int precision = 0; precision < N_PRECISIONS; precision++) {
            equant_engine_options engine = engine_of("cpu/scalar", precision);
            backend_scan_node expected[2][N_BINS], found[2][N_BINS];
            run(&engine, &t.trial.scan, expected[0], expected[1]);
            for (size_t b = 0; b < engines_n_backends(); b++) {
                if (!engines_is_processor(b))
                    continue;
                engine.backend = engines_backend(b);
                run(&engine, &t.trial.scan, found[0], found[1]);
                if (memcmp(found, expected, sizeof found) != 0)
                    fail_msg("%s differs, %zu states", engines_name(&engine), t.noise.n_states);
            }
        }
        noise_trial_free(&t);
    }
}

/* A row that is no velocity has no column, and still counts for what the noise remembers: as if
 * the column were zero there. */
static void rows_without_velocity_take_no_orbit(void **state)
{
    (void)state;
    noise_process process = {.n_blocks = 1, .n_states = 2, .block = {swing}};
    noise_trial t = trial_of(990, 80, 0, &process);
    t.trial.scan.noise = &t.noise;
    for (size_t k = 0; k < 80; k += 3)
        t.trial.root_weight[k] = 0.0;
    equant_engine_options engine = engine_of("cpu", EQUANT_PRECISION_DOUBLE);
    backend_scan_node best[N_BINS], circular[N_BINS];
    run(&engine, &t.trial.scan, best, circular);
    for (size_t bin = 0; bin < N_BINS; bin++) {
        long double x[80], y[80], xx = 0, xy = 0, yy = 0, xr = 0, yr = 0;
        for (size_t k = 0; k < 80; k++) {
            double angle = 6.283185307179586 * circular[bin].frequency_per_day * t.trial.time[k];
            x[k] = k % 3 ? cos(angle) : 0.0;
            y[k] = k % 3 ? sin(angle) : 0.0;
        }
        scan_oracle_whiten(80, t.lower, x);
        scan_oracle_whiten(80, t.lower, y);
        for (size_t k = 0; k < 80; k++) {
            xx += x[k] * x[k], xy += x[k] * y[k], yy += y[k] * y[k];
            xr += x[k] * t.trial.residual[k], yr += y[k] * t.trial.residual[k];
        }
        long double fall = (yy * xr * xr - 2 * xy * xr * yr + xx * yr * yr) / (xx * yy - xy * xy);
        assert_true(fabsl(fall - circular[bin].improvement) <= 1e-10L * fall);
    }
    noise_trial_free(&t);
}

/* ---- how rows are laid out ----------------------------------------------------- */

/* One row of a column by what a row of that shape holds: what is new in x; f moves on. */
static double walk(scan_noise_shape shape, const double *row, double x, double *f)
{
    const int counts[] = {shape.n_singles, shape.n_pairs, shape.n_triples};
    const double *block = row;
    double *state = f;
    for (int m = 1; m <= 3; m++)
        for (int b = 0; b < counts[m - 1]; b++, block += m * (m + 2), state += m)
            for (int i = 0; i < m; i++)
                x -= block[i] * state[i];
    block = row;
    state = f;
    for (int m = 1; m <= 3; m++)
        for (int b = 0; b < counts[m - 1]; b++, block += m * (m + 2), state += m) {
            double next[3];
            for (int i = 0; i < m; i++) {
                next[i] = block[m + m * m + i] * x;
                for (int j = 0; j < m; j++)
                    next[i] += block[m + i * m + j] * state[j];
            }
            memcpy(state, next, (size_t)m * sizeof *next);
        }
    return x;
}

/* GPUs lay noise out in shapes that have kernels: states that are left over share pairs, and
 * blocks that are not needed are zeros. All walk to the same. */
static void every_shape_with_room_whitens_alike(void **state)
{
    (void)state;
    static const scan_noise_shape rooms[] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 2, 0},
                                             {1, 2, 0}, {0, 3, 0}, {1, 3, 0}, {1, 1, 1},
                                             {1, 2, 1}, {1, 5, 0}, {1, 4, 1}, {0, 9, 2}};
    enum { N_ROWS = 50 };
    noise_process process;
    int n_tried = 0;
    for (int index = 0; process_at(index, &process); index++) {
        noise_trial t = trial_of(1000 + (uint64_t)index, N_ROWS, 0, &process);
        scan_noise_shape own = scan_noise_shape_of(&t.noise);
        assert_true(scan_noise_fits(own, own));
        for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
            long double expected[N_ROWS];
            double f[64] = {0.0}, row[320], worst = 0.0;
            if (!scan_noise_fits(own, rooms[r]))
                continue;
            assert_true(scan_noise_states(rooms[r]) >= t.noise.n_states);
            n_tried++;
            for (int k = 0; k < N_ROWS; k++)
                expected[k] = cos(0.3 * t.trial.time[k]);
            scan_oracle_whiten(N_ROWS, t.lower, expected);
            for (int k = 0; k < N_ROWS; k++) {
                scan_noise_fill_row(&t.noise, N_ROWS, (size_t)k, rooms[r], row);
                double x = cos(0.3 * t.trial.time[k]) * t.factor.root_weight[k];
                double found = walk(rooms[r], row, x, f);
                worst = fmax(worst, fabs(found - (double)expected[k]));
            }
            if (!(worst < 1e-12))
                fail_msg("process %d in shape %d, %d, %d: an error of %g", index,
                         rooms[r].n_singles, rooms[r].n_pairs, rooms[r].n_triples, worst);
        }
        noise_trial_free(&t);
    }
    assert_true(n_tried > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_nodes_are_those_of_a_dense_covariance),
        cmocka_unit_test(strong_noise_leaves_single_precision_enough),
        cmocka_unit_test(no_states_are_white_noise),
        cmocka_unit_test(every_processor_gives_the_same_bits),
        cmocka_unit_test(rows_without_velocity_take_no_orbit),
        cmocka_unit_test(every_shape_with_room_whitens_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
