/* Layout and threads of a scan. The solver and the summation of the engine make no difference
 * to it: Kepler's equation is solved for tables alone, and sums are short or in double. */
#include "backends/cpu/cpu_scan.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/problem.h"
#include "backends/scan_scale.h"
#include "parallel/parallel_for.h"

/* What a caller holds between pieces. */
typedef struct cpu_scan_state {
    cpu_scan laid_out;
    const cpu_kernels *kernels;
    int n_threads;
    cpu_scan_scratch *scratch; /* [n_threads], each made by the thread that needs it first */
} cpu_scan_state;

static void free_layout(cpu_scan *scan)
{
    for (size_t i = 0; scan->layers && i < scan->n_layers; i++) {
        scan_table_free(&scan->layers[i].table);
        fold_layer_free(&scan->layers[i].fold);
    }
    free(scan->layers);
    free(scan->time);
    free(scan->rows);
    free(scan->noise_rows);
    free(scan->fold_rows);
}

static void fill_rows(cpu_scan *laid_out, const backend_scan *scan, size_t real_size)
{
    const scan_scale scale = scan_scale_of(scan);
    laid_out->residual_square = scale.residual_square;
    for (size_t k = 0; k < scan->n_obs; k++) {
        size_t row = k * laid_out->row_length;
        problem_store_real(laid_out->rows, real_size, row + SCAN_ROW_WEIGHT,
                           scan->root_weight[k] * scale.weight);
        problem_store_real(laid_out->rows, real_size, row + SCAN_ROW_RESIDUAL,
                           scan->residual[k] * scale.residual);
        for (size_t j = 0; j < scan->n_base; j++)
            problem_store_real(laid_out->rows, real_size, row + SCAN_ROW_BASE + j,
                               scan->base[j * scan->n_obs + k]);
    }
}

/* The shape in which noise is laid out: the smallest with loops of its own in which it has room, or
 * as it is. */
static scan_noise_shape noise_shape(scan_noise_shape own)
{
    for (int pairs = 0; pairs <= SCAN_NOISE_MOST_PAIRS; pairs++)
        for (int singles = 0; singles <= SCAN_NOISE_MOST_SINGLES; singles++) {
            scan_noise_shape room = {singles, pairs, 0};
            if (scan_noise_fits(own, room))
                return room;
        }
    return own;
}

