#include "backends/cuda/scan/scan_best.cuh"
#include "model/circle.h"

#define BEST_THREADS 128
#define BEST_BINS (BEST_THREADS / 32)

/* A candidate among all of its bin, in the order of layer, frequency and phase. */
struct best_found {
    double improvement;
    unsigned order, layer, number; /* number: among those of the layer in this bin */
};

static __device__ best_found best_of_two(best_found a, best_found b)
{
    bool second =
        b.improvement > a.improvement || (b.improvement == a.improvement && b.order < a.order);
    return second ? b : a;
}

/* Where the candidates of a bin are in those of a layer. */
static __device__ const scan_candidate *best_candidates(const scan_problem &scan,
                                                        const scan_layer &layer, unsigned bin)
{
    return scan.candidates + layer.first_candidate +
           (size_t)bin * layer.n_frequencies * scan_groups_of_frequency(layer);
}

/* What this thread, and then the warp, sees of a bin; all of the warp get the same. */
static __device__ best_found best_of_bin(const scan_problem &scan, unsigned bin, bool circles_only)
{
    best_found found = {-1.0, ~0u, 0, 0}; /* less than any node has */
    for (unsigned i = 0, order = 0; i < scan.n_layers; i++) {
        const scan_layer layer = scan.layers[i];
        if (bin >= layer.n_bins || (circles_only && layer.kind != SCAN_CIRCLES))
            continue;
        const scan_candidate *candidates = best_candidates(scan, layer, bin);
        unsigned n = layer.n_frequencies * scan_groups_of_frequency(layer);
        for (unsigned c = threadIdx.x % 32; c < n; c += 32)
            found = best_of_two(found, {candidates[c].improvement, order + c, i, c});
        order += n;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        best_found other;
        other.improvement = __shfl_xor_sync(0xffffffffu, found.improvement, distance);
        other.order = __shfl_xor_sync(0xffffffffu, found.order, distance);
        other.layer = __shfl_xor_sync(0xffffffffu, found.layer, distance);
        other.number = __shfl_xor_sync(0xffffffffu, found.number, distance);
        found = best_of_two(found, other);
    }
    return found;
}

/* Where no node is, nothing, at the centre of the bin. */
static __device__ backend_scan_node best_node(const scan_problem &scan, unsigned bin,
                                              best_found found)
{
    double centre = scan.first_frequency_per_day + scan_bin(scan, bin) * scan.bin_width_per_day;
    if (found.order == ~0u)
        return {0.0, centre, 0.0, 0.0};
    const scan_layer layer = scan.layers[found.layer];
    unsigned phase = best_candidates(scan, layer, bin)[found.number].phase;
    unsigned frequency = bin * layer.n_frequencies + found.number / scan_groups_of_frequency(layer);
    return {found.improvement, scan_frequency(scan, layer, frequency), layer.eccentricity,
            TWO_PI * (double)phase / (double)layer.n_phases};
}

/* One warp per bin. */
static __global__ void __launch_bounds__(BEST_THREADS)
    scan_best_kernel(const __grid_constant__ scan_problem scan, unsigned n_bins,
                     backend_scan_node *best, backend_scan_node *circular)
{
    unsigned bin = blockIdx.x * BEST_BINS + threadIdx.x / 32;
    if (bin >= n_bins)
        return;
    best_found found = best_of_bin(scan, bin, false);
    if (threadIdx.x % 32 == 0)
        best[bin] = best_node(scan, bin, found);
    if (!circular)
        return;
    found = best_of_bin(scan, bin, true);
    if (threadIdx.x % 32 == 0)
        circular[bin] = best_node(scan, bin, found);
}

cudaError_t scan_best_launch(const scan_problem *scan, unsigned n_bins, backend_scan_node *best,
                             backend_scan_node *circular, cudaStream_t stream)
{
    unsigned n_blocks = (n_bins + BEST_BINS - 1) / BEST_BINS;
    scan_best_kernel<<<n_blocks, BEST_THREADS, 0, stream>>>(*scan, n_bins, best, circular);
    return cudaGetLastError();
}

static __global__ void __launch_bounds__(BEST_THREADS)
    scan_circles_kernel(const __grid_constant__ scan_problem scan, unsigned n_bins,
                        double *improvement)
{
    unsigned bin = blockIdx.x * BEST_THREADS + threadIdx.x;
    const scan_layer layer = scan.layers[0];
    if (bin >= n_bins)
        return;
    double own = bin < layer.n_bins ? best_candidates(scan, layer, bin)->improvement : 0.0;
    improvement[bin] = own >= 0.0 ? own : 0.0;
}

cudaError_t scan_best_launch_circles(const scan_problem *scan, unsigned n_bins, double *improvement,
                                     cudaStream_t stream)
{
    unsigned n_blocks = (n_bins + BEST_THREADS - 1) / BEST_THREADS;
    scan_circles_kernel<<<n_blocks, BEST_THREADS, 0, stream>>>(*scan, n_bins, improvement);
    return cudaGetLastError();
}
