/* The nodes of a scan, one per lane: REAL_LANES neighbouring M0 of one frequency, or circles of
 * neighbouring frequencies. Lanes share the observation, so a sum over observations needs no
 * addition across lanes and has the same bits on every machine.
 *
 * First all observations are located in the table of a layer (scan_table.h; wide lanes over
 * observations). Then, for a group of nodes and a strip of observations, passes multiply x and
 * y with each other, the residual and the base: the first computes them on its way, the others
 * read what it left in the first level of cache. Correlated noise puts a pass before them, which
 * computes and whitens. */
#ifndef EQUANT_BACKENDS_CPU_SCAN_LOOP_H
#define EQUANT_BACKENDS_CPU_SCAN_LOOP_H

#include "backends/cpu/scan_columns.h"

/* Columns of the base whose sums a pass keeps in registers, of which AVX2 has sixteen: beside
 * the sums of scan_node.h, and alone. */
#define SCAN_COLUMNS_FIRST 3
#define SCAN_COLUMNS_NEXT 6

/* Adds a sum over a strip to its place in double. */
LANE_FUNCTION void scan_collect(double *sums, size_t which, real strip_sum)
{
    double widened[REAL_LANES];
    double *sum = sums + which * REAL_LANES;
    real_store_double(widened, strip_sum);
    for (size_t i = 0; i < REAL_LANES; i += F64_LANES)
        f64_store(sum + i, f64_load(sum + i) + f64_load(widened + i));
}

/* What a pass over a strip of observations does: constants where it is called. */
typedef struct scan_pass {
    int n_columns; /* of the base, to be multiplied by                          */
    bool first;    /* also the products with the residual and of x and y        */
    bool computes; /* x and y; otherwise they are read                          */
    bool stores;   /* them, for a later pass                                    */
} scan_pass;

/* Products of the observations first ... first + n - 1, with columns of the base from `column`
 * on. */
LANE_FUNCTION void scan_products(const cpu_scan *scan, scan_group group, size_t first, size_t n,
                                 size_t column, scan_pass pass, const cpu_scan_scratch *scratch)
{
    const scalar *row = (const scalar *)scan->rows + first * scan->row_length;
    scalar *x_column = scratch->x, *y_column = scratch->y;
    real zero = REAL(0.0), qx[SCAN_COLUMNS_NEXT], qy[SCAN_COLUMNS_NEXT], x, y;
    scan_node_sums sums = {zero, zero, zero, zero, zero};
    for (int j = 0; j < pass.n_columns; j++)
        qx[j] = qy[j] = zero;
    for (size_t k = 0; k < n; k++, row += scan->row_length) {
        if (pass.computes) {
            scan_columns(group.table, group.phase, first + k, scratch, REAL(row[SCAN_ROW_WEIGHT]),
                         &x, &y);
        } else {
            x = real_load(x_column + k * REAL_LANES);
            y = real_load(y_column + k * REAL_LANES);
        }
        if (pass.stores) {
            real_store(x_column + k * REAL_LANES, x);
            real_store(y_column + k * REAL_LANES, y);
        }
        if (pass.first)
            scan_node_add(&sums, x, y, REAL(row[SCAN_ROW_RESIDUAL]));
        for (int j = 0; j < pass.n_columns; j++) {
            real q = REAL(row[SCAN_ROW_BASE + column + (size_t)j]);
            qx[j] = lane_fma(q, x, qx[j]);
            qy[j] = lane_fma(q, y, qy[j]);
        }
    }
    if (pass.first) {
        scan_collect(scratch->sums, SCAN_SUM_XX, sums.xx);
        scan_collect(scratch->sums, SCAN_SUM_XY, sums.xy);
        scan_collect(scratch->sums, SCAN_SUM_YY, sums.yy);
        scan_collect(scratch->sums, SCAN_SUM_XR, sums.xr);
        scan_collect(scratch->sums, SCAN_SUM_YR, sums.yr);
    }
    for (int j = 0; j < pass.n_columns; j++) {
        size_t place = SCAN_SUM_BASE + 2 * (column + (size_t)j);
        scan_collect(scratch->sums, place, qx[j]);
        scan_collect(scratch->sums, place + 1, qy[j]);
    }
}

