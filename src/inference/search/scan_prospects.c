#include "inference/search/scan_prospects.h"

#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/machine_clones.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "model/circle.h"
#include "parallel/parallel_for.h"

/* Harmonics beyond those that hold all but this share of an ellipse are left to the margin. */
#define NEGLIGIBLE_SHARE 2e-3
/* What uneven times and the base may do to squares; and where the circles of a bin show that they
 * do more, how much is believed. */
#define MARGIN 1.3
#define MOST_LOST 4.0
enum { MOST_HARMONICS = 256, N_MIXTURES = BACKEND_SCAN_MIXTURES };
/* Frequencies of a spectrum whose phases are turned from one to the next; observations that are
 * summed side by side; doublings of the reach in which the largest of a spectrum is known. */
enum { CHUNK = 256, SIDE_BY_SIDE = 16, MOST_DOUBLINGS = 9 };
/* To widen a spectrum by a place, memory that is new included. */
#define NANOSECONDS_A_PLACE 0.5
/* Bins that a thread takes at once: fewer layers reach those of short periods. */
enum { BINS_AT_ONCE = 128 };

/* ---- spectrum ------------------------------------------------------------------------------- */

/* R at the frequencies (i + 1/2) w is largest[0]; largest[j][i] is the largest of it within
 * 2^(j - 1) of place i. */
typedef struct spectrum {
    size_t n;
    double width_per_day;
    int n_doublings;
    float *memory, *largest[MOST_DOUBLINGS];
} spectrum;

/* The residual as a spectrum takes it, padded with zeros to whole groups. */
typedef struct spread_residual {
    size_t n;
    const double *time_days;
    double width_per_day;
    float *factor, *turn_cos, *turn_sin; /* [n] */
    size_t n_obs;
} spread_residual;

MACHINE_CLONES static void sum_chunk(const spread_residual *of, size_t n_frequencies,
                                     float *restrict cosine, float *restrict sine,
                                     float *restrict modulus)
{
    for (size_t m = 0; m < n_frequencies; m++) {
        float re[SIDE_BY_SIDE] = {0.0f}, im[SIDE_BY_SIDE] = {0.0f}, all_re = 0.0f, all_im = 0.0f;
        for (size_t k = 0; k < of->n; k += SIDE_BY_SIDE)
            for (size_t i = 0; i < SIDE_BY_SIDE; i++) {
                float c = cosine[k + i], s = sine[k + i], f = of->factor[k + i];
                re[i] += f * c;
                im[i] += f * s;
                cosine[k + i] = c * of->turn_cos[k + i] - s * of->turn_sin[k + i];
                sine[k + i] = s * of->turn_cos[k + i] + c * of->turn_sin[k + i];
            }
        for (size_t i = 0; i < SIDE_BY_SIDE; i++) {
            all_re += re[i];
            all_im += im[i];
        }
        modulus[m] = sqrtf(all_re * all_re + all_im * all_im);
    }
}

/* The chunk of frequencies from place `first` on; scratch has room for [2][n]. */
static void fill_chunk(const spread_residual *of, size_t first, size_t n_frequencies,
                       float *scratch, float *modulus)
{
    float *cosine = scratch, *sine = scratch + of->n;
    double frequency = ((double)first + 0.5) * of->width_per_day;
    memset(scratch, 0, 2 * of->n * sizeof *scratch);
    for (size_t k = 0; k < of->n_obs; k++) {
        double turns = frequency * of->time_days[k], phase = TWO_PI * (turns - floor(turns));
        cosine[k] = (float)cos(phase);
        sine[k] = (float)sin(phase);
    }
    sum_chunk(of, n_frequencies, cosine, sine, modulus);
}

typedef struct filled_moduli {
    const spread_residual *of;
    size_t n;
    float *moduli;
    atomic_bool is_out_of_memory;
} filled_moduli;

