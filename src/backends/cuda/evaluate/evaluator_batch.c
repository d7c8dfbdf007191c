/* Many data sets under one model on a GPU. Their observations lie behind each other as those of
 * single ones do, and a layout for each beside them; sets come in any order, and those whose
 * kernels differ, because series of few observations are shared by fewer threads, are launched one
 * kind after the other. */
#include "backends/cuda/evaluate/evaluator_batch.h"

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cuda_device.h"
#include "backends/cuda/failure.h"
#include "backends/cuda/layout.h"
#include "backends/cuda/observations.h"

/* Sets in a chunk, and bytes of it at most. */
#define LIST_CHUNK_SETS ((size_t)1 << 20)
#define LIST_CHUNK_BYTES ((size_t)1 << 28)
/* Observations of each data set begin where all of its arrays may. */
#define LIST_ALIGNMENT 256

/* Kinds of kernels: cuda_kernels.list_kind has one for each size of groups, and the general one. */
enum { MOST_KINDS = 4 };

typedef struct list_state {
    int device;
    backend_engine engine;
    const cuda_kernels *kernels;
    size_t n;
    cuda_layout *layouts; /* [n], host memory, with pointers to the GPU */
    int *kinds;           /* [n]: of their kernels */
    int found_kinds[MOST_KINDS], n_kinds;
    cuda_layout *on_gpu; /* [n] */
    void *observations;
    size_t n_chunk;                        /* sets that there is room for */
    double *host_words, *device_words;     /* parameters, then results */
    unsigned *host_places, *device_places; /* problem, then order */
    double *scratch;
} list_state;

static void drop_room(list_state *state)
{
    cudaFreeHost(state->host_words);
    cudaFreeHost(state->host_places);
    cudaFree(state->device_words);
    cudaFree(state->device_places);
    cudaFree(state->scratch);
    state->host_words = state->device_words = state->scratch = NULL;
    state->host_places = state->device_places = NULL;
    state->n_chunk = 0;
}

static void destroy(void *opaque)
{
    list_state *state = opaque;
    if (cudaSetDevice(state->device) == cudaSuccess) {
        drop_room(state);
        cudaFree(state->on_gpu);
        cudaFree(state->observations);
    }
    free(state->layouts);
    free(state->kinds);
    free(state);
}

/* ---- observations ------------------------------------------------------------ */

/* Lays out one data set behind the others in *image, which grows by doubling. */
static equant_status append(list_state *state, size_t i, const backend_problem *problem,
                            unsigned char **image, size_t *room, size_t *used)
{
    void *own = NULL;
    size_t n_bytes;
    equant_status status =
        observations_lay_out(problem, &state->engine, &state->layouts[i], &own, &n_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t end = (*used + n_bytes + LIST_ALIGNMENT - 1) / LIST_ALIGNMENT * LIST_ALIGNMENT;
    if (end > *room) {
        unsigned char *grown = realloc(*image, 2 * end);
        if (!grown) {
            free(own);
            return failure_host_memory();
        }
        *image = grown;
        *room = 2 * end;
    }
    memcpy(*image + *used, own, n_bytes);
    free(own);
    /* An offset within all of them, until it is known where they are. */
    observations_rebase(&state->layouts[i], (void *)*used);
    *used = end;
    int kind = state->kinds[i] = state->kernels->list_kind(&state->layouts[i], &state->engine);
    for (int k = 0; k < state->n_kinds; k++)
        if (state->found_kinds[k] == kind)
            return EQUANT_SUCCESS;
    if (kind == 0 || state->n_kinds == MOST_KINDS)
        return EQUANT_ERROR_UNAVAILABLE;
    state->found_kinds[state->n_kinds++] = kind;
    return EQUANT_SUCCESS;
}

static equant_status copy_all(list_state *state, const unsigned char *image, size_t n_bytes)
{
    size_t layout_bytes = state->n * sizeof *state->layouts;
    CUDA_TRY(cudaMalloc(&state->observations, n_bytes));
    equant_status status = device_upload(n_bytes, image, state->observations);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < state->n; i++)
        observations_rebase(&state->layouts[i], state->observations);
    CUDA_TRY(cudaMalloc((void **)&state->on_gpu, layout_bytes));
    return device_upload(layout_bytes, state->layouts, state->on_gpu);
}