/* The first pass over a strip of orbits, with as many columns of the base as it takes. */
LANE_FUNCTION void scan_first_pass(const cpu_scan *scan, scan_group group, size_t first, size_t n,
                                   const cpu_scan_scratch *scratch)
{
    switch (scan->n_base) {
    case 0:
        scan_products(scan, group, first, n, 0, (scan_pass){0, true, true, false}, scratch);
        break;
    case 1:
        scan_products(scan, group, first, n, 0, (scan_pass){1, true, true, false}, scratch);
        break;
    case 2:
        scan_products(scan, group, first, n, 0, (scan_pass){2, true, true, false}, scratch);
        break;
    case SCAN_COLUMNS_FIRST:
        scan_products(scan, group, first, n, 0, (scan_pass){SCAN_COLUMNS_FIRST, true, true, false},
                      scratch);
        break;
    default:
        scan_products(scan, group, first, n, 0, (scan_pass){SCAN_COLUMNS_FIRST, true, true, true},
                      scratch);
    }
}

/* All products of a strip. */
static void scan_strip_products(const cpu_scan *scan, scan_group group, size_t first, size_t n,
                                const cpu_scan_scratch *scratch)
{
    bool white = scan->noise_length == 0;
    if (!white)
        scan_whiten_strip(scan, group, first, n, scratch);
    bool computes = group.table && white;
    if (computes)
        scan_first_pass(scan, group, first, n, scratch);
    else
        scan_products(scan, group, first, n, 0, (scan_pass){.first = true}, scratch);
    for (size_t column = computes ? SCAN_COLUMNS_FIRST : 0; column < scan->n_base;
         column += SCAN_COLUMNS_NEXT)
        switch (scan->n_base - column) {
        case 1:
            scan_products(scan, group, first, n, column, (scan_pass){.n_columns = 1}, scratch);
            break;
        case 2:
            scan_products(scan, group, first, n, column, (scan_pass){.n_columns = 2}, scratch);
            break;
        case 3:
            scan_products(scan, group, first, n, column, (scan_pass){.n_columns = 3}, scratch);
            break;
        case 4:
            scan_products(scan, group, first, n, column, (scan_pass){.n_columns = 4}, scratch);
            break;
        case 5:
            scan_products(scan, group, first, n, column, (scan_pass){.n_columns = 5}, scratch);
            break;
        default:
            scan_products(scan, group, first, n, column,
                          (scan_pass){.n_columns = SCAN_COLUMNS_NEXT}, scratch);
        }
}

/* improvement[REAL_LANES] from the sums: chi-square, no more than there is. True where one of
 * them exceeds `least`. */
LANE_FUNCTION int scan_improvements(const cpu_scan *scan, const double *sums, double least,
                                    double *improvement)
{
    int any = 0;
    for (size_t i = 0; i < REAL_LANES; i += F64_LANES) {
        scan_node_equations equations = {
            .xx = f64_load(sums + SCAN_SUM_XX * REAL_LANES + i),
            .xy = f64_load(sums + SCAN_SUM_XY * REAL_LANES + i),
            .yy = f64_load(sums + SCAN_SUM_YY * REAL_LANES + i),
            .xr = f64_load(sums + SCAN_SUM_XR * REAL_LANES + i),
            .yr = f64_load(sums + SCAN_SUM_YR * REAL_LANES + i),
        };
        equations.x2 = equations.xx;
        equations.y2 = equations.yy;
        for (size_t j = 0; j < scan->n_base; j++) {
            const double *products = sums + (SCAN_SUM_BASE + 2 * j) * REAL_LANES + i;
            scan_node_project(&equations, f64_load(products), f64_load(products + REAL_LANES));
        }
        f64 share = lane_min(scan_node_improvement(&equations), F64(1.0));
        f64 fall = share * F64(scan->residual_square);
        f64_store(improvement + i, fall);
        any |= f64_any(lane_less(F64(least), fall));
    }
    return any;
}

static void scan_offer(backend_scan_node *best, double improvement, double frequency,
                       double eccentricity, double m0)
{
    if (improvement > best->improvement)
        *best = (backend_scan_node){improvement, frequency, eccentricity, m0};
}

/* Before the first strip of a group. */
static void scan_begin(const cpu_scan *scan, const cpu_scan_scratch *scratch)
{
    size_t n_sums = SCAN_SUM_BASE + 2 * scan->n_base;
    memset(scratch->sums, 0, n_sums * REAL_LANES * sizeof(double));
    memset(scratch->state, 0, 2 * scan_noise_states(scan->noise) * REAL_LANES * sizeof(scalar));
}