static void fill_chunks(void *context, size_t first, size_t end, int thread)
{
    filled_moduli *own = context;
    float *scratch = malloc((2 * own->of->n + 1) * sizeof *scratch);
    (void)thread;
    if (!scratch)
        atomic_store(&own->is_out_of_memory, true);
    for (size_t place = first * CHUNK; place < end * CHUNK && place < own->n && scratch;
         place += CHUNK)
        fill_chunk(own->of, place, own->n - place < CHUNK ? own->n - place : CHUNK, scratch,
                   own->moduli + place);
    free(scratch);
}

static equant_status fill_moduli(const spread_residual *of, int n_threads, size_t n, float *moduli)
{
    filled_moduli own = {.of = of, .n = n, .moduli = moduli};
    parallel_for(n_threads, (n + CHUNK - 1) / CHUNK, 0, fill_chunks, &own);
    return atomic_load(&own.is_out_of_memory) ? status_out_of_memory() : EQUANT_SUCCESS;
}

static float larger_of(float a, float b)
{
    return a > b ? a : b;
}

static float largest_of(float a, float b, float c)
{
    return larger_of(larger_of(a, b), c);
}

/* The largest of a place so far and those to either side, at the ends of those that there are. */
typedef struct widening {
    size_t n, reach, end; /* from `end` on places lack some to the right */
    const float *before;
    float *largest;
} widening;

static void widen_ends(const widening *of)
{
    const float *before = of->before;
    const size_t n = of->n, reach = of->reach;
    for (size_t i = 0; i < reach && i < n; i++)
        of->largest[i] =
            largest_of(before[0], before[i], before[i + reach < n ? i + reach : n - 1]);
    for (size_t i = of->end > reach ? of->end : reach; i < n; i++)
        of->largest[i] = largest_of(before[i - reach], before[i], before[n - 1]);
}

/* Steps are places from `reach` on: nearly all of them, as vectors. */
static void widen_some(void *context, size_t first, size_t end, int thread)
{
    const widening *of = context;
    const size_t reach = of->reach;
    const float *before = of->before;
    float *largest = of->largest;
    (void)thread;
    for (size_t i = reach + first; i < reach + end; i++)
        largest[i] = largest_of(before[i - reach], before[i], before[i + reach]);
}

static void widen(size_t n, size_t reach, int n_threads, const float *before, float *largest)
{
    widening of = {n, reach, n > reach ? n - reach : 0, before, largest};
    widen_ends(&of);
    parallel_for(n_threads, of.end > reach ? of.end - reach : 0, 0, widen_some, &of);
}

/* The first of them reaches one place to either side. */
static void fill_largest(spectrum *made, int n_threads)
{
    n_threads = placement_threads_worth(n_threads, NANOSECONDS_A_PLACE * (double)made->n);
    for (int j = 1; j < made->n_doublings; j++)
        widen(made->n, j > 1 ? (size_t)1 << (j - 2) : 1, n_threads, made->largest[j - 1],
              made->largest[j]);
}

/* n places from zero on, as far apart as the bins of a scan are wide. */
static equant_status spectrum_create(const backend_scan *scan, size_t n, size_t most_harmonics,
                                     int n_threads, spectrum *made)
{
    double width_per_day = scan->bin_width_per_day;
    size_t n_obs = scan->n_obs, n_padded = (n_obs + SIDE_BY_SIDE - 1) / SIDE_BY_SIDE * SIDE_BY_SIDE;
    *made = (spectrum){.n = n, .width_per_day = width_per_day, .n_doublings = 3};
    while (made->n_doublings < MOST_DOUBLINGS &&
           ((size_t)1 << (made->n_doublings - 1)) < most_harmonics)
        made->n_doublings++;
    made->memory = malloc((size_t)made->n_doublings * made->n * sizeof *made->memory);
    float *residual = calloc(3 * n_padded, sizeof *residual);
    equant_status status = made->memory && residual ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        spread_residual of = {n_padded, scan->time_days,     width_per_day,
                              residual, residual + n_padded, residual + 2 * n_padded,
                              n_obs};
        for (size_t k = 0; k < n_obs; k++) {
            double turn = TWO_PI * width_per_day * scan->time_days[k];
            of.factor[k] = (float)(scan->root_weight[k] * scan->residual[k]);
            of.turn_cos[k] = (float)cos(turn);
            of.turn_sin[k] = (float)sin(turn);
        }
        for (int j = 0; j < made->n_doublings; j++)
            made->largest[j] = made->memory + (size_t)j * made->n;
        status = fill_moduli(&of, n_threads, made->n, made->largest[0]);
    }
    if (status == EQUANT_SUCCESS)
        fill_largest(made, n_threads);
    free(residual);
    return status;
}

