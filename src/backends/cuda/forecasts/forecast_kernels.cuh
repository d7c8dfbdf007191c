/* The four steps from draws to mixtures: what each draw predicts, the points of each time's
 * lattice, the density there, its entropy. Sums are made in an order that depends on numbers of
 * draws and points alone. */
#ifndef EQUANT_BACKENDS_CUDA_FORECASTS_FORECAST_KERNELS_CUH
#define EQUANT_BACKENDS_CUDA_FORECASTS_FORECAST_KERNELS_CUH

#include "backends/backend.h"
#include "statistics/mixture_lattice.h"
#include "statistics/noise_outlook.h"

enum { FORECAST_THREADS = 256, FORECAST_TIMES_A_THREAD = 16 };

/* As backend_forecast and backend_forecast_times have them, all on the GPU. */
typedef struct forecast_arrays {
    backend_forecast draws;
    backend_forecast_times times;
} forecast_arrays;

/* ---- what each draw predicts ---------------------------------------------------- */

static __device__ void forecast_add_noise(const backend_forecast *draws, size_t i,
                                          const noise_row *row, double *mean, double *variance)
{
    double p[NOISE_PROCESS_MOST_STATES];
    int n = (int)draws->n_states;
    const double *f = draws->states + i * draws->n_states * (draws->n_states + 1), *s = f + n;
    noise_outlook_look((int)draws->n_blocks, draws->blocks + i * draws->n_blocks, row, p);
    double left = draws->own_variances[i * draws->n_instruments + (size_t)row->instrument] -
                  noise_outlook_known(n, s, p, p);
    *mean += noise_outlook_mean(n, f, p);
    *variance += left > 0.0 ? left : 0.0;
}

/* A thread is a draw at a few times; [n_times][n_draws]. */
static __global__ void forecast_fill(forecast_arrays of, double *means, double *variances)
{
    const backend_forecast *draws = &of.draws;
    const backend_forecast_times *times = &of.times;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t first = (size_t)blockIdx.y * FORECAST_TIMES_A_THREAD,
           end = first + FORECAST_TIMES_A_THREAD < times->n ? first + FORECAST_TIMES_A_THREAD
                                                            : times->n;
    if (i >= draws->n_draws)
        return;
    for (size_t t = first; t < end; t++) {
        size_t place = i * draws->n_instruments + (size_t)times->instruments[t];
        double jitter = draws->jitters[place],
               mean = times->velocities[i * times->n + t] + draws->offsets[place],
               variance = times->variances[t] + jitter * jitter;
        if (draws->n_states > 0) {
            noise_row row = {};
            row.days_since_last = times->time_days[t] - draws->end_days;
            row.alpha = 1.0;
            row.instrument = row.owner = times->instruments[t];
            row.begins_night = times->begins_night[t];
            forecast_add_noise(draws, i, &row, &mean, &variance);
        }
        means[t * draws->n_draws + i] = mean;
        variances[t * draws->n_draws + i] = variance;
    }
}

/* ---- over the threads of a block --------------------------------------------------- */

typedef enum forecast_fold { FORECAST_SUM, FORECAST_LEAST, FORECAST_MOST } forecast_fold;

static __device__ double forecast_join(forecast_fold how, double a, double b)
{
    return how == FORECAST_SUM ? a + b : how == FORECAST_LEAST ? fmin(a, b) : fmax(a, b);
}

/* Of all threads of a block, for all of them. */
static __device__ double forecast_over_block(forecast_fold how, double own)
{
    __shared__ double room[FORECAST_THREADS];
    __syncthreads();
    room[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = FORECAST_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            room[threadIdx.x] = forecast_join(how, room[threadIdx.x], room[threadIdx.x + half]);
        __syncthreads();
    }
    return room[0];
}

/* ---- the points of each time --------------------------------------------------------- */

