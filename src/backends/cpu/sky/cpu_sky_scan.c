/* Layout and threads of scans of positions: sources to threads where there are many, bins of one
 * source else. Nodes are independent, so it changes no bit. */
#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/problem.h"
#include "backends/cpu/sky/cpu_sky_source.h"
#include "parallel/parallel_for.h"

/* Nodes that the kernels get at once: a multiple of all lanes. */
enum { MOST_NODES = 192 };
/* Bins of a source that a thread takes at once. */
enum { TILE = 16 };
/* Of sky_scan_node.h, whose lanes are not those of this file. */
enum { ROW_BASE = 5, SUM_BASE = 13, SUMS_OF_COLUMN = 4 };

typedef struct cpu_sky_state {
    const cpu_kernels *kernels;
    size_t n_layers;
    sky_scan_layer *layers;
    int n_threads;
    cpu_sky_source *own; /* [n_threads] */
} cpu_sky_state;

void cpu_sky_destroy(void *opaque)
{
    cpu_sky_state *state = opaque;
    for (int i = 0; state->own && i < state->n_threads; i++) {
        free(state->own[i].rows);
        free(state->own[i].sums);
    }
    free(state->own);
    free(state->layers);
    free(state);
}

equant_status cpu_sky_create(const cpu_kernels *const kernels[4], const backend_engine *engine,
                             size_t n_layers, const sky_scan_layer *layers, void **out)
{
    cpu_sky_state *state = calloc(1, sizeof *state);
    if (!state)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    bool is_double = engine->precision == EQUANT_PRECISION_DOUBLE;
    state->kernels = kernels[is_double ? EQUANT_PRECISION_DOUBLE : EQUANT_PRECISION_MIXED];
    state->n_layers = n_layers;
    state->n_threads = engine->n_threads;
    state->layers = calloc(n_layers + 1, sizeof *layers);
    state->own = calloc((size_t)engine->n_threads, sizeof *state->own);
    if (!state->layers || !state->own) {
        cpu_sky_destroy(state);
        return EQUANT_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n_layers; i++)
        state->layers[i] = layers[i];
    *out = state;
    return EQUANT_SUCCESS;
}

/* ---- layout ---------------------------------------------------------------- */

static bool require(void **memory, size_t *size, size_t needed)
{
    if (needed <= *size)
        return true;
    free(*memory);
    *memory = problem_allocate(needed, 1);
    *size = *memory ? needed : 0;
    return *memory != NULL;
}

/* Directions are scaled by the largest, and the residual to unit length, so that products stay
 * inside the range of a float. */
static void fill_rows(cpu_sky_source *own, const sky_scan_source *source, size_t real_size)
{
    double most = 0.0, square = 0.0;
    for (size_t k = 0; k < source->n_rows; k++) {
        most = fmax(most, fmax(fabs(source->sine[k]), fabs(source->cosine[k])));
        square += source->residual[k] * source->residual[k];
    }
    own->residual_square = square;
    double scale = most > 0.0 ? 1.0 / most : 0.0;
    double residual_scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    for (size_t k = 0; k < source->n_rows; k++) {
        double s = source->sine[k] * scale, c = source->cosine[k] * scale;
        double r = source->residual[k] * residual_scale;
        const double products[ROW_BASE] = {s * s, s * c, c * c, s * r, c * r};
        size_t row = k * own->row_length;
        for (size_t i = 0; i < ROW_BASE; i++)
            problem_store_real(own->rows, real_size, row + i, products[i]);
        for (size_t j = 0; j < source->n_base; j++) {
            double q = source->base[j * source->n_rows + k];
            problem_store_real(own->rows, real_size, row + ROW_BASE + 2 * j, s * q);
            problem_store_real(own->rows, real_size, row + ROW_BASE + 2 * j + 1, c * q);
        }
    }
}

static bool require_sums(cpu_sky_source *own, size_t n_base)
{
    return require((void **)&own->sums, &own->sums_size,
                   (SUM_BASE + SUMS_OF_COLUMN * n_base) * CPU_PADDING * sizeof(double));
}

static bool lay_out(cpu_sky_source *own, const sky_scan_source *source, size_t real_size)
{
    own->n_rows = source->n_rows;
    own->n_base = source->n_base;
    own->row_length = ROW_BASE + 2 * source->n_base;
    own->time_days = source->time_days;
    if (!require(&own->rows, &own->rows_size, source->n_rows * own->row_length * real_size) ||
        !require_sums(own, source->n_base))
        return false;
    fill_rows(own, source, real_size);
    return true;
}

/* ---- bins ------------------------------------------------------------------ */

/* Nodes on their way through the kernels, each with the bin that it is offered to. */
typedef struct batch {
    size_t n;
    sky_scan_node nodes[MOST_NODES];
    sky_scan_node *best[MOST_NODES];
} batch;

static void batch_run(batch *under_way, const cpu_kernels *kernels, const cpu_sky_source *own)
{
    if (under_way->n > 0)
        kernels->sky(own, under_way->n, under_way->nodes);
    for (size_t i = 0; i < under_way->n; i++)
        if (under_way->nodes[i].gain > under_way->best[i]->gain)
            *under_way->best[i] = under_way->nodes[i];
    under_way->n = 0;
}

static void batch_add(batch *under_way, const cpu_kernels *kernels, const cpu_sky_source *own,
                      sky_scan_node node, sky_scan_node *best)
{
    under_way->nodes[under_way->n] = node;
    under_way->best[under_way->n++] = best;
    if (under_way->n == MOST_NODES)
        batch_run(under_way, kernels, own);
}