/* Nodes of one layer and frequency, from `phase` up to `end`; the observations are located. */
static void scan_phases(const cpu_scan *scan, const cpu_scan_layer *layer, double frequency,
                        size_t phase, size_t end, const cpu_scan_scratch *scratch,
                        backend_scan_node *best)
{
    for (; phase < end; phase += REAL_LANES) {
        scan_begin(scan, scratch);
        for (size_t first = 0; first < scan->n_obs; first += SCAN_STRIP) {
            size_t left = scan->n_obs - first, n = left < SCAN_STRIP ? left : SCAN_STRIP;
            scan_strip_products(scan, (scan_group){&layer->table, phase}, first, n, scratch);
        }
        double improvement[REAL_LANES];
        if (scan_improvements(scan, scratch->sums, best->improvement, improvement))
            for (size_t i = 0; i < REAL_LANES; i++)
                scan_offer(best, improvement[i], frequency, layer->grid.eccentricity,
                           MEAN_ANOMALY_TWO_PI * (double)(phase + i) /
                               (double)layer->grid.n_phases);
    }
}

/* The circles of all frequencies of n_bins bins. */
static void scan_circles(const cpu_scan *scan, const backend_scan_layer *layer, size_t first_bin,
                         size_t n_bins, const cpu_scan_scratch *scratch, backend_scan_node *best,
                         backend_scan_node *circular)
{
    size_t n_nodes = n_bins * layer->n_frequencies;
    for (size_t node = 0; node < n_nodes; node += REAL_LANES) {
        double frequency[REAL_LANES], improvement[REAL_LANES];
        size_t n_here = n_nodes - node < REAL_LANES ? n_nodes - node : REAL_LANES;
        for (size_t i = 0; i < REAL_LANES; i++) {
            size_t number = node + (i < n_here ? i : 0);
            frequency[i] =
                cpu_scan_frequency(scan, layer, first_bin + number / layer->n_frequencies,
                                   number % layer->n_frequencies);
        }
        scan_begin(scan, scratch);
        for (size_t first = 0; first < scan->n_obs; first += SCAN_STRIP) {
            size_t left = scan->n_obs - first, n = left < SCAN_STRIP ? left : SCAN_STRIP;
            scan_circle_columns(scan, frequency, first, n, scratch);
            scan_strip_products(scan, (scan_group){NULL, 0}, first, n, scratch);
        }
        scan_improvements(scan, scratch->sums, 0.0, improvement);
        for (size_t i = 0; i < n_here; i++) {
            size_t bin = (node + i) / layer->n_frequencies;
            scan_offer(&best[bin], improvement[i], frequency[i], 0.0, 0.0);
            if (circular)
                scan_offer(&circular[bin], improvement[i], frequency[i], 0.0, 0.0);
        }
    }
}

/* ---- what folding leaves to do ---------------------------------------------- */

/* A group of BACKEND_SCAN_PHASES nodes is summed where its estimate comes as close as this to the
 * best: much further than estimates are off (fold_loop.h), much less than nodes differ. */
#define SCAN_MARGIN 2e-3

/* True where a node of a group may be better than `least`. Not so said where nothing is known. */
static bool scan_may_exceed(const cpu_scan *scan, float estimate, double least)
{
    return !((double)estimate * scan->residual_square < (1.0 - SCAN_MARGIN) * least);
}

/* What the group with the largest estimate is worth in fact: no group that is estimated to be
 * worth less, by more than the margin, has the best node. */
static double scan_least(const cpu_scan *scan, size_t bin, const float *estimates,
                         const cpu_scan_scratch *scratch)
{
    const cpu_scan_layer *chosen = NULL;
    size_t place = 0;
    float most = -1.0f;
    for (size_t l = 0; l < scan->n_layers; l++) {
        const cpu_scan_layer *layer = &scan->layers[l];
        size_t n = layer->grid.n_frequencies * fold_layer_estimates(&layer->fold);
        const float *own = estimates + layer->fold.first_estimate;
        for (size_t i = 0; layer->fold.n_cells && bin < layer->grid.n_bins && i < n; i++)
            if (own[i] > most && own[i] < FOLD_UNKNOWN) {
                most = own[i];
                chosen = layer;
                place = i;
            }
    }
    backend_scan_node best = {.improvement = -1.0};
    if (chosen) {
        size_t n_groups = fold_layer_estimates(&chosen->fold);
        size_t phase = place % n_groups * BACKEND_SCAN_PHASES;
        double frequency = cpu_scan_frequency(scan, &chosen->grid, bin, place / n_groups);
        scan_locate(scan, &chosen->table, frequency, scratch);
        scan_phases(scan, chosen, frequency, phase, phase + BACKEND_SCAN_PHASES, scratch, &best);
    }
    return best.improvement;
}

