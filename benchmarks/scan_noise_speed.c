/* What correlated noise costs a scan: the same nodes with white noise and with processes of more
 * and more states, in rounds, each with its fastest; and the error of its improvements against
 * double precision, at noise as large as the errors and at thirty times that.
 *
 *   scan_noise [BACKEND [N_OBS [N_BASE [N_ROUNDS]]]]       cpu, 256, 6, 5
 *
 * With the backend "once" it makes one small scan of each kind on a GPU, for tools that look at
 * every access. */
#include <math.h>
#include <string.h>

#include "core/scan.h"
#include "inference/search/scan_grid.h"
#include "noise/noise_factor.h"
#include "trial_run.h"

enum { N_PROCESSES = 10, WHITE = 0 };
static const double span_days = 1500.0;
static const char *const precisions[] = {"double", "mixed"};

/* As many blocks of one, two and three states. */
static const struct {
    const char *name;
    int n_singles, n_pairs, n_triples;
} shapes[N_PROCESSES] = {
    {"white", 0, 0, 0},
    {"night", 1, 0, 0},
    {"sho", 0, 1, 0},
    {"sho, night", 1, 1, 0},
    {"rotation", 0, 2, 0},
    {"rotation, night", 1, 2, 0},
    {"rotation, 3 nights", 3, 2, 0},
    {"mep", 0, 3, 0},
    {"matern 5/2", 0, 0, 1},
    {"esp, night, slow", 4, 6, 1},
};

/* The observations, and a scan of them behind one process. */
typedef struct trial {
    size_t n_obs, n_base;
    double *time_days, *variance, *velocity;
    noise_factor factor;
    backend_scan_noise noise;
    double *residual, *base, *root_weight;
} trial;

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static trial observe(size_t n_obs, size_t n_base)
{
    trial made = {.n_obs = n_obs,
                  .n_base = n_base,
                  .time_days = allocate(n_obs, sizeof(double)),
                  .variance = allocate(n_obs, sizeof(double)),
                  .velocity = allocate(n_obs, sizeof(double)),
                  .residual = allocate(n_obs, sizeof(double)),
                  .root_weight = allocate(n_obs, sizeof(double)),
                  .base = allocate(n_base * n_obs + 1, sizeof(double))};
    double *u = allocate(3 * n_obs, sizeof *u);
    must(equant_random_uniform(1, 1, 0, 3 * n_obs, u));
    qsort(u, n_obs, sizeof *u, compare);
    for (size_t k = 0; k < n_obs; k++) {
        double t = made.time_days[k] = span_days * (u[k] - 0.5), sigma = 0.7 + u[n_obs + k];
        made.variance[k] = sigma * sigma;
        made.velocity[k] = 3.0 * cos(t / 7.5) + 4.0 * (u[2 * n_obs + k] - 0.5);
    }
    free(u);
    return made;
}

static noise_process process_of(int shape, double amplitude)
{
    double a = amplitude * amplitude;
    noise_process made = {.n_blocks = 0};
    for (int i = 0; i < shapes[shape].n_singles; i++)
        made.block[made.n_blocks++] =
            i == 0 ? (noise_block){.kind = NOISE_BLOCK_NIGHT, .a = a}
                   : (noise_block){.kind = NOISE_BLOCK_EXPONENTIAL, .a = a, .c = 0.1 * i};
    for (int i = 0; i < shapes[shape].n_pairs; i++) {
        double c = 0.02, w = 6.283185307179586 * (1.0 + i) / 25.0;
        made.block[made.n_blocks++] =
            (noise_block){.kind = NOISE_BLOCK_DAMPED, .a = a, .b = a * c, .c = c, .q = w * w};
    }
    for (int i = 0; i < shapes[shape].n_triples; i++)
        made.block[made.n_blocks++] =
            (noise_block){.kind = NOISE_BLOCK_MATERN52, .a = a, .c = 0.01};
    for (int b = 0; b < made.n_blocks; b++)
        made.n_states += noise_block_states(made.block[b].kind);
    return made;
}

