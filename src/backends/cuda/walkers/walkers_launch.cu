/* Swaps of walkers, and their parameters. What is done to a row is in statistics/; here is who does
 * it. Sums are taken in an order that depends on the sizes alone, so that bits repeat. */
#include "backends/cuda/walkers/walkers.h"

#define ROW_THREADS 32  /* rows of a block: few, so that small ensembles use all processors */
#define SUM_THREADS 256 /* of one group */

static unsigned n_row_blocks(size_t n_rows)
{
    return (unsigned)((n_rows + ROW_THREADS - 1) / ROW_THREADS);
}

/* The number of the thread among those of all blocks. */
static __device__ size_t walkers_row()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ void walkers_count(uint64_t *counter)
{
    atomicAdd((unsigned long long *)counter, 1ull);
}

/* ---- swaps and what they tell ------------------------------------------------------------ */

/* What all threads of a block have, added up by halving; all get the sum. */
static __device__ double walkers_add_up(double own)
{
    __shared__ double values[SUM_THREADS];
    values[threadIdx.x] = own;
    __syncthreads();
    for (unsigned n = SUM_THREADS / 2; n > 0; n /= 2) {
        if (threadIdx.x < n)
            values[threadIdx.x] += values[threadIdx.x + n];
        __syncthreads();
    }
    double sum = values[0];
    __syncthreads(); /* before the next call writes to it */
    return sum;
}

/* One block per group of the colder temperatures; walkers meet one other each. */
static __global__ void __launch_bounds__(SUM_THREADS)
    walkers_swap_kernel(const __grid_constant__ walkers_arrays walkers, uint64_t step)
{
    const ensemble &rows = walkers.rows;
    const size_t n_populations = rows.shape.n_populations;
    const size_t temperature = step % 2 + 2 * (blockIdx.x / n_populations);
    const size_t cold_group = temperature * n_populations + blockIdx.x % n_populations;
    const size_t rotation = ensemble_draw_rotation(&rows, step, cold_group);
    double stayed = 0.0;
    for (size_t i = threadIdx.x; i < rows.shape.n_walkers; i += SUM_THREADS)
        stayed += ensemble_swap_row(&rows, step, cold_group, rotation, i);
    stayed = walkers_add_up(stayed);
    if (threadIdx.x == 0)
        walkers.sums.rejection[cold_group] += stayed;
}

/* One thread per walker of a temperature. */
static __global__ void __launch_bounds__(ROW_THREADS)
    walkers_ends_kernel(const __grid_constant__ walkers_arrays walkers, size_t n_rows)
{
    const size_t row = walkers_row(), n = walkers.rows.shape.n_walkers;
    if (row < n_rows && ensemble_note_ends(&walkers.rows, row / n, row % n))
        walkers_count(&walkers.sums.round_trips[row / n]);
}

void walkers_launch_swap(const walkers_arrays *walkers, uint64_t step, cudaStream_t stream)
{
    const ensemble_shape &shape = walkers->rows.shape;
    const size_t n_gaps = (shape.n_temperatures - step % 2) / 2;
    const size_t n_rows = shape.n_populations * shape.n_walkers;
    if (shape.n_temperatures < 2)
        return;
    if (n_gaps > 0)
        walkers_swap_kernel<<<(unsigned)(n_gaps * shape.n_populations), SUM_THREADS, 0, stream>>>(
            *walkers, step);
    walkers_ends_kernel<<<n_row_blocks(n_rows), ROW_THREADS, 0, stream>>>(*walkers, n_rows);
}

/* ---- the cold rung ----------------------------------------------------------------------- */

static __global__ void __launch_bounds__(ROW_THREADS)
    walkers_cold_kernel(const __grid_constant__ walkers_arrays walkers, size_t n_rows)
{
    const ensemble &rows = walkers.rows;
    const size_t row = walkers_row();
    if (row < n_rows)
        (void)coordinate_map_prepare(&walkers.map,
                                     rows.coordinates + row * rows.shape.n_coordinates,
                                     walkers.cold_parameters + row * rows.shape.n_parameters);
}

void walkers_launch_cold_parameters(const walkers_arrays *walkers, cudaStream_t stream)
{
    const size_t n_rows = walkers->rows.shape.n_populations * walkers->rows.shape.n_walkers;
    walkers_cold_kernel<<<n_row_blocks(n_rows), ROW_THREADS, 0, stream>>>(*walkers, n_rows);
}
