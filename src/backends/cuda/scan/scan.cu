/* A scan from the host: layers, observations and tables laid out once and kept on the card, then
 * pieces in chunks of bins whose candidates fit their share of the card's memory. Only the best
 * node of each bin comes back: so few bytes that to lock pages for them would take longer than to
 * copy them. */
#include "backends/cuda/scan/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/device_pool.h"
#include "backends/cuda/failure.h"
#include "backends/cuda/scan/scan_best.cuh"
#include "backends/cuda/scan/scan_layout.cuh"
#include "backends/cuda/scan/scan_table.cuh"

/* Bytes of candidates on the card at once. */
#define SCAN_CANDIDATE_BYTES ((size_t)1 << 28)
/* Candidates of one bin, at most: they are counted in 32 bits. */
#define SCAN_MOST_CANDIDATES ((size_t)1 << 30)
/* Rounds of blocks over the processors of the card, so that all end together; and items of a
 * block, so that it copies its table seldom. */
#define SCAN_ROUNDS 8
#define SCAN_MOST_ITEMS 8

/* Where the arrays that all pieces share are in one piece of device memory. */
struct scan_places {
    size_t time, rows, noise_rows, layers, records, n_bytes;
};

/* Where those of a chunk are in another. */
struct scan_chunk_places {
    size_t candidates, best, circular, n_bytes;
};

struct scan_plan {
    int device;
    const scan_kernels *kernels;
    int n_processors, shared_most;
    size_t n_obs, n_base, n_layers;
    double first_frequency_per_day, bin_width_per_day;
    backend_scan_layer *given; /* [n_layers], as asked for                 */
    scan_layer *layers;        /* [n_layers], as kernels read them; host memory */
    size_t n_columns;          /* of the base in a pass                    */
    size_t n_passes, row_bytes;
    scan_noise_shape noise;         /* no states: white     */
    int noise_kind;                 /* SCAN_NOISE_NUMBER, or SCAN_NOISE_ANY */
    size_t noise_length;            /* of a row, padded */
    size_t noise_staged;            /* of it in shared memory */
    size_t n_records, most_records; /* of all tables, of the largest */
    size_t candidates_per_bin;
    double residual_square;
    scan_places at;
    unsigned char *shared; /* device memory for all pieces */
    size_t n_chunk;        /* bins that there is room for  */
    scan_chunk_places chunk_at;
    unsigned char *chunk; /* device memory, grown by the first piece that needs it */
};

/* ---- layout -------------------------------------------------------------- */

/* The shape in which the noise is laid out: one that has kernels of its own, or as it is. */
static void plan_noise(scan_plan *plan, const backend_scan_noise *noise)
{
    static const scan_noise_shape shapes[] = {
#define SCAN_LIST(singles, pairs, triples) {singles, pairs, triples},
        SCAN_NOISE_SHAPES(SCAN_LIST)
#undef SCAN_LIST
    };
    plan->noise = scan_noise_shape_of(noise);
    plan->noise_kind = SCAN_NOISE_ANY;
    if (scan_noise_states(plan->noise) == 0)
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (scan_noise_fits(plan->noise, shapes[i])) {
            plan->noise = shapes[i];
            plan->noise_kind =
                SCAN_NOISE_NUMBER(shapes[i].n_singles, shapes[i].n_pairs, shapes[i].n_triples);
            break;
        }
    plan->noise_length = scan_noise_padded(plan->noise);
    plan->noise_staged = plan->noise_kind == SCAN_NOISE_ANY ? 0 : plan->noise_length;
}

/* How the columns of a layer are found: from a table where there is shared memory for it. */
static scan_layer plan_layer(const scan_plan *plan, const backend_scan_layer *given)
{
    scan_layer layer = {};
    layer.eccentricity = given->eccentricity;
    layer.n_frequencies = (unsigned)given->n_frequencies;
    layer.n_phases = 1;
    layer.kind = SCAN_CIRCLES;
    if (!(given->eccentricity > 0.0))
        return layer;
    layer.n_phases = (unsigned)given->n_phases;
    layer.kind = SCAN_TABLE;
    layer.n_parts = scan_table_parts(given->eccentricity, given->n_phases);
    size_t needed = plan->kernels->shared_bytes(&layer, plan->n_base, plan->noise_staged);
    if (!plan->kernels->has_tables || needed > (size_t)plan->shared_most)
        layer.kind = SCAN_ORBITS;
    return layer;
}

