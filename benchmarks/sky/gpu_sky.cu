/* The kernel of sky scans alone, timed by events: one executable a variant, made by scripts/gpu-sky
 * with other numbers of threads and of nodes a thread. Rows are random numbers: that changes no
 * instruction. */
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include "backends/cuda/sky/sky_layout.cuh"

#ifdef SKY_BENCHMARK_DOUBLE
#define KERNELS sky_kernels_double
typedef double number;
#else
#define KERNELS sky_kernels_mixed
typedef float number;
#endif

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "gpu_sky: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

template <class T> static T *on_gpu(const std::vector<T> &from)
{
    T *memory;
    must(cudaMalloc((void **)&memory, from.size() * sizeof(T)));
    must(cudaMemcpy(memory, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

int main(int argc, char **argv)
{
    const unsigned n_sources = 512, n_rows = 93, n_bins = 1258;
    const unsigned tile_bins = argc > 2 ? (unsigned)atoi(argv[2]) : 64;
    const double eccentricities[] = {0.0, 0.2, 0.4, 0.6, 0.8, 0.9};
    std::vector<sky_node> nodes;
    for (int l = 0; l < 6; l++)
        for (int k = 0; k < (l ? 12 : 1); k++) {
            sky_node node = {};
            double e = eccentricities[l];
            node.m0_turns = k / 12.0 - (k > 6);
            node.e = e;
            node.one_minus_e = 1 - e;
            node.axis = sqrt(1 - e * e);
            nodes.push_back(node);
        }
    std::vector<sky_source> sources(n_sources);
    std::vector<sky_tile> tiles;
    std::vector<double> times(n_sources * n_rows);
    std::vector<number> rows(n_sources * n_rows * SKY_ROW_LENGTH(SKY_FEW));
    for (unsigned i = 0; i < n_sources; i++) {
        sources[i] = {n_rows, n_bins, i * n_rows, (size_t)i * n_bins, 2.5e-4, 8e-5, 1.0};
        for (unsigned first = 0; first < n_bins; first += tile_bins)
            tiles.push_back({i, first, n_bins - first < tile_bins ? n_bins - first : tile_bins});
    }
    for (double &t : times)
        t = 2000.0 * (rand() / (double)RAND_MAX - 0.5);
    for (number &x : rows)
        x = (number)(rand() / (double)RAND_MAX - 0.5);
    sky_batch batch = {};
    sky_node *node_memory = on_gpu(nodes);
    batch.sources = on_gpu(sources);
    batch.tiles = on_gpu(tiles);
    batch.layer_bins = on_gpu(std::vector<unsigned>(n_sources, n_bins));
    batch.n_layers = 1;
    batch.times = on_gpu(times);
    batch.rows = on_gpu(rows);
    batch.nodes = node_memory;
    batch.n_nodes = (unsigned)nodes.size();
    batch.n_passes = 1;
    batch.n_all_rows = times.size();
    batch.most_rows = n_rows;
    batch.most_bins = tile_bins;
    must(cudaMalloc((void **)&batch.found, (size_t)n_sources * n_bins * sizeof(sky_found)));
    must(KERNELS.prepare(batch.n_nodes, node_memory, 0));
    cudaEvent_t begin, end;
    must(cudaEventCreate(&begin));
    must(cudaEventCreate(&end));
    float best = 1e30f;
    for (int round = 0; round < 6; round++) {
        must(cudaEventRecord(begin));
        must(KERNELS.launch(SKY_WAY_FEW, &batch, (unsigned)tiles.size(), 0));
        must(cudaEventRecord(end));
        must(cudaEventSynchronize(end));
        float taken;
        must(cudaEventElapsedTime(&taken, begin, end));
        best = round > 0 && taken < best ? taken : best;
    }
    double work = (double)n_sources * n_bins * nodes.size() * n_rows;
    printf("%-28s tile %3u: %7.3f ms, %.3g nodes x transits/s, %.4g sources/s\n",
           argc > 1 ? argv[1] : "", tile_bins, best, work / best * 1e3, n_sources / best * 1e3);
    return 0;
}
