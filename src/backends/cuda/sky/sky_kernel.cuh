/* The nodes of a sky scan: a block takes a run of bins of one source, a thread one or two nodes at
 * a time, whose sums it holds in registers while the rows go by in shared memory.
 *
 * With five columns of the base a row of a node takes 36 multiply-adds, some 36 instructions for X
 * and Y, four of them on the special-function unit, and five loads that all threads of a warp
 * share: nearly all of it is arithmetic that the schedulers have to issue, which they do two thirds
 * of the time. */
#ifndef EQUANT_BACKENDS_CUDA_SKY_SKY_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_SKY_SKY_KERNEL_CUH

#include "backends/cuda/sky/cuda_sky_orbit.cuh"
#include "physics/sky_scan_node.h"

#ifndef SKY_THREADS
#define SKY_THREADS 128
#endif
/* Nodes of a thread. Two share its loads of rows, but leave room for fewer threads: 4 % slower. */
#ifndef SKY_NODES
#define SKY_NODES 1
#endif

template <int COLUMNS> struct __align__(16) sky_row
{
    real value[SKY_ROW_LENGTH(COLUMNS)];
};

/* Sums of one node over a run of rows. */
template <int COLUMNS> struct sky_sums {
    sky_scan_node_sums own;
    real q[4 * COLUMNS];

    __device__ void clear()
    {
        for (int i = 0; i < 9; i++)
            own.square[i] = 0;
        for (int i = 0; i < 4; i++)
            own.residual[i] = 0;
        for (int i = 0; i < 4 * COLUMNS; i++)
            q[i] = 0;
    }
    template <bool FIRST> __device__ void add(const sky_row<COLUMNS> &row, real X, real Y)
    {
        if (FIRST)
            sky_scan_node_add(&own, X, Y, row.value[SKY_ROW_SS], row.value[SKY_ROW_SC],
                              row.value[SKY_ROW_CC], row.value[SKY_ROW_SR], row.value[SKY_ROW_CR]);
        for (int j = 0; j < COLUMNS; j++) {
            real s = row.value[SKY_ROW_BASE + 2 * j], c = row.value[SKY_ROW_BASE + 2 * j + 1];
            q[4 * j] = lane_fma(X, s, q[4 * j]);
            q[4 * j + 1] = lane_fma(Y, s, q[4 * j + 1]);
            q[4 * j + 2] = lane_fma(X, c, q[4 * j + 2]);
            q[4 * j + 3] = lane_fma(Y, c, q[4 * j + 3]);
        }
    }
    __device__ void collect(const sky_sums &run)
    {
        for (int i = 0; i < 9; i++)
            own.square[i] += run.own.square[i];
        for (int i = 0; i < 4; i++)
            own.residual[i] += run.own.residual[i];
        for (int i = 0; i < 4 * COLUMNS; i++)
            q[i] += run.q[i];
    }
};

template <int COLUMNS>
LANE_FUNCTION void sky_project(sky_scan_equations *equations, const sky_sums<COLUMNS> &sums)
{
    for (int j = 0; j < COLUMNS; j++) {
        const f64 q[4] = {(f64)sums.q[4 * j], (f64)sums.q[4 * j + 1], (f64)sums.q[4 * j + 2],
                          (f64)sums.q[4 * j + 3]};
        sky_scan_equations_project(equations, q);
    }
}

template <int COLUMNS> LANE_FUNCTION sky_scan_equations sky_equations(const sky_sums<COLUMNS> &sums)
{
    f64 square[9], residual[4];
    for (int i = 0; i < 9; i++)
        square[i] = (f64)sums.own.square[i];
    for (int i = 0; i < 4; i++)
        residual[i] = (f64)sums.own.residual[i];
    sky_scan_equations equations = sky_scan_equations_of(square, residual);
    sky_project(&equations, sums);
    return equations;
}

/* The nodes that take part in the first bin of a tile: those of whole layers, in their order.
 * Returns their number; all threads of the block come here. */
LANE_FUNCTION unsigned sky_choose_nodes(const sky_batch &batch, const sky_tile &tile,
                                        unsigned short *chosen)
{
    __shared__ unsigned n_chosen;
    if (threadIdx.x == 0) {
        const unsigned *n_bins = batch.layer_bins + tile.source * batch.n_layers;
        unsigned n = 0;
        for (unsigned i = 0; i < batch.n_nodes; i++)
            if (tile.first_bin < n_bins[batch.nodes[i].layer])
                chosen[n++] = (unsigned short)i;
        n_chosen = n;
    }
    __syncthreads();
    return n_chosen;
}

/* The node that a thread has at a place of the tile; beyond the last there are copies of it. */
struct sky_member {
    unsigned bin, node;
    bool exists, takes_part;
};