static equant_status fill(list_state *state, const backend_problem *problems)
{
    unsigned char *image = NULL;
    size_t room = 0, used = 0;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < state->n && status == EQUANT_SUCCESS; i++)
        status = append(state, i, &problems[i], &image, &room, &used);
    if (status == EQUANT_SUCCESS)
        status = copy_all(state, image, used);
    free(image);
    return status;
}

static equant_status create(size_t n_problems, const backend_problem *problems,
                            const backend_engine *engine, void **out)
{
    if (engine->first_guess == EQUANT_FIRST_GUESS_TABULATED || n_problems > UINT32_MAX)
        return EQUANT_ERROR_UNAVAILABLE;
    CUDA_TRY(cudaSetDevice(engine->device));
    list_state *state = calloc(1, sizeof *state);
    if (!state)
        return failure_host_memory();
    state->device = engine->device;
    state->engine = *engine;
    state->kernels =
        cuda_kernels_of(device_precision(engine->precision, device_double_ratio(engine->device)));
    state->n = n_problems;
    state->layouts = calloc(n_problems, sizeof *state->layouts);
    state->kinds = calloc(n_problems, sizeof *state->kinds);
    equant_status status =
        state->layouts && state->kinds ? fill(state, problems) : failure_host_memory();
    if (status == EQUANT_SUCCESS)
        *out = state;
    else
        destroy(state);
    return status;
}

/* ---- sets ---------------------------------------------------------------------- */

/* Words of a set: its parameters, and all results that a list has. */
static size_t words_of(const list_state *state)
{
    const parameter_layout *model = &state->layouts[0].model;
    return model->n_parameters + 2 + model->n_linear;
}

/* Room for chunks of a call of so many sets, kept between calls. */
static equant_status require_room(list_state *state, size_t n_sets)
{
    const cuda_results nothing = {NULL, NULL, NULL, NULL, NULL};
    size_t words = words_of(state), scratch = 0;
    scratch = state->kernels->scratch_words(&state->layouts[0], &state->engine, &nothing);
    size_t most = LIST_CHUNK_BYTES / ((words + scratch) * sizeof(double));
    most = most < 1 ? 1 : most > LIST_CHUNK_SETS ? LIST_CHUNK_SETS : most;
    size_t n = n_sets < most ? n_sets : most;
    if (n <= state->n_chunk)
        return EQUANT_SUCCESS;
    drop_room(state);
    CUDA_TRY(cudaMallocHost((void **)&state->host_words, n * words * sizeof(double)));
    CUDA_TRY(cudaMallocHost((void **)&state->host_places, 2 * n * sizeof(unsigned)));
    CUDA_TRY(cudaMalloc((void **)&state->device_words, n * words * sizeof(double)));
    CUDA_TRY(cudaMalloc((void **)&state->device_places, 2 * n * sizeof(unsigned)));
    CUDA_TRY(cudaMalloc((void **)&state->scratch, (n * scratch + 1) * sizeof(double)));
    state->n_chunk = n;
    return EQUANT_SUCCESS;
}

/* Results of a chunk in one array behind its parameters. */
static cuda_results results_in(const list_state *state, size_t n_sets, double *words)
{
    double *own = words + n_sets * state->layouts[0].model.n_parameters;
    return (cuda_results){
        .chi_square = own, .log_likelihood = own + n_sets, .linear = own + 2 * n_sets};
}

/* Launches the sets of one kind behind those that have their place; returns how many there are.
 * Failures are the last error of the GPU. */
