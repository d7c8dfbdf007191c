#include "backends/cuda/pairs/pairs_table.cuh"

#include "statistics/frequency_pair.h"

#define TABLE_THREADS 128

/* Cosine and sine of an observation's phase. Whole turns are taken away first: times are days from
 * any epoch. */
static __device__ __forceinline__ void turn(double frequency, double time_days, double *cosine,
                                            double *sine)
{
    double turns = frequency * time_days;
    sincospi(2.0 * (turns - rint(turns)), sine, cosine);
}

/* PAIRS_COLUMNS columns from blockIdx.y times as many on. */
static __global__ void __launch_bounds__(TABLE_THREADS)
    sum_columns(const __grid_constant__ pairs_problem of)
{
    unsigned i = blockIdx.x * TABLE_THREADS + threadIdx.x, first = blockIdx.y * PAIRS_COLUMNS;
    if (i >= of.n)
        return;
    double frequency = of.first_frequency_per_day + (double)i * of.step_per_day;
    double with_cos[PAIRS_COLUMNS] = {}, with_sin[PAIRS_COLUMNS] = {};
    for (unsigned k = 0; k < of.n_obs; k++) {
        const double *factors = of.columns + (size_t)k * of.n_columns + first;
        double cosine, sine;
        turn(frequency, of.time_days[k], &cosine, &sine);
        for (int c = 0; c < PAIRS_COLUMNS; c++) {
            with_cos[c] = fma(factors[c], cosine, with_cos[c]);
            with_sin[c] = fma(factors[c], sine, with_sin[c]);
        }
    }
    for (int c = 0; c < PAIRS_COLUMNS; c++) {
        double *sums = of.sums + 2 * (size_t)(first + c) * of.n;
        sums[i] = with_cos[c];
        sums[of.n + i] = with_sin[c];
    }
}

/* The window function at differences of frequencies, then at sums; of these every second is at
 * twice a frequency. */
static __global__ void __launch_bounds__(TABLE_THREADS)
    sum_window(const __grid_constant__ pairs_problem of)
{
    unsigned place = blockIdx.x * TABLE_THREADS + threadIdx.x;
    if (place >= 3 * of.n)
        return;
    bool is_difference = place < of.n;
    unsigned q = is_difference ? place : place - of.n;
    double frequency =
        (is_difference ? 0.0 : 2.0 * of.first_frequency_per_day) + (double)q * of.step_per_day;
    double2 window = {0.0, 0.0};
    for (unsigned k = 0; k < of.n_obs; k++) {
        double cosine, sine;
        turn(frequency, of.time_days[k], &cosine, &sine);
        window.x = fma(of.weights[k], cosine, window.x);
        window.y = fma(of.weights[k], sine, window.y);
    }
    (is_difference ? of.difference : of.sum)[q] =
        make_float2((float)(0.5 * window.x), (float)(0.5 * window.y));
    if (!is_difference && q % 2 == 0)
        of.twice[q / 2] = window;
}

static __global__ void __launch_bounds__(TABLE_THREADS)
    fill_frequencies(const __grid_constant__ pairs_problem of)
{
    unsigned i = blockIdx.x * TABLE_THREADS + threadIdx.x;
    if (i >= of.n)
        return;
    const double window_2f[2] = {of.twice[i].x, of.twice[i].y}, *sums = of.sums + i;
    frequency_columns made;
    frequency_columns_make(of.window_0, window_2f, of.n_base, sums, of.n, of.least_share_left,
                           &made);
    of.rows[i] = make_float4((float)made.rows[0][0], (float)made.rows[0][1], (float)made.rows[1][0],
                             (float)made.rows[1][1]);
    of.amplitude[i] = make_float2((float)made.amplitude[0], (float)made.amplitude[1]);
    of.power[i] = (float)made.power;
    for (unsigned b = 0; b < of.n_base; b++)
        of.on_base[(size_t)b * of.n + i] =
            make_float2((float)frequency_columns_on_base(&made, 0, b, sums, of.n),
                        (float)frequency_columns_on_base(&made, 1, b, sums, of.n));
}

static unsigned blocks_of(size_t n)
{
    return (unsigned)((n + TABLE_THREADS - 1) / TABLE_THREADS);
}

cudaError_t pairs_table_launch(const pairs_problem *problem, cudaStream_t stream)
{
    const dim3 sums(blocks_of(problem->n), problem->n_columns / PAIRS_COLUMNS);
    sum_columns<<<sums, TABLE_THREADS, 0, stream>>>(*problem);
    sum_window<<<blocks_of(3 * (size_t)problem->n), TABLE_THREADS, 0, stream>>>(*problem);
    fill_frequencies<<<blocks_of(problem->n), TABLE_THREADS, 0, stream>>>(*problem);
    return cudaGetLastError();
}