LANE_FUNCTION sky_member sky_member_at(const sky_batch &batch, const sky_tile &tile,
                                       unsigned n_chosen, const unsigned short *chosen,
                                       unsigned place)
{
    unsigned n = tile.n_bins * n_chosen;
    unsigned held = place < n ? place : n - 1;
    sky_member member;
    member.bin = held / n_chosen;
    member.node = chosen[held - member.bin * n_chosen];
    member.exists = place < n;
    member.takes_part =
        tile.first_bin + member.bin <
        batch.layer_bins[tile.source * batch.n_layers + batch.nodes[member.node].layer];
    return member;
}

LANE_FUNCTION double sky_frequency(const sky_source &source, const sky_tile &tile,
                                   const sky_node &node, unsigned bin)
{
    return source.first_frequency_per_day +
           ((double)(tile.first_bin + bin) + node.place) * source.bin_width_per_day;
}

/* Bytes of rows and times in shared memory; the gains of all nodes of a tile stand behind them, and
 * the numbers of the nodes that take part last. */
template <int COLUMNS> static __host__ __device__ inline size_t sky_row_bytes(unsigned n_rows)
{
    return n_rows * (sizeof(sky_row<COLUMNS>) + sizeof(double)) / 16 * 16 + 16;
}

/* The best node of each bin, by a thread: nodes in their order, so that ties go to the first. */
LANE_FUNCTION void sky_choose(const sky_batch &batch, const sky_source &source,
                              const sky_tile &tile, unsigned n_chosen, const unsigned short *chosen,
                              const real *gains)
{
    for (unsigned bin = threadIdx.x; bin < tile.n_bins; bin += SKY_THREADS) {
        real most = -1;
        unsigned node = 0;
        for (unsigned i = 0; i < n_chosen; i++) {
            real gain = gains[bin * n_chosen + i];
            node = gain > most ? chosen[i] : node;
            most = gain > most ? gain : most;
        }
        sky_found found;
        found.gain = most < 0 ? -1.0 : (double)most * source.residual_square;
        found.node = node;
        batch.found[source.first_bin + tile.first_bin + bin] = found;
    }
}

/* Sources of few rows and columns. */
template <int COLUMNS>
__global__ void __launch_bounds__(SKY_THREADS) sky_kernel(const __grid_constant__ sky_batch batch)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const sky_tile tile = batch.tiles[blockIdx.x];
    const sky_source source = batch.sources[tile.source];
    sky_row<COLUMNS> *rows = (sky_row<COLUMNS> *)memory;
    double *times = (double *)(rows + source.n_rows);
    real *gains = (real *)(memory + sky_row_bytes<COLUMNS>(source.n_rows));

    const real *from = (const real *)batch.rows + source.first_row * SKY_ROW_LENGTH(COLUMNS);
    real *to = (real *)rows;
    for (unsigned i = threadIdx.x; i < source.n_rows * SKY_ROW_LENGTH(COLUMNS); i += SKY_THREADS)
        to[i] = from[i];
    for (unsigned i = threadIdx.x; i < source.n_rows; i += SKY_THREADS)
        times[i] = batch.times[source.first_row + i];
    unsigned short *chosen = (unsigned short *)(gains + batch.most_bins * batch.n_nodes);
    unsigned n_chosen = sky_choose_nodes(batch, tile, chosen), n = tile.n_bins * n_chosen;
    for (unsigned first = 0; first < n; first += SKY_THREADS * SKY_NODES) {
        sky_member members[SKY_NODES];
        sky_orbit orbits[SKY_NODES];
        sky_sums<COLUMNS> sums[SKY_NODES];
#pragma unroll
        for (int i = 0; i < SKY_NODES; i++) {
            members[i] =
                sky_member_at(batch, tile, n_chosen, chosen, first + i * SKY_THREADS + threadIdx.x);
            const sky_node &node = batch.nodes[members[i].node];
            orbits[i] =
                sky_orbit_of<false>(node, sky_frequency(source, tile, node, members[i].bin));
            sums[i].clear();
        }
        for (unsigned k = 0; k < source.n_rows; k++) {
            const sky_row<COLUMNS> row = rows[k];
            double t = times[k];
#pragma unroll
            for (int i = 0; i < SKY_NODES; i++) {
                real X, Y;
                sky_orbit_at<false>(orbits[i], t, &X, &Y);
                sums[i].template add<true>(row, X, Y);
            }
        }
#pragma unroll
        for (int i = 0; i < SKY_NODES; i++) {
            sky_scan_equations equations = sky_equations(sums[i]);
            real gain = (real)sky_scan_equations_gain(&equations);
            if (members[i].exists)
                gains[first + i * SKY_THREADS + threadIdx.x] =
                    members[i].takes_part ? gain : REAL(-1.0);
        }
    }
    __syncthreads();
    sky_choose(batch, source, tile, n_chosen, chosen, gains);
}

