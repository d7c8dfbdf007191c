#include "backends/cuda/scan/scan_plan.cuh"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/device_pool.h"
#include "backends/cuda/failure.h"
#include "backends/cuda/scan/cuda_scan_table.cuh"
#include "backends/scan_scale.h"

/* Candidates of one bin, at most: they are counted in 32 bits. */
#define SCAN_MOST_CANDIDATES ((size_t)1 << 30)

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

static void plan_memory(scan_plan *plan)
{
    plan->n_columns = plan->kernels->has_few && plan->n_base <= SCAN_COLUMNS_FEW
                          ? SCAN_COLUMNS_FEW
                          : SCAN_COLUMNS_MANY;
    plan->n_passes = plan->n_base == 0 ? 1 : (plan->n_base - 1) / plan->n_columns + 1;
    plan->row_bytes =
        scan_row_length(plan->n_columns, plan->kernels->real_size) * plan->kernels->real_size;
    scan_places *at = &plan->at;
    size_t end = 0;
    at->time = scan_place(&end, plan->n_obs, sizeof(double));
    at->rows = scan_place(&end, plan->n_passes * plan->n_obs, plan->row_bytes);
    at->noise_rows = scan_place(&end, plan->n_obs * plan->noise_length, plan->kernels->real_size);
    at->bins = scan_place(&end, plan->n_wanted, sizeof *plan->bins);
    at->layers = scan_place(&end, plan->n_layers, sizeof(scan_layer));
    at->records = scan_place(&end, plan->n_records, sizeof(scan_record));
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
    size_t real_size = plan->kernels->real_size;
    size_t length = scan_row_length(plan->n_columns, real_size);
    const scan_scale scale = scan_scale_of(scan);
    plan->residual_square = scale.residual_square;
    for (size_t pass = 0; pass < plan->n_passes; pass++)
        for (size_t k = 0; k < scan->n_obs; k++) {
            size_t row = (pass * scan->n_obs + k) * length;
            store_real(rows, real_size, row, scan->root_weight[k] * scale.weight);
            store_real(rows, real_size, row + 1, scan->residual[k] * scale.residual);
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

/* Times, rows and bins, from host memory that is not needed afterwards. */
static equant_status copy_observations(scan_plan *plan, const backend_scan *scan,
                                       cudaStream_t stream)
{
    size_t n_bytes = plan->at.layers;
    unsigned char *image = (unsigned char *)calloc(1, n_bytes + 1);
    if (!image)
        return failure_host_memory();
    memcpy(image + plan->at.time, scan->time_days, scan->n_obs * sizeof(double));
    fill_rows(plan, scan, image + plan->at.rows);
    if (plan->n_wanted > 0)
        memcpy(image + plan->at.bins, plan->bins, plan->n_wanted * sizeof *plan->bins);
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

equant_status scan_plan_copy_layers(const scan_plan *plan, cudaStream_t stream)
{
    CUDA_TRY(cudaMemcpyAsync(plan->shared + plan->at.layers, plan->layers,
                             plan->n_layers * sizeof *plan->layers, cudaMemcpyHostToDevice,
                             stream));
    return EQUANT_SUCCESS;
}

scan_problem scan_plan_problem(const scan_plan *plan, size_t first)
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
    problem.first_bin = first;
    if (plan->bins)
        problem.bins = (const unsigned *)(plan->shared + plan->at.bins) + first;
    problem.shared_most = (unsigned)plan->shared_most;
    problem.n_layers = (unsigned)plan->n_layers;
    problem.layers = (const scan_layer *)(plan->shared + plan->at.layers);
    problem.records = (scan_record *)(plan->shared + plan->at.records);
    problem.candidates = (scan_candidate *)(plan->chunk + plan->chunk_at.candidates);
    return problem;
}

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
        status = scan_plan_copy_layers(plan, stream);
    if (status != EQUANT_SUCCESS)
        return status;
    scan_problem problem = scan_plan_problem(plan, 0);
    CUDA_TRY(scan_table_launch(&problem, plan->most_records, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return EQUANT_SUCCESS;
}

void scan_plan_destroy(void *state)
{
    scan_plan *plan = (scan_plan *)state;
    if (cudaSetDevice(plan->device) == cudaSuccess) {
        device_pool_give(plan->shared);
        device_pool_give(plan->chunk);
    }
    free(plan->bins);
    free(plan->given);
    free(plan->layers);
    free(plan);
}

/* Lists the bins that are wanted, up to the last that a layer has. */
static equant_status list_wanted(scan_plan *plan, const backend_scan *scan)
{
    size_t n_bins = 0;
    for (size_t i = 0; i < scan->n_layers; i++)
        n_bins = scan->layers[i].n_bins > n_bins ? scan->layers[i].n_bins : n_bins;
    if (!scan->wanted || n_bins > UINT32_MAX)
        return EQUANT_SUCCESS;
    plan->bins = (unsigned *)malloc((n_bins + 1) * sizeof *plan->bins);
    if (!plan->bins)
        return failure_host_memory();
    for (size_t b = 0; b < n_bins; b++)
        if (scan->wanted[b])
            plan->bins[plan->n_wanted++] = (unsigned)b;
    return EQUANT_SUCCESS;
}

static const scan_kernels *kernels_for(bool is_double, bool has_noise)
{
    if (has_noise)
        return is_double ? &scan_noise_kernels_double : &scan_noise_kernels_mixed;
    return is_double ? &scan_kernels_double : &scan_kernels_mixed;
}

equant_status scan_plan_create(const backend_engine *engine, const backend_scan *scan, void **state)
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
    equant_status status = list_wanted(plan, scan);
    if (status == EQUANT_SUCCESS)
        status = fill_plan(plan, scan);
    if (status == EQUANT_SUCCESS)
        *state = plan;
    else
        scan_plan_destroy(plan);
    return status;
}
