/* Kernels of a step of walkers. What is done to a row is in statistics/; here is who does it. Sums
 * are taken in an order that depends on the sizes alone, so that bits repeat. */
#include "backends/cuda/walkers/walkers.h"
#include "statistics/coordinate_draw.h"
#include "statistics/ensemble_guide.h"

#define ROW_THREADS 32     /* rows of a block: few, so that small ensembles use all processors */
#define GUIDE_THREADS 1024 /* of one group */
#define GUIDE_SHARED_BYTES 40960
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

/* ---- the guide ------------------------------------------------------------------- */

static __device__ __host__ size_t n_entries(size_t d)
{
    return d * (d + 1) / 2;
}

size_t walkers_scratch_words(const ensemble_shape *shape)
{
    size_t n_half = shape->n_walkers / 2;
    size_t n_slices = (n_half + ENSEMBLE_GUIDE_SLICE - 1) / ENSEMBLE_GUIDE_SLICE;
    return n_slices * n_entries(shape->n_coordinates);
}

/* The sum of sums[slice][width] over slices, in their order. */
static __device__ double walkers_sum_slices(const double *sums, size_t n_slices, size_t width,
                                            size_t k)
{
    double sum = 0.0;
    for (size_t slice = 0; slice < n_slices; slice++)
        sum += sums[slice * width + k];
    return sum;
}

static __device__ void walkers_find_centre(const ensemble &rows, const double *others, double *sums,
                                           double *centre)
{
    const size_t d = rows.shape.n_coordinates, n = rows.shape.n_walkers / 2;
    const size_t n_slices = ensemble_guide_n_slices(n);
    for (size_t k = threadIdx.x; k < n_slices * d; k += GUIDE_THREADS)
        sums[k] = ensemble_guide_sum(d, rows.is_angle, n, others, k % d, k / d);
    __syncthreads();
    for (size_t j = threadIdx.x; j < d; j += GUIDE_THREADS)
        centre[j] = ensemble_guide_centre(rows.is_angle[j], others[j],
                                          walkers_sum_slices(sums, n_slices, d, j), n);
    __syncthreads();
}

static __device__ void walkers_find_covariance(const ensemble &rows, const double *others,
                                               const double *centre, double *sums, double *triangle)
{
    const size_t d = rows.shape.n_coordinates, n = rows.shape.n_walkers / 2, width = n_entries(d);
    const size_t n_slices = ensemble_guide_n_slices(n);
    for (size_t k = threadIdx.x; k < n_slices * width; k += GUIDE_THREADS) {
        const size_t slice = k / width, entry = k - slice * width;
        size_t i = 0;
        while (n_entries(i + 1) <= entry)
            i++;
        sums[k] = ensemble_guide_product(d, rows.is_angle, n, others, centre, i,
                                         entry - n_entries(i), slice);
    }
    __syncthreads();
    for (size_t k = threadIdx.x; k < width; k += GUIDE_THREADS)
        triangle[k] = walkers_sum_slices(sums, n_slices, width, k) / (double)n;
    __syncthreads();
}

/* Column by column; the first thread has the pivots, and alone knows whether all were. Behind
 * one that was not there are no numbers, which nobody reads. */
static __device__ bool walkers_factorise(size_t d, double *triangle)
{
    bool has_pivots = true;
    for (size_t j = 0; j < d; j++) {
        double *diagonal = triangle + n_entries(j) + j;
        for (size_t i = j + threadIdx.x; i < d; i += GUIDE_THREADS) {
            double left = ensemble_guide_left(triangle, i, j);
            if (i == j) {
                has_pivots = has_pivots && ensemble_guide_is_pivot(left, *diagonal);
                *diagonal = sqrt(left);
            } else {
                triangle[n_entries(i) + j] = left;
            }
        }
        __syncthreads();
        for (size_t i = j + 1 + threadIdx.x; i < d; i += GUIDE_THREADS)
            triangle[n_entries(i) + j] /= *diagonal;
        __syncthreads();
    }
    return has_pivots;
}

