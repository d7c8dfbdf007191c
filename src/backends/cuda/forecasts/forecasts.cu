/* Mixtures of what draws predict, on a GPU: draws stay there, times come in blocks. */
#include "backends/cuda/forecasts/forecasts.h"

#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/failure.h"
#include "backends/cuda/forecasts/forecast_kernels.cuh"

/* Points of a block's densities, beyond which a processor is asked. */
#define MOST_DENSITY_WORDS ((size_t)1 << 25)

/* Memory that grows. */
typedef struct gpu_array {
    void *memory;
    size_t n_bytes;
} gpu_array;

enum { OFFSETS, JITTERS, BLOCKS, STATES, OWN, N_OF_DRAWS };
enum { TIMES, VARIANCES, INSTRUMENTS, NIGHTS, N_OF_TIMES };

typedef struct forecasts {
    int device;
    cudaStream_t stream;
    forecast_arrays arrays;
    gpu_array of_draws[N_OF_DRAWS], of_times[N_OF_TIMES];
    gpu_array means, spreads, mixtures, density, square;
    double *on_host; /* densities, in memory that the GPU copies to */
    size_t host_bytes;
} forecasts;

static void destroy(void *state)
{
    forecasts *made = (forecasts *)state;
    if (cudaSetDevice(made->device) == cudaSuccess) {
        gpu_array *others[] = {&made->means, &made->spreads, &made->mixtures, &made->density,
                               &made->square};
        if (made->stream) {
            cudaStreamSynchronize(made->stream);
            cudaStreamDestroy(made->stream);
        }
        for (int i = 0; i < N_OF_DRAWS; i++)
            cudaFree(made->of_draws[i].memory);
        for (int i = 0; i < N_OF_TIMES; i++)
            cudaFree(made->of_times[i].memory);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            cudaFree(others[i]->memory);
        cudaFreeHost(made->on_host);
    }
    free(made);
}

static equant_status reserve(gpu_array *array, size_t n_bytes)
{
    if (n_bytes <= array->n_bytes)
        return EQUANT_SUCCESS;
    CUDA_TRY(cudaFree(array->memory));
    array->memory = NULL;
    array->n_bytes = 0;
    CUDA_TRY(cudaMalloc(&array->memory, n_bytes));
    array->n_bytes = n_bytes;
    return EQUANT_SUCCESS;
}

static equant_status put(forecasts *made, gpu_array *array, const void *from, size_t n_bytes)
{
    equant_status status = reserve(array, n_bytes > 0 ? n_bytes : 1);
    if (status == EQUANT_SUCCESS && n_bytes > 0)
        CUDA_TRY(
            cudaMemcpyAsync(array->memory, from, n_bytes, cudaMemcpyHostToDevice, made->stream));
    return status;
}

static equant_status put_draws(forecasts *made, const backend_forecast *from)
{
    size_t n = from->n_draws, by_instrument = n * from->n_instruments * sizeof(double);
    bool has_noise = from->n_states > 0;
    const struct {
        const void *from;
        size_t n_bytes;
    } wanted[N_OF_DRAWS] = {
        {from->offsets, by_instrument},
        {from->jitters, by_instrument},
        {from->blocks, has_noise ? n * from->n_blocks * sizeof(noise_block) : 0},
        {from->states, n * from->n_states * (from->n_states + 1) * sizeof(double)},
        {from->own_variances, has_noise ? by_instrument : 0}};
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < N_OF_DRAWS && status == EQUANT_SUCCESS; i++)
        status = put(made, &made->of_draws[i], wanted[i].from, wanted[i].n_bytes);
    backend_forecast *draws = &made->arrays.draws;
    *draws = *from;
    draws->offsets = (const double *)made->of_draws[OFFSETS].memory;
    draws->jitters = (const double *)made->of_draws[JITTERS].memory;
    draws->blocks = (const noise_block *)made->of_draws[BLOCKS].memory;
    draws->states = (const double *)made->of_draws[STATES].memory;
    draws->own_variances = (const double *)made->of_draws[OWN].memory;
    return status;
}

static equant_status fill(forecasts *made, const backend_forecast *from)
{
    CUDA_TRY(cudaSetDevice(made->device));
    CUDA_TRY(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking));
    equant_status status = put_draws(made, from);
    if (status != EQUANT_SUCCESS)
        return status;
    CUDA_TRY(cudaStreamSynchronize(made->stream));
    return EQUANT_SUCCESS;
}

static equant_status create(const backend_engine *engine, const backend_forecast *forecast,
                            void **state)
{
    forecasts *made = (forecasts *)calloc(1, sizeof *made);
    if (!made)
        return failure_host_memory();
    made->device = engine->device;
    equant_status status = fill(made, forecast);
    if (status == EQUANT_SUCCESS)
        *state = made;
    else
        destroy(made);
    return status;
}

/* ---- computing ------------------------------------------------------------------ */

