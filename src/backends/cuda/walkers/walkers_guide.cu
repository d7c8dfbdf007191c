/* The Gaussians that guide walkers. A block sums up one slice of a group, in shared memory where
 * that has room; the block of a group that comes last adds the slices in their order, so that bits
 * repeat. */
#include "backends/cuda/walkers/walkers.h"
#include "statistics/ensemble_guide.h"

#define GUIDE_THREADS 192
#define GUIDE_SHARED_BYTES 40960

static __device__ __host__ unsigned n_entries(unsigned d)
{
    return d * (d + 1) / 2;
}

static __device__ __host__ unsigned n_slices_of(const ensemble_shape &shape)
{
    return (unsigned)((shape.n_walkers / 2 + ENSEMBLE_GUIDE_SLICE - 1) / ENSEMBLE_GUIDE_SLICE);
}

/* Sums of slices, and behind them the variances. */
size_t walkers_scratch_words(const ensemble_shape *shape)
{
    const unsigned d = (unsigned)shape->n_coordinates;
    return (size_t)n_slices_of(*shape) * n_entries(d) + d;
}

/* ---- one slice of a group ---------------------------------------------------------- */

struct guide_slice {
    unsigned d, n_slices, slice;
    size_t group, n; /* walkers that stay */
    const double *others;
    double *sums; /* scratch of the group */
    double *room; /* in shared memory; null: none */
};

static __device__ guide_slice guide_here(const ensemble &rows, size_t half, size_t scratch_words,
                                         double *room)
{
    guide_slice here;
    here.d = (unsigned)rows.shape.n_coordinates;
    here.n_slices = n_slices_of(rows.shape);
    here.group = blockIdx.x / here.n_slices;
    here.slice = blockIdx.x % here.n_slices;
    here.n = rows.shape.n_walkers / 2;
    here.others =
        rows.coordinates + ensemble_locate(&rows, half, here.group * here.n).others * here.d;
    here.sums = rows.scratch + here.group * scratch_words;
    here.room = room;
    return here;
}

/* Puts how far the walkers of the slice are from a place into shared memory, side by side. Returns
 * how many they are. */
static __device__ unsigned guide_load(const guide_slice &here, const unsigned char *is_angle,
                                      const double *from)
{
    const size_t first = (size_t)here.slice * ENSEMBLE_GUIDE_SLICE;
    const unsigned n = (unsigned)(ensemble_guide_slice_end(here.n, here.slice) - first);
    for (unsigned k = threadIdx.x; k < n * here.d; k += GUIDE_THREADS) {
        const unsigned j = k % here.d;
        here.room[k] =
            ensemble_moves_between(is_angle[j], from[j], here.others[first * here.d + k]);
    }
    __syncthreads();
    return n;
}

/* Whether this block is the last of its group: what the others have written may then be read. */
static __device__ bool guide_is_last(const guide_slice &here, unsigned *tickets)
{
    __shared__ bool is_last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        is_last = atomicAdd(&tickets[here.group], 1u) == here.n_slices - 1;
        if (is_last)
            tickets[here.group] = 0;
        __threadfence();
    }
    __syncthreads();
    return is_last;
}

/* The sum of sums[slice][width] over slices, past the caches of this processor. */
static __device__ double guide_add_slices(const guide_slice &here, unsigned width, unsigned k)
{
    double sum = 0.0;
#pragma unroll 8
    for (unsigned slice = 0; slice < here.n_slices; slice++)
        sum += __ldcg(&here.sums[(size_t)slice * width + k]);
    return sum;
}

/* ---- the centre -------------------------------------------------------------------- */

static __device__ void guide_sum_slice(const guide_slice &here, const unsigned char *is_angle)
{
    const unsigned n = here.room ? guide_load(here, is_angle, here.others) : 0;
    for (unsigned j = threadIdx.x; j < here.d; j += GUIDE_THREADS) {
        double sum = 0.0;
#pragma unroll 8
        for (unsigned i = 0; i < n; i++)
            sum += here.room[i * here.d + j];
        if (!here.room)
            sum = ensemble_guide_sum(here.d, is_angle, here.n, here.others, j, here.slice);
        here.sums[(size_t)here.slice * here.d + j] = sum;
    }
}

static __global__ void __launch_bounds__(GUIDE_THREADS)
    guide_centre_kernel(const __grid_constant__ walkers_arrays walkers, size_t half,
                        size_t scratch_words, bool has_room)
{
    extern __shared__ double shared[];
    const ensemble &rows = walkers.rows;
    const guide_slice here = guide_here(rows, half, scratch_words, has_room ? shared : nullptr);
    guide_sum_slice(here, rows.is_angle);
    if (!guide_is_last(here, walkers.tickets))
        return;
    for (unsigned j = threadIdx.x; j < here.d; j += GUIDE_THREADS)
        rows.centres[here.group * here.d + j] = ensemble_guide_centre(
            rows.is_angle[j], here.others[j], guide_add_slices(here, here.d, j), here.n);
}