static equant_status plan_layers(scan_plan *plan, const backend_scan *scan)
{
    plan->given = (backend_scan_layer *)calloc(plan->n_layers + 1, sizeof *plan->given);
    plan->layers = (scan_layer *)calloc(plan->n_layers + 1, sizeof *plan->layers);
    if (!plan->given || !plan->layers)
        return failure_host_memory();
    for (size_t i = 0; i < plan->n_layers; i++) {
        const backend_scan_layer *given = &scan->layers[i];
        plan->given[i] = *given;
        scan_layer *layer = &plan->layers[i];
        *layer = plan_layer(plan, given);
        plan->candidates_per_bin += given->n_frequencies * (size_t)scan_groups_of_frequency(*layer);
        if (given->n_frequencies > SCAN_MOST_CANDIDATES || given->n_phases > UINT32_MAX ||
            plan->candidates_per_bin > SCAN_MOST_CANDIDATES)
            return failure_report(cudaErrorMemoryAllocation, "a scan of so many nodes");
        if (layer->kind != SCAN_TABLE)
            continue;
        size_t n_records = (size_t)layer->n_phases * layer->n_parts;
        layer->first_record = plan->n_records;
        plan->n_records += n_records;
        plan->most_records = n_records > plan->most_records ? n_records : plan->most_records;
    }
    return EQUANT_SUCCESS;
}

static size_t place(size_t *end, size_t count, size_t size)
{
    size_t at = (*end + 255) / 256 * 256;
    *end = at + count * size;
    return at;
}

static void plan_memory(scan_plan *plan)
{
    plan->n_columns = plan->kernels->has_few && plan->n_base <= SCAN_COLUMNS_FEW
                          ? SCAN_COLUMNS_FEW
                          : SCAN_COLUMNS_MANY;
    plan->n_passes = plan->n_base == 0 ? 1 : (plan->n_base - 1) / plan->n_columns + 1;
    plan->row_bytes = (2 + plan->n_columns) * plan->kernels->real_size;
    scan_places *at = &plan->at;
    size_t end = 0;
    at->time = place(&end, plan->n_obs, sizeof(double));
    at->rows = place(&end, plan->n_passes * plan->n_obs, plan->row_bytes);
    at->noise_rows = place(&end, plan->n_obs * plan->noise_length, plan->kernels->real_size);
    at->layers = place(&end, plan->n_layers, sizeof(scan_layer));
    at->records = place(&end, plan->n_records, sizeof(scan_record));
    at->n_bytes = end;
}

