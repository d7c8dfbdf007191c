/* Sky scans from the host: the nodes of a bin are laid out once and kept on the GPU; sources come
 * in batches, of which one is computed while the host packs the next and unpacks the one before. */
#include "backends/cuda/sky/cuda_sky_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/failure.h"
#include "backends/cuda/sky/sky_layout.cuh"
#include "parallel/parallel_for.h"

/* Bins of a batch, so that its memory is bounded and several are under way. */
#define SKY_BATCH_BINS ((size_t)1 << 18)
/* Bytes of gains of a tile, so that several blocks fit a multiprocessor. */
#define SKY_GAIN_BYTES 20000
/* Bins of a tile, at most: enough that its threads are busy. */
#define SKY_MOST_TILE 64
/* Blocks that fill a GPU several times over; nodes that fill a block. */
#define SKY_BLOCKS 2048
#define SKY_BLOCK_NODES 256
/* Turns that fractions of them in fixed point have room for (mean_anomaly.h), less one. */
#define SKY_MOST_TURNS 524287.0
/* Eccentricities that polynomials guess for (kepler_starter.h). */
#define SKY_ORDINARY 0.99
enum { N_SLOTS = 2 };

/* Memory of one batch, on the host (pages locked) and on the GPU, in the same places. */
struct sky_slot {
    cudaStream_t stream;
    unsigned char *host, *device;
    size_t n_bytes;
    size_t sources, layer_bins, tiles, times, rows, found, end; /* places */
    size_t n_sources, n_bins, n_rows, n_tiles;
    size_t first_source; /* of those of the call */
    sky_scan_node *best; /* where its bins go    */
    sky_batch batch;
    sky_way way;
};

struct sky_plan {
    int device, n_threads, shared_most;
    const sky_kernels *kernels;
    size_t n_layers;
    sky_scan_layer *layers;
    unsigned n_nodes;
    sky_node *nodes; /* host memory */
    sky_node *on_gpu;
    bool is_extreme;
    sky_slot slots[N_SLOTS];
};

/* ---- nodes ------------------------------------------------------------------ */

static size_t phases_of(const sky_scan_layer *layer)
{
    return layer->eccentricity > 0.0 ? layer->n_phases : 1;
}

static equant_status plan_nodes(sky_plan *plan)
{
    size_t n = 0, i = 0;
    for (size_t l = 0; l < plan->n_layers; l++)
        n += plan->layers[l].n_frequencies * phases_of(&plan->layers[l]);
    if (n == 0 || plan->kernels->shared_bytes(SKY_WAY_ANY, 0, 1, 1) * n > (size_t)plan->shared_most)
        return failure_report(cudaErrorMemoryAllocation, "a scan of so many nodes in a bin");
    plan->n_nodes = (unsigned)n;
    plan->nodes = (sky_node *)calloc(n, sizeof *plan->nodes);
    if (!plan->nodes)
        return failure_host_memory();
    for (size_t l = 0; l < plan->n_layers; l++) {
        const sky_scan_layer *layer = &plan->layers[l];
        double e = layer->eccentricity;
        plan->is_extreme = plan->is_extreme || e > SKY_ORDINARY;
        for (size_t j = 0; j < layer->n_frequencies; j++)
            for (size_t k = 0; k < phases_of(layer); k++, i++) {
                sky_node *node = &plan->nodes[i];
                double turns = (double)k / (double)phases_of(layer);
                node->place = ((double)j + 0.5) / (double)layer->n_frequencies - 0.5;
                node->m0_turns = turns - rint(turns);
                node->e = e;
                node->one_minus_e = 1.0 - e;
                node->axis = sqrt((1.0 - e) * (1.0 + e));
                node->layer = (unsigned)l;
            }
    }
    CUDA_TRY(cudaMalloc((void **)&plan->on_gpu, n * sizeof *plan->nodes));
    CUDA_TRY(cudaMemcpyAsync(plan->on_gpu, plan->nodes, n * sizeof *plan->nodes,
                             cudaMemcpyHostToDevice, cudaStreamPerThread));
    CUDA_TRY(plan->kernels->prepare(plan->n_nodes, plan->on_gpu, cudaStreamPerThread));
    CUDA_TRY(cudaStreamSynchronize(cudaStreamPerThread));
    return EQUANT_SUCCESS;
}

