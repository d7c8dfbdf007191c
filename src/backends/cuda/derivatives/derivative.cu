/* Derivatives from the host: sets in chunks through page-locked memory. */
#include "lanes/cuda.h"
#include "lanes/double.h"

#include "backends/cuda/derivatives/derivative.h"

#include <cooperative_groups.h>
#include <math.h>
#include <string.h>

#include "backends/cuda/failure.h"

namespace
{
#include "backends/cuda/derivatives/derivative_kernel.cuh"
} // namespace

static_assert((int)VELOCITY_BASIS_ELEMENTS == (int)EQUANT_BASIS_ELEMENTS &&
                  (int)VELOCITY_BASIS_REGULAR == (int)EQUANT_BASIS_REGULAR &&
                  (int)VELOCITY_BASIS_ROOTS == (int)EQUANT_BASIS_ROOTS &&
                  (int)VELOCITY_BASIS_LINEAR == (int)EQUANT_BASIS_LINEAR,
              "physics and the public header name the same bases");

/* Doubles that travel in one chunk, and of working memory on the GPU. */
#define DERIVATIVE_CHUNK_WORDS ((size_t)1 << 23)
#define DERIVATIVE_WORKING_WORDS ((size_t)1 << 27)
/* Blocks that find work at once on a large GPU. */
#define DERIVATIVE_MOST_BLOCKS 2048
/* Results of up to so many doubles are written to the memory of the host by the GPU itself: to
 * have them copied takes longer than they take on their way. */
#define DERIVATIVE_DIRECT_WORDS ((size_t)1 << 14)

/* From so many observations on, a set is worth a cluster: one block would let whoever waits for it
 * wait for hundreds of microseconds. By observations alone, as sums depend on the shape of a team,
 * and must not depend on how many sets there are. */
#define CLUSTER_FROM 1024
#define CLUSTER_BLOCKS 8
#define CLUSTER_THREADS 256
#define BLOCK_THREADS 128

#define N_MEMBERS 6

/* Member i of results, and how many doubles it has per set. */
static double *derivative_member(const equant_derivatives *derivatives, int i)
{
    double *const members[N_MEMBERS] = {derivatives->chi_square,
                                        derivatives->log_likelihood,
                                        derivatives->chi_square_gradient,
                                        derivatives->log_likelihood_gradient,
                                        derivatives->fisher,
                                        derivatives->jacobian};
    return members[i];
}

static size_t derivative_length(const cuda_layout *layout, int i)
{
    size_t n = layout->model.n_parameters;
    const size_t lengths[N_MEMBERS] = {1, 1, n, n, n * n, n * layout->n_obs};
    return lengths[i];
}

void derivative_memory_free(derivative_memory *memory)
{
    cudaFreeHost(memory->host);
    cudaFree(memory->device);
    memset(memory, 0, sizeof *memory);
}

static equant_status require_memory(derivative_memory *memory, size_t host_words,
                                    size_t device_words)
{
    if (host_words > memory->host_words) {
        CUDA_TRY(cudaFreeHost(memory->host));
        memory->host = NULL;
        memory->host_words = 0;
        CUDA_TRY(cudaMallocHost((void **)&memory->host, host_words * sizeof(double)));
        memory->host_words = host_words;
    }
    if (device_words > memory->device_words) {
        CUDA_TRY(cudaFree(memory->device));
        memory->device = NULL;
        memory->device_words = 0;
        CUDA_TRY(cudaMalloc((void **)&memory->device, device_words * sizeof(double)));
        memory->device_words = device_words;
    }
    return EQUANT_SUCCESS;
}

/* Clusters, if they gain, the kernel knows them and the GPU has them. */
static equant_status choose_teams(derivative_memory *memory, const cuda_layout *layout)
{
    if (memory->knows_teams)
        return EQUANT_SUCCESS;
    cudaFuncAttributes attributes;
    int device, has_clusters;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, device));
    CUDA_TRY(cudaFuncGetAttributes(&attributes, derivative_kernel));
    memory->in_clusters =
        layout->n_obs >= CLUSTER_FROM && has_clusters && attributes.ptxVersion >= 90;
    memory->knows_teams = true;
    return EQUANT_SUCCESS;
}

/* What the sets of one call are cut into. */
struct derivative_shares {
    size_t result_words;          /* of a set */
    size_t n_chunk;               /* sets     */
    size_t n_teams;               /* that find work at once */
    unsigned n_blocks, n_threads; /* of a team; of a block  */
};

