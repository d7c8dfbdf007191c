/* Speed and error of what a search for planets asks of the CUDA backend: scans and derivatives.
 * Built and run by scripts/gpu-check. With the argument "once" it makes one small call of each
 * kind, for tools that look at every access. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/scan.h"
#include "inference/search/scan_grid.h"
#include "trial_run.h"

enum { N_OBS = 256, MOST_COLUMNS = 18, N_PLANETS = 3 };
static const double span_days = 3000.0;
static const char *const precisions[] = {"double", "mixed", "single", "pair"};

static equant_engine_options engine_of(const char *name, equant_precision precision)
{
    return (equant_engine_options){
        .struct_size = sizeof(equant_engine_options), .backend = name, .precision = precision};
}

/* ---- scans ----------------------------------------------------------------- */

static double time_days[N_OBS], root_weight[N_OBS], residual[N_OBS], base[MOST_COLUMNS][N_OBS];

static double product(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < N_OBS; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Takes from `column` what it shares with the first n of the base. */
static void project(double *column, int n)
{
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < n; j++) {
            double shared = product(base[j], column);
            for (int k = 0; k < N_OBS; k++)
                column[k] -= shared * base[j][k];
        }
}

/* A planet of 47 days in noise; an offset, a trend and sines in the base. */
static void observe(void)
{
    double u[3 * N_OBS];
    must(equant_random_uniform(1, 1, 0, 3 * N_OBS, u));
    for (int k = 0; k < N_OBS; k++) {
        time_days[k] = span_days * (u[k] - 0.5);
        root_weight[k] = 0.5 + u[N_OBS + k];
        residual[k] =
            root_weight[k] * (3.0 * cos(time_days[k] / 7.5) + 4.0 * (u[2 * N_OBS + k] - 0.5));
        for (int j = 0; j < MOST_COLUMNS; j++) {
            double t = time_days[k];
            base[j][k] = root_weight[k] * (j == 0 ? 1.0 : j == 1 ? t : sin(t / (1.0 + 3.0 * j)));
        }
    }
    for (int j = 0; j < MOST_COLUMNS; j++) {
        project(base[j], j);
        double length = sqrt(product(base[j], base[j]));
        for (int k = 0; k < N_OBS; k++)
            base[j][k] /= length;
    }
    project(residual, MOST_COLUMNS);
}

static backend_scan scan_of(const scan_grid *grid, size_t n_base, size_t first_layer,
                            size_t n_layers)
{
    return (backend_scan){.n_obs = N_OBS,
                          .time_days = time_days,
                          .root_weight = root_weight,
                          .residual = residual,
                          .n_base = n_base,
                          .base = base[0],
                          .first_frequency_per_day = grid->first_frequency_per_day,
                          .bin_width_per_day = grid->bin_width_per_day,
                          .n_layers = n_layers,
                          .layers = grid->layers + first_layer};
}

/* Nodes of some layers in some bins. */
static double n_nodes(const backend_scan *scan, size_t first_bin, size_t n_bins)
{
    double n = 0.0;
    for (size_t i = 0; i < scan->n_layers; i++) {
        const backend_scan_layer *layer = &scan->layers[i];
        double reached = fmax(0.0, (double)layer->n_bins - (double)first_bin);
        double phases = layer->eccentricity > 0.0 ? (double)layer->n_phases : 1.0;
        n += fmin(reached, (double)n_bins) * (double)layer->n_frequencies * phases;
    }
    return n;
}

/* A scan in one piece. */
static void scan_whole(const equant_engine_options *engine, const backend_scan *scan,
                       size_t first_bin, size_t n_bins, backend_scan_node *best,
                       backend_scan_node *circular)
{
    scan_state *state;
    must(scan_open(NULL, engine, scan, &state));
    must(scan_run(state, first_bin, n_bins, best, circular));
    scan_close(state);
}

/* Seconds of the fastest of n_rounds scans. */
static double time_scan(const equant_engine_options *engine, const backend_scan *scan,
                        size_t first_bin, size_t n_bins, int n_rounds, backend_scan_node *best)
{
    double fastest = INFINITY;
    for (int round = 0; round < n_rounds; round++) {
        double start = seconds();
        scan_whole(engine, scan, first_bin, n_bins, best, NULL);
        fastest = fmin(fastest, seconds() - start);
    }
    return fastest;
}

/* All bins on the GPU, and some of them on the processor: in the same precision for the speed,
 * in double for the truth. */