/* The nodes of one layer in the bins from `first` up to `end`. */
static void scan_layer(const cpu_sky_state *state, const sky_scan_layer *layer,
                       const cpu_sky_source *own, const sky_scan_source *source, size_t first,
                       size_t end, batch *under_way, sky_scan_node *best)
{
    const double two_pi = 6.28318530717958647693;
    size_t n_phases = layer->eccentricity > 0.0 ? layer->n_phases : 1;
    size_t n_bins = sky_scan_layer_bins(layer, source);
    for (size_t bin = first; bin < end && bin < n_bins; bin++)
        for (size_t j = 0; j < layer->n_frequencies; j++) {
            double place = ((double)j + 0.5) / (double)layer->n_frequencies - 0.5;
            sky_scan_node node = {.frequency_per_day =
                                      source->first_frequency_per_day +
                                      ((double)bin + place) * source->bin_width_per_day,
                                  .eccentricity = layer->eccentricity};
            for (size_t k = 0; k < n_phases; k++) {
                node.m0_rad = two_pi * (double)k / (double)n_phases;
                batch_add(under_way, state->kernels, own, node, &best[bin]);
            }
        }
    batch_run(under_way, state->kernels, own);
}

static void scan_tile(const cpu_sky_state *state, const cpu_sky_source *own,
                      const sky_scan_source *source, size_t first, size_t end, sky_scan_node *best)
{
    batch under_way = {.n = 0};
    for (size_t bin = first; bin < end; bin++)
        best[bin] = (sky_scan_node){.gain = -1.0,
                                    .frequency_per_day = source->first_frequency_per_day +
                                                         (double)bin * source->bin_width_per_day};
    for (size_t i = 0; i < state->n_layers; i++)
        scan_layer(state, &state->layers[i], own, source, first, end, &under_way, best);
    for (size_t bin = first; bin < end; bin++)
        best[bin].gain = fmax(best[bin].gain, 0.0);
}

/* Tiles of one source, or sources as a whole. */
typedef struct sky_request {
    cpu_sky_state *state;
    const sky_scan_source *sources;
    const size_t *first_bin; /* of each source */
    sky_scan_node *best;
    atomic_int n_failures;
} sky_request;

static void scan_tiles(void *context, size_t first, size_t end, int thread)
{
    const sky_request *of = context;
    const sky_scan_source *source = of->sources;
    for (size_t tile = first; tile < end; tile++) {
        cpu_sky_source own = of->state->own[0];
        own.sums = of->state->own[thread].sums;
        size_t begin = tile * TILE, left = source->n_bins - begin;
        scan_tile(of->state, &own, source, begin, begin + (left < TILE ? left : TILE), of->best);
    }
}

static void scan_sources(void *context, size_t first, size_t end, int thread)
{
    sky_request *of = context;
    cpu_sky_source *own = &of->state->own[thread];
    for (size_t i = first; i < end; i++)
        if (lay_out(own, &of->sources[i], of->state->kernels->real_size))
            scan_tile(of->state, own, &of->sources[i], 0, of->sources[i].n_bins,
                      of->best + of->first_bin[i]);
        else
            atomic_fetch_add(&of->n_failures, 1);
}

/* One source, its bins shared among threads, which read the layout of the first. */
static equant_status scan_one(cpu_sky_state *state, const sky_scan_source *source,
                              sky_scan_node *best)
{
    size_t n_tiles = (source->n_bins + TILE - 1) / TILE;
    int n_threads = n_tiles < (size_t)state->n_threads ? (int)n_tiles : state->n_threads;
    if (!lay_out(&state->own[0], source, state->kernels->real_size))
        return EQUANT_ERROR_OUT_OF_MEMORY;
    for (int i = 1; i < n_threads; i++)
        if (!require_sums(&state->own[i], source->n_base))
            return EQUANT_ERROR_OUT_OF_MEMORY;
    sky_request of = {.state = state, .sources = source, .best = best};
    parallel_for(n_threads, n_tiles, 1, scan_tiles, &of);
    return EQUANT_SUCCESS;
}

/* Many sources, each of which one thread takes from beginning to end. */
static equant_status scan_many(cpu_sky_state *state, size_t n_sources,
                               const sky_scan_source *sources, const size_t *first_bin,
                               sky_scan_node *best)
{
    sky_request of = {.state = state, .sources = sources, .first_bin = first_bin, .best = best};
    parallel_for(state->n_threads, n_sources, 1, scan_sources, &of);
    return atomic_load(&of.n_failures) == 0 ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

equant_status cpu_sky_bins(void *opaque, size_t n_sources, const sky_scan_source *sources,
                           sky_scan_node *best)
{
    cpu_sky_state *state = opaque;
    equant_status status = EQUANT_SUCCESS;
    if (n_sources >= 2 * (size_t)state->n_threads) {
        size_t *first_bin = calloc(n_sources, sizeof *first_bin);
        if (!first_bin)
            return EQUANT_ERROR_OUT_OF_MEMORY;
        for (size_t i = 1; i < n_sources; i++)
            first_bin[i] = first_bin[i - 1] + sources[i - 1].n_bins;
        status = scan_many(state, n_sources, sources, first_bin, best);
        free(first_bin);
        return status;
    }
    for (size_t i = 0; status == EQUANT_SUCCESS && i < n_sources; i++) {
        status = scan_one(state, &sources[i], best);
        best += sources[i].n_bins;
    }
    return status;
}
