/* The evidence of circles at all frequencies of a grid: a thread each. Times, noise and columns are
 * read by all threads of a warp at once, so that they come from the cache. */
#include "backends/cuda/circles/circles.h"

#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/failure.h"
#include "statistics/circle_evidence.h"

enum { THREADS = 128 };

struct circles {
    int device;
    cudaStream_t stream;
    size_t n_frequencies, most_columns, most_noise;
    double first, step;
    circle_data data;   /* arrays on the GPU */
    circle_noise noise; /* likewise */
    double *times, *precision, *rows, *columns, *square, *exponent, *factor;
    int *block_states;
    double *packed; /* [n_obs][most_columns], of the host */
};

static __global__ void square_kernel(circle_data data, circle_noise noise, double first,
                                     double step, size_t n, double *square)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        circle_evidence_square(&data, &noise, first + (double)i * step, square + 3 * i);
}

static __global__ void evidence_kernel(circle_data data, double first, double step, size_t n,
                                       size_t n_columns, const double *columns,
                                       const double *square, double *exponent, double *factor)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        circle_evidence_find(&data, first + (double)i * step, n_columns, columns, square + 3 * i,
                             exponent + i, factor + i);
}

static unsigned blocks_of(const circles *made)
{
    return (unsigned)((made->n_frequencies + THREADS - 1) / THREADS);
}

/* ---- the life of a grid ------------------------------------------------------ */

static void destroy(void *state)
{
    circles *made = (circles *)state;
    if (cudaSetDevice(made->device) == cudaSuccess) {
        if (made->stream) {
            cudaStreamSynchronize(made->stream);
            cudaStreamDestroy(made->stream);
        }
        cudaFree(made->times);
        cudaFree(made->precision);
        cudaFree(made->rows);
        cudaFree(made->columns);
        cudaFree(made->square);
        cudaFree(made->exponent);
        cudaFree(made->factor);
        cudaFree(made->block_states);
    }
    free(made->packed);
    free(made);
}

static equant_status reserve(double **to, size_t n)
{
    CUDA_TRY(cudaMalloc((void **)to, (n > 0 ? n : 1) * sizeof **to));
    return EQUANT_SUCCESS;
}

static equant_status copy_to(circles *made, void *to, const void *from, size_t n_bytes)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyHostToDevice, made->stream));
    return EQUANT_SUCCESS;
}

static equant_status fill(circles *made, const backend_circle_grid *grid)
{
    size_t n_obs = grid->n_obs, n = grid->n_frequencies;
    CUDA_TRY(cudaSetDevice(made->device));
    CUDA_TRY(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking));
    struct {
        double **to;
        size_t n;
    } wanted[] = {{&made->times, n_obs},
                  {&made->precision, grid->n_scales},
                  {&made->rows, n_obs * made->most_noise},
                  {&made->columns, n_obs * made->most_columns},
                  {&made->square, 3 * n},
                  {&made->exponent, n},
                  {&made->factor, n}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        equant_status status = reserve(wanted[i].to, wanted[i].n);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    CUDA_TRY(cudaMalloc((void **)&made->block_states, CIRCLE_MOST_STATES * sizeof(int)));
    made->packed = (double *)malloc((n_obs * made->most_columns + 1) * sizeof *made->packed);
    if (!made->packed)
        return failure_host_memory();
    equant_status status =
        copy_to(made, made->times, grid->time_days, n_obs * sizeof *grid->time_days);
    if (status == EQUANT_SUCCESS)
        status = copy_to(made, made->precision, grid->precision,
                         grid->n_scales * sizeof *grid->precision);
    if (status != EQUANT_SUCCESS)
        return status;
    CUDA_TRY(cudaStreamSynchronize(made->stream));
    made->data.n_obs = n_obs;
    made->data.time_days = made->times;
    made->data.n_scales = grid->n_scales;
    made->data.precision = made->precision;
    return EQUANT_SUCCESS;
}

static equant_status create(const backend_engine *engine, const backend_circle_grid *grid,
                            void **state)
{
    circles *made = (circles *)calloc(1, sizeof *made);
    if (!made)
        return failure_host_memory();
    made->device = engine->device;
    made->n_frequencies = grid->n_frequencies;
    made->first = grid->first_frequency_per_day;
    made->step = grid->step_per_day;
    made->most_columns = grid->most_columns;
    made->most_noise = 1 + 5 * CIRCLE_MOST_STATES;
    equant_status status = fill(made, grid);
    if (status == EQUANT_SUCCESS)
        *state = made;
    else
        destroy(made);
    return status;
}

/* ---- computing ------------------------------------------------------------------ */

static equant_status take_noise(void *state, const struct circle_noise *noise)
{
    circles *made = (circles *)state;
    CUDA_TRY(cudaSetDevice(made->device));
    if (noise->stride > made->most_noise || noise->n_blocks > CIRCLE_MOST_STATES)
        return failure_report(cudaErrorInvalidValue, "noise of so many states");
    equant_status status = copy_to(made, made->rows, noise->rows,
                                   made->data.n_obs * noise->stride * sizeof *noise->rows);
    if (status == EQUANT_SUCCESS && noise->n_blocks > 0)
        status = copy_to(made, made->block_states, noise->block_states,
                         noise->n_blocks * sizeof *noise->block_states);
    if (status != EQUANT_SUCCESS)
        return status;
    made->noise = *noise;
    made->noise.rows = made->rows;
    made->noise.block_states = made->block_states;
    square_kernel<<<blocks_of(made), THREADS, 0, made->stream>>>(
        made->data, made->noise, made->first, made->step, made->n_frequencies, made->square);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaStreamSynchronize(made->stream));
    return EQUANT_SUCCESS;
}

static equant_status run(void *state, size_t n_columns, const double *columns, double *exponent,
                         double *factor)
{
    circles *made = (circles *)state;
    size_t n_obs = made->data.n_obs, n_bytes = made->n_frequencies * sizeof *exponent;
    CUDA_TRY(cudaSetDevice(made->device));
    if (n_columns > made->most_columns)
        return failure_report(cudaErrorInvalidValue, "a background of so many columns");
    for (size_t k = 0; k < n_obs; k++)
        for (size_t j = 0; j < n_columns; j++)
            made->packed[k * n_columns + j] = columns[j * n_obs + k];
    equant_status status =
        copy_to(made, made->columns, made->packed, n_obs * n_columns * sizeof *made->packed);
    if (status != EQUANT_SUCCESS)
        return status;
    evidence_kernel<<<blocks_of(made), THREADS, 0, made->stream>>>(
        made->data, made->first, made->step, made->n_frequencies, n_columns, made->columns,
        made->square, made->exponent, made->factor);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(
        cudaMemcpyAsync(exponent, made->exponent, n_bytes, cudaMemcpyDeviceToHost, made->stream));
    CUDA_TRY(cudaMemcpyAsync(factor, made->factor, n_bytes, cudaMemcpyDeviceToHost, made->stream));
    CUDA_TRY(cudaStreamSynchronize(made->stream));
    return EQUANT_SUCCESS;
}

const backend_circles circles_on_device = {create, destroy, take_noise, run};
