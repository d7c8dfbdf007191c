/* The CUDA backend around its kernels: devices, memory, and the traffic between host and
 * GPU. Work comes in chunks that fit the GPU, alternating between two sets of buffers,
 * so that one is copied while the other is computed. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/circles/circles.h"
#include "backends/cuda/cuda_device.h"
#include "backends/cuda/derivatives/derivative.h"
#include "backends/cuda/failure.h"
#include "backends/cuda/forecasts/forecasts.h"
#include "backends/cuda/evaluate/evaluator_batch.h"
#include "backends/cuda/evaluate/guess_texture.h"
#include "backends/cuda/layout.h"
#include "backends/cuda/observations.h"
#include "backends/cuda/pairs/pairs.h"
#include "backends/cuda/scan/cuda_scan.h"
#include "backends/cuda/sky/cuda_sky_scan.h"
#include "backends/cuda/walkers/walkers.h"
#include "parallel/parallel_for.h"

/* Sets in a chunk: enough to fill a large GPU, few enough to overlap copies. */
#define CUDA_CHUNK_SETS 65536
/* Bytes of results in a chunk: what bounds it when velocities are asked for. */
#define CUDA_CHUNK_BYTES ((size_t)1 << 28)
#define CUDA_N_BUFFERS 2
/* Bytes of working memory for calls on device memory: batches that want more are cut. */
#define CUDA_SCRATCH_BYTES ((size_t)1 << 30)

/* One of the alternating sets of buffers. */
typedef struct cuda_buffer {
    size_t n_sets, first; /* what is in flight; zero when nothing is */
    double *host_parameters, *device_parameters;
    double *host_results, *device_results;
    double *scratch;
    cudaStream_t stream;
} cuda_buffer;

typedef struct cuda_state {
    int device;
    backend_engine engine;
    const cuda_kernels *kernels;
    cuda_layout layout;
    void *observations; /* one allocation on the GPU */
    guess_texture guesses;
    size_t n_chunk, result_words, scratch_words; /* that the buffers have room for */
    cuda_buffer buffers[CUDA_N_BUFFERS];
    double *device_scratch; /* for calls on device memory */
    size_t device_scratch_words;
    derivative_memory derivatives;
} cuda_state;

static int cuda_n_devices(void)
{
    int n = 0;
    return failure_report(cudaGetDeviceCount(&n), "counting the GPUs") == EQUANT_SUCCESS ? n : 0;
}

static bool cuda_available(void)
{
    return cuda_n_devices() > 0;
}

static size_t result_words_of(const cuda_layout *layout, const cuda_results *asked)
{
    return (asked->chi_square != NULL) + (asked->log_likelihood != NULL) +
           (asked->linear ? layout->model.n_linear : 0) + (asked->velocities ? layout->n_obs : 0) +
           (asked->residuals ? layout->n_obs : 0);
}