static derivative_shares share_sets(const cuda_layout *layout, size_t n_sets,
                                    const equant_derivatives *asked, bool in_clusters)
{
    derivative_shares shares = {};
    shares.n_blocks = in_clusters ? CLUSTER_BLOCKS : 1;
    shares.n_threads = in_clusters ? CLUSTER_THREADS : BLOCK_THREADS;
    for (int i = 0; i < N_MEMBERS; i++)
        shares.result_words += derivative_member(asked, i) ? derivative_length(layout, i) : 0;
    size_t fits = DERIVATIVE_CHUNK_WORDS / (layout->model.n_parameters + shares.result_words + 1);
    shares.n_chunk = fits < 1 ? 1 : fits < n_sets ? fits : n_sets;
    size_t most = DERIVATIVE_WORKING_WORDS / derivative_words(*layout);
    size_t fill = DERIVATIVE_MOST_BLOCKS / shares.n_blocks;
    most = most < 1 ? 1 : most > fill ? fill : most;
    shares.n_teams = shares.n_chunk < most ? shares.n_chunk : most;
    return shares;
}

/* Results of n sets behind each other, from `words` on. */
static derivative_results results_in(const cuda_layout *layout, const equant_derivatives *asked,
                                     size_t n, double *words)
{
    double *members[N_MEMBERS];
    for (int i = 0; i < N_MEMBERS; i++) {
        members[i] = derivative_member(asked, i) ? words : NULL;
        words += members[i] ? n * derivative_length(layout, i) : 0;
    }
    return {members[0], members[1], members[2], members[3], members[4], members[5]};
}

static void copy_results(const cuda_layout *layout, const equant_derivatives *asked, size_t first,
                         size_t n, const double *words)
{
    for (int i = 0; i < N_MEMBERS; i++) {
        double *member = derivative_member(asked, i);
        size_t length = derivative_length(layout, i);
        if (!member)
            continue;
        memcpy(member + first * length, words, n * length * sizeof *words);
        words += n * length;
    }
}

static equant_status launch(const derivative_shares *shares, const derivative_problem *problem,
                            cudaStream_t stream)
{
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {shares->n_blocks, 1, 1};
    size_t n_teams = problem->n_sets < shares->n_teams ? problem->n_sets : shares->n_teams;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)n_teams * shares->n_blocks);
    config.blockDim = dim3(shares->n_threads);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = shares->n_blocks > 1;
    CUDA_TRY(cudaLaunchKernelEx(&config, derivative_kernel, *problem));
    return EQUANT_SUCCESS;
}

static equant_status run_chunk(const derivative_memory *memory, const derivative_shares *shares,
                               derivative_problem *problem, const equant_derivatives *asked,
                               const double *parameters, size_t first, size_t n)
{
    const cudaStream_t stream = cudaStreamPerThread;
    size_t n_parameters = problem->layout.model.n_parameters;
    size_t sent = n * n_parameters, received = n * shares->result_words;
    memcpy(memory->host, parameters + first * n_parameters, sent * sizeof(double));
    CUDA_TRY(cudaMemcpyAsync(memory->device, memory->host, sent * sizeof(double),
                             cudaMemcpyHostToDevice, stream));
    bool directly = received <= DERIVATIVE_DIRECT_WORDS;
    double *on_gpu = memory->device + shares->n_chunk * n_parameters,
           *on_host = memory->host + shares->n_chunk * n_parameters;
    problem->n_sets = n;
    problem->parameters = memory->device;
    problem->results = results_in(&problem->layout, asked, n, directly ? on_host : on_gpu);
    problem->memory = on_gpu + shares->n_chunk * shares->result_words;
    equant_status status = launch(shares, problem, stream);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!directly)
        CUDA_TRY(cudaMemcpyAsync(on_host, on_gpu, received * sizeof(double), cudaMemcpyDeviceToHost,
                                 stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    copy_results(&problem->layout, asked, first, n, on_host);
    return EQUANT_SUCCESS;
}

equant_status derivative_run(derivative_memory *memory, const cuda_layout *layout,
                             equant_basis basis, size_t n_sets, const double *parameters,
                             const equant_derivatives *derivatives)
{
    equant_status status = choose_teams(memory, layout);
    if (status != EQUANT_SUCCESS)
        return status;
    derivative_shares shares = share_sets(layout, n_sets, derivatives, memory->in_clusters);
    size_t words = shares.n_chunk * (layout->model.n_parameters + shares.result_words);
    status =
        require_memory(memory, words + 1, words + shares.n_teams * derivative_words(*layout) + 1);
    derivative_problem problem = {};
    problem.layout = *layout;
    problem.basis = (velocity_basis)basis;
    for (size_t first = 0; first < n_sets && status == EQUANT_SUCCESS; first += shares.n_chunk) {
        size_t left = n_sets - first, n = left < shares.n_chunk ? left : shares.n_chunk;
        status = run_chunk(memory, &shares, &problem, derivatives, parameters, first, n);
    }
    return status;
}
