#include "backends/cuda/pairs/pairs_peaks.cuh"

#include "statistics/frequency_pair.h"

#define PEAK_THREADS 128
/* Rows that a thread multiplies with a column at once: bands have three. */
#define PEAK_ROWS 3

/* Improvements of the rows first ... first + PEAK_ROWS - 1, or the last again, with column j, as
 * bits. */
static __device__ __forceinline__ void improve_rows(const pairs_problem &of, unsigned first,
                                                    unsigned last, unsigned j,
                                                    int32_t improvement[PEAK_ROWS])
{
    const float4 own = of.rows[j];
    const float rows_j[2][2] = {{own.x, own.y}, {own.z, own.w}};
    float g[PEAK_ROWS][2][2];
    for (unsigned r = 0; r < PEAK_ROWS; r++) {
        unsigned i = min(first + r, last);
        const float4 row = of.rows[i];
        const float row_0[2] = {row.x, row.y}, row_1[2] = {row.z, row.w};
        /* Tiles begin within the band, where columns lie before rows: of no use, but in range. */
        const float2 apart = of.difference[j > i ? j - i : 0], both = of.sum[j + i];
        const float difference[2] = {apart.x, apart.y}, sum[2] = {both.x, both.y};
        frequency_pair_products(row_0, rows_j, difference, sum, g[r][0]);
        frequency_pair_products(row_1, rows_j, difference, sum, g[r][1]);
    }
    for (unsigned b = 0; b < of.n_base; b++) {
        const float2 *on_base = of.on_base + (size_t)b * of.n;
        const float2 other = on_base[j];
        for (unsigned r = 0; r < PEAK_ROWS; r++) {
            const float2 along = on_base[min(first + r, last)];
            g[r][0][0] -= along.x * other.x;
            g[r][0][1] -= along.x * other.y;
            g[r][1][0] -= along.y * other.x;
            g[r][1][1] -= along.y * other.y;
        }
    }
    const float2 second = of.amplitude[j];
    for (unsigned r = 0; r < PEAK_ROWS; r++) {
        const float2 alone = of.amplitude[min(first + r, last)];
        improvement[r] = frequency_pair_improvement(g[r][0], g[r][1], alone.x, alone.y, second.x,
                                                    second.y, of.least_independence);
    }
}

/* blockIdx.y is the band; tile 0 has the columns of its own rows. */
static __global__ void __launch_bounds__(PEAK_THREADS)
    find_tiles(const __grid_constant__ pairs_problem of)
{
    unsigned tile = blockIdx.x * PEAK_THREADS + threadIdx.x;
    unsigned first = (unsigned)of.first_rows[blockIdx.y], last = min(first + of.width, of.n) - 1;
    size_t start = first + (size_t)tile * of.width;
    if (tile >= of.n_tiles || start >= of.n)
        return;
    unsigned end = (unsigned)min(start + of.width, (size_t)of.n);
    int32_t best = 0;
    backend_pair top = {0.0f, 0, 0};
    for (unsigned j = (unsigned)start; j < end; j++)
        for (unsigned i = first; i <= last && i + of.width <= j; i += PEAK_ROWS) {
            int32_t improvement[PEAK_ROWS];
            improve_rows(of, i, last, j, improvement);
            for (unsigned r = 0; r < PEAK_ROWS; r++)
                if (i + r <= last && i + r + of.width <= j && improvement[r] > best) {
                    best = improvement[r];
                    top = {__int_as_float(best), (int32_t)(i + r), (int32_t)j};
                }
        }
    of.tiles[(size_t)blockIdx.y * of.n_tiles + tile] = top;
}

static __global__ void __launch_bounds__(PEAK_THREADS)
    find_peaks(const __grid_constant__ pairs_problem of, float threshold)
{
    unsigned tile = blockIdx.x * PEAK_THREADS + threadIdx.x;
    unsigned n_own = (of.n - (unsigned)of.first_rows[blockIdx.y] + of.width - 1) / of.width;
    if (tile >= n_own)
        return;
    const backend_pair *tiles = of.tiles + (size_t)blockIdx.y * of.n_tiles;
    float before = tile > 0 ? tiles[tile - 1].improvement : 0.0f;
    float after = tile + 1 < n_own ? tiles[tile + 1].improvement : 0.0f;
    float here = tiles[tile].improvement;
    if (here > threshold && here > before && here >= after)
        of.peaks[atomicAdd(of.n_peaks, 1u)] = tiles[tile];
}

cudaError_t pairs_peaks_launch(const pairs_problem *problem, unsigned n_bands, float threshold,
                               cudaStream_t stream)
{
    const dim3 blocks((problem->n_tiles + PEAK_THREADS - 1) / PEAK_THREADS, n_bands);
    find_tiles<<<blocks, PEAK_THREADS, 0, stream>>>(*problem);
    find_peaks<<<blocks, PEAK_THREADS, 0, stream>>>(*problem, threshold);
    return cudaGetLastError();
}