static void buffers_free(cuda_state *state)
{
    for (int b = 0; b < CUDA_N_BUFFERS; b++) {
        cuda_buffer *buffer = &state->buffers[b];
        cudaFreeHost(buffer->host_parameters);
        cudaFreeHost(buffer->host_results);
        cudaFree(buffer->device_parameters);
        cudaFree(buffer->device_results);
        cudaFree(buffer->scratch);
        if (buffer->stream)
            cudaStreamDestroy(buffer->stream);
        memset(buffer, 0, sizeof *buffer);
    }
    state->n_chunk = state->result_words = state->scratch_words = 0;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Buffers for chunks of n_chunk sets with the given results, kept between calls. */
static equant_status buffers_prepare(cuda_state *state, size_t n_chunk, size_t result_words,
                                     size_t scratch_words)
{
    if (n_chunk <= state->n_chunk && result_words <= state->result_words &&
        scratch_words <= state->scratch_words)
        return EQUANT_SUCCESS;
    n_chunk = larger(n_chunk, state->n_chunk);
    result_words = larger(result_words, state->result_words);
    scratch_words = larger(scratch_words, state->scratch_words);
    buffers_free(state);
    size_t parameter_bytes = n_chunk * (state->layout.model.n_parameters + 1) * sizeof(double);
    size_t result_bytes = n_chunk * (result_words + 1) * sizeof(double);
    size_t scratch_bytes = (n_chunk * scratch_words + 1) * sizeof(double);
    for (int b = 0; b < CUDA_N_BUFFERS; b++) {
        cuda_buffer *buffer = &state->buffers[b];
        CUDA_TRY(cudaStreamCreateWithFlags(&buffer->stream, cudaStreamNonBlocking));
        CUDA_TRY(cudaMallocHost((void **)&buffer->host_parameters, parameter_bytes));
        CUDA_TRY(cudaMallocHost((void **)&buffer->host_results, result_bytes));
        CUDA_TRY(cudaMalloc((void **)&buffer->device_parameters, parameter_bytes));
        CUDA_TRY(cudaMalloc((void **)&buffer->device_results, result_bytes));
        CUDA_TRY(cudaMalloc((void **)&buffer->scratch, scratch_bytes));
    }
    state->n_chunk = n_chunk;
    state->result_words = result_words;
    state->scratch_words = scratch_words;
    return EQUANT_SUCCESS;
}

static void cuda_destroy(void *opaque)
{
    cuda_state *state = opaque;
    cudaSetDevice(state->device);
    buffers_free(state);
    derivative_memory_free(&state->derivatives);
    cudaFree(state->device_scratch);
    cudaFree(state->observations);
    guess_texture_destroy(&state->guesses);
    free(state);
}

static equant_status cuda_create(const backend_problem *problem, const backend_engine *engine,
                                 void **out)
{
    CUDA_TRY(cudaSetDevice(engine->device));
    cuda_state *state = calloc(1, sizeof *state);
    if (!state)
        return failure_host_memory();
    state->device = engine->device;
    state->engine = *engine;
    state->kernels =
        cuda_kernels_of(device_precision(engine->precision, device_double_ratio(engine->device)));
    void *host_image = NULL;
    size_t n_bytes = 0;
    equant_status status =
        observations_lay_out(problem, engine, &state->layout, &host_image, &n_bytes);
    if (status == EQUANT_SUCCESS)
        status = failure_report(cudaMalloc(&state->observations, n_bytes),
                                "memory for the observations");
    if (status == EQUANT_SUCCESS)
        status = device_upload(n_bytes, host_image, state->observations);
    free(host_image);
    if (status == EQUANT_SUCCESS && engine->first_guess == EQUANT_FIRST_GUESS_TABULATED)
        status = failure_report(guess_texture_create(&state->guesses), "texture of first guesses");
    if (status != EQUANT_SUCCESS) {
        cuda_destroy(state);
        return status;
    }
    observations_rebase(&state->layout, state->observations);
    state->layout.guess_texture = state->guesses.texture;
    *out = state;
    return EQUANT_SUCCESS;
}

/* Where the results of a chunk lie behind each other in one array. */
static cuda_results results_in(const cuda_layout *layout, const cuda_results *asked, size_t n_sets,
                               double *words)
{
    cuda_results results = {NULL, NULL, NULL, NULL, NULL};
    if (asked->chi_square)
        results.chi_square = words, words += n_sets;
    if (asked->log_likelihood)
        results.log_likelihood = words, words += n_sets;
    if (asked->linear)
        results.linear = words, words += n_sets * layout->model.n_linear;
    if (asked->velocities)
        results.velocities = words, words += n_sets * layout->n_obs;
    if (asked->residuals)
        results.residuals = words, words += n_sets * layout->n_obs;
    return results;
}

typedef struct copied {
    double *to;
    const double *from;
} copied;

static void copy_some(void *context, size_t first, size_t end, int thread)
{
    const copied *of = context;
    (void)thread;
    memcpy(of->to + first, of->from + first, (end - first) * sizeof *of->to);
}

/* A plain copy at the speed of the memory and not of one core. */
static void copy_in_parallel(double *to, const double *from, size_t n)
{
    const size_t share = 1 << 15;
    int most = parallel_processors() < 8 ? parallel_processors() : 8;
    copied of = {to, from};
    parallel_for(n > 4 * share ? most : 1, n, share, copy_some, &of);
}

static equant_status chunk_start(cuda_state *state, cuda_buffer *buffer, size_t first,
                                 size_t n_sets, const double *parameters, const cuda_results *asked)
{
    const cuda_layout *layout = &state->layout;
    size_t n_words = n_sets * layout->model.n_parameters;
    size_t n_results = n_sets * result_words_of(layout, asked);
    copy_in_parallel(buffer->host_parameters, parameters + first * layout->model.n_parameters,
                     n_words);
    CUDA_TRY(cudaMemcpyAsync(buffer->device_parameters, buffer->host_parameters,
                             n_words * sizeof(double), cudaMemcpyHostToDevice, buffer->stream));
    cuda_results results = results_in(layout, asked, n_sets, buffer->device_results);
    state->kernels->evaluate(layout, &state->engine, n_sets, buffer->device_parameters, &results,
                             buffer->scratch, buffer->stream);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpyAsync(buffer->host_results, buffer->device_results,
                             n_results * sizeof(double), cudaMemcpyDeviceToHost, buffer->stream));
    buffer->first = first;
    buffer->n_sets = n_sets;
    return EQUANT_SUCCESS;
}

