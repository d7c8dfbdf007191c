/* The bound of inference/search/scan_prospects.c on a GPU: the spectrum of the residual, a thread a
 * frequency; the largest of it near each place, in doublings of the reach; and from these what the
 * ellipses of each bin improve by at most, a thread a bin. */
#include "backends/cuda/scan/cuda_scan_prospects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/device_pool.h"
#include "backends/cuda/failure.h"

#define PROSPECT_THREADS 256
/* Doublings of the reach in which the largest of a spectrum is known. */
enum { PROSPECT_DOUBLINGS = 9 };

struct prospect_observation {
    double time_days;
    float factor; /* root of the weight times residual */
};

/* One ellipse, and the bins that it is looked for in. */
struct prospect_layer {
    unsigned n_bins, n_harmonics;
    unsigned first_share; /* [BACKEND_SCAN_MIXTURES][n_harmonics] from there on */
};

struct prospect_problem {
    unsigned n_obs, n_layers, n_bins, n_frequencies;
    int n_doublings;
    double first_frequency_per_day, width_per_day, half_weight, most_lost;
    float scale;
    const prospect_observation *observations;
    const prospect_layer *layers;
    const float *shares;
    const float *circular; /* [n_bins]: what circles improve by              */
    float *largest;        /* [n_doublings][n_frequencies]; first R itself   */
    float *most;           /* [n_bins]                                       */
};

static __global__ void __launch_bounds__(PROSPECT_THREADS)
    prospect_spectrum(const __grid_constant__ prospect_problem of)
{
    __shared__ prospect_observation chunk[PROSPECT_THREADS];
    unsigned i = blockIdx.x * PROSPECT_THREADS + threadIdx.x;
    double frequency = ((double)i + 0.5) * of.width_per_day;
    float cosines = 0.0f, sines = 0.0f;
    for (unsigned first = 0; first < of.n_obs; first += PROSPECT_THREADS) {
        unsigned n = min(of.n_obs - first, (unsigned)PROSPECT_THREADS);
        __syncthreads(); /* all are done with the chunk before */
        if (threadIdx.x < n)
            chunk[threadIdx.x] = of.observations[first + threadIdx.x];
        __syncthreads();
        float re = 0.0f, im = 0.0f;
        for (unsigned k = 0; k < n; k++) {
            double turns = frequency * chunk[k].time_days;
            float sine, cosine;
            sincospif(2.0f * (float)(turns - rint(turns)), &sine, &cosine);
            re = fmaf(chunk[k].factor, cosine, re);
            im = fmaf(chunk[k].factor, sine, im);
        }
        cosines += re;
        sines += im;
    }
    if (i < of.n_frequencies)
        of.largest[i] = sqrtf(cosines * cosines + sines * sines);
}

/* Doubling j from the one before; the first reaches one place to either side. */
static __global__ void __launch_bounds__(PROSPECT_THREADS)
    prospect_double(const __grid_constant__ prospect_problem of, int j)
{
    unsigned i = blockIdx.x * PROSPECT_THREADS + threadIdx.x, n = of.n_frequencies;
    if (i >= n)
        return;
    const float *before = of.largest + (size_t)(j - 1) * n;
    unsigned half = j > 1 ? 1u << (j - 2) : 1u;
    unsigned low = i > half ? i - half : 0, high = min(i + half, n - 1);
    float largest = fmaxf(before[low], before[high]);
    of.largest[(size_t)j * n + i] = j == 1 ? fmaxf(largest, before[i]) : largest;
}

/* The largest R within so many places of a frequency, or a little farther. */
static __device__ float prospect_near(const prospect_problem &of, double frequency, unsigned reach)
{
    double place = frequency / of.width_per_day, last = (double)(of.n_frequencies - 1);
    unsigned i = (unsigned)fmin(fmax(place, 0.0), last);
    int j = 1;
    while (j + 1 < of.n_doublings && (1u << (j - 1)) < reach)
        j++;
    return of.largest[(size_t)j * of.n_frequencies + i];
}

