/* A map of pairs from the host: tables once, then bands as they are asked for. All of it lies in
 * one piece of the GPU's memory, which waits for the next map. */
#include "backends/cuda/pairs/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/device_pool.h"
#include "backends/cuda/failure.h"
#include "backends/cuda/pairs/pairs_peaks.cuh"
#include "backends/cuda/pairs/pairs_table.cuh"

/* Bands that are mapped at once. */
enum { MOST_BANDS = 256 };

/* Where the arrays are; those from the host come first. */
struct pairs_places {
    size_t time_days, weights, columns, n_given;
    size_t first_rows, sums, twice, difference, sum, rows, amplitude, on_base, power;
    size_t tiles, n_peaks, peaks, n_bytes;
};

struct pairs_state {
    int device;
    unsigned char *memory;
    pairs_problem problem;
};

static size_t place(size_t *end, size_t n, size_t n_bytes)
{
    size_t at = (*end + 255) / 256 * 256;
    *end = at + n * n_bytes;
    return at;
}

static pairs_places plan_places(const pairs_problem *of)
{
    pairs_places at = {};
    size_t end = 0, n = of->n, n_tiles = of->n_tiles;
    at.time_days = place(&end, of->n_obs, sizeof(double));
    at.weights = place(&end, of->n_obs, sizeof(double));
    at.columns = place(&end, (size_t)of->n_obs * of->n_columns, sizeof(double));
    at.n_given = end;
    at.first_rows = place(&end, MOST_BANDS, sizeof(int32_t));
    at.sums = place(&end, 2 * n * of->n_columns, sizeof(double));
    at.twice = place(&end, n, sizeof(double2));
    at.difference = place(&end, n, sizeof(float2));
    at.sum = place(&end, 2 * n, sizeof(float2));
    at.rows = place(&end, n, sizeof(float4));
    at.amplitude = place(&end, n, sizeof(float2));
    at.on_base = place(&end, n * of->n_base, sizeof(float2));
    at.power = place(&end, n, sizeof(float));
    at.tiles = place(&end, MOST_BANDS * n_tiles, sizeof(backend_pair));
    at.n_peaks = place(&end, 1, sizeof(unsigned));
    at.peaks = place(&end, MOST_BANDS * ((n_tiles + 1) / 2), sizeof(backend_pair));
    at.n_bytes = end;
    return at;
}

static void set_pointers(pairs_problem *of, const pairs_places *at, unsigned char *memory)
{
    of->time_days = (const double *)(memory + at->time_days);
    of->weights = (const double *)(memory + at->weights);
    of->columns = (const double *)(memory + at->columns);
    of->first_rows = (const int32_t *)(memory + at->first_rows);
    of->sums = (double *)(memory + at->sums);
    of->twice = (double2 *)(memory + at->twice);
    of->difference = (float2 *)(memory + at->difference);
    of->sum = (float2 *)(memory + at->sum);
    of->rows = (float4 *)(memory + at->rows);
    of->amplitude = (float2 *)(memory + at->amplitude);
    of->on_base = (float2 *)(memory + at->on_base);
    of->power = (float *)(memory + at->power);
    of->tiles = (backend_pair *)(memory + at->tiles);
    of->n_peaks = (unsigned *)(memory + at->n_peaks);
    of->peaks = (backend_pair *)(memory + at->peaks);
}

static void fill_image(const backend_scan *data, const pairs_problem *of, const pairs_places *at,
                       unsigned char *image)
{
    double *weights = (double *)(image + at->weights), *columns = (double *)(image + at->columns);
    memcpy(image + at->time_days, data->time_days, data->n_obs * sizeof *data->time_days);
    for (size_t k = 0; k < data->n_obs; k++) {
        double root = data->root_weight[k], *row = columns + k * of->n_columns;
        weights[k] = root * root;
        row[0] = root * data->residual[k];
        for (size_t c = 1; c < of->n_columns; c++)
            row[c] = c <= data->n_base ? root * data->base[(c - 1) * data->n_obs + k] : 0.0;
    }
}

static pairs_problem problem_of(const backend_pair_grid *grid)
{
    const backend_scan *data = grid->data;
    pairs_problem of = {};
    of.n = (unsigned)grid->n_frequencies;
    of.n_base = (unsigned)data->n_base;
    of.n_obs = (unsigned)data->n_obs;
    of.n_columns = (of.n_base + PAIRS_COLUMNS) / PAIRS_COLUMNS * PAIRS_COLUMNS;
    of.width = (unsigned)grid->width;
    of.n_tiles = (of.n + of.width - 1) / of.width;
    of.first_frequency_per_day = grid->first_frequency_per_day;
    of.step_per_day = grid->step_per_day;
    of.least_share_left = grid->least_share_left;
    of.least_independence = (float)grid->least_independence;
    for (size_t k = 0; k < data->n_obs; k++)
        of.window_0 += data->root_weight[k] * data->root_weight[k];
    return of;
}