static void factor(trial *star, int shape, double amplitude)
{
    const noise_process process = process_of(shape, amplitude);
    bool *begins_night = allocate(star->n_obs, sizeof *begins_night);
    for (size_t k = 0; k < star->n_obs; k++)
        begins_night[k] = k == 0 || floor(star->time_days[k]) != floor(star->time_days[k - 1]);
    const noise_factor_rows rows = {
        .n = star->n_obs, .time_days = star->time_days, .begins_night = begins_night};
    must(noise_factor_create(star->n_obs, NOISE_PROCESS_MOST_STATES, false, &star->factor));
    if (!noise_factor_make(&star->factor, &process, &rows, star->variance))
        exit(1);
    star->noise = (backend_scan_noise){.n_blocks = star->factor.n_blocks,
                                       .n_states = star->factor.n_states,
                                       .propagator_size = star->factor.propagator_size,
                                       .block_states = star->factor.block_states,
                                       .propagators = star->factor.propagators,
                                       .u = star->factor.u,
                                       .w = star->factor.w,
                                       .inverse_root = star->factor.root_weight};
    memcpy(star->root_weight, star->factor.root_weight, star->n_obs * sizeof(double));
    free(begins_night);
}

static double product(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Whitens a column and takes from it what it shares with the first n of the base. */
static void prepare(const trial *star, size_t n, double *column, double *state)
{
    noise_factor_whiten(&star->factor, 1, column, state);
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < n; j++) {
            const double *q = star->base + j * star->n_obs;
            double shared = product(star->n_obs, q, column);
            for (size_t k = 0; k < star->n_obs; k++)
                column[k] -= shared * q[k];
        }
}

/* An offset, a trend and sines in the base. */
static void make_base(trial *star)
{
    double state[NOISE_PROCESS_MOST_STATES + 1];
    for (size_t j = 0; j < star->n_base; j++) {
        double *q = star->base + j * star->n_obs;
        for (size_t k = 0; k < star->n_obs; k++) {
            double t = star->time_days[k];
            q[k] = j == 0 ? 1.0 : j == 1 ? t : sin(t / (1.0 + 3.0 * (double)j));
        }
        prepare(star, j, q, state);
        double length = sqrt(product(star->n_obs, q, q));
        for (size_t k = 0; k < star->n_obs; k++)
            q[k] /= length;
    }
    memcpy(star->residual, star->velocity, star->n_obs * sizeof(double));
    prepare(star, star->n_base, star->residual, state);
}

static backend_scan scan_of(const trial *star, const scan_grid *grid)
{
    return (backend_scan){.n_obs = star->n_obs,
                          .time_days = star->time_days,
                          .root_weight = star->root_weight,
                          .noise = star->noise.n_states > 0 ? &star->noise : NULL,
                          .residual = star->residual,
                          .n_base = star->n_base,
                          .base = star->base,
                          .first_frequency_per_day = grid->first_frequency_per_day,
                          .bin_width_per_day = grid->bin_width_per_day,
                          .n_layers = grid->n_layers,
                          .layers = grid->layers};
}

static equant_engine_options engine_of(const char *name, int precision)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options),
                                   .backend = name,
                                   .precision = (equant_precision)precision,
                                   .n_threads = strcmp(name, "cuda") == 0 ? 0 : 1};
}

/* Seconds of a scan of n_bins bins in one piece. */
static double run(const char *name, int precision, const backend_scan *scan, size_t first,
                  size_t n_bins, backend_scan_node *best)
{
    equant_engine_options engine = engine_of(name, precision);
    scan_state *state;
    must(scan_open(NULL, &engine, scan, &state));
    double start = seconds();
    must(scan_run(state, first, n_bins, best, NULL));
    double spent = seconds() - start;
    scan_close(state);
    return spent;
}

/* The largest error of improvements against double precision on the processor. */
static double error_of(const char *name, int precision, const backend_scan *scan, size_t first)
{
    enum { N_CHECKED = 8 };
    backend_scan_node found[N_CHECKED], truth[N_CHECKED];
    double worst = 0.0;
    run(name, precision, scan, first, N_CHECKED, found);
    run("cpu", EQUANT_PRECISION_DOUBLE, scan, first, N_CHECKED, truth);
    for (int i = 0; i < N_CHECKED; i++)
        worst = fmax(worst, fabs(found[i].improvement / truth[i].improvement - 1.0));
    return worst;
}

