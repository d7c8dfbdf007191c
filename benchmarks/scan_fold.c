/* What folding gains a scan: the same bins with it and with every node summed, in rounds, each with
 * its fastest, and the largest difference between the improvements found.
 *
 *   scan_fold [N_BASE [N_ROUNDS [N_BINS [PLACE [PRECISION [BACKEND]]]]]]
 *
 * By default 8, 3, 24, 0.025, 1 (mixed), cpu. The place is that of the bins in the grid, which ends
 * at 1.2 days: at 0.025 orbits go to e = 0.9, at 0.7 to 0.6. */
#include <math.h>
#include <string.h>

#include "core/scan.h"
#include "inference/search/scan_grid.h"
#include "trial_run.h"

static const double span_days = 4000.0;
static const size_t sizes[] = {25, 50, 100, 200, 401, 1000, 2000, 5103};

static double product(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Takes from a column what it shares with the first n of the base. */
static void orthogonalise(size_t n_obs, size_t n, const double *base, double *column)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < n; j++) {
            double shared = product(n_obs, base + j * n_obs, column);
            for (size_t k = 0; k < n_obs; k++)
                column[k] -= shared * base[j * n_obs + k];
        }
}

/* A planet on an eccentric orbit in noise; offset, trend and sines in the base. */
static backend_scan observe(size_t n_obs, size_t n_base, const scan_grid *grid)
{
    double *time = allocate(n_obs, sizeof *time), *root_weight = allocate(n_obs, sizeof *time);
    double *residual = allocate(n_obs, sizeof *time);
    double *base = allocate(n_base * n_obs + 1, sizeof *base), *u = allocate(3 * n_obs, sizeof *u);
    must(equant_random_uniform(1, 1, 0, 3 * n_obs, u));
    for (size_t k = 0; k < n_obs; k++) {
        double t = time[k] = span_days * (u[k] - 0.5);
        root_weight[k] = 1.0 / (0.7 + u[n_obs + k]);
        residual[k] =
            root_weight[k] * (cos(t / 7.5 + sin(t / 7.5)) + 4.0 * (u[2 * n_obs + k] - 0.5));
    }
    for (size_t j = 0; j < n_base; j++) {
        double *q = base + j * n_obs;
        for (size_t k = 0; k < n_obs; k++)
            q[k] = root_weight[k] * (j == 0   ? 1.0
                                     : j == 1 ? time[k]
                                              : sin(time[k] / (1.0 + 3.0 * (double)j)));
        orthogonalise(n_obs, j, base, q);
        double length = sqrt(product(n_obs, q, q));
        for (size_t k = 0; k < n_obs; k++)
            q[k] /= length;
    }
    orthogonalise(n_obs, n_base, base, residual);
    free(u);
    return (backend_scan){.n_obs = n_obs,
                          .time_days = time,
                          .root_weight = root_weight,
                          .residual = residual,
                          .n_base = n_base,
                          .base = base,
                          .first_frequency_per_day = grid->first_frequency_per_day,
                          .bin_width_per_day = grid->bin_width_per_day,
                          .n_layers = grid->n_layers,
                          .layers = grid->layers};
}

static void forget(const backend_scan *scan)
{
    free((void *)scan->time_days);
    free((void *)scan->root_weight);
    free((void *)scan->residual);
    free((void *)scan->base);
}

/* Seconds of one processor. */
static double run(const equant_engine_options *engine, const backend_scan *scan, size_t first,
                  size_t n_bins, backend_scan_node *best)
{
    scan_state *state;
    must(scan_open(NULL, engine, scan, &state));
    clock_t start = clock();
    must(scan_run(state, first, n_bins, best, NULL));
    double spent = (double)(clock() - start) / CLOCKS_PER_SEC;
    scan_close(state);
    return spent;
}

static void measure(const equant_engine_options *engine, size_t n_obs, size_t n_base, int n_rounds,
                    size_t n_bins, double place)
{
    scan_grid grid = scan_grid_make(span_days, 1.2, 2.0 * span_days, 0.9);
    backend_scan folded = observe(n_obs, n_base, &grid), summed = folded;
    backend_scan_node *best = allocate(2 * n_bins, sizeof *best), *truth = best + n_bins;
    double fastest[2] = {INFINITY, INFINITY}, worst = 0.0;
    size_t first = (size_t)(place * (double)grid.n_bins);
    summed.sums_all = true;
    for (int round = 0; round < n_rounds; round++) {
        fastest[0] = fmin(fastest[0], run(engine, &summed, first, n_bins, truth));
        fastest[1] = fmin(fastest[1], run(engine, &folded, first, n_bins, best));
    }
    for (size_t i = 0; i < n_bins; i++)
        worst = fmax(worst, fabs(best[i].improvement / truth[i].improvement - 1.0));
    printf("%12zu %10.4f %10.4f %8.2f %12.1e\n", n_obs, fastest[0], fastest[1],
           fastest[0] / fastest[1], worst);
    forget(&folded);
    free(best);
}

int main(int n_arguments, char **arguments)
{
    size_t n_base = n_arguments > 1 ? (size_t)atoi(arguments[1]) : 8;
    int n_rounds = n_arguments > 2 ? atoi(arguments[2]) : 3;
    size_t n_bins = n_arguments > 3 ? (size_t)atoi(arguments[3]) : 24;
    double place = n_arguments > 4 ? atof(arguments[4]) : 0.025;
    int precision = n_arguments > 5 ? atoi(arguments[5]) : EQUANT_PRECISION_MIXED;
    const equant_engine_options engine = {.struct_size = sizeof engine,
                                          .backend = n_arguments > 6 ? arguments[6] : "cpu",
                                          .precision = (equant_precision)precision,
                                          .n_threads = 1};
    printf("%zu columns of the base, %zu bins at %g of the grid, one thread\n", n_base, n_bins,
           place);
    printf("%12s %10s %10s %8s %12s\n", "observations", "summed s", "folded s", "gain",
           "difference");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        measure(&engine, sizes[i], n_base, n_rounds, n_bins, place);
    return 0;
}