static equant_status chunk_finish(cuda_state *state, cuda_buffer *buffer, const cuda_results *asked)
{
    const cuda_layout *layout = &state->layout;
    size_t n = buffer->n_sets, first = buffer->first;
    buffer->n_sets = 0;
    if (n == 0)
        return EQUANT_SUCCESS;
    CUDA_TRY(cudaStreamSynchronize(buffer->stream));
    cuda_results from = results_in(layout, asked, n, buffer->host_results);
    if (asked->chi_square)
        memcpy(asked->chi_square + first, from.chi_square, n * sizeof(double));
    if (asked->log_likelihood)
        memcpy(asked->log_likelihood + first, from.log_likelihood, n * sizeof(double));
    if (asked->linear)
        memcpy(asked->linear + first * layout->model.n_linear, from.linear,
               n * layout->model.n_linear * sizeof(double));
    if (asked->velocities)
        copy_in_parallel(asked->velocities + first * layout->n_obs, from.velocities,
                         n * layout->n_obs);
    if (asked->residuals)
        copy_in_parallel(asked->residuals + first * layout->n_obs, from.residuals,
                         n * layout->n_obs);
    return EQUANT_SUCCESS;
}

static equant_status cuda_evaluate(void *opaque, size_t n_sets, const double *parameters,
                                   const equant_results *results)
{
    cuda_state *state = opaque;
    CUDA_TRY(cudaSetDevice(state->device));
    cuda_results asked = {results->chi_square, results->log_likelihood, results->linear,
                          results->velocities, results->residuals};
    size_t words = result_words_of(&state->layout, &asked);
    size_t scratch_words = state->kernels->scratch_words(&state->layout, &state->engine, &asked);
    size_t per_set = words + state->layout.model.n_parameters + scratch_words;
    size_t n_chunk = CUDA_CHUNK_BYTES / (sizeof(double) * (per_set + 1));
    n_chunk = n_chunk < 1 ? 1 : n_chunk > CUDA_CHUNK_SETS ? CUDA_CHUNK_SETS : n_chunk;
    n_chunk = n_chunk > n_sets ? n_sets : n_chunk;
    equant_status status = buffers_prepare(state, n_chunk, words, scratch_words), finished;
    int b = 0;
    for (size_t first = 0; status == EQUANT_SUCCESS && first < n_sets; first += n_chunk) {
        cuda_buffer *buffer = &state->buffers[b];
        size_t n = n_sets - first < n_chunk ? n_sets - first : n_chunk;
        status = chunk_finish(state, buffer, &asked);
        if (status == EQUANT_SUCCESS)
            status = chunk_start(state, buffer, first, n, parameters, &asked);
        b = (b + 1) % CUDA_N_BUFFERS;
    }
    for (int i = 0; i < CUDA_N_BUFFERS; i++) {
        finished = chunk_finish(state, &state->buffers[(b + i) % CUDA_N_BUFFERS], &asked);
        status = status == EQUANT_SUCCESS ? finished : status;
    }
    return status;
}