static size_t launch_kind(list_state *state, size_t n_sets, int kind, size_t first,
                          const size_t *problem_of_set)
{
    unsigned *order = state->host_places + n_sets;
    size_t n = first;
    const cuda_layout *any = NULL;
    for (size_t s = 0; s < n_sets; s++)
        if (state->kinds[problem_of_set[s]] == kind) {
            any = &state->layouts[problem_of_set[s]];
            order[n++] = (unsigned)s;
        }
    if (n == first)
        return 0;
    unsigned *on_gpu = state->device_places + n_sets;
    cudaMemcpyAsync(on_gpu + first, order + first, (n - first) * sizeof *order,
                    cudaMemcpyHostToDevice, cudaStreamPerThread);
    const cuda_list list = {state->on_gpu, state->device_places, on_gpu + first, n - first, n_sets};
    cuda_results results = results_in(state, n_sets, state->device_words);
    state->kernels->evaluate_list(any, &state->engine, &list, state->device_words, &results,
                                  state->scratch, cudaStreamPerThread);
    return n - first;
}

static equant_status run_chunk(list_state *state, size_t n_sets, const size_t *problem_of_set,
                               const double *parameters, const equant_results *asked)
{
    const parameter_layout *model = &state->layouts[0].model;
    size_t n_words = n_sets * model->n_parameters, n_results = n_sets * (2 + model->n_linear);
    memcpy(state->host_words, parameters, n_words * sizeof(double));
    for (size_t s = 0; s < n_sets; s++)
        state->host_places[s] = (unsigned)problem_of_set[s];
    CUDA_TRY(cudaMemcpyAsync(state->device_words, state->host_words, n_words * sizeof(double),
                             cudaMemcpyHostToDevice, cudaStreamPerThread));
    CUDA_TRY(cudaMemcpyAsync(state->device_places, state->host_places, n_sets * sizeof(unsigned),
                             cudaMemcpyHostToDevice, cudaStreamPerThread));
    size_t done = 0;
    for (int k = 0; k < state->n_kinds; k++)
        done += launch_kind(state, n_sets, state->found_kinds[k], done, problem_of_set);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpyAsync(state->host_words + n_words, state->device_words + n_words,
                             n_results * sizeof(double), cudaMemcpyDeviceToHost,
                             cudaStreamPerThread));
    CUDA_TRY(cudaStreamSynchronize(cudaStreamPerThread));
    const cuda_results found = results_in(state, n_sets, state->host_words);
    if (asked->chi_square)
        memcpy(asked->chi_square, found.chi_square, n_sets * sizeof(double));
    if (asked->log_likelihood)
        memcpy(asked->log_likelihood, found.log_likelihood, n_sets * sizeof(double));
    if (asked->linear)
        memcpy(asked->linear, found.linear, n_sets * model->n_linear * sizeof(double));
    return EQUANT_SUCCESS;
}

static equant_status evaluate(void *opaque, size_t n_sets, const size_t *problem_of_set,
                              const double *parameters, const equant_results *results)
{
    list_state *state = opaque;
    const parameter_layout *model = &state->layouts[0].model;
    CUDA_TRY(cudaSetDevice(state->device));
    equant_status status = require_room(state, n_sets);
    size_t n;
    for (size_t first = 0; first < n_sets && status == EQUANT_SUCCESS; first += n) {
        equant_results rows = *results;
        n = n_sets - first < state->n_chunk ? n_sets - first : state->n_chunk;
        if (rows.chi_square)
            rows.chi_square += first;
        if (rows.log_likelihood)
            rows.log_likelihood += first;
        if (rows.linear)
            rows.linear += first * model->n_linear;
        status = run_chunk(state, n, problem_of_set + first,
                           parameters + first * model->n_parameters, &rows);
    }
    return status;
}

const backend_lists lists_on_device = {create, destroy, evaluate};