/* ---- the life of a map ------------------------------------------------------------------------
 */

static void destroy(void *state)
{
    pairs_state *made = (pairs_state *)state;
    if (cudaSetDevice(made->device) == cudaSuccess)
        cudaStreamSynchronize(cudaStreamPerThread); /* nothing reads the memory any more */
    device_pool_give(made->memory);
    free(made);
}

static equant_status upload(pairs_state *made, const backend_scan *data, const pairs_places *at,
                            unsigned char *image)
{
    const cudaStream_t stream = cudaStreamPerThread;
    fill_image(data, &made->problem, at, image);
    CUDA_TRY(cudaMemcpyAsync(made->memory, image, at->n_given, cudaMemcpyHostToDevice, stream));
    CUDA_TRY(pairs_table_launch(&made->problem, stream));
    CUDA_TRY(cudaStreamSynchronize(stream)); /* other threads may ask for bands */
    return EQUANT_SUCCESS;
}

static equant_status fill(pairs_state *made, const backend_scan *data)
{
    const pairs_places at = plan_places(&made->problem);
    CUDA_TRY(cudaSetDevice(made->device));
    equant_status status = device_pool_take(made->device, at.n_bytes, (void **)&made->memory);
    if (status != EQUANT_SUCCESS)
        return status;
    unsigned char *image = (unsigned char *)malloc(at.n_given + 1);
    if (!image)
        return failure_host_memory();
    set_pointers(&made->problem, &at, made->memory);
    status = upload(made, data, &at, image);
    free(image);
    return status;
}

static equant_status create(const backend_engine *engine, const backend_pair_grid *grid,
                            void **state)
{
    pairs_state *made = (pairs_state *)calloc(1, sizeof *made);
    if (!made)
        return failure_host_memory();
    made->device = engine->device;
    made->problem = problem_of(grid);
    equant_status status = fill(made, grid->data);
    if (status == EQUANT_SUCCESS)
        *state = made;
    else
        destroy(made);
    return status;
}

/* ---- what is found ----------------------------------------------------------------------------
 */

static equant_status fetch(void *to, const void *from, size_t n_bytes)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDeviceToHost, cudaStreamPerThread));
    CUDA_TRY(cudaStreamSynchronize(cudaStreamPerThread));
    return EQUANT_SUCCESS;
}

static equant_status powers(void *state, float *power)
{
    pairs_state *made = (pairs_state *)state;
    CUDA_TRY(cudaSetDevice(made->device));
    return fetch(power, made->problem.power, made->problem.n * sizeof *power);
}

/* Of at most MOST_BANDS. */
static equant_status find_some(pairs_state *made, unsigned n_bands, const int32_t *first_rows,
                               float threshold, backend_pair *found, size_t *n_found)
{
    const cudaStream_t stream = cudaStreamPerThread;
    const pairs_problem *of = &made->problem;
    unsigned n_peaks = 0;
    CUDA_TRY(cudaMemcpyAsync((void *)of->first_rows, first_rows, n_bands * sizeof *first_rows,
                             cudaMemcpyHostToDevice, stream));
    CUDA_TRY(cudaMemsetAsync(of->n_peaks, 0, sizeof *of->n_peaks, stream));
    CUDA_TRY(pairs_peaks_launch(of, n_bands, threshold, stream));
    equant_status status = fetch(&n_peaks, of->n_peaks, sizeof n_peaks);
    if (status == EQUANT_SUCCESS && n_peaks > 0)
        status = fetch(found, of->peaks, n_peaks * sizeof *found);
    *n_found = n_peaks;
    return status;
}

static equant_status peaks(void *state, size_t n_bands, const int32_t *first_rows, float threshold,
                           backend_pair *found, size_t *n_found)
{
    pairs_state *made = (pairs_state *)state;
    CUDA_TRY(cudaSetDevice(made->device));
    equant_status status = EQUANT_SUCCESS;
    *n_found = 0;
    for (size_t done = 0; done < n_bands && status == EQUANT_SUCCESS; done += MOST_BANDS) {
        size_t left = n_bands - done, n_new = 0;
        status = find_some(made, (unsigned)(left < MOST_BANDS ? left : MOST_BANDS),
                           first_rows + done, threshold, found + *n_found, &n_new);
        *n_found += n_new;
    }
    return status;
}

const backend_pairs pairs_on_device = {create, destroy, powers, peaks};