/* Working memory for calls on device memory, kept between them. */
static equant_status device_scratch_prepare(cuda_state *state, size_t n_words, void *stream)
{
    if (n_words <= state->device_scratch_words)
        return EQUANT_SUCCESS;
    CUDA_TRY(cudaStreamSynchronize((cudaStream_t)stream));
    CUDA_TRY(cudaFree(state->device_scratch));
    state->device_scratch = NULL;
    state->device_scratch_words = 0;
    CUDA_TRY(cudaMalloc((void **)&state->device_scratch, n_words * sizeof(double)));
    state->device_scratch_words = n_words;
    return EQUANT_SUCCESS;
}

/* The results from set `first` on. */
static cuda_results results_from(const cuda_layout *layout, const cuda_results *results,
                                 size_t first)
{
    cuda_results rows = *results;
    if (rows.chi_square)
        rows.chi_square += first;
    if (rows.log_likelihood)
        rows.log_likelihood += first;
    if (rows.linear)
        rows.linear += first * layout->model.n_linear;
    if (rows.velocities)
        rows.velocities += first * layout->n_obs;
    if (rows.residuals)
        rows.residuals += first * layout->n_obs;
    return rows;
}

static equant_status cuda_evaluate_on_device(void *opaque, size_t n_sets, const double *parameters,
                                             const equant_results *results, void *stream)
{
    cuda_state *state = opaque;
    CUDA_TRY(cudaSetDevice(state->device));
    cuda_results asked = {results->chi_square, results->log_likelihood, results->linear,
                          results->velocities, results->residuals};
    const cuda_layout *layout = &state->layout;
    size_t words = state->kernels->scratch_words(layout, &state->engine, &asked), n_chunk = n_sets;
    if (words > 0) {
        size_t fits = larger(CUDA_SCRATCH_BYTES / (words * sizeof(double)), 1);
        n_chunk = fits < n_sets ? fits : n_sets;
        equant_status status = device_scratch_prepare(state, n_chunk * words, stream);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    for (size_t first = 0; first < n_sets; first += n_chunk) {
        cuda_results rows = results_from(layout, &asked, first);
        state->kernels->evaluate(
            layout, &state->engine, n_sets - first < n_chunk ? n_sets - first : n_chunk,
            parameters + first * layout->model.n_parameters, &rows, state->device_scratch, stream);
        CUDA_TRY(cudaGetLastError());
    }
    return EQUANT_SUCCESS;
}

static equant_status cuda_differentiate(void *opaque, equant_basis basis, size_t n_sets,
                                        const double *parameters,
                                        const equant_derivatives *derivatives)
{
    cuda_state *state = opaque;
    CUDA_TRY(cudaSetDevice(state->device));
    return derivative_run(&state->derivatives, &state->layout, basis, n_sets, parameters,
                          derivatives);
}

/* One chunk of equations through the GPU; device arrays hold n_chunk each. */
static equant_status solve_chunk(const backend_engine *engine, const guess_texture *guesses,
                                 size_t n, size_t n_chunk, double *device, const double *M,
                                 const double *e, double *const out[3])
{
    double *d_M = device, *d_e = device + n_chunk;
    double *d_out[3];
    for (int i = 0; i < 3; i++)
        d_out[i] = out[i] ? device + (size_t)(2 + i) * n_chunk : NULL;
    CUDA_TRY(cudaMemcpy(d_M, M, n * sizeof *M, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(d_e, e, n * sizeof *e, cudaMemcpyHostToDevice));
    cuda_kernels_of(engine->precision)
        ->solve(engine, guesses->texture, n, d_M, d_e, d_out[0], d_out[1], d_out[2], NULL);
    CUDA_TRY(cudaGetLastError());
    for (int i = 0; i < 3; i++)
        if (out[i])
            CUDA_TRY(cudaMemcpy(out[i], d_out[i], n * sizeof(double), cudaMemcpyDeviceToHost));
    return EQUANT_SUCCESS;
}

static equant_status cuda_solve(const backend_engine *engine, size_t n, const double *M,
                                const double *e, double *E, double *sine, double *cosine)
{
    const size_t most = (size_t)1 << 24;
    size_t n_chunk = n < most ? n : most;
    double *device = NULL;
    CUDA_TRY(cudaSetDevice(engine->device));
    CUDA_TRY(cudaMalloc((void **)&device, 5 * n_chunk * sizeof(double)));
    guess_texture guesses = {0};
    equant_status status = EQUANT_SUCCESS;
    if (engine->first_guess == EQUANT_FIRST_GUESS_TABULATED)
        status = failure_report(guess_texture_create(&guesses), "texture of first guesses");
    for (size_t first = 0; status == EQUANT_SUCCESS && first < n; first += n_chunk) {
        double *const out[3] = {E ? E + first : NULL, sine ? sine + first : NULL,
                                cosine ? cosine + first : NULL};
        status = solve_chunk(engine, &guesses, n - first < n_chunk ? n - first : n_chunk, n_chunk,
                             device, M + first, e + first, out);
    }
    guess_texture_destroy(&guesses);
    cudaFree(device);
    return status;
}

static equant_status cuda_solve_on_device(const backend_engine *engine, size_t n, const double *M,
                                          const double *e, double *E, double *sine, double *cosine,
                                          void *stream)
{
    CUDA_TRY(cudaSetDevice(engine->device));
    cuda_kernels_of(engine->precision)->solve(engine, 0, n, M, e, E, sine, cosine, stream);
    CUDA_TRY(cudaGetLastError());
    return EQUANT_SUCCESS;
}

static size_t cuda_n_kernels(void *opaque)
{
    const cuda_state *state = opaque;
    cuda_function functions[CUDA_MAX_FUNCTIONS];
    return state->kernels->list(&state->layout, &state->engine, functions);
}

static equant_status cuda_describe_kernel(void *opaque, size_t index, equant_kernel_info *info)
{
    const cuda_state *state = opaque;
    cuda_function functions[CUDA_MAX_FUNCTIONS];
    struct cudaFuncAttributes attributes;
    int n_blocks, most_threads;
    state->kernels->list(&state->layout, &state->engine, functions);
    const cuda_function *function = &functions[index];
    CUDA_TRY(cudaSetDevice(state->device));
    CUDA_TRY(cudaFuncGetAttributes(&attributes, function->kernel));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &n_blocks, function->kernel, function->threads, function->shared_bytes));
    CUDA_TRY(cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor,
                                    state->device));
    info->name = function->name;
    info->registers = attributes.numRegs;
    info->local_bytes = attributes.localSizeBytes;
    info->shared_bytes = attributes.sharedSizeBytes + function->shared_bytes;
    info->threads = function->threads;
    info->occupancy = (double)n_blocks * function->threads / most_threads;
    return EQUANT_SUCCESS;
}

static const backend_device cuda_device = {
    .allocate = device_allocate,
    .release = device_release,
    .copy = device_copy,
    .wait = device_wait,
    .describe = device_describe,
    .solve = cuda_solve_on_device,
    .n_kernels = cuda_n_kernels,
    .describe_kernel = cuda_describe_kernel,
};

const backend cuda_backend = {
    .name = "cuda",
    .description = "NVIDIA GPUs through CUDA; cuda:1 is the second of several",
    .available = cuda_available,
    .n_devices = cuda_n_devices,
    .explain = failure_explain,
    .create = cuda_create,
    .destroy = cuda_destroy,
    .evaluate = cuda_evaluate,
    .evaluate_on_device = cuda_evaluate_on_device,
    .differentiate = cuda_differentiate,
    .solve = cuda_solve,
    .lists = &lists_on_device,
    .scans = &scans_on_device,
    .sky_scans = &sky_scans_on_device,
    .pairs = &pairs_on_device,
    .circles = &circles_on_device,
    .forecasts = &forecasts_on_device,
    .device = &cuda_device,
    .walkers = &walkers_on_device,
};