/* ---- the covariance and its factor --------------------------------------------------- */

/* The row to which an entry of a packed triangle belongs. */
static __device__ unsigned guide_row_of(unsigned entry)
{
    unsigned row = (unsigned)(0.5f * (sqrtf(8.0f * (float)entry + 1.0f) - 1.0f));
    while (n_entries(row) > entry)
        row--;
    while (n_entries(row + 1) <= entry)
        row++;
    return row;
}

static __device__ void guide_multiply_slice(const guide_slice &here, const unsigned char *is_angle,
                                            const double *centre)
{
    const unsigned n = here.room ? guide_load(here, is_angle, centre) : 0,
                   width = n_entries(here.d);
    for (unsigned entry = threadIdx.x; entry < width; entry += GUIDE_THREADS) {
        const unsigned j = guide_row_of(entry), k = entry - n_entries(j);
        double sum = 0.0;
#pragma unroll 8
        for (unsigned i = 0; i < n; i++)
            sum += here.room[i * here.d + j] * here.room[i * here.d + k];
        if (!here.room)
            sum = ensemble_guide_product(here.d, is_angle, here.n, here.others, centre, j, k,
                                         here.slice);
        here.sums[(size_t)here.slice * width + entry] = sum;
    }
}

/* Replaces a packed lower triangle by its Cholesky factor: each column is taken from all behind
 * it, the same differences in the same order as those of ensemble_guide_left. The first thread has
 * the pivots, and alone knows whether all were. Behind one that was not there are no numbers, which
 * nobody reads. */
static __device__ bool guide_factorise(unsigned d, double *triangle, const double *variances)
{
    bool has_pivots = true;
    for (unsigned j = 0; j < d; j++) {
        double *diagonal = triangle + n_entries(j) + j;
        if (threadIdx.x == 0) {
            has_pivots = has_pivots && ensemble_guide_is_pivot(*diagonal, variances[j]);
            *diagonal = sqrt(*diagonal);
        }
        __syncthreads();
        for (unsigned i = j + 1 + threadIdx.x; i < d; i += GUIDE_THREADS)
            triangle[n_entries(i) + j] /= *diagonal;
        __syncthreads();
        for (unsigned entry = n_entries(j + 1) + threadIdx.x; entry < n_entries(d);
             entry += GUIDE_THREADS) {
            const unsigned i = guide_row_of(entry), k = entry - n_entries(i);
            if (k > j)
                triangle[entry] -= triangle[n_entries(i) + j] * triangle[n_entries(k) + j];
        }
        __syncthreads();
    }
    return has_pivots;
}

static __global__ void __launch_bounds__(GUIDE_THREADS)
    guide_factor_kernel(const __grid_constant__ walkers_arrays walkers, size_t half,
                        size_t scratch_words, bool has_room)
{
    extern __shared__ double shared[];
    const ensemble &rows = walkers.rows;
    const guide_slice here = guide_here(rows, half, scratch_words, has_room ? shared : nullptr);
    const unsigned width = n_entries(here.d);
    guide_multiply_slice(here, rows.is_angle, rows.centres + here.group * here.d);
    if (!guide_is_last(here, walkers.tickets))
        return;
    double *factor = rows.factors + here.group * width, *triangle = has_room ? shared : factor;
    double *variances = here.sums + (size_t)here.n_slices * width;
    for (unsigned entry = threadIdx.x; entry < width; entry += GUIDE_THREADS) {
        const unsigned row = guide_row_of(entry);
        triangle[entry] = guide_add_slices(here, width, entry) / (double)here.n;
        if (entry + 1 == n_entries(row + 1))
            variances[row] = triangle[entry];
    }
    __syncthreads();
    bool has_pivots = guide_factorise(here.d, triangle, variances);
    for (unsigned k = threadIdx.x; has_room && k < width; k += GUIDE_THREADS)
        factor[k] = triangle[k];
    if (threadIdx.x == 0)
        rows.has_guide[here.group] = has_pivots;
}

void walkers_launch_guide(const walkers_arrays *walkers, size_t half, cudaStream_t stream)
{
    const ensemble_shape &shape = walkers->rows.shape;
    const unsigned d = (unsigned)shape.n_coordinates;
    const unsigned n_blocks =
        (unsigned)(shape.n_temperatures * shape.n_populations) * n_slices_of(shape);
    const size_t of_slice = ENSEMBLE_GUIDE_SLICE * d * sizeof(double),
                 of_triangle = n_entries(d) * sizeof(double),
                 n_bytes = of_slice > of_triangle ? of_slice : of_triangle,
                 n_words = walkers_scratch_words(&shape);
    const bool has_room = n_bytes <= GUIDE_SHARED_BYTES;
    guide_centre_kernel<<<n_blocks, GUIDE_THREADS, has_room ? n_bytes : 0, stream>>>(
        *walkers, half, n_words, has_room);
    guide_factor_kernel<<<n_blocks, GUIDE_THREADS, has_room ? n_bytes : 0, stream>>>(
        *walkers, half, n_words, has_room);
}