/* ---- the life of a plan ------------------------------------------------------ */

static void destroy(void *state)
{
    sky_plan *plan = (sky_plan *)state;
    if (cudaSetDevice(plan->device) == cudaSuccess) {
        for (int i = 0; i < N_SLOTS; i++) {
            sky_slot *slot = &plan->slots[i];
            if (slot->stream) {
                cudaStreamSynchronize(slot->stream);
                cudaStreamDestroy(slot->stream);
            }
            cudaFree(slot->device);
            cudaFreeHost(slot->host);
        }
        cudaFree(plan->on_gpu);
    }
    free(plan->nodes);
    free(plan->layers);
    free(plan);
}

static equant_status fill_plan(sky_plan *plan, const sky_scan_layer *layers)
{
    plan->layers = (sky_scan_layer *)calloc(plan->n_layers + 1, sizeof *plan->layers);
    if (!plan->layers)
        return failure_host_memory();
    memcpy(plan->layers, layers, plan->n_layers * sizeof *layers);
    CUDA_TRY(cudaSetDevice(plan->device));
    CUDA_TRY(cudaDeviceGetAttribute(&plan->shared_most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                    plan->device));
    plan->shared_most -= 1024; /* for what a block has beside */
    for (int i = 0; i < N_SLOTS; i++)
        CUDA_TRY(cudaStreamCreateWithFlags(&plan->slots[i].stream, cudaStreamNonBlocking));
    return plan_nodes(plan);
}

static equant_status create(const backend_engine *engine, size_t n_layers,
                            const sky_scan_layer *layers, void **state)
{
    sky_plan *plan = (sky_plan *)calloc(1, sizeof *plan);
    if (!plan)
        return failure_host_memory();
    plan->device = engine->device;
    plan->n_threads = engine->n_threads;
    plan->n_layers = n_layers;
    plan->kernels =
        engine->precision == EQUANT_PRECISION_DOUBLE ? &sky_kernels_double : &sky_kernels_mixed;
    equant_status status = fill_plan(plan, layers);
    if (status == EQUANT_SUCCESS)
        *state = plan;
    else
        destroy(plan);
    return status;
}

/* ---- packing ----------------------------------------------------------------- */

static size_t place(size_t *end, size_t count, size_t size)
{
    size_t at = (*end + 255) / 256 * 256;
    *end = at + count * size;
    return at;
}

static unsigned columns_of(sky_way way)
{
    return way == SKY_WAY_FEW ? SKY_FEW : way == SKY_WAY_SOME ? SKY_SOME : SKY_MANY;
}

static bool turns_too_often(const sky_scan_source *source)
{
    double farthest = 0.0, highest = source->first_frequency_per_day +
                                     ((double)source->n_bins + 1.0) * source->bin_width_per_day;
    for (size_t k = 0; k < source->n_rows; k++)
        farthest = fmax(farthest, fabs(source->time_days[k]));
    return !(farthest * fabs(highest) < SKY_MOST_TURNS);
}

/* The way of a source by itself, so that its company changes no bit. */
static sky_way way_of(const sky_plan *plan, const sky_scan_source *source)
{
    if (plan->is_extreme || source->n_base > SKY_MANY ||
        source->n_rows > plan->kernels->most_rows || turns_too_often(source))
        return SKY_WAY_ANY;
    sky_way way = source->n_base <= SKY_FEW    ? SKY_WAY_FEW
                  : source->n_base <= SKY_SOME ? SKY_WAY_SOME
                                               : SKY_WAY_MANY;
    size_t bytes = plan->kernels->shared_bytes(way, (unsigned)source->n_rows, plan->n_nodes, 1);
    return bytes <= (size_t)plan->shared_most ? way : SKY_WAY_ANY;
}

