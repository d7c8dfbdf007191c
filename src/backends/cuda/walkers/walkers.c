/* Walkers on a GPU: their memory, their way there and back, and the order of a step. */
#include "backends/cuda/walkers/walkers.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cuda_device.h"
#include "backends/cuda/failure.h"

extern const backend cuda_backend; /* whose evaluator works on the same stream */

typedef struct cuda_walkers {
    void *state; /* that evaluates */
    int device;
    cudaStream_t stream;
    void *memory; /* one allocation: all of these */
    walkers_arrays arrays;
} cuda_walkers;

/* ---- memory --------------------------------------------------------------------- */

/* Memory cut into arrays: with base = NULL it measures how much they take. */
typedef struct cutter {
    char *base;
    size_t n_bytes;
} cutter;

static void *cut(cutter *from, size_t n, size_t size)
{
    const size_t alignment = 256;
    void *at = from->base ? from->base + from->n_bytes : NULL;
    from->n_bytes += (n * size + alignment - 1) / alignment * alignment;
    return at;
}

static size_t n_gaps_of_groups(const ensemble_shape *shape)
{
    return (shape->n_temperatures - 1) * shape->n_populations;
}

static void cut_constants(cutter *from, walkers_arrays *arrays)
{
    ensemble *walkers = &arrays->rows;
    const size_t d = walkers->shape.n_coordinates, n_columns = walkers->shape.n_parameters;
    walkers->is_angle = cut(from, d, 1);
    walkers->subset = cut(from, d, 1);
    walkers->labels = cut(from, d, 1);
    walkers->subset_sizes = cut(from, d, sizeof *walkers->subset_sizes);
    arrays->map.density = cut(from, n_columns, sizeof *arrays->map.density);
    arrays->map.scale = cut(from, n_columns, sizeof *arrays->map.scale);
    arrays->coordinate_of = cut(from, n_columns, sizeof *arrays->coordinate_of);
    arrays->tickets = cut(from, walkers->shape.n_temperatures * walkers->shape.n_populations,
                          sizeof *arrays->tickets);
}

static void cut_walkers(cutter *from, ensemble *walkers)
{
    const size_t d = walkers->shape.n_coordinates;
    const size_t n_groups = walkers->shape.n_temperatures * walkers->shape.n_populations;
    const size_t n_rows = n_groups * walkers->shape.n_walkers, n_half_rows = n_rows / 2;
    walkers->beta = cut(from, walkers->shape.n_temperatures, sizeof(double));
    walkers->coordinates = cut(from, n_rows * d, sizeof(double));
    walkers->log_prior = cut(from, n_rows, sizeof(double));
    walkers->log_likelihood = cut(from, n_rows, sizeof(double));
    walkers->leg = cut(from, n_rows, 1);
    walkers->proposed = cut(from, n_half_rows * d, sizeof(double));
    walkers->proposed_log_prior = cut(from, n_half_rows, sizeof(double));
    walkers->log_factor = cut(from, n_half_rows, sizeof(double));
    walkers->parameters = cut(from, n_half_rows * walkers->shape.n_parameters, sizeof(double));
    walkers->proposed_log_likelihood = cut(from, n_half_rows, sizeof(double));
    walkers->centres = cut(from, n_groups * d, sizeof(double));
    walkers->factors = cut(from, n_groups * (d * (d + 1) / 2), sizeof(double));
    walkers->scratch = cut(from, n_groups * walkers_scratch_words(&walkers->shape), sizeof(double));
    walkers->has_guide = cut(from, n_groups, 1);
}

static void cut_results(cutter *from, walkers_arrays *arrays)
{
    const ensemble_shape *shape = &arrays->rows.shape;
    backend_walker_sums *sums = &arrays->sums;
    const size_t n_moves = shape->n_temperatures * ENSEMBLE_N_MOVES;
    const size_t n_gaps = n_gaps_of_groups(shape);
    sums->n_accepted = cut(from, n_moves, sizeof *sums->n_accepted);
    sums->rejection = cut(from, n_gaps, sizeof *sums->rejection);
    sums->round_trips = cut(from, shape->n_populations, sizeof *sums->round_trips);
    arrays->cold_parameters =
        cut(from, shape->n_populations * shape->n_walkers * shape->n_parameters, sizeof(double));
}

/* Points all arrays into memory at base; returns how many bytes they take. */
static size_t lay_out(walkers_arrays *arrays, void *base)
{
    cutter from = {base, 0};
    cut_constants(&from, arrays);
    cut_walkers(&from, &arrays->rows);
    cut_results(&from, arrays);
    return from.n_bytes;
}