/* A block is a time. */
static __global__ void forecast_lay(size_t n_draws, const double *means, const double *variances,
                                    backend_mixture *mixtures)
{
    const double *mean = means + (size_t)blockIdx.x * n_draws,
                 *variance = variances + (size_t)blockIdx.x * n_draws;
    double low = INFINITY, high = -INFINITY, narrowest = INFINITY, widest = 0.0, sum = 0.0,
           squares = 0.0, entropy = 0.0;
    for (size_t i = threadIdx.x; i < n_draws; i += FORECAST_THREADS) {
        low = fmin(low, mean[i]);
        high = fmax(high, mean[i]);
        narrowest = fmin(narrowest, variance[i]);
        widest = fmax(widest, variance[i]);
        sum += mean[i];
        entropy += MIXTURE_ENTROPY_OF_UNIT + 0.5 * log(variance[i]);
    }
    low = forecast_over_block(FORECAST_LEAST, low);
    high = forecast_over_block(FORECAST_MOST, high);
    narrowest = forecast_over_block(FORECAST_LEAST, narrowest);
    widest = forecast_over_block(FORECAST_MOST, widest);
    double middle = forecast_over_block(FORECAST_SUM, sum) / (double)n_draws;
    entropy = forecast_over_block(FORECAST_SUM, entropy) / (double)n_draws;
    for (size_t i = threadIdx.x; i < n_draws; i += FORECAST_THREADS) {
        double away = mean[i] - middle;
        squares += away * away + variance[i];
    }
    squares = forecast_over_block(FORECAST_SUM, squares) / (double)n_draws;
    if (threadIdx.x > 0)
        return;
    mixture_lattice points = mixture_lattice_of(low, high, narrowest, widest);
    backend_mixture *own = &mixtures[blockIdx.x];
    own->mean = middle;
    own->deviation = sqrt(squares);
    own->within_draws = entropy;
    own->first = points.first;
    own->step = points.step;
    own->n = points.n;
}

/* ---- densities ------------------------------------------------------------------------- */

/* A thread is a point of a time; components pass by in tiles. density and square are
 * [n_times][stride]. */
static __global__ void forecast_density(size_t n_draws, const double *means,
                                        const double *variances, const backend_mixture *mixtures,
                                        size_t stride, double *density, double *square)
{
    __shared__ double place[FORECAST_THREADS], ratio[FORECAST_THREADS], height[FORECAST_THREADS],
        middle[FORECAST_THREADS], reach[FORECAST_THREADS];
    size_t t = blockIdx.x, first = (size_t)blockIdx.y * FORECAST_THREADS;
    const backend_mixture *own = &mixtures[t];
    if (first >= own->n)
        return;
    double at = (double)(first + threadIdx.x), sum = 0.0, squares = 0.0;
    for (size_t tile = 0; tile < n_draws; tile += FORECAST_THREADS) {
        size_t i = tile + threadIdx.x,
               n = n_draws - tile < FORECAST_THREADS ? n_draws - tile : (size_t)FORECAST_THREADS;
        __syncthreads();
        if (i < n_draws) {
            double width = sqrt(variances[t * n_draws + i]), h = own->step / width;
            place[threadIdx.x] = (means[t * n_draws + i] - own->first) / own->step;
            ratio[threadIdx.x] = h;
            height[threadIdx.x] = MIXTURE_UNIT_HEIGHT / width / (double)n_draws;
            middle[threadIdx.x] = floor(place[threadIdx.x] + 0.5);
            reach[threadIdx.x] = (double)mixture_lattice_reach(h);
        }
        __syncthreads();
        for (size_t k = 0; k < n; k++)
            if (fabs(at - middle[k]) <= reach[k]) {
                double away = (at - place[k]) * ratio[k],
                       here = height[k] * exp(-0.5 * away * away);
                sum += here;
                squares += here * here;
            }
    }
    if (first + threadIdx.x < own->n) {
        density[t * stride + first + threadIdx.x] = sum;
        square[t * stride + first + threadIdx.x] = squares;
    }
}

/* A block is a time: the entropy, and what it lacks because components are draws. */
static __global__ void forecast_entropy(size_t n_draws, size_t stride, const double *density,
                                        const double *square, backend_mixture *mixtures)
{
    backend_mixture *own = &mixtures[blockIdx.x];
    const double *p = density + (size_t)blockIdx.x * stride,
                 *q = square + (size_t)blockIdx.x * stride;
    double sum = 0.0, spread = 0.0;
    for (size_t k = threadIdx.x; k < own->n; k += FORECAST_THREADS)
        if (p[k] > 1e-300) {
            sum -= p[k] * log(p[k]);
            spread += q[k] / p[k];
        }
    sum = forecast_over_block(FORECAST_SUM, sum);
    spread = forecast_over_block(FORECAST_SUM, spread);
    if (threadIdx.x > 0)
        return;
    double left = spread * own->step - 1.0 / (double)n_draws;
    own->entropy = sum * own->step;
    own->bias = left > 0.0 ? 0.5 * left : 0.0;
}

#endif