/* The nodes of one folded layer and frequency that may be better than `least` and the best. */
static void scan_folded(const cpu_scan *scan, const cpu_scan_layer *layer, double frequency,
                        const float *estimates, double least, const cpu_scan_scratch *scratch,
                        backend_scan_node *best)
{
    bool is_located = false;
    for (size_t g = 0; g < fold_layer_estimates(&layer->fold); g++) {
        double enough = best->improvement > least ? best->improvement : least;
        if (!scan_may_exceed(scan, estimates[g], enough))
            continue;
        if (!is_located)
            scan_locate(scan, &layer->table, frequency, scratch);
        is_located = true;
        scan_phases(scan, layer, frequency, g * BACKEND_SCAN_PHASES, (g + 1) * BACKEND_SCAN_PHASES,
                    scratch, best);
    }
}

/* ---- bins -------------------------------------------------------------------- */

/* The nodes of one layer and bin; the estimates are those of the bin. */
static void scan_ellipses(const cpu_scan *scan, const cpu_scan_layer *layer, size_t bin,
                          const float *estimates, double least, const cpu_scan_scratch *scratch,
                          backend_scan_node *best)
{
    for (size_t j = 0; j < layer->grid.n_frequencies; j++) {
        double frequency = cpu_scan_frequency(scan, &layer->grid, bin, j);
        if (layer->fold.n_cells > 0) {
            size_t place = layer->fold.first_estimate + j * fold_layer_estimates(&layer->fold);
            scan_folded(scan, layer, frequency, estimates + place, least, scratch, best);
        } else {
            scan_locate(scan, &layer->table, frequency, scratch);
            scan_phases(scan, layer, frequency, 0, layer->grid.n_phases, scratch, best);
        }
    }
}

/* The best nodes of n_bins <= CPU_PADDING bins: cpu_kernels.scan. */
static void scan_tile(const cpu_scan *scan, size_t first_bin, size_t n_bins,
                      const cpu_scan_scratch *scratch, backend_scan_node *best,
                      backend_scan_node *circular)
{
    const double none = -1.0; /* less than any node has */
    for (size_t i = 0; i < n_bins; i++) {
        double centre =
            scan->first_frequency_per_day + (double)(first_bin + i) * scan->bin_width_per_day;
        best[i] = (backend_scan_node){.improvement = none, .frequency_per_day = centre};
        if (circular)
            circular[i] = best[i];
    }
    double least[CPU_PADDING];
    for (size_t i = 0; scan->fold && i < n_bins; i++) {
        float *estimates = scratch->fold.estimates + i * scan->n_estimates;
        scan->fold(scan, first_bin + i, scratch, estimates);
        least[i] = scan_least(scan, first_bin + i, estimates, scratch);
    }
    for (size_t l = 0; l < scan->n_layers; l++) {
        const cpu_scan_layer *layer = &scan->layers[l];
        size_t end = layer->grid.n_bins > first_bin ? layer->grid.n_bins - first_bin : 0;
        size_t n = end < n_bins ? end : n_bins;
        if (!layer->table.coefficients) {
            scan_circles(scan, &layer->grid, first_bin, n, scratch, best, circular);
            continue;
        }
        for (size_t bin = 0; bin < n; bin++)
            scan_ellipses(scan, layer, first_bin + bin,
                          scan->fold ? scratch->fold.estimates + bin * scan->n_estimates : NULL,
                          scan->fold ? least[bin] : none, scratch, &best[bin]);
    }
    for (size_t i = 0; i < n_bins; i++) {
        best[i].improvement = best[i].improvement > 0.0 ? best[i].improvement : 0.0;
        if (circular)
            circular[i].improvement = circular[i].improvement > 0.0 ? circular[i].improvement : 0.0;
    }
}

#endif