static equant_status put_times(forecasts *made, const backend_forecast_times *from)
{
    const struct {
        const void *from;
        size_t n_bytes;
    } wanted[N_OF_TIMES] = {{from->time_days, from->n * sizeof(double)},
                            {from->variances, from->n * sizeof(double)},
                            {from->instruments, from->n * sizeof(int)},
                            {from->begins_night, from->n * sizeof(int)}};
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < N_OF_TIMES && status == EQUANT_SUCCESS; i++)
        status = put(made, &made->of_times[i], wanted[i].from, wanted[i].n_bytes);
    backend_forecast_times *times = &made->arrays.times;
    *times = *from;
    times->time_days = (const double *)made->of_times[TIMES].memory;
    times->variances = (const double *)made->of_times[VARIANCES].memory;
    times->instruments = (const int *)made->of_times[INSTRUMENTS].memory;
    times->begins_night = (const int *)made->of_times[NIGHTS].memory;
    return status;
}

static equant_status fetch_mixtures(forecasts *made, size_t n, backend_mixture *mixtures)
{
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpyAsync(mixtures, made->mixtures.memory, n * sizeof *mixtures,
                             cudaMemcpyDeviceToHost, made->stream));
    CUDA_TRY(cudaStreamSynchronize(made->stream));
    return EQUANT_SUCCESS;
}

/* Means, variances and points of all times. */
static equant_status lay(forecasts *made, const backend_forecast_times *times,
                         backend_mixture *mixtures)
{
    size_t n_draws = made->arrays.draws.n_draws, n = times->n;
    equant_status status = put_times(made, times);
    if (status == EQUANT_SUCCESS)
        status = reserve(&made->means, n * n_draws * sizeof(double));
    if (status == EQUANT_SUCCESS)
        status = reserve(&made->spreads, n * n_draws * sizeof(double));
    if (status == EQUANT_SUCCESS)
        status = reserve(&made->mixtures, n * sizeof(backend_mixture));
    if (status != EQUANT_SUCCESS)
        return status;
    const dim3 all((unsigned)((n_draws + FORECAST_THREADS - 1) / FORECAST_THREADS),
                   (unsigned)((n + FORECAST_TIMES_A_THREAD - 1) / FORECAST_TIMES_A_THREAD));
    double *means = (double *)made->means.memory, *spreads = (double *)made->spreads.memory;
    forecast_fill<<<all, FORECAST_THREADS, 0, made->stream>>>(made->arrays, means, spreads);
    forecast_lay<<<(unsigned)n, FORECAST_THREADS, 0, made->stream>>>(
        n_draws, means, spreads, (backend_mixture *)made->mixtures.memory);
    return fetch_mixtures(made, n, mixtures);
}

static equant_status sum_densities(forecasts *made, size_t n, size_t stride,
                                   backend_mixture *mixtures)
{
    size_t n_draws = made->arrays.draws.n_draws, n_bytes = n * stride * sizeof(double);
    equant_status status = reserve(&made->density, n_bytes);
    if (status == EQUANT_SUCCESS)
        status = reserve(&made->square, n_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    if (n_bytes > made->host_bytes) {
        CUDA_TRY(cudaFreeHost(made->on_host));
        made->on_host = NULL;
        made->host_bytes = 0;
        CUDA_TRY(cudaMallocHost((void **)&made->on_host, n_bytes));
        made->host_bytes = n_bytes;
    }
    const dim3 all((unsigned)n, (unsigned)((stride + FORECAST_THREADS - 1) / FORECAST_THREADS));
    double *density = (double *)made->density.memory, *square = (double *)made->square.memory;
    backend_mixture *on_gpu = (backend_mixture *)made->mixtures.memory;
    forecast_density<<<all, FORECAST_THREADS, 0, made->stream>>>(
        n_draws, (const double *)made->means.memory, (const double *)made->spreads.memory, on_gpu,
        stride, density, square);
    forecast_entropy<<<(unsigned)n, FORECAST_THREADS, 0, made->stream>>>(n_draws, stride, density,
                                                                         square, on_gpu);
    CUDA_TRY(
        cudaMemcpyAsync(made->on_host, density, n_bytes, cudaMemcpyDeviceToHost, made->stream));
    return fetch_mixtures(made, n, mixtures);
}

static equant_status run(void *state, const backend_forecast_times *times,
                         backend_mixture *mixtures, size_t *stride, const double **densities)
{
    forecasts *made = (forecasts *)state;
    CUDA_TRY(cudaSetDevice(made->device));
    equant_status status = lay(made, times, mixtures);
    *stride = 0;
    *densities = NULL;
    if (status != EQUANT_SUCCESS)
        return status;
    size_t most = 0;
    for (size_t t = 0; t < times->n; t++)
        most = mixtures[t].n > most ? mixtures[t].n : most;
    if (most > MOST_DENSITY_WORDS / times->n)
        return EQUANT_SUCCESS;
    status = sum_densities(made, times->n, most, mixtures);
    if (status == EQUANT_SUCCESS) {
        *stride = most;
        *densities = made->on_host;
    }
    return status;
}

const backend_forecasts forecasts_on_device = {create, destroy, run};
