/* Swaps of walkers, and their parameters. What is done to a row is in statistics/; here is who does
 * it. Sums are taken in an order that depends on the sizes alone, so that bits repeat. */
#include "backends/cuda/walkers/walkers.h"

#define ROW_THREADS 32  /* rows of a block: few, so that small ensembles use all processors */
#define SUM_THREADS 256 /* of one group */

static size_t n_groups(const ensemble_shape &shape)
{
    return shape.n_temperatures * shape.n_populations;
}

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

static __device__ double walkers_largest(double own)
{
    __shared__ double values[SUM_THREADS];
    values[threadIdx.x] = own;
    __syncthreads();
    for (unsigned n = SUM_THREADS / 2; n > 0; n /= 2) {
        if (threadIdx.x < n)
            values[threadIdx.x] = fmax(values[threadIdx.x], values[threadIdx.x + n]);
        __syncthreads();
    }
    double largest = values[0];
    __syncthreads();
    return largest;
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

static __device__ void walkers_add_to_stone(stepping_stone_sum *to, double exponent, size_t n,
                                            const double *log_likelihood)
{
    double largest = -INFINITY, sum = 0.0, sum_of_squares = 0.0;
    for (size_t i = threadIdx.x; i < n; i += SUM_THREADS)
        largest = fmax(largest, stepping_stone_power(exponent, log_likelihood[i]));
    largest = walkers_largest(largest);
    stepping_stone_sum total = *to;
    stepping_stone_expect(&total, n, largest);
    for (size_t i = threadIdx.x; i < n; i += SUM_THREADS) {
        double power = stepping_stone_power(exponent, log_likelihood[i]);
        double root = stepping_stone_term(power, total.largest);
        sum += root;
        sum_of_squares += root * root;
    }
    total.sum += walkers_add_up(sum);
    total.sum_of_squares += walkers_add_up(sum_of_squares);
    if (threadIdx.x == 0)
        *to = total;
}

/* Two blocks per stone, one in each direction. */
static __global__ void __launch_bounds__(SUM_THREADS)
    walkers_stone_kernel(const __grid_constant__ walkers_arrays walkers)
{
    const ensemble &rows = walkers.rows;
    const size_t n = rows.shape.n_walkers, n_populations = rows.shape.n_populations;
    const size_t stone = blockIdx.x / 2, gap = stone / n_populations;
    const double difference = rows.beta[gap] - rows.beta[gap + 1];
    if (blockIdx.x % 2 == 0)
        walkers_add_to_stone(&walkers.sums.stones[stone].forward, difference, n,
                             rows.log_likelihood + (stone + n_populations) * n);
    else
        walkers_add_to_stone(&walkers.sums.stones[stone].reverse, -difference, n,
                             rows.log_likelihood + stone * n);
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
    walkers_stone_kernel<<<(unsigned)(2 * (n_groups(shape) - shape.n_populations)), SUM_THREADS, 0,
                           stream>>>(*walkers);
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