static void measure_scan(const scan_grid *grid, equant_precision precision, size_t n_base,
                         backend_scan_node *best)
{
    enum { N_CHECKED = 16 };
    equant_engine_options gpu = engine_of("cuda", precision), cpu = engine_of("cpu", precision);
    equant_engine_options exact = engine_of("cpu", EQUANT_PRECISION_DOUBLE);
    backend_scan scan = scan_of(grid, n_base, 0, grid->n_layers);
    backend_scan_node truth[N_CHECKED], again[N_CHECKED];
    size_t first = grid->n_bins / 8, n_small = grid->n_bins < 200 ? grid->n_bins : 200;
    double all = time_scan(&gpu, &scan, 0, grid->n_bins, 3, best), worst = 0.0;
    double small = time_scan(&gpu, &scan, grid->n_bins - n_small, n_small, 10, best);
    time_scan(&gpu, &scan, first, N_CHECKED, 1, best);
    time_scan(&exact, &scan, first, N_CHECKED, 1, truth);
    double processor = time_scan(&cpu, &scan, first, N_CHECKED, 1, again);
    for (int i = 0; i < N_CHECKED; i++)
        worst = fmax(worst, fabs(best[i].improvement / truth[i].improvement - 1.0));
    printf("%-7s %4zu %12.3g %12.3g %12.3g %12.0f %10.1e\n", precisions[precision], n_base,
           n_nodes(&scan, 0, grid->n_bins) * N_OBS / all, all,
           n_nodes(&scan, first, N_CHECKED) * N_OBS / processor, small * 1e6, worst);
}

static void measure_scans(double eccentricity_max)
{
    static const size_t n_bases[] = {1, 6, 13};
    scan_grid grid = scan_grid_make(span_days, 1.2, 2.0 * span_days, eccentricity_max);
    backend_scan_node *best = allocate(grid.n_bins, sizeof *best);
    printf("\nscan, %d observations, %zu bins, %zu layers, e up to %.2f, %.3g nodes\n", N_OBS,
           grid.n_bins, grid.n_layers, eccentricity_max, scan_grid_n_nodes(&grid));
    printf("%-7s %4s %12s %12s %12s %12s %10s\n", "", "base", "node obs/s", "s for all",
           "processor", "us, 200 bins", "max error");
    for (int precision = EQUANT_PRECISION_DOUBLE; precision <= EQUANT_PRECISION_MIXED; precision++)
        for (size_t i = 0; i < sizeof n_bases / sizeof *n_bases; i++)
            measure_scan(&grid, (equant_precision)precision, n_bases[i], best);
    printf(
        "\nmixed, by layer: e, phases, frequencies, node obs/s with 1 and 6 columns of the base\n");
    equant_engine_options gpu = engine_of("cuda", EQUANT_PRECISION_MIXED);
    for (size_t i = 0; i < grid.n_layers; i++) {
        const backend_scan_layer *layer = &grid.layers[i];
        printf("%.2f %6zu %6zu", layer->eccentricity, layer->n_phases, layer->n_frequencies);
        for (size_t n_base = 1; n_base <= 6; n_base += 5) {
            backend_scan scan = scan_of(&grid, n_base, i, 1);
            double spent = time_scan(&gpu, &scan, 0, layer->n_bins, 3, best);
            printf(" %12.3g", n_nodes(&scan, 0, layer->n_bins) * N_OBS / spent);
        }
        printf("\n");
    }
    free(best);
}

/* ---- derivatives ------------------------------------------------------------ */

/* A fit of so many planets to so many observations; offsets are solved for. */
typedef struct derivative_case {
    size_t n_planets, n_obs, most_sets;
} derivative_case;

static equant_evaluator *make_evaluator(const derivative_case *of, const char *name)
{
    equant_model_options shape = {.struct_size = sizeof shape, .n_planets = of->n_planets};
    equant_engine_options engine = engine_of(name, EQUANT_PRECISION_DOUBLE);
    engine.n_threads = 1;
    equant_dataset *dataset;
    equant_model *model;
    equant_evaluator *evaluator;
    size_t n = of->n_obs;
    double *u = allocate(n, 3 * sizeof *u);
    must(equant_random_uniform(1, 1, 0, 3 * n, u));
    for (size_t k = 0; k < n; k++) {
        u[k] = span_days * (u[k] - 0.5);
        u[n + k] = 4.0 * (u[n + k] - 0.5);
        u[2 * n + k] += 0.5;
    }
    must(equant_dataset_from_arrays(n, u, u + n, u + 2 * n, NULL, 1, NULL, NULL, &dataset));
    must(equant_model_create(&shape, &model));
    must(equant_evaluator_create(dataset, model, &engine, &evaluator));
    equant_model_free(model);
    equant_dataset_free(dataset);
    free(u);
    return evaluator;
}