/* The largest R within so many places of a frequency, or a little farther. */
static float largest_near(const spectrum *of, double frequency, size_t reach)
{
    double place = frequency / of->width_per_day;
    size_t i = place < (double)(of->n - 1) ? (size_t)place : of->n - 1;
    int j = 1;
    while (j + 1 < of->n_doublings && ((size_t)1 << (j - 1)) < reach)
        j++;
    return of->largest[j < of->n_doublings ? j : of->n_doublings - 1][i];
}

/* ---- harmonics ------------------------------------------------------------------------------ */

/* An ellipse by its harmonics: shares[m][k - 1] = sqrt(q_k / sum q) of mixture m. */
typedef struct ellipse {
    size_t n_harmonics;
    float shares[N_MIXTURES][MOST_HARMONICS];
} ellipse;

/* Harmonics of cosine and sine of the true anomaly are those of Bessel: 2 (1 - e^2) / e J_k(k e)
 * and 2 sqrt(1 - e^2) J_k'(k e); the squares of all of them add up to twice the variances over a
 * turn. */
static void ellipse_make(double e, ellipse *made)
{
    double root = sqrt((1.0 - e) * (1.0 + e)), apart = (1.0 - root) / e,
           twice = apart * apart * (1.0 + 2.0 * root), /* mean cosine of twice the anomaly */
        whole[2] = {1.0 + twice - 2.0 * e * e, 1.0 - twice}, left[2] = {whole[0], whole[1]},
           squares[2][MOST_HARMONICS];
    size_t n = 0;
    while (n < MOST_HARMONICS &&
           fmax(left[0] / whole[0], left[1] / whole[1]) > (n > 0 ? NEGLIGIBLE_SHARE : 0.0)) {
        int k = (int)n + 1;
        double x = k * e, a = 2.0 * root * root / e * jn(k, x),
               b = root * (jn(k - 1, x) - jn(k + 1, x));
        squares[0][n] = a * a;
        squares[1][n] = b * b;
        left[0] -= a * a;
        left[1] -= b * b;
        n++;
    }
    made->n_harmonics = n;
    for (int m = 0; m < N_MIXTURES; m++) {
        double t = (double)m / (N_MIXTURES - 1), all = t * whole[0] + (1.0 - t) * whole[1];
        for (size_t k = 0; k < n; k++)
            made->shares[m][k] = (float)sqrt((t * squares[0][k] + (1.0 - t) * squares[1][k]) / all);
    }
}

/* ---- bins ----------------------------------------------------------------------------------- */

/* The most that ellipses of one shape explain at a frequency, times W/2. */
static float most_of(const ellipse *shape, const spectrum *of, double frequency)
{
    float near[MOST_HARMONICS], most = 0.0f;
    for (size_t k = 0; k < shape->n_harmonics; k++)
        near[k] = largest_near(of, (double)(k + 1) * frequency, k / 2 + 1);
    for (int m = 0; m < N_MIXTURES; m++) {
        float sum = 0.0f;
        for (size_t k = 0; k < shape->n_harmonics; k++)
            sum += shape->shares[m][k] * near[k];
        most = fmaxf(most, sum);
    }
    return most * most;
}

/* By how much more the circles of a bin explain than their spectrum does. */
static float loss_at(const spectrum *of, double frequency, double half_weight,
                     const backend_scan_node *circle)
{
    float alone = largest_near(of, frequency, 1);
    double said = (double)alone * alone / half_weight;
    return (float)fmin(MOST_LOST, fmax(1.0, said > 0.0 ? circle->improvement / said : 1.0));
}