/* The most that ellipses of one shape explain at a frequency, times W/2. */
static __device__ float prospect_of_layer(const prospect_problem &of, const prospect_layer &layer,
                                          double frequency)
{
    float sums[BACKEND_SCAN_MIXTURES] = {}, most = 0.0f;
    for (unsigned k = 0; k < layer.n_harmonics; k++) {
        float near = prospect_near(of, (double)(k + 1) * frequency, k / 2 + 1);
        for (int m = 0; m < BACKEND_SCAN_MIXTURES; m++)
            sums[m] = fmaf(of.shares[layer.first_share + m * layer.n_harmonics + k], near, sums[m]);
    }
    for (int m = 0; m < BACKEND_SCAN_MIXTURES; m++)
        most = fmaxf(most, sums[m]);
    return most * most;
}

static __global__ void __launch_bounds__(PROSPECT_THREADS)
    prospect_bins(const __grid_constant__ prospect_problem of)
{
    unsigned bin = blockIdx.x * PROSPECT_THREADS + threadIdx.x;
    if (bin >= of.n_bins)
        return;
    double frequency = of.first_frequency_per_day + (double)bin * of.width_per_day;
    float largest = 0.0f, alone = prospect_near(of, frequency, 1);
    for (unsigned l = 0; l < of.n_layers; l++)
        if (bin < of.layers[l].n_bins)
            largest = fmaxf(largest, prospect_of_layer(of, of.layers[l], frequency));
    /* By how much more the circles of the bin explain than their spectrum does. */
    double said = (double)alone * alone / of.half_weight;
    double loss = said > 0.0 ? of.circular[bin] / said : 1.0;
    of.most[bin] = of.scale * largest * (float)fmin(of.most_lost, fmax(1.0, loss));
}

/* ---- from the host ------------------------------------------------------------------------- */

/* Where the arrays are, in one piece of memory; those from the host come first. */
struct prospect_places {
    size_t observations, layers, shares, circular, n_given, largest, most, n_bytes;
};

static size_t place(size_t *end, size_t n_bytes)
{
    size_t at = (*end + 255) / 256 * 256;
    *end = at + n_bytes;
    return at;
}

static size_t n_shares(const backend_scan *scan, const backend_scan_prospects *asked)
{
    size_t n = 0;
    for (size_t l = 0; l < scan->n_layers; l++)
        n += BACKEND_SCAN_MIXTURES * asked->harmonics[l].n;
    return n;
}

static int n_doublings(size_t most_harmonics)
{
    int n = 3;
    while (n < PROSPECT_DOUBLINGS && ((size_t)1 << (n - 1)) < most_harmonics)
        n++;
    return n;
}

static prospect_places plan_places(const backend_scan *scan, const backend_scan_prospects *asked)
{
    prospect_places at = {};
    size_t end = 0;
    at.observations = place(&end, scan->n_obs * sizeof(prospect_observation));
    at.layers = place(&end, scan->n_layers * sizeof(prospect_layer));
    at.shares = place(&end, n_shares(scan, asked) * sizeof(float));
    at.circular = place(&end, asked->n_bins * sizeof(float));
    at.n_given = end;
    at.largest = place(&end, (size_t)n_doublings(asked->most_harmonics) * asked->n_frequencies *
                                 sizeof(float));
    at.most = place(&end, asked->n_bins * sizeof(float));
    at.n_bytes = end;
    return at;
}

static void fill_image(const backend_scan *scan, const backend_scan_prospects *asked,
                       const prospect_places *at, unsigned char *image)
{
    prospect_observation *observations = (prospect_observation *)(image + at->observations);
    for (size_t k = 0; k < scan->n_obs; k++)
        observations[k] = {scan->time_days[k], (float)(scan->root_weight[k] * scan->residual[k])};
    prospect_layer *layers = (prospect_layer *)(image + at->layers);
    float *shares = (float *)(image + at->shares);
    size_t next = 0;
    for (size_t l = 0; l < scan->n_layers; l++) {
        const backend_scan_harmonics *own = &asked->harmonics[l];
        layers[l] = {own->n > 0 ? (unsigned)scan->layers[l].n_bins : 0, (unsigned)own->n,
                     (unsigned)next};
        for (int m = 0; m < BACKEND_SCAN_MIXTURES && own->n > 0; m++) {
            memcpy(shares + next, own->shares[m], own->n * sizeof *shares);
            next += own->n;
        }
    }
    float *circular = (float *)(image + at->circular);
    for (size_t b = 0; b < asked->n_bins; b++)
        circular[b] = (float)asked->circular[b].improvement;
}