/* Microseconds for n_sets sets, the fastest of several calls. */
static double time_derivatives(equant_evaluator *evaluator, size_t n_sets, const double *sets,
                               double *gradient, double *fisher)
{
    equant_derivatives derivatives = {
        .struct_size = sizeof derivatives, .chi_square_gradient = gradient, .fisher = fisher};
    double fastest = INFINITY;
    for (int round = 0; round < 5; round++) {
        double start = seconds();
        must(equant_evaluator_differentiate(evaluator, EQUANT_BASIS_LINEAR, n_sets, sets,
                                            &derivatives));
        fastest = fmin(fastest, seconds() - start);
    }
    return fastest * 1e6;
}

/* Largest difference of Fisher matrices, in units of their diagonals. */
static double fisher_difference(size_t n_sets, size_t n, const double *a, const double *b)
{
    double worst = 0.0;
    for (size_t s = 0; s < n_sets; s++, a += n * n, b += n * n)
        for (size_t i = 0; i < n * n; i++) {
            double scale = sqrt(a[i / n * (n + 1)] * a[i % n * (n + 1)]);
            worst = fmax(worst, scale > 0.0 ? fabs(a[i] - b[i]) / scale : 0.0);
        }
    return worst;
}

static void measure_derivatives(derivative_case of)
{
    size_t most = of.most_sets, n_parameters = 5 * of.n_planets,
           square = n_parameters * n_parameters;
    double *sets = allocate(most, n_parameters * sizeof *sets);
    double *gradient = allocate(most, n_parameters * sizeof *gradient);
    double *fisher = allocate(2 * most, square * sizeof *fisher);
    equant_evaluator *gpu = make_evaluator(&of, "cuda"), *cpu = make_evaluator(&of, "cpu");
    must(equant_orbits_draw(NULL, 1, 0, most, of.n_planets, sets));
    printf("\ngradient and Fisher matrix, %zu planets, %zu observations, offset solved\n",
           of.n_planets, of.n_obs);
    printf("%8s %12s %12s %10s\n", "sets", "us, GPU", "a processor", "max error");
    for (size_t n = 1; n <= most; n *= 16) {
        double on_gpu = time_derivatives(gpu, n, sets, gradient, fisher);
        double on_cpu = time_derivatives(cpu, n, sets, gradient, fisher + most * square);
        double worst = fisher_difference(n, n_parameters, fisher + most * square, fisher);
        printf("%8zu %12.0f %12.0f %10.1e\n", n, on_gpu, on_cpu, worst);
    }
    equant_evaluator_free(gpu);
    equant_evaluator_free(cpu);
    free(sets);
    free(gradient);
    free(fisher);
}

/* One small scan in two precisions, all kinds of layers among them, and a few derivatives. */
static void run_once(void)
{
    static const backend_scan_layer layers[] = {
        {.eccentricity = 0.0, .n_bins = 40, .n_frequencies = 1, .n_phases = 1},
        {.eccentricity = 0.6, .n_bins = 40, .n_frequencies = 2, .n_phases = 32},
        {.eccentricity = 0.999, .n_bins = 2, .n_frequencies = 1, .n_phases = 48},
    };
    backend_scan_node best[40], circular[40];
    scan_grid grid = scan_grid_make(span_days, 1.2, 2.0 * span_days, 0.9);
    for (size_t n_base = 1; n_base <= 13; n_base += 6)
        for (int precision = EQUANT_PRECISION_DOUBLE; precision <= EQUANT_PRECISION_MIXED;
             precision++) {
            equant_engine_options gpu = engine_of("cuda", (equant_precision)precision);
            backend_scan scan = scan_of(&grid, n_base, 0, 0);
            scan.layers = layers;
            scan.n_layers = sizeof layers / sizeof *layers;
            scan_whole(&gpu, &scan, 0, 40, best, circular);
        }
    measure_derivatives((derivative_case){N_PLANETS, N_OBS, 16});
    measure_derivatives((derivative_case){N_PLANETS, 1500, 1});
}

int main(int n_arguments, char **arguments)
{
    observe();
    if (n_arguments > 1 && strcmp(arguments[1], "once") == 0) {
        run_once();
        return 0;
    }
    measure_scans(0.9);
    measure_scans(0.95);
    measure_derivatives((derivative_case){N_PLANETS, N_OBS, 65536});
    measure_derivatives((derivative_case){4, 5000, 256});
    measure_derivatives((derivative_case){8, 5000, 256});
}
