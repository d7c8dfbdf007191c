/* A scan from the host, over what is laid out on the GPU (scan_plan.cuh): pieces in chunks of bins
 * whose candidates fit their share of the GPU's memory. Only the best node of each bin comes back:
 * so few bytes that to lock pages for them would take longer than to copy them. */
#include "backends/cuda/scan/cuda_scan.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/device_pool.h"
#include "backends/cuda/failure.h"
#include "backends/cuda/scan/scan_best.cuh"
#include "backends/cuda/scan/scan_plan.cuh"
#include "backends/cuda/scan/cuda_scan_prospects.h"

/* Bytes of candidates on the GPU at once. */
#define SCAN_CANDIDATE_BYTES ((size_t)1 << 28)
/* Rounds of blocks over the processors of the GPU, so that all end together; and items of a
 * block, so that it copies its table seldom. */
#define SCAN_ROUNDS 8
#define SCAN_MOST_ITEMS 8

/* Room for chunks of a piece of so many bins. What is there is given back first: no piece is
 * under way. */
static equant_status require_room(scan_plan *plan, size_t n_bins)
{
    size_t bin_bytes = (plan->candidates_per_bin + 1) * sizeof(scan_candidate);
    size_t fits = SCAN_CANDIDATE_BYTES / bin_bytes;
    size_t n_chunk = fits < 1 ? 1 : fits < n_bins ? fits : n_bins;
    if (n_chunk <= plan->n_chunk)
        return EQUANT_SUCCESS;
    device_pool_give(plan->chunk);
    plan->chunk = NULL;
    plan->n_chunk = 0;
    scan_chunk_places *at = &plan->chunk_at;
    size_t end = 0;
    at->candidates = scan_place(&end, n_chunk, bin_bytes);
    at->best = scan_place(&end, n_chunk, sizeof(backend_scan_node));
    at->circular = scan_place(&end, n_chunk, sizeof(backend_scan_node));
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

/* How many wanted bins are below one; of all, where all are wanted. */
static size_t wanted_below(const scan_plan *plan, size_t bin)
{
    size_t first = 0, end = plan->n_wanted;
    if (!plan->bins)
        return bin;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (plan->bins[middle] < bin)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Groups and candidates of all layers in a chunk of bins. */
static void size_layers(scan_plan *plan, size_t first, size_t n_bins)
{
    size_t next = 0;
    for (size_t i = 0; i < plan->n_layers; i++) {
        scan_layer *layer = &plan->layers[i];
        size_t end = wanted_below(plan, plan->given[i].n_bins);
        size_t reached = end > first ? end - first : 0;
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

/* Waits for what the stream has to do, and for the copy behind it. */
static equant_status fetch(void *to, const void *from, size_t n_bytes, cudaStream_t stream)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return EQUANT_SUCCESS;
}

/* Whether each bin has one node, a circle at its centre: only what it improves by is fetched. */
static bool has_one_circle(const scan_plan *plan)
{
    return plan->n_layers == 1 && plan->layers[0].kind == SCAN_CIRCLES &&
           plan->layers[0].n_frequencies == 1;
}

static equant_status fetch_circles(const scan_plan *plan, const scan_problem *problem, size_t first,
                                   size_t n_bins, backend_scan_node *best, cudaStream_t stream)
{
    double *found = (double *)(plan->chunk + plan->chunk_at.best);
    double *improvement = (double *)malloc((n_bins + 1) * sizeof *improvement);
    if (!improvement)
        return failure_host_memory();
    cudaError_t error = scan_best_launch_circles(problem, (unsigned)n_bins, found, stream);
    equant_status status = failure_report(error, "the scan");
    if (status == EQUANT_SUCCESS)
        status = sleep_until_done(stream);
    if (status == EQUANT_SUCCESS)
        status = fetch(improvement, found, n_bins * sizeof *improvement, stream);
    for (size_t i = 0; i < n_bins && status == EQUANT_SUCCESS; i++) {
        double bin = plan->bins ? (double)plan->bins[first + i] : (double)(first + i);
        best[i] = {improvement[i], plan->first_frequency_per_day + bin * plan->bin_width_per_day,
                   0.0, 0.0};
    }
    free(improvement);
    return status;
}

/* The best of all nodes, and of circles. */
static equant_status fetch_nodes(const scan_plan *plan, const scan_problem *problem, size_t n_bins,
                                 backend_scan_node *best, backend_scan_node *circular,
                                 cudaStream_t stream)
{
    backend_scan_node *found = (backend_scan_node *)(plan->chunk + plan->chunk_at.best);
    backend_scan_node *found_circular =
        circular ? (backend_scan_node *)(plan->chunk + plan->chunk_at.circular) : NULL;
    CUDA_TRY(scan_best_launch(problem, (unsigned)n_bins, found, found_circular, stream));
    equant_status status = sleep_until_done(stream);
    if (status != EQUANT_SUCCESS)
        return status;
    CUDA_TRY(cudaMemcpyAsync(best, found, n_bins * sizeof *best, cudaMemcpyDeviceToHost, stream));
    if (circular)
        CUDA_TRY(cudaMemcpyAsync(circular, found_circular, n_bins * sizeof *circular,
                                 cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return EQUANT_SUCCESS;
}

static equant_status run_chunk(scan_plan *plan, size_t first, size_t n_bins,
                               backend_scan_node *best, backend_scan_node *circular,
                               cudaStream_t stream)
{
    size_layers(plan, first, n_bins);
    scan_shares shares = share_layers(plan);
    scan_problem problem = scan_plan_problem(plan, first);
    problem.items_per_block = shares.items_per_block;
    equant_status status = scan_plan_copy_layers(plan, stream);
    if (status != EQUANT_SUCCESS)
        return status;
    for (int kind = 0; kind < N_SCAN_KINDS; kind++)
        if (shares.n_blocks[kind] > 0)
            CUDA_TRY(plan->kernels->launch((scan_kind)kind, &problem, plan->n_base,
                                           shares.n_blocks[kind], shares.shared_bytes[kind],
                                           stream));
    bool fetches_circular = circular && !has_circles_alone(plan);
    status = has_one_circle(plan) ? fetch_circles(plan, &problem, first, n_bins, best, stream)
                                  : fetch_nodes(plan, &problem, n_bins, best,
                                                fetches_circular ? circular : NULL, stream);
    if (status == EQUANT_SUCCESS && circular && !fetches_circular)
        memcpy(circular, best, n_bins * sizeof *circular);
    return status;
}

/* n bins from `first` on, of all or of those that are wanted, in chunks that there is room for. */
static equant_status run_chunks(scan_plan *plan, size_t first, size_t n_bins,
                                backend_scan_node *best, backend_scan_node *circular)
{
    equant_status status = require_room(plan, n_bins);
    for (size_t done = 0; done < n_bins && status == EQUANT_SUCCESS; done += plan->n_chunk) {
        size_t left = n_bins - done, n = left < plan->n_chunk ? left : plan->n_chunk;
        status = run_chunk(plan, first + done, n, best + done, circular ? circular + done : NULL,
                           cudaStreamPerThread);
    }
    return status;
}

/* The wanted ones among the bins from first_bin on, each in its place; the others stay as they
 * are. */
static equant_status run_wanted(scan_plan *plan, size_t first_bin, size_t n_bins,
                                backend_scan_node *best, backend_scan_node *circular)
{
    size_t first = wanted_below(plan, first_bin),
           n = wanted_below(plan, first_bin + n_bins) - first;
    backend_scan_node *found = (backend_scan_node *)malloc((2 * n + 1) * sizeof *found);
    if (!found)
        return failure_host_memory();
    equant_status status = run_chunks(plan, first, n, found, circular ? found + n : NULL);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        best[plan->bins[first + i] - first_bin] = found[i];
        if (circular)
            circular[plan->bins[first + i] - first_bin] = found[n + i];
    }
    free(found);
    return status;
}

static equant_status run(void *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                         backend_scan_node *circular)
{
    scan_plan *plan = (scan_plan *)state;
    CUDA_TRY(cudaSetDevice(plan->device));
    return plan->bins ? run_wanted(plan, first_bin, n_bins, best, circular)
                      : run_chunks(plan, first_bin, n_bins, best, circular);
}

const backend_scans scans_on_device = {scan_plan_create, scan_plan_destroy, run,
                                       scan_prospects_on_device};