static void store_real(void *array, size_t real_size, size_t i, double value)
{
    if (real_size == sizeof(double))
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

/* Rows of all passes: scan_row, with columns of zeros behind the last of the base. */
static void fill_rows(scan_plan *plan, const backend_scan *scan, void *rows)
{
    size_t real_size = plan->kernels->real_size, length = 2 + plan->n_columns;
    double weight_max = 0.0, square = 0.0;
    for (size_t k = 0; k < scan->n_obs; k++) {
        weight_max = fmax(weight_max, scan->root_weight[k]);
        square += scan->residual[k] * scan->residual[k];
    }
    plan->residual_square = square;
    double weight_scale = weight_max > 0.0 ? 1.0 / weight_max : 0.0;
    double residual_scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    for (size_t pass = 0; pass < plan->n_passes; pass++)
        for (size_t k = 0; k < scan->n_obs; k++) {
            size_t row = (pass * scan->n_obs + k) * length;
            store_real(rows, real_size, row, scan->root_weight[k] * weight_scale);
            store_real(rows, real_size, row + 1, scan->residual[k] * residual_scale);
            for (size_t j = 0; j < plan->n_columns; j++) {
                size_t column = pass * plan->n_columns + j;
                double q = column < scan->n_base ? scan->base[column * scan->n_obs + k] : 0.0;
                store_real(rows, real_size, row + 2 + j, q);
            }
        }
}

/* Rows of the noise, zeros behind what each holds. */
static equant_status fill_noise(const scan_plan *plan, const backend_scan *scan, void *rows)
{
    double *row = (double *)calloc(plan->noise_length + 1, sizeof *row);
    if (!row)
        return failure_host_memory();
    for (size_t k = 0; plan->noise_length > 0 && k < scan->n_obs; k++) {
        scan_noise_fill_row(scan->noise, scan->n_obs, k, plan->noise, row);
        for (size_t i = 0; i < plan->noise_length; i++)
            store_real(rows, plan->kernels->real_size, k * plan->noise_length + i, row[i]);
    }
    free(row);
    return EQUANT_SUCCESS;
}

/* Times and rows, from host memory that is not needed afterwards. */
static equant_status copy_observations(scan_plan *plan, const backend_scan *scan,
                                       cudaStream_t stream)
{
    size_t n_bytes = plan->at.layers;
    unsigned char *image = (unsigned char *)calloc(1, n_bytes + 1);
    if (!image)
        return failure_host_memory();
    memcpy(image + plan->at.time, scan->time_days, scan->n_obs * sizeof(double));
    fill_rows(plan, scan, image + plan->at.rows);
    equant_status status = fill_noise(plan, scan, image + plan->at.noise_rows);
    if (status != EQUANT_SUCCESS) {
        free(image);
        return status;
    }
    cudaError_t error =
        cudaMemcpyAsync(plan->shared, image, n_bytes, cudaMemcpyHostToDevice, stream);
    free(image); /* pages that are not locked are read before the call returns */
    return failure_report(error, "copy of the observations");
}

static equant_status copy_layers(const scan_plan *plan, cudaStream_t stream)
{
    CUDA_TRY(cudaMemcpyAsync(plan->shared + plan->at.layers, plan->layers,
                             plan->n_layers * sizeof *plan->layers, cudaMemcpyHostToDevice,
                             stream));
    return EQUANT_SUCCESS;
}

static scan_problem problem_of(const scan_plan *plan, size_t first_bin)
{
    scan_problem problem = {};
    problem.n_obs = (unsigned)plan->n_obs;
    problem.n_passes = (unsigned)plan->n_passes;
    problem.time = (const double *)(plan->shared + plan->at.time);
    problem.rows = plan->shared + plan->at.rows;
    problem.noise = plan->noise;
    problem.noise_kind = plan->noise_kind;
    problem.noise_length = (unsigned)plan->noise_length;
    problem.noise_rows = plan->shared + plan->at.noise_rows;
    problem.residual_square = plan->residual_square;
    problem.first_frequency_per_day = plan->first_frequency_per_day;
    problem.bin_width_per_day = plan->bin_width_per_day;
    problem.first_bin = first_bin;
    problem.shared_most = (unsigned)plan->shared_most;
    problem.n_layers = (unsigned)plan->n_layers;
    problem.layers = (const scan_layer *)(plan->shared + plan->at.layers);
    problem.records = (scan_record *)(plan->shared + plan->at.records);
    problem.candidates = (scan_candidate *)(plan->chunk + plan->chunk_at.candidates);
    return problem;
}

/* ---- chunks -------------------------------------------------------------- */

/* Room for chunks of a piece of so many bins. What is there is given back first: no piece is
 * under way. */
static equant_status require_room(scan_plan *plan, size_t n_bins)
{
    size_t bin_bytes = (plan->candidates_per_bin + 1) * sizeof(scan_candidate);
    size_t fits = SCAN_CANDIDATE_BYTES / bin_bytes;
    size_t n_chunk = fits < 1 ? 1 : fits < n_bins ? fits : n_bins;
    if (n_chunk <= plan->n_chunk)
        return EQUANT_SUCCESS;
    device_pool_give(plan->device, plan->chunk);
    plan->chunk = NULL;
    plan->n_chunk = 0;
    scan_chunk_places *at = &plan->chunk_at;
    size_t end = 0;
    at->candidates = place(&end, n_chunk, bin_bytes);
    at->best = place(&end, n_chunk, sizeof(backend_scan_node));
    at->circular = place(&end, n_chunk, sizeof(backend_scan_node));
    at->n_bytes = end;
    equant_status status = device_pool_take(plan->device, at->n_bytes, (void **)&plan->chunk);
    if (status != EQUANT_SUCCESS)
        return status;
    plan->n_chunk = n_chunk;
    return EQUANT_SUCCESS;
}

/* Blocks and shared memory of the kernels of one chunk. */
struct scan_shares {
    unsigned items_per_block, n_blocks[N_SCAN_KINDS];
    size_t shared_bytes[N_SCAN_KINDS];
};

/* Groups and candidates of all layers in a chunk of bins. */
static void size_layers(scan_plan *plan, size_t first_bin, size_t n_bins)
{
    size_t next = 0;
    for (size_t i = 0; i < plan->n_layers; i++) {
        scan_layer *layer = &plan->layers[i];
        size_t end = plan->given[i].n_bins;
        size_t reached = end > first_bin ? end - first_bin : 0;
        layer->n_bins = (unsigned)(reached < n_bins ? reached : n_bins);
        size_t n_candidates =
            (size_t)layer->n_bins * layer->n_frequencies * scan_groups_of_frequency(*layer);
        layer->n_groups =
            (unsigned)(layer->kind == SCAN_CIRCLES ? (n_candidates + SCAN_GROUP - 1) / SCAN_GROUP
                                                   : n_candidates);
        layer->first_candidate = next;
        next += n_candidates;
    }
}

static scan_shares share_layers(scan_plan *plan)
{
    scan_shares shares = {};
    unsigned per_item = plan->kernels->groups_per_item;
    size_t n_items = 0;
    for (size_t i = 0; i < plan->n_layers; i++)
        n_items += plan->layers[i].n_groups / per_item + 1;
    size_t per_block = n_items / ((size_t)SCAN_ROUNDS * (size_t)plan->n_processors) + 1;
    shares.items_per_block = (unsigned)(per_block < SCAN_MOST_ITEMS ? per_block : SCAN_MOST_ITEMS);
    unsigned groups_per_block = per_item * shares.items_per_block;
    for (size_t i = 0; i < plan->n_layers; i++) {
        scan_layer *layer = &plan->layers[i];
        unsigned *n_blocks = &shares.n_blocks[layer->kind];
        size_t *bytes = &shares.shared_bytes[layer->kind];
        size_t needed = plan->kernels->shared_bytes(layer, plan->n_base, plan->noise_staged);
        layer->first_block = *n_blocks;
        layer->n_blocks = (layer->n_groups + groups_per_block - 1) / groups_per_block;
        *n_blocks += layer->n_blocks;
        if (layer->n_blocks > 0 && needed > *bytes)
            *bytes = needed;
    }
    return shares;
}

/* Whether the best nodes are circles because there are no others: they are then fetched once. */
static bool has_circles_alone(const scan_plan *plan)
{
    for (size_t i = 0; i < plan->n_layers; i++)
        if (plan->layers[i].kind != SCAN_CIRCLES)
            return false;
    return true;
}

/* Waits for the kernels asleep: the copies behind them would keep a processor busy meanwhile, which
 * may have other stars to fit. */
static equant_status sleep_until_done(cudaStream_t stream)
{
    cudaEvent_t done;
    CUDA_TRY(cudaEventCreateWithFlags(&done, cudaEventBlockingSync | cudaEventDisableTiming));
    cudaError_t error = cudaEventRecord(done, stream);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(done);
    cudaEventDestroy(done);
    return failure_report(error, "the scan");
}

static equant_status run_chunk(scan_plan *plan, size_t first_bin, size_t n_bins,
                               backend_scan_node *best, backend_scan_node *circular,
                               cudaStream_t stream)
{
    size_layers(plan, first_bin, n_bins);
    scan_shares shares = share_layers(plan);
    scan_problem problem = problem_of(plan, first_bin);
    problem.items_per_block = shares.items_per_block;
    equant_status status = copy_layers(plan, stream);
    if (status != EQUANT_SUCCESS)
        return status;
    for (int kind = 0; kind < N_SCAN_KINDS; kind++)
        if (shares.n_blocks[kind] > 0)
            CUDA_TRY(plan->kernels->launch((scan_kind)kind, &problem, plan->n_base,
                                           shares.n_blocks[kind], shares.shared_bytes[kind],
                                           stream));
    backend_scan_node *found = (backend_scan_node *)(plan->chunk + plan->chunk_at.best);
    bool fetches_circular = circular && !has_circles_alone(plan);
    backend_scan_node *found_circular =
        fetches_circular ? (backend_scan_node *)(plan->chunk + plan->chunk_at.circular) : NULL;
    CUDA_TRY(scan_best_launch(&problem, (unsigned)n_bins, found, found_circular, stream));
    status = sleep_until_done(stream);
    if (status != EQUANT_SUCCESS)
        return status;
    CUDA_TRY(cudaMemcpyAsync(best, found, n_bins * sizeof *best, cudaMemcpyDeviceToHost, stream));
    if (fetches_circular)
        CUDA_TRY(cudaMemcpyAsync(circular, found_circular, n_bins * sizeof *circular,
                                 cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    if (circular && !fetches_circular)
        memcpy(circular, best, n_bins * sizeof *circular);
    return EQUANT_SUCCESS;
}

/* ---- the life of a scan ---------------------------------------------------- */

/* Everything that pieces share. They may come from another thread, whose stream knows nothing of
 * this one: so all of it is there when this returns. */
static equant_status fill_plan(scan_plan *plan, const backend_scan *scan)
{
    const cudaStream_t stream = cudaStreamPerThread;
    CUDA_TRY(cudaSetDevice(plan->device));
    CUDA_TRY(
        cudaDeviceGetAttribute(&plan->n_processors, cudaDevAttrMultiProcessorCount, plan->device));
    CUDA_TRY(cudaDeviceGetAttribute(&plan->shared_most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                    plan->device));
    plan->shared_most -= 1024; /* for what a block has beside */
    equant_status status = plan_layers(plan, scan);
    if (status != EQUANT_SUCCESS)
        return status;
    plan_memory(plan);
    status = device_pool_take(plan->device, plan->at.n_bytes, (void **)&plan->shared);
    if (status == EQUANT_SUCCESS)
        status = copy_observations(plan, scan, stream);
    if (status == EQUANT_SUCCESS)
        status = copy_layers(plan, stream);
    if (status != EQUANT_SUCCESS)
        return status;
    scan_problem problem = problem_of(plan, 0);
    CUDA_TRY(scan_table_launch(&problem, plan->most_records, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return EQUANT_SUCCESS;
}

static void destroy(void *state)
{
    scan_plan *plan = (scan_plan *)state;
    if (cudaSetDevice(plan->device) == cudaSuccess) {
        device_pool_give(plan->device, plan->shared);
        device_pool_give(plan->device, plan->chunk);
    }
    free(plan->given);
    free(plan->layers);
    free(plan);
}

static const scan_kernels *kernels_for(bool is_double, bool has_noise)
{
    if (has_noise)
        return is_double ? &scan_noise_kernels_double : &scan_noise_kernels_mixed;
    return is_double ? &scan_kernels_double : &scan_kernels_mixed;
}

static equant_status create(const backend_engine *engine, const backend_scan *scan, void **state)
{
    scan_plan *plan = (scan_plan *)calloc(1, sizeof *plan);
    if (!plan)
        return failure_host_memory();
    plan->device = engine->device;
    plan_noise(plan, scan->noise);
    plan->kernels =
        kernels_for(engine->precision == EQUANT_PRECISION_DOUBLE, plan->noise_length > 0);
    plan->n_obs = scan->n_obs;
    plan->n_base = scan->n_base;
    plan->n_layers = scan->n_layers;
    plan->first_frequency_per_day = scan->first_frequency_per_day;
    plan->bin_width_per_day = scan->bin_width_per_day;
    equant_status status = fill_plan(plan, scan);
    if (status == EQUANT_SUCCESS)
        *state = plan;
    else
        destroy(plan);
    return status;
}

static equant_status run(void *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                         backend_scan_node *circular)
{
    scan_plan *plan = (scan_plan *)state;
    CUDA_TRY(cudaSetDevice(plan->device));
    equant_status status = require_room(plan, n_bins);
    for (size_t done = 0; done < n_bins && status == EQUANT_SUCCESS; done += plan->n_chunk) {
        size_t left = n_bins - done, n = left < plan->n_chunk ? left : plan->n_chunk;
        status = run_chunk(plan, first_bin + done, n, best + done,
                           circular ? circular + done : NULL, cudaStreamPerThread);
    }
    return status;
}

const backend_scans scans_on_device = {create, destroy, run};