static void measure(const char *name, int precision, size_t n_obs, size_t n_base, int n_rounds)
{
    double fastest[N_PROCESSES], errors[N_PROCESSES][2];
    bool on_gpu = strcmp(name, "cuda") == 0;
    scan_grid grid = scan_grid_make(span_days, 1.2, 2.0 * span_days, 0.9);
    size_t n_bins = on_gpu ? grid.n_bins : 40, first = on_gpu ? 0 : grid.n_bins / 8;
    trial stars[N_PROCESSES];
    backend_scan_node *best = allocate(n_bins, sizeof *best);
    for (int i = 0; i < N_PROCESSES; i++) {
        fastest[i] = INFINITY;
        for (int strong = 1; strong >= 0; strong--) {
            stars[i] = observe(n_obs, n_base);
            factor(&stars[i], i, strong ? 30.0 : 1.0);
            make_base(&stars[i]);
            backend_scan scan = scan_of(&stars[i], &grid);
            errors[i][strong] = error_of(name, precision, &scan, grid.n_bins / 8);
        }
    }
    for (int round = 0; round < n_rounds; round++)
        for (int i = 0; i < N_PROCESSES; i++) {
            backend_scan scan = scan_of(&stars[i], &grid);
            fastest[i] = fmin(fastest[i], run(name, precision, &scan, first, n_bins, best));
        }
    printf("\n%s, %s, %zu observations, %zu columns of the base, %zu bins, e up to 0.9\n", name,
           precisions[precision], n_obs, n_base, n_bins);
    printf("%-18s %6s %10s %8s %12s %12s\n", "noise", "states", "s", "x white", "error", "at 30");
    for (int i = 0; i < N_PROCESSES; i++)
        printf("%-18s %6zu %10.4g %8.2f %12.1e %12.1e\n", shapes[i].name, stars[i].noise.n_states,
               fastest[i], fastest[i] / fastest[WHITE], errors[i][0], errors[i][1]);
    free(best);
}

/* All kinds of layers behind every process, in both precisions. */
static void run_once(void)
{
    static const backend_scan_layer layers[] = {
        {.eccentricity = 0.0, .n_bins = 40, .n_frequencies = 1, .n_phases = 1},
        {.eccentricity = 0.6, .n_bins = 40, .n_frequencies = 2, .n_phases = 32},
        {.eccentricity = 0.999, .n_bins = 2, .n_frequencies = 1, .n_phases = 48},
    };
    scan_grid grid = scan_grid_make(span_days, 1.2, 2.0 * span_days, 0.9);
    backend_scan_node best[40];
    for (int i = 0; i < N_PROCESSES; i++)
        for (size_t n_base = 1; n_base <= 13; n_base += 6) {
            trial star = observe(100, n_base);
            factor(&star, i, 1.0);
            make_base(&star);
            backend_scan scan = scan_of(&star, &grid);
            scan.layers = layers;
            scan.n_layers = sizeof layers / sizeof *layers;
            run("cuda", EQUANT_PRECISION_DOUBLE, &scan, 0, 40, best);
            run("cuda", EQUANT_PRECISION_MIXED, &scan, 0, 40, best);
        }
}

int main(int n_arguments, char **arguments)
{
    const char *name = n_arguments > 1 ? arguments[1] : "cpu";
    size_t n_obs = n_arguments > 2 ? (size_t)atoi(arguments[2]) : 256;
    size_t n_base = n_arguments > 3 ? (size_t)atoi(arguments[3]) : 6;
    int n_rounds = n_arguments > 4 ? atoi(arguments[4]) : 5;
    if (strcmp(name, "once") == 0) {
        run_once();
        return 0;
    }
    measure(name, EQUANT_PRECISION_DOUBLE, n_obs, n_base, n_rounds);
    measure(name, EQUANT_PRECISION_MIXED, n_obs, n_base, n_rounds);
    return 0;
}