static equant_status copy_constants(const ensemble *on_host, const coordinate_map *map,
                                    const walkers_arrays *to)
{
    const size_t d = on_host->shape.n_coordinates, n_columns = on_host->shape.n_parameters;
    const struct {
        void *to;
        const void *from;
        size_t n_bytes;
    } parts[] = {
        {to->rows.is_angle, on_host->is_angle, d},
        {to->rows.subset, on_host->subset, d},
        {to->rows.labels, on_host->labels, d},
        {to->rows.subset_sizes, on_host->subset_sizes, d * sizeof *on_host->subset_sizes},
        {(void *)to->map.density, map->density, n_columns * sizeof *map->density},
        {(void *)to->map.scale, map->scale, n_columns * sizeof *map->scale},
    };
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == EQUANT_SUCCESS; i++)
        status = device_upload(parts[i].n_bytes, parts[i].from, parts[i].to);
    return status;
}

static equant_status copy_places(const coordinate_map *map, const walkers_arrays *to)
{
    const size_t n_columns = map->layout.n_parameters;
    unsigned *places = malloc(n_columns * sizeof *places), n_coordinates = 0;
    if (!places)
        return failure_host_memory();
    for (size_t column = 0; column < n_columns; column++) {
        places[column] = n_coordinates;
        n_coordinates += coordinate_map_is_free(&map->density[column]) != 0;
    }
    equant_status status = device_upload(n_columns * sizeof *places, places, to->coordinate_of);
    free(places);
    return status;
}

static void destroy(void *opaque)
{
    cuda_walkers *walkers = opaque;
    cudaSetDevice(walkers->device);
    if (walkers->stream) {
        cudaStreamSynchronize(walkers->stream);
        cudaStreamDestroy(walkers->stream);
    }
    cudaFree(walkers->memory);
    free(walkers);
}

static equant_status fill(cuda_walkers *made, const ensemble *on_host, const coordinate_map *map)
{
    CUDA_TRY(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking));
    size_t n_bytes = lay_out(&made->arrays, NULL);
    CUDA_TRY(cudaMalloc(&made->memory, n_bytes));
    CUDA_TRY(cudaMemset(made->memory, 0, n_bytes));
    lay_out(&made->arrays, made->memory);
    equant_status status = copy_constants(on_host, map, &made->arrays);
    return status == EQUANT_SUCCESS ? copy_places(map, &made->arrays) : status;
}

static equant_status create(void *state, const backend_engine *engine, const ensemble *on_host,
                            const coordinate_map *map, void **out)
{
    CUDA_TRY(cudaSetDevice(engine->device));
    cuda_walkers *made = calloc(1, sizeof *made);
    if (!made)
        return failure_host_memory();
    made->state = state;
    made->device = engine->device;
    made->arrays.rows.shape = on_host->shape;
    made->arrays.rows.seed = on_host->seed;
    made->arrays.rows.n_subsets = on_host->n_subsets;
    made->arrays.map = *map;
    equant_status status = fill(made, on_host, map);
    if (status == EQUANT_SUCCESS)
        *out = made;
    else
        destroy(made);
    return status;
}

/* ---- the way there and back ------------------------------------------------------- */

/* Arrays that travel together, in memory of the host and of the GPU. */
typedef struct traveller {
    void *on_host, *on_device;
    size_t n_bytes;
} traveller;

enum { N_OF_DENSITY = 2, N_OF_WALKERS = 4, N_OF_SUMS = 3 };

/* Of the first n_rows walkers; the first N_OF_DENSITY are what accompanies parameter sets. */
static void list_walkers(const walkers_arrays *arrays, const ensemble *host, size_t n_rows,
                         traveller parts[N_OF_WALKERS])
{
    const ensemble *walkers = &arrays->rows;
    parts[0] = (traveller){host->log_prior, walkers->log_prior, n_rows * sizeof(double)};
    parts[1] = (traveller){host->log_likelihood, walkers->log_likelihood, n_rows * sizeof(double)};
    parts[2] = (traveller){host->coordinates, walkers->coordinates,
                           n_rows * walkers->shape.n_coordinates * sizeof(double)};
    parts[3] = (traveller){host->leg, walkers->leg, n_rows};
}

static void list_sums(const walkers_arrays *arrays, const backend_walker_sums *host,
                      traveller parts[N_OF_SUMS])
{
    const ensemble_shape *shape = &arrays->rows.shape;
    const backend_walker_sums *sums = &arrays->sums;
    const size_t n_gaps = n_gaps_of_groups(shape);
    parts[0] = (traveller){host->n_accepted, sums->n_accepted,
                           shape->n_temperatures * ENSEMBLE_N_MOVES * sizeof *sums->n_accepted};
    parts[1] = (traveller){host->rejection, sums->rejection, n_gaps * sizeof *sums->rejection};
    parts[2] = (traveller){host->round_trips, sums->round_trips,
                           shape->n_populations * sizeof *sums->round_trips};
}

static equant_status travel(const cuda_walkers *walkers, size_t n, const traveller *parts,
                            enum cudaMemcpyKind direction)
{
    for (size_t i = 0; i < n; i++) {
        bool is_back = direction == cudaMemcpyDeviceToHost;
        CUDA_TRY(cudaMemcpyAsync(is_back ? parts[i].on_host : parts[i].on_device,
                                 is_back ? parts[i].on_device : parts[i].on_host, parts[i].n_bytes,
                                 direction, walkers->stream));
    }
    return EQUANT_SUCCESS;
}