static equant_status fill_noise(cpu_scan *laid_out, const backend_scan *scan, size_t real_size)
{
    laid_out->noise = noise_shape(scan_noise_shape_of(scan->noise));
    laid_out->noise_kind = scan_noise_kind(laid_out->noise);
    laid_out->noise_length = scan_noise_row_length(laid_out->noise);
    if (laid_out->noise_length == 0)
        return EQUANT_SUCCESS;
    double *row = problem_allocate(laid_out->noise_length, sizeof *row);
    laid_out->noise_rows = problem_allocate(scan->n_obs * laid_out->noise_length, real_size);
    bool complete = row && laid_out->noise_rows;
    for (size_t k = 0; complete && k < scan->n_obs; k++) {
        scan_noise_fill_row(scan->noise, scan->n_obs, k, laid_out->noise, row);
        for (size_t i = 0; i < laid_out->noise_length; i++)
            problem_store_real(laid_out->noise_rows, real_size, k * laid_out->noise_length + i,
                               row[i]);
    }
    free(row);
    return complete ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

/* The columns of fold_layer.h, each times the root of the weight once more. */
static void fill_fold_rows(cpu_scan *laid_out, const backend_scan *scan, size_t n_lanes)
{
    const size_t row_length = laid_out->n_fold_parts * n_lanes;
    const size_t to_next = n_lanes + laid_out->n_fold_columns; /* frequency */
    const scan_scale scale = scan_scale_of(scan);
    for (size_t k = 0; k < scan->n_obs; k++) {
        float *row = laid_out->fold_rows + k * row_length;
        double weight = scan->root_weight[k] * scale.weight;
        for (size_t f = 0; f < laid_out->n_fold_side; f++, row += to_next) {
            row[FOLD_COLUMN_XX] = row[FOLD_COLUMN_YY] = (float)(weight * weight);
            row[FOLD_COLUMN_RESIDUAL] = (float)(weight * scan->residual[k] * scale.residual);
            for (size_t j = 0; j < scan->n_base; j++)
                row[FOLD_COLUMN_BASE + j] = (float)(weight * scan->base[j * scan->n_obs + k]);
        }
    }
}

/* A layer that is folded and cuts a bin into as many frequencies as layer i does, among the first
 * n; n: there is none. */
static size_t mate_of(const cpu_scan *laid_out, size_t i, size_t n)
{
    size_t mate = 0;
    while (mate < n &&
           (mate == i || laid_out->layers[mate].fold.n_taps == 0 ||
            laid_out->layers[mate].grid.n_frequencies != laid_out->layers[i].grid.n_frequencies))
        mate++;
    return mate;
}

/* Chooses the layers that gain by folding: by themselves, or because the columns are folded at
 * their frequencies anyway. */
static void choose_folds(cpu_scan *laid_out, const backend_scan *scan)
{
    for (size_t i = 0; i < scan->n_layers; i++)
        laid_out->layers[i].fold.n_taps = fold_layer_taps(
            scan->layers[i].eccentricity, scan->layers[i].n_phases, scan->n_obs, scan->n_base);
    for (size_t i = 0; i < scan->n_layers; i++) {
        size_t mate = mate_of(laid_out, i, scan->n_layers);
        if (laid_out->layers[i].fold.n_taps == 0 && mate < scan->n_layers &&
            fold_layer_joins(scan->layers[i].eccentricity, scan->layers[i].n_phases, scan->n_obs,
                             scan->n_base))
            laid_out->layers[i].fold.n_taps = laid_out->layers[mate].fold.n_taps;
    }
}

/* Layers with the same frequencies are a family: they share the cells of these frequencies. */
static void found_families(cpu_scan *laid_out)
{
    for (size_t i = 0; i < laid_out->n_layers; i++) {
        const backend_scan_layer *grid = &laid_out->layers[i].grid;
        fold_layer *fold = &laid_out->layers[i].fold;
        if (fold->n_taps == 0)
            continue;
        fold->n_phases = grid->n_phases;
        fold->n_cells = fold_layer_cells(grid->eccentricity, fold->n_taps);
        fold->family = mate_of(laid_out, i, i);
        for (size_t j = fold->family; j < i; j++)
            if (laid_out->layers[j].fold.family == fold->family)
                fold->first_equation += laid_out->layers[j].fold.n_phases;
        fold->first_estimate = laid_out->n_estimates;
        laid_out->n_estimates += grid->n_frequencies * fold_layer_estimates(fold);
    }
}

/* Cells of a family, once all are known: those of its member that has most, and its taps. */
static void share_cells(cpu_scan *laid_out)
{
    for (size_t i = 0; i < laid_out->n_layers; i++) {
        const fold_layer *fold = &laid_out->layers[i].fold;
        for (size_t j = 0; fold->n_taps > 0 && j < laid_out->n_layers; j++) {
            fold_layer *other = &laid_out->layers[j].fold;
            if (other->n_taps == 0 || other->family != fold->family)
                continue;
            if (other->n_cells < fold->n_cells) {
                other->n_cells = fold->n_cells;
                other->n_taps = fold->n_taps;
            }
        }
    }
}

/* How columns and frequencies share the lanes. */
static void share_lanes(cpu_scan *laid_out, size_t n_base, size_t n_lanes)
{
    const size_t n_columns = FOLD_COLUMN_BASE + n_base, n_side = n_lanes / n_columns;
    laid_out->n_fold_columns = n_columns;
    laid_out->n_fold_groups = (n_columns + n_lanes - 1) / n_lanes;
    laid_out->n_fold_side = n_side > 1 ? n_side : 1;
    laid_out->n_fold_parts = laid_out->n_fold_groups * laid_out->n_fold_side;
}

/* In single, phases themselves are too rough for what is folded in better ones to say which node is
 * the best. */
static equant_status fill_folds(cpu_scan *laid_out, const cpu_kernels *const kernels[4],
                                const backend_scan *scan)
{
    const cpu_kernels *own = kernels[EQUANT_PRECISION_MIXED];
    if (!scan->sums_all && !scan->noise)
        choose_folds(laid_out, scan);
    found_families(laid_out);
    if (laid_out->n_estimates == 0)
        return EQUANT_SUCCESS;
    share_cells(laid_out);
    share_lanes(laid_out, scan->n_base, own->n_fold_lanes);
    laid_out->fold = own->fold;
    laid_out->fold_rows =
        problem_allocate(scan->n_obs * laid_out->n_fold_parts * own->n_fold_lanes, sizeof(float));
    if (!laid_out->fold_rows)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    fill_fold_rows(laid_out, scan, own->n_fold_lanes);
    return EQUANT_SUCCESS;
}

/* The tables of one ellipse. */
static equant_status fill_layer(cpu_scan *laid_out, const cpu_kernels *const kernels[4],
                                const cpu_kernels *own, cpu_scan_layer *layer)
{
    const cpu_kernels *exact = kernels[EQUANT_PRECISION_DOUBLE];
    const backend_scan_layer *grid = &layer->grid;
    equant_status status =
        scan_table_create(&layer->table, own, exact, grid->eccentricity, grid->n_phases);
    if (status == EQUANT_SUCCESS && layer->fold.n_cells > 0)
        status = fold_layer_create(&layer->fold, exact, grid->eccentricity,
                                   kernels[EQUANT_PRECISION_MIXED]->n_fold_lanes,
                                   laid_out->n_fold_side > 1 ? laid_out->n_fold_columns : SIZE_MAX);
    return status;
}

typedef struct filled_layers {
    cpu_scan *laid_out;
    const cpu_kernels *const *kernels;
    const cpu_kernels *own;
    atomic_int failed;
} filled_layers;

/* The most eccentric layers, which come last, take longest: they are begun first. */
static void fill_some(void *context, size_t first, size_t end, int thread)
{
    filled_layers *of = context;
    (void)thread;
    for (size_t i = first; i < end; i++) {
        cpu_scan_layer *layer = &of->laid_out->layers[of->laid_out->n_layers - 1 - i];
        if (layer->grid.eccentricity > 0.0)
            parallel_keep_larger(&of->failed,
                                 (int)fill_layer(of->laid_out, of->kernels, of->own, layer));
    }
}

static equant_status fill_layers(cpu_scan *laid_out, const cpu_kernels *const kernels[4],
                                 const cpu_kernels *own, int n_threads)
{
    filled_layers of = {.laid_out = laid_out, .kernels = kernels, .own = own};
    parallel_for(n_threads, laid_out->n_layers, 1, fill_some, &of);
    return (equant_status)atomic_load(&of.failed);
}

static equant_status lay_out(cpu_scan *laid_out, const cpu_kernels *const kernels[4],
                             const backend_engine *engine, const backend_scan *scan)
{
    const cpu_kernels *own = kernels[engine->precision];
    laid_out->n_obs = scan->n_obs;
    laid_out->n_padded = (scan->n_obs + CPU_PADDING - 1) / CPU_PADDING * CPU_PADDING;
    laid_out->n_base = scan->n_base;
    laid_out->row_length = SCAN_ROW_BASE + scan->n_base;
    laid_out->first_frequency_per_day = scan->first_frequency_per_day;
    laid_out->bin_width_per_day = scan->bin_width_per_day;
    laid_out->n_layers = scan->n_layers;
    laid_out->wanted = scan->wanted;
    laid_out->time = problem_allocate(laid_out->n_padded, sizeof(double));
    laid_out->rows = problem_allocate(scan->n_obs * laid_out->row_length, own->real_size);
    laid_out->layers = problem_allocate(scan->n_layers, sizeof *laid_out->layers);
    if (!laid_out->time || !laid_out->rows || !laid_out->layers)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    for (size_t k = 0; k < scan->n_obs; k++)
        laid_out->time[k] = scan->time_days[k];
    fill_rows(laid_out, scan, own->real_size);
    equant_status status = fill_noise(laid_out, scan, own->real_size);
    for (size_t i = 0; i < scan->n_layers; i++)
        laid_out->layers[i].grid = scan->layers[i];
    if (status == EQUANT_SUCCESS)
        status = fill_folds(laid_out, kernels, scan);
    if (status == EQUANT_SUCCESS)
        status = fill_layers(laid_out, kernels, own, engine->n_threads);
    return status;
}

/* Room for the largest of the layers. */
static equant_status fold_scratch_create(fold_scratch *fold, const cpu_scan *scan)
{
    size_t n_cells = 0, n_phases = 0, n_equations = 0;
    for (size_t i = 0; i < scan->n_layers; i++) {
        const fold_layer *layer = &scan->layers[i].fold;
        n_cells = layer->n_cells > n_cells ? layer->n_cells : n_cells;
        n_phases = layer->n_phases > n_phases ? layer->n_phases : n_phases;
        size_t end = layer->first_equation + layer->n_phases;
        n_equations = end > n_equations ? end : n_equations;
    }
    if (n_cells == 0)
        return EQUANT_SUCCESS;
    fold->offsets = problem_allocate(scan->n_padded, sizeof(float));
    fold->taps = problem_allocate(FOLD_TAPS_MANY * scan->n_padded, sizeof(float));
    fold->cells = problem_allocate((n_cells + FOLD_TAPS_MANY) * CPU_PADDING, sizeof(float));
    fold->sums = problem_allocate(2 * n_phases * CPU_PADDING, sizeof(float));
    fold->n_equations = n_equations;
    fold->equations =
        problem_allocate(FOLD_EQUATIONS * n_equations * scan->n_fold_side, sizeof(float));
    fold->estimates = problem_allocate(CPU_PADDING * scan->n_estimates, sizeof(float));
    bool complete = fold->offsets && fold->taps && fold->cells && fold->sums && fold->equations &&
                    fold->estimates;
    return complete ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

static void fold_scratch_free(fold_scratch *fold)
{
    free(fold->offsets);
    free(fold->taps);
    free(fold->cells);
    free(fold->sums);
    free(fold->equations);
    free(fold->estimates);
}

static equant_status scratch_create(cpu_scan_scratch *scratch, const cpu_scan *scan,
                                    size_t real_size)
{
    scratch->cell_place = problem_allocate(scan->n_padded, sizeof(double));
    scratch->part_place = problem_allocate(scan->n_padded, sizeof(double));
    scratch->part = problem_allocate(scan->n_padded, sizeof *scratch->part);
    scratch->cell = problem_allocate(scan->n_padded, sizeof *scratch->cell);
    scratch->offset = problem_allocate(scan->n_padded, real_size);
    scratch->x = problem_allocate(SCAN_STRIP * CPU_PADDING, real_size);
    scratch->y = problem_allocate(SCAN_STRIP * CPU_PADDING, real_size);
    scratch->state =
        problem_allocate((2 * scan_noise_states(scan->noise) + 1) * CPU_PADDING, real_size);
    scratch->sums =
        problem_allocate((SCAN_SUM_BASE + 2 * scan->n_base) * CPU_PADDING, sizeof(double));
    bool complete = scratch->cell_place && scratch->part_place && scratch->cell && scratch->part &&
                    scratch->offset && scratch->x && scratch->y && scratch->state && scratch->sums;
    return complete ? fold_scratch_create(&scratch->fold, scan) : EQUANT_ERROR_OUT_OF_MEMORY;
}

static void scratch_free(cpu_scan_scratch *scratch)
{
    free(scratch->cell_place);
    free(scratch->part_place);
    free(scratch->part);
    free(scratch->cell);
    free(scratch->offset);
    free(scratch->x);
    free(scratch->y);
    free(scratch->state);
    free(scratch->sums);
    fold_scratch_free(&scratch->fold);
}

/* Neighbouring bins that a thread takes at once. */
typedef struct scan_bins {
    size_t first, n;
} scan_bins;

/* Enough that circles of neighbouring bins fill the lanes, unless there are too few to share. Where
 * some are wanted, and not for their circles, these stand close together, and few of them are much
 * work. Bins are independent, so it changes no bit. */
enum { WANTED_BINS_PER_TILE = 2 };
static size_t bins_per_tile(const cpu_scan *scan, size_t n_wanted, int n_threads)
{
    size_t share = n_wanted / (16 * (size_t)n_threads);
    size_t most = scan->wanted ? WANTED_BINS_PER_TILE : CPU_PADDING;
    return share < 1 ? 1 : share > most ? most : share;
}

static size_t count_wanted(const cpu_scan *scan, size_t first_bin, size_t n_bins)
{
    size_t n = 0;
    for (size_t b = 0; scan->wanted && b < n_bins; b++)
        n += scan->wanted[first_bin + b] != 0;
    return scan->wanted ? n : n_bins;
}

/* Tiles of at most so many bins that hold all that are wanted, and no other; returns how many.
 * Threads that had to ask for tiles without work would wait for each other most of the time. */
static size_t list_tiles(const cpu_scan *scan, size_t first_bin, size_t n_bins, size_t most,
                         scan_bins *tiles)
{
    size_t n = 0;
    for (size_t b = 0; b < n_bins; b++) {
        if (scan->wanted && !scan->wanted[first_bin + b])
            continue;
        scan_bins *last = n > 0 ? &tiles[n - 1] : NULL;
        if (last && last->first + last->n == b && last->n < most)
            last->n++;
        else
            tiles[n++] = (scan_bins){b, 1};
    }
    return n;
}

/* Tiles that a thread asks for at once: one where there are few. */
static size_t tiles_at_once(size_t n_tiles, int n_threads)
{
    size_t share = n_tiles / (64 * (size_t)n_threads);
    return share < 1 ? 1 : share;
}

/* Working memory of a thread, which stays for the pieces to come. */
static cpu_scan_scratch *require_scratch(cpu_scan_state *state, int thread)
{
    cpu_scan_scratch *scratch = &state->scratch[thread];
    if (scratch->sums)
        return scratch;
    cpu_scan_scratch made = {0};
    if (scratch_create(&made, &state->laid_out, state->kernels->real_size) != EQUANT_SUCCESS) {
        scratch_free(&made);
        return NULL;
    }
    *scratch = made;
    return scratch;
}

equant_status cpu_scan_create(const cpu_kernels *const kernels[4], const backend_engine *engine,
                              const backend_scan *scan, void **out)
{
    cpu_scan_state *state = calloc(1, sizeof *state);
    if (!state)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    backend_engine own = *engine; /* phases in double cost a scan nothing, here as on a GPU */
    if (own.precision != EQUANT_PRECISION_DOUBLE)
        own.precision = EQUANT_PRECISION_MIXED;
    state->kernels = kernels[own.precision];
    state->n_threads = engine->n_threads;
    state->scratch = calloc((size_t)engine->n_threads, sizeof *state->scratch);
    equant_status status = state->scratch ? lay_out(&state->laid_out, kernels, &own, scan)
                                          : EQUANT_ERROR_OUT_OF_MEMORY;
    if (status != EQUANT_SUCCESS) {
        cpu_scan_destroy(state);
        return status;
    }
    *out = state;
    return EQUANT_SUCCESS;
}

void cpu_scan_destroy(void *opaque)
{
    cpu_scan_state *state = opaque;
    for (int i = 0; state->scratch && i < state->n_threads; i++)
        scratch_free(&state->scratch[i]);
    free(state->scratch);
    free_layout(&state->laid_out);
    free(state);
}

typedef struct tile_request {
    cpu_scan_state *state;
    size_t first_bin;
    const scan_bins *tiles;
    backend_scan_node *best, *circular; /* circular may be NULL */
    atomic_bool is_out_of_memory;
} tile_request;

static void run_some(void *context, size_t first, size_t end, int thread)
{
    tile_request *of = context;
    cpu_scan_scratch *scratch = require_scratch(of->state, thread);
    if (!scratch)
        atomic_store(&of->is_out_of_memory, true);
    for (size_t t = first; t < end && scratch; t++) {
        const scan_bins tile = of->tiles[t];
        of->state->kernels->scan(&of->state->laid_out, of->first_bin + tile.first, tile.n, scratch,
                                 of->best + tile.first,
                                 of->circular ? of->circular + tile.first : NULL);
    }
}

static equant_status run_tiles(cpu_scan_state *state, size_t first_bin, size_t n_tiles,
                               const scan_bins *tiles, backend_scan_node *best,
                               backend_scan_node *circular)
{
    int n_threads = n_tiles < (size_t)state->n_threads ? (int)n_tiles : state->n_threads;
    tile_request of = {state, first_bin, tiles, best, circular, false};
    parallel_for(n_threads, n_tiles, tiles_at_once(n_tiles, n_threads), run_some, &of);
    return atomic_load(&of.is_out_of_memory) ? EQUANT_ERROR_OUT_OF_MEMORY : EQUANT_SUCCESS;
}

equant_status cpu_scan_run(void *opaque, size_t first_bin, size_t n_bins, backend_scan_node *best,
                           backend_scan_node *circular)
{
    cpu_scan_state *state = opaque;
    size_t n_wanted = count_wanted(&state->laid_out, first_bin, n_bins);
    if (n_wanted == 0)
        return EQUANT_SUCCESS;
    size_t most = bins_per_tile(&state->laid_out, n_wanted, state->n_threads);
    size_t n_most = state->laid_out.wanted ? n_wanted : n_bins / most + 1;
    scan_bins *tiles = malloc(n_most * sizeof *tiles);
    if (!tiles)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    size_t n_tiles = list_tiles(&state->laid_out, first_bin, n_bins, most, tiles);
    equant_status status = run_tiles(state, first_bin, n_tiles, tiles, best, circular);
    free(tiles);
    return status;
}