/* Sums over all rows of one pass, in runs; rows come through the caches. */
template <bool FIRST>
LANE_FUNCTION void sky_long_sums(const sky_batch &batch, const sky_source &source,
                                 const sky_orbit &orbit, unsigned pass, sky_sums<SKY_MANY> *sums)
{
    const sky_row<SKY_MANY> *rows =
        (const sky_row<SKY_MANY> *)batch.rows + pass * batch.n_all_rows + source.first_row;
    const double *times = batch.times + source.first_row;
    sums->clear();
    for (unsigned begin = 0; begin < source.n_rows; begin += SKY_RUN) {
        unsigned end = min(begin + SKY_RUN, source.n_rows);
        sky_sums<SKY_MANY> run;
        run.clear();
        for (unsigned k = begin; k < end; k++) {
            real X, Y;
            sky_orbit_at<true>(orbit, times[k], &X, &Y);
            run.template add<FIRST>(rows[k], X, Y);
        }
        sums->collect(run);
    }
}

/* Sources of any size: a base of many columns is taken in several passes, each of which computes X
 * and Y again. */
__global__ void __launch_bounds__(SKY_THREADS)
    sky_kernel_any(const __grid_constant__ sky_batch batch)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const sky_tile tile = batch.tiles[blockIdx.x];
    const sky_source source = batch.sources[tile.source];
    real *gains = (real *)memory;
    unsigned short *chosen = (unsigned short *)(gains + batch.most_bins * batch.n_nodes);
    unsigned n_chosen = sky_choose_nodes(batch, tile, chosen), n = tile.n_bins * n_chosen;
    for (unsigned place = threadIdx.x; place < n; place += SKY_THREADS) {
        sky_member member = sky_member_at(batch, tile, n_chosen, chosen, place);
        const sky_node &node = batch.nodes[member.node];
        sky_orbit orbit = sky_orbit_of<true>(node, sky_frequency(source, tile, node, member.bin));
        sky_sums<SKY_MANY> sums;
        sky_long_sums<true>(batch, source, orbit, 0, &sums);
        sky_scan_equations equations = sky_equations(sums);
        for (unsigned pass = 1; pass < batch.n_passes; pass++) {
            sky_long_sums<false>(batch, source, orbit, pass, &sums);
            sky_project(&equations, sums);
        }
        gains[place] = member.takes_part ? (real)sky_scan_equations_gain(&equations) : REAL(-1.0);
    }
    __syncthreads();
    sky_choose(batch, source, tile, n_chosen, chosen, gains);
}

/* ---- from the host ---------------------------------------------------------- */

/* First guesses of all nodes, a thread each. */
__global__ void sky_prepare_kernel(unsigned n_nodes, sky_node *nodes)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_nodes)
        return;
    f32 steepness, origin, starter[STARTER_N_S];
    starter_polynomial_prepare((f32)fmin(nodes[i].e, STARTER_ECCENTRICITY_MAX), &steepness, &origin,
                               starter);
    nodes[i].steepness = steepness;
    nodes[i].origin = origin;
    for (int j = 0; j < STARTER_N_S; j++)
        nodes[i].starter[j] = starter[j];
}

cudaError_t sky_prepare(unsigned n_nodes, sky_node *nodes, cudaStream_t stream)
{
    static_assert(STARTER_N_S <= SKY_MOST_TERMS, "room for first guesses");
    sky_prepare_kernel<<<(n_nodes + 63) / 64, 64, 0, stream>>>(n_nodes, nodes);
    return cudaGetLastError();
}

size_t sky_shared_bytes(sky_way way, unsigned n_rows, unsigned n_nodes, unsigned n_bins)
{
    size_t gains = (size_t)n_nodes * (n_bins * sizeof(real) + sizeof(unsigned short));
    switch (way) {
    case SKY_WAY_FEW:
        return gains + sky_row_bytes<SKY_FEW>(n_rows);
    case SKY_WAY_SOME:
        return gains + sky_row_bytes<SKY_SOME>(n_rows);
    case SKY_WAY_MANY:
        return gains + sky_row_bytes<SKY_MANY>(n_rows);
    default:
        return gains;
    }
}

cudaError_t sky_launch(sky_way way, const sky_batch *batch, unsigned n_tiles, cudaStream_t stream)
{
    void (*const kernels[])(sky_batch) = {sky_kernel<SKY_FEW>, sky_kernel<SKY_SOME>,
                                          sky_kernel<SKY_MANY>, sky_kernel_any};
    void (*kernel)(sky_batch) = kernels[way];
    size_t bytes = sky_shared_bytes(way, batch->most_rows, batch->n_nodes, batch->most_bins);
    cudaError_t error = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    kernel<<<n_tiles, SKY_THREADS, bytes, stream>>>(*batch);
    return cudaGetLastError();
}

#endif