static double half_of_weights(const backend_scan *scan)
{
    double sum = 0.0;
    for (size_t k = 0; k < scan->n_obs; k++)
        sum += scan->root_weight[k] * scan->root_weight[k];
    return 0.5 * sum;
}

/* The centre of a bin. */
static double frequency_of(const backend_scan *scan, size_t bin)
{
    return scan->first_frequency_per_day + (double)bin * scan->bin_width_per_day;
}

typedef struct filled_most {
    const backend_scan *scan;
    const backend_scan_prospects *asked;
    const ellipse *shapes;
    const spectrum *of;
    float *most;
} filled_most;

static void fill_most(void *context, size_t first, size_t end, int thread)
{
    const filled_most *own = context;
    const backend_scan *scan = own->scan;
    const backend_scan_prospects *asked = own->asked;
    (void)thread;
    for (size_t bin = first; bin < end; bin++) {
        double frequency = frequency_of(scan, bin);
        float largest = 0.0f;
        for (size_t l = 0; l < scan->n_layers; l++)
            if (bin < scan->layers[l].n_bins && scan->layers[l].eccentricity > 0.0)
                largest = fmaxf(largest, most_of(&own->shapes[l], own->of, frequency));
        own->most[bin] = (float)(MARGIN / asked->half_weight) * largest *
                         loss_at(own->of, frequency, asked->half_weight, &asked->circular[bin]);
    }
}

/* On the threads of the caller. */
static equant_status find_here(const backend_scan *scan, const backend_scan_prospects *asked,
                               const ellipse *shapes, int n_threads, float *most)
{
    spectrum of = {.memory = NULL};
    equant_status status =
        spectrum_create(scan, asked->n_frequencies, asked->most_harmonics, n_threads, &of);
    filled_most own = {scan, asked, shapes, &of, most};
    if (status == EQUANT_SUCCESS)
        parallel_for(n_threads, asked->n_bins, BINS_AT_ONCE, fill_most, &own);
    free(of.memory);
    return status;
}

/* Shapes of all ellipses, and how many frequencies of the spectrum they reach. */
static void make_shapes(const backend_scan *scan, ellipse *shapes,
                        backend_scan_harmonics *harmonics, backend_scan_prospects *asked)
{
    double highest = 0.0;
    asked->most_harmonics = 1;
    for (size_t l = 0; l < scan->n_layers; l++) {
        const backend_scan_layer *layer = &scan->layers[l];
        harmonics[l].n = 0;
        if (layer->eccentricity == 0.0)
            continue;
        ellipse_make(layer->eccentricity, &shapes[l]);
        size_t n = harmonics[l].n = shapes[l].n_harmonics;
        for (int m = 0; m < N_MIXTURES; m++)
            harmonics[l].shares[m] = shapes[l].shares[m];
        highest = fmax(highest, (double)n * frequency_of(scan, layer->n_bins));
        asked->most_harmonics = n > asked->most_harmonics ? n : asked->most_harmonics;
    }
    asked->n_frequencies = (size_t)ceil(highest / scan->bin_width_per_day) + 2;
}

equant_status scan_prospects_find(const equant_engine_options *engine, const backend_scan *scan,
                                  size_t n_bins, const backend_scan_node *circular, float *most)
{
    ellipse *shapes = malloc((scan->n_layers + 1) * sizeof *shapes);
    backend_scan_harmonics *harmonics = malloc((scan->n_layers + 1) * sizeof *harmonics);
    backend_scan_prospects asked = {.n_bins = n_bins,
                                    .harmonics = harmonics,
                                    .half_weight = half_of_weights(scan),
                                    .margin = MARGIN,
                                    .most_lost = MOST_LOST,
                                    .circular = circular};
    bool is_found = false;
    equant_status status = shapes && harmonics ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        make_shapes(scan, shapes, harmonics, &asked);
        status = scan_find_prospects(NULL, engine, scan, &asked, most, &is_found);
    }
    if (status == EQUANT_SUCCESS && !is_found)
        status = find_here(scan, &asked, shapes, placement_threads(engine->n_threads), most);
    free(harmonics);
    free(shapes);
    return status;
}