static void store_real(void *array, size_t real_size, size_t i, double value)
{
    if (real_size == sizeof(double))
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

/* Rows of one source in all passes: products as sky_scan_node.h orders them, zeros behind the last
 * column. Directions are scaled by the largest, the residual to unit length. */
static void pack_source(const sky_plan *plan, sky_slot *slot, const sky_scan_source *from,
                        sky_source *to)
{
    size_t real_size = plan->kernels->real_size, columns = columns_of(slot->way);
    size_t length = SKY_ROW_LENGTH(columns);
    void *rows = slot->host + slot->rows;
    double most = 0.0, square = 0.0;
    for (size_t k = 0; k < from->n_rows; k++) {
        most = fmax(most, fmax(fabs(from->sine[k]), fabs(from->cosine[k])));
        square += from->residual[k] * from->residual[k];
    }
    to->residual_square = square;
    double scale = most > 0.0 ? 1.0 / most : 0.0, unit = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    for (size_t pass = 0; pass < slot->batch.n_passes; pass++)
        for (size_t k = 0; k < from->n_rows; k++) {
            double s = from->sine[k] * scale, c = from->cosine[k] * scale;
            double r = from->residual[k] * unit;
            const double products[5] = {s * s, s * c, c * c, s * r, c * r};
            size_t row = (pass * slot->n_rows + to->first_row + k) * length;
            for (size_t i = 0; i < 5; i++)
                store_real(rows, real_size, row + i, products[i]);
            for (size_t i = 5 + 2 * columns; i < length; i++)
                store_real(rows, real_size, row + i, 0.0);
            for (size_t j = 0; j < columns; j++) {
                size_t column = pass * columns + j;
                double q = column < from->n_base ? from->base[column * from->n_rows + k] : 0.0;
                store_real(rows, real_size, row + 5 + 2 * j, s * q);
                store_real(rows, real_size, row + 6 + 2 * j, c * q);
            }
        }
    memcpy((double *)(slot->host + slot->times) + to->first_row, from->time_days,
           from->n_rows * sizeof(double));
}

/* As many of the sources from `first` on as make a batch of one way; their tiles. */
static void measure(const sky_plan *plan, sky_slot *slot, size_t n_sources,
                    const sky_scan_source *sources, size_t first)
{
    size_t most_base = 0, n = first;
    slot->first_source = first;
    slot->way = way_of(plan, &sources[first]);
    slot->n_bins = slot->n_rows = 0;
    sky_batch *batch = &slot->batch;
    memset(batch, 0, sizeof *batch);
    for (; n < n_sources && (n == first || (slot->n_bins + sources[n].n_bins <= SKY_BATCH_BINS &&
                                            way_of(plan, &sources[n]) == slot->way));
         n++) {
        slot->n_bins += sources[n].n_bins;
        slot->n_rows += sources[n].n_rows;
        most_base = sources[n].n_base > most_base ? sources[n].n_base : most_base;
        if (sources[n].n_rows > batch->most_rows)
            batch->most_rows = (unsigned)sources[n].n_rows;
    }
    slot->n_sources = n - first;
    size_t columns = columns_of(slot->way);
    batch->n_passes = (unsigned)(most_base == 0 ? 1 : (most_base - 1) / columns + 1);
    size_t node_bytes = plan->kernels->shared_bytes(SKY_WAY_ANY, 0, plan->n_nodes, 1);
    size_t tile = SKY_GAIN_BYTES / node_bytes, share = slot->n_bins / SKY_BLOCKS + 1,
           full = (SKY_BLOCK_NODES + plan->n_nodes - 1) / plan->n_nodes;
    tile = tile < 1 ? 1 : tile > SKY_MOST_TILE ? SKY_MOST_TILE : tile;
    share = share > full ? share : full;
    batch->most_bins = (unsigned)(tile < share ? tile : share);
    slot->n_tiles = 0;
    for (size_t i = first; i < n; i++)
        slot->n_tiles += (sources[i].n_bins + batch->most_bins - 1) / batch->most_bins;
}

/* Memory for a batch, twice what it needs, so that it seldom grows. */
static equant_status require_room(const sky_plan *plan, sky_slot *slot)
{
    size_t row_bytes = SKY_ROW_LENGTH(columns_of(slot->way)) * plan->kernels->real_size, end = 0;
    slot->sources = place(&end, slot->n_sources, sizeof(sky_source));
    slot->layer_bins = place(&end, slot->n_sources * plan->n_layers, sizeof(unsigned));
    slot->tiles = place(&end, slot->n_tiles, sizeof(sky_tile));
    slot->times = place(&end, slot->n_rows, sizeof(double));
    slot->rows = place(&end, slot->n_rows * slot->batch.n_passes, row_bytes);
    slot->found = place(&end, slot->n_bins, sizeof(sky_found));
    slot->end = end;
    if (end <= slot->n_bytes)
        return EQUANT_SUCCESS;
    cudaFree(slot->device);
    cudaFreeHost(slot->host);
    slot->device = slot->host = NULL;
    slot->n_bytes = 0;
    CUDA_TRY(cudaMalloc((void **)&slot->device, 2 * end));
    CUDA_TRY(cudaHostAlloc((void **)&slot->host, 2 * end, cudaHostAllocDefault));
    slot->n_bytes = 2 * end;
    return EQUANT_SUCCESS;
}

struct packing {
    const sky_plan *plan;
    sky_slot *slot;
    const sky_scan_source *sources;
    sky_source *packed;
};

static void pack_some(void *context, size_t first, size_t end, int)
{
    const packing *of = (const packing *)context;
    for (size_t i = first; i < end; i++)
        pack_source(of->plan, of->slot, &of->sources[of->slot->first_source + i], &of->packed[i]);
}

/* Few sources are not worth several. */
static int threads_for(const sky_plan *plan, const sky_slot *slot)
{
    return slot->n_sources > 16 ? plan->n_threads : 1;
}

static void pack(const sky_plan *plan, sky_slot *slot, const sky_scan_source *sources)
{
    sky_source *packed = (sky_source *)(slot->host + slot->sources);
    sky_tile *tiles = (sky_tile *)(slot->host + slot->tiles);
    unsigned *layer_bins = (unsigned *)(slot->host + slot->layer_bins);
    size_t row = 0, bin = 0, tile = 0;
    for (size_t i = 0; i < slot->n_sources; i++) {
        const sky_scan_source *from = &sources[slot->first_source + i];
        packed[i].n_rows = (unsigned)from->n_rows;
        packed[i].n_bins = (unsigned)from->n_bins;
        packed[i].first_row = row;
        packed[i].first_bin = bin;
        packed[i].first_frequency_per_day = from->first_frequency_per_day;
        packed[i].bin_width_per_day = from->bin_width_per_day;
        row += from->n_rows;
        bin += from->n_bins;
        for (size_t l = 0; l < plan->n_layers; l++)
            layer_bins[i * plan->n_layers + l] =
                (unsigned)sky_scan_layer_bins(&plan->layers[l], from);
        for (size_t first = 0; first < from->n_bins; first += slot->batch.most_bins, tile++) {
            size_t left = from->n_bins - first;
            tiles[tile].source = (unsigned)i;
            tiles[tile].first_bin = (unsigned)first;
            tiles[tile].n_bins =
                (unsigned)(left < slot->batch.most_bins ? left : slot->batch.most_bins);
        }
    }
    packing of = {plan, slot, sources, packed};
    parallel_for(threads_for(plan, slot), slot->n_sources, 0, pack_some, &of);
}

/* ---- batches ----------------------------------------------------------------- */

static equant_status start(const sky_plan *plan, sky_slot *slot)
{
    if (slot->n_bins == 0)
        return EQUANT_SUCCESS;
    sky_batch *batch = &slot->batch;
    batch->sources = (const sky_source *)(slot->device + slot->sources);
    batch->tiles = (const sky_tile *)(slot->device + slot->tiles);
    batch->layer_bins = (const unsigned *)(slot->device + slot->layer_bins);
    batch->n_layers = (unsigned)plan->n_layers;
    batch->times = (const double *)(slot->device + slot->times);
    batch->rows = slot->device + slot->rows;
    batch->found = (sky_found *)(slot->device + slot->found);
    batch->nodes = plan->on_gpu;
    batch->n_nodes = plan->n_nodes;
    batch->n_all_rows = slot->n_rows;
    CUDA_TRY(cudaMemcpyAsync(slot->device, slot->host, slot->found, cudaMemcpyHostToDevice,
                             slot->stream));
    CUDA_TRY(plan->kernels->launch(slot->way, batch, (unsigned)slot->n_tiles, slot->stream));
    CUDA_TRY(cudaMemcpyAsync(slot->host + slot->found, slot->device + slot->found,
                             slot->n_bins * sizeof(sky_found), cudaMemcpyDeviceToHost,
                             slot->stream));
    return EQUANT_SUCCESS;
}

/* The phase of a node, as processors write it. */
static double phase_of(const sky_plan *plan, unsigned number)
{
    for (size_t l = 0; l < plan->n_layers; l++) {
        size_t n_phases = phases_of(&plan->layers[l]);
        size_t n = plan->layers[l].n_frequencies * n_phases;
        if (number < n)
            return 6.28318530717958647693 * (double)(number % n_phases) / (double)n_phases;
        number -= (unsigned)n;
    }
    return 0.0;
}

static void unpack_source(const sky_plan *plan, const sky_source *source, const sky_found *found,
                          const double *phases, sky_scan_node *best)
{
    for (size_t bin = 0; bin < source->n_bins; bin++) {
        const sky_found *own = &found[source->first_bin + bin];
        const sky_node *node = &plan->nodes[own->node];
        bool is_node = own->gain >= 0.0;
        best[source->first_bin + bin] = sky_scan_node{
            is_node ? own->gain : 0.0,
            source->first_frequency_per_day +
                ((double)bin + (is_node ? node->place : 0.0)) * source->bin_width_per_day,
            is_node ? node->e : 0.0, is_node ? phases[own->node] : 0.0};
    }
}

struct unpacking {
    const sky_plan *plan;
    const sky_source *sources;
    const sky_found *found;
    const double *phases;
    sky_scan_node *best;
};

static void unpack_some(void *context, size_t first, size_t end, int)
{
    const unpacking *of = (const unpacking *)context;
    for (size_t i = first; i < end; i++)
        unpack_source(of->plan, &of->sources[i], of->found, of->phases, of->best);
}

static equant_status finish(const sky_plan *plan, sky_slot *slot, const double *phases)
{
    CUDA_TRY(cudaStreamSynchronize(slot->stream));
    const sky_source *sources = (const sky_source *)(slot->host + slot->sources);
    const sky_found *found = (const sky_found *)(slot->host + slot->found);
    unpacking of = {plan, sources, found, phases, slot->best};
    parallel_for(threads_for(plan, slot), slot->n_sources, 0, unpack_some, &of);
    slot->n_sources = 0;
    return EQUANT_SUCCESS;
}

static equant_status run_batches(sky_plan *plan, size_t n_sources, const sky_scan_source *sources,
                                 const double *phases, sky_scan_node *best)
{
    equant_status status = EQUANT_SUCCESS;
    size_t number = 0;
    for (size_t first = 0; status == EQUANT_SUCCESS && first < n_sources; number++) {
        sky_slot *slot = &plan->slots[number % N_SLOTS];
        if (slot->n_sources > 0)
            status = finish(plan, slot, phases);
        if (status != EQUANT_SUCCESS)
            return status;
        measure(plan, slot, n_sources, sources, first);
        slot->best = best;
        status = require_room(plan, slot);
        if (status != EQUANT_SUCCESS)
            return status;
        pack(plan, slot, sources);
        status = start(plan, slot);
        first += slot->n_sources;
        best += slot->n_bins;
    }
    for (size_t i = 0; status == EQUANT_SUCCESS && i < N_SLOTS; i++, number++)
        if (plan->slots[number % N_SLOTS].n_sources > 0)
            status = finish(plan, &plan->slots[number % N_SLOTS], phases);
    return status;
}

static equant_status bins(void *state, size_t n_sources, const sky_scan_source *sources,
                          sky_scan_node *best)
{
    sky_plan *plan = (sky_plan *)state;
    CUDA_TRY(cudaSetDevice(plan->device));
    double *phases = (double *)calloc(plan->n_nodes, sizeof *phases);
    if (!phases)
        return failure_host_memory();
    for (unsigned i = 0; i < plan->n_nodes; i++)
        phases[i] = phase_of(plan, i);
    for (int i = 0; i < N_SLOTS; i++)
        plan->slots[i].n_sources = 0;
    equant_status status = run_batches(plan, n_sources, sources, phases, best);
    for (int i = 0; status != EQUANT_SUCCESS && i < N_SLOTS; i++)
        cudaStreamSynchronize(plan->slots[i].stream);
    free(phases);
    return status;
}

const backend_sky_scans sky_scans_on_device = {create, destroy, bins};