/* One block per group. The triangle is factorised in shared memory, where it has room. */
static __global__ void __launch_bounds__(GUIDE_THREADS)
    walkers_guide_kernel(const __grid_constant__ walkers_arrays walkers, size_t half,
                         size_t scratch_words, bool has_room)
{
    extern __shared__ double shared[];
    const ensemble &rows = walkers.rows;
    const size_t d = rows.shape.n_coordinates, group = blockIdx.x;
    const ensemble_moving_row at = ensemble_locate(&rows, half, group * (rows.shape.n_walkers / 2));
    const double *others = rows.coordinates + at.others * d;
    double *sums = rows.scratch + group * scratch_words, *centre = rows.centres + group * d;
    double *factor = rows.factors + group * n_entries(d), *triangle = has_room ? shared : factor;
    walkers_find_centre(rows, others, sums, centre);
    walkers_find_covariance(rows, others, centre, sums, triangle);
    bool has_pivots = walkers_factorise(d, triangle);
    for (size_t k = threadIdx.x; has_room && k < n_entries(d); k += GUIDE_THREADS)
        factor[k] = triangle[k];
    if (threadIdx.x == 0)
        rows.has_guide[group] = has_pivots;
}

void walkers_launch_guide(const walkers_arrays *walkers, size_t half, cudaStream_t stream)
{
    const ensemble_shape &shape = walkers->rows.shape;
    const size_t n_bytes = n_entries(shape.n_coordinates) * sizeof(double);
    const bool has_room = n_bytes <= GUIDE_SHARED_BYTES;
    walkers_guide_kernel<<<(unsigned)n_groups(shape), GUIDE_THREADS, has_room ? n_bytes : 0,
                           stream>>>(*walkers, half, walkers_scratch_words(&shape), has_room);
}

/* ---- proposals and acceptance ---------------------------------------------------------- */

/* One thread per row of the proposals. */
static __global__ void __launch_bounds__(ROW_THREADS)
    walkers_propose_kernel(const __grid_constant__ walkers_arrays walkers, uint64_t step,
                           size_t half, ensemble_move move, size_t n_rows)
{
    const ensemble &rows = walkers.rows;
    const size_t row = walkers_row();
    if (row >= n_rows)
        return;
    const ensemble_moving_row at = ensemble_locate(&rows, half, row);
    double *proposed = rows.proposed + row * rows.shape.n_coordinates;
    double log_factor = INFINITY, log_prior = -INFINITY;
    if (ensemble_is_prior(&rows, at.temperature))
        coordinate_draw(&walkers.map, rows.seed, ensemble_draw_index(&rows, step, at.walker),
                        proposed);
    else
        log_factor = ensemble_propose_row(&rows, step, &at, move, proposed);
    if (log_factor > -INFINITY)
        log_prior = coordinate_map_prepare(&walkers.map, proposed,
                                           rows.parameters + row * rows.shape.n_parameters);
    rows.log_factor[row] = log_factor;
    rows.proposed_log_prior[row] = log_prior;
}

void walkers_launch_propose(const walkers_arrays *walkers, uint64_t step, size_t half,
                            ensemble_move move, cudaStream_t stream)
{
    const size_t n_rows = n_groups(walkers->rows.shape) * (walkers->rows.shape.n_walkers / 2);
    walkers_propose_kernel<<<n_row_blocks(n_rows), ROW_THREADS, 0, stream>>>(*walkers, step, half,
                                                                             move, n_rows);
}

static __device__ void walkers_count(uint64_t *counter)
{
    atomicAdd((unsigned long long *)counter, 1ull);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    walkers_accept_kernel(const __grid_constant__ walkers_arrays walkers, uint64_t step,
                          size_t half, ensemble_move move, size_t n_rows)
{
    const ensemble &rows = walkers.rows;
    const size_t row = walkers_row();
    if (row >= n_rows)
        return;
    const ensemble_moving_row at = ensemble_locate(&rows, half, row);
    if (ensemble_accept_row(&rows, step, &at, row) && !ensemble_is_prior(&rows, at.temperature))
        walkers_count(&walkers.sums.n_accepted[at.temperature * ENSEMBLE_N_MOVES + move]);
}

void walkers_launch_accept(const walkers_arrays *walkers, uint64_t step, size_t half,
                           ensemble_move move, cudaStream_t stream)
{
    const size_t n_rows = n_groups(walkers->rows.shape) * (walkers->rows.shape.n_walkers / 2);
    walkers_accept_kernel<<<n_row_blocks(n_rows), ROW_THREADS, 0, stream>>>(*walkers, step, half,
                                                                            move, n_rows);
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