static equant_status upload(void *opaque, unsigned fields, const ensemble *from,
                            const backend_walker_sums *sums)
{
    cuda_walkers *walkers = opaque;
    const walkers_arrays *arrays = &walkers->arrays;
    const ensemble_shape *shape = &arrays->rows.shape;
    const size_t n_rows = shape->n_temperatures * shape->n_populations * shape->n_walkers;
    traveller parts[N_OF_WALKERS + N_OF_SUMS + 1];
    size_t n = 0;
    CUDA_TRY(cudaSetDevice(walkers->device));
    if (fields & BACKEND_WALKERS_ALL) {
        list_walkers(arrays, from, n_rows, parts);
        n = N_OF_WALKERS;
    }
    if (fields & BACKEND_WALKERS_SUMS) {
        list_sums(arrays, sums, parts + n);
        n += N_OF_SUMS;
        parts[n++] =
            (traveller){from->beta, arrays->rows.beta, shape->n_temperatures * sizeof(double)};
    }
    equant_status status = travel(walkers, n, parts, cudaMemcpyHostToDevice);
    if (status != EQUANT_SUCCESS)
        return status;
    CUDA_TRY(cudaStreamSynchronize(walkers->stream)); /* the caller may change its arrays */
    return EQUANT_SUCCESS;
}

static equant_status download(void *opaque, unsigned fields, const ensemble *to,
                              const backend_walker_sums *sums, double *cold_parameters)
{
    cuda_walkers *walkers = opaque;
    const walkers_arrays *arrays = &walkers->arrays;
    const ensemble_shape *shape = &arrays->rows.shape;
    const size_t n_cold = shape->n_populations * shape->n_walkers;
    traveller parts[N_OF_WALKERS + N_OF_SUMS + 1];
    size_t n = 0;
    CUDA_TRY(cudaSetDevice(walkers->device));
    if (fields & BACKEND_WALKERS_ALL) {
        list_walkers(arrays, to, n_cold * shape->n_temperatures, parts);
        n = N_OF_WALKERS;
    } else if (fields & BACKEND_WALKERS_COLD) {
        list_walkers(arrays, to, n_cold, parts);
        n = N_OF_DENSITY;
    }
    if (fields & BACKEND_WALKERS_SUMS) {
        list_sums(arrays, sums, parts + n);
        n += N_OF_SUMS;
    }
    if (fields & BACKEND_WALKERS_COLD) {
        walkers_launch_cold_parameters(arrays, walkers->stream);
        CUDA_TRY(cudaGetLastError());
        parts[n++] = (traveller){cold_parameters, arrays->cold_parameters,
                                 n_cold * shape->n_parameters * sizeof(double)};
    }
    equant_status status = travel(walkers, n, parts, cudaMemcpyDeviceToHost);
    if (status != EQUANT_SUCCESS)
        return status;
    CUDA_TRY(cudaStreamSynchronize(walkers->stream));
    return EQUANT_SUCCESS;
}

/* ---- steps ------------------------------------------------------------------------- */

static equant_status step_half(cuda_walkers *walkers, uint64_t step, size_t half,
                               ensemble_move move)
{
    const walkers_arrays *arrays = &walkers->arrays;
    const ensemble_shape *shape = &arrays->rows.shape;
    const size_t n_sets = shape->n_temperatures * shape->n_populations * (shape->n_walkers / 2);
    const equant_results results = {.struct_size = sizeof results,
                                    .log_likelihood = arrays->rows.proposed_log_likelihood};
    if (ensemble_moves_needs_guide(move))
        walkers_launch_guide(arrays, half, walkers->stream);
    walkers_launch_propose(arrays, step, half, move, walkers->stream);
    CUDA_TRY(cudaGetLastError());
    equant_status status = cuda_backend.evaluate_on_device(
        walkers->state, n_sets, arrays->rows.parameters, &results, walkers->stream);
    if (status != EQUANT_SUCCESS)
        return status;
    walkers_launch_accept(arrays, step, half, move, walkers->stream);
    CUDA_TRY(cudaGetLastError());
    return EQUANT_SUCCESS;
}

static equant_status make_step(void *opaque, uint64_t step, int move)
{
    cuda_walkers *walkers = opaque;
    CUDA_TRY(cudaSetDevice(walkers->device));
    for (size_t half = 0; half < 2; half++) {
        equant_status status = step_half(walkers, step, half, (ensemble_move)move);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    walkers_launch_swap(&walkers->arrays, step, walkers->stream);
    CUDA_TRY(cudaGetLastError());
    return EQUANT_SUCCESS;
}

const backend_walkers walkers_on_device = {
    .create = create,
    .destroy = destroy,
    .upload = upload,
    .step = make_step,
    .download = download,
};