static prospect_problem problem_of(const backend_scan *scan, const backend_scan_prospects *asked,
                                   const prospect_places *at, unsigned char *memory)
{
    prospect_problem of = {};
    of.n_obs = (unsigned)scan->n_obs;
    of.n_layers = (unsigned)scan->n_layers;
    of.n_bins = (unsigned)asked->n_bins;
    of.n_frequencies = (unsigned)asked->n_frequencies;
    of.n_doublings = n_doublings(asked->most_harmonics);
    of.first_frequency_per_day = scan->first_frequency_per_day;
    of.width_per_day = scan->bin_width_per_day;
    of.half_weight = asked->half_weight;
    of.most_lost = asked->most_lost;
    of.scale = (float)(asked->margin / asked->half_weight);
    of.observations = (const prospect_observation *)(memory + at->observations);
    of.layers = (const prospect_layer *)(memory + at->layers);
    of.shares = (const float *)(memory + at->shares);
    of.circular = (const float *)(memory + at->circular);
    of.largest = (float *)(memory + at->largest);
    of.most = (float *)(memory + at->most);
    return of;
}

static unsigned blocks_of(size_t n)
{
    return (unsigned)((n + PROSPECT_THREADS - 1) / PROSPECT_THREADS);
}

static equant_status compute(const prospect_problem *of, float *most)
{
    const cudaStream_t stream = cudaStreamPerThread;
    unsigned n_blocks = blocks_of(of->n_frequencies);
    prospect_spectrum<<<n_blocks, PROSPECT_THREADS, 0, stream>>>(*of);
    for (int j = 1; j < of->n_doublings; j++)
        prospect_double<<<n_blocks, PROSPECT_THREADS, 0, stream>>>(*of, j);
    prospect_bins<<<blocks_of(of->n_bins), PROSPECT_THREADS, 0, stream>>>(*of);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(
        cudaMemcpyAsync(most, of->most, of->n_bins * sizeof *most, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return EQUANT_SUCCESS;
}

static equant_status upload_and_compute(const backend_scan *scan,
                                        const backend_scan_prospects *asked,
                                        const prospect_places *at, unsigned char *image,
                                        unsigned char *memory, float *most)
{
    fill_image(scan, asked, at, image);
    CUDA_TRY(
        cudaMemcpyAsync(memory, image, at->n_given, cudaMemcpyHostToDevice, cudaStreamPerThread));
    const prospect_problem of = problem_of(scan, asked, at, memory);
    return compute(&of, most);
}

equant_status scan_prospects_on_device(const backend_engine *engine, const backend_scan *scan,
                                       const backend_scan_prospects *asked, float *most)
{
    const prospect_places at = plan_places(scan, asked);
    if (asked->n_frequencies > UINT32_MAX / 2 || asked->n_bins > UINT32_MAX / 2)
        return failure_report(cudaErrorMemoryAllocation, "a spectrum of so many frequencies");
    CUDA_TRY(cudaSetDevice(engine->device));
    void *memory = NULL;
    unsigned char *image = (unsigned char *)malloc(at.n_given + 1);
    equant_status status =
        image ? device_pool_take(engine->device, at.n_bytes, &memory) : failure_host_memory();
    if (status == EQUANT_SUCCESS)
        status = upload_and_compute(scan, asked, &at, image, (unsigned char *)memory, most);
    if (status != EQUANT_SUCCESS)
        cudaStreamSynchronize(cudaStreamPerThread); /* nothing reads the memory any more */
    device_pool_give(memory);
    free(image);
    return status;
}
