/* The tables of a map of pairs: sums over observations, done once per frequency. */
#include "inference/search/joint_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/machine_clones.h"
#include "parallel/parallel_for.h"
#include "statistics/frequency_pair.h"

enum { CHUNK = JOINT_TABLE_CHUNK };

/* Frequencies of a chunk that are turned on together. */
enum { LANES = 8 };
_Static_assert(CHUNK % LANES == 0, "a chunk is whole lanes");

/* By how much steps of frequency turn an observation, cosine and sine: from the first lane to each,
 * and all of them to the lanes that follow. */
typedef struct turns {
    double to_lane[2][LANES], to_next[2];
} turns;

static void make_turns(size_t n_obs, const double *time_days, double step, turns *made)
{
    for (size_t k = 0; k < n_obs; k++) {
        double angle = TWO_PI * step * time_days[k];
        for (int m = 0; m < LANES; m++) {
            made[k].to_lane[0][m] = cos((double)m * angle);
            made[k].to_lane[1][m] = sin((double)m * angle);
        }
        made[k].to_next[0] = cos((double)LANES * angle);
        made[k].to_next[1] = sin((double)LANES * angle);
    }
}

/* Cosines and sines of 2 pi (f t + m step t), m < CHUNK. */
static inline void fill_sinusoids(double angle, const turns *turn, double *restrict cosine,
                                  double *restrict sine)
{
    double first_cos = cos(angle), first_sin = sin(angle);
    double next_cos = turn->to_next[0], next_sin = turn->to_next[1];
    for (int m = 0; m < LANES; m++) {
        cosine[m] = first_cos * turn->to_lane[0][m] - first_sin * turn->to_lane[1][m];
        sine[m] = first_sin * turn->to_lane[0][m] + first_cos * turn->to_lane[1][m];
    }
    for (int from = 0; from + LANES < CHUNK; from += LANES)
        for (int m = from; m < from + LANES; m++) {
            cosine[m + LANES] = cosine[m] * next_cos - sine[m] * next_sin;
            sine[m + LANES] = sine[m] * next_cos + cosine[m] * next_sin;
        }
}

/* sums[c][0 or 1][m] = sum_k column_c[k] (cos or sin)(2 pi (f + m step) t_k), m < CHUNK. */
MACHINE_CLONES static void sum_sinusoids(size_t n_obs, const double *time_days, double frequency,
                                         const turns *by_step, size_t n_columns,
                                         const double *columns, double (*sums)[2][CHUNK])
{
    memset(sums, 0, n_columns * sizeof *sums);
    for (size_t k = 0; k < n_obs; k++) {
        double cosine[CHUNK], sine[CHUNK];
        fill_sinusoids(TWO_PI * frequency * time_days[k], &by_step[k], cosine, sine);
        for (size_t c = 0; c < n_columns; c++) {
            double factor = columns[c * n_obs + k];
            for (int m = 0; m < CHUNK; m++) {
                sums[c][0][m] += factor * cosine[m];
                sums[c][1][m] += factor * sine[m];
            }
        }
    }
}

/* Fills frequency i: window_0 and window_2f are the window function (twice what the tables
 * hold) at zero and, cosine and sine, at twice the frequency; sums of (residual, base ...)
 * at the frequency, in column m. */
static void fill_frequency(joint_table *table, size_t i, double window_0, const double window_2f[2],
                           double (*sums)[2][CHUNK], size_t m)
{
    const double *own = &sums[0][0][m];
    frequency_columns made;
    frequency_columns_make(window_0, window_2f, table->n_base, own, CHUNK,
                           JOINT_TABLE_LEAST_SHARE_LEFT, &made);
    double scale_2 = 0.0, explained_2 = 0.0;
    for (int r = 0; r < 2; r++) {
        const double *row = made.rows[r];
        table->to_orthonormal[r][0][i] = (float)row[0];
        table->to_orthonormal[r][1][i] = (float)row[1];
        table->amplitude[r][i] = (float)made.amplitude[r];
        scale_2 = fmax(scale_2, row[0] * row[0] + row[1] * row[1]);
        for (size_t b = 0; b < table->n_base; b++) {
            double on_base = frequency_columns_on_base(&made, r, b, own, CHUNK);
            table->on_base[r][b * table->stride + i] = (float)on_base;
            explained_2 += on_base * on_base;
        }
    }
    table->scale[i] = (float)sqrt(scale_2);
    table->explained[i] = (float)sqrt(explained_2);
    table->power[i] = (float)made.power;
}

/* Half the window function at n frequencies from `first`. */
typedef struct window_request {
    const backend_scan *data;
    const double *weights;
    double first, step;
    const turns *by_step;
    size_t n;
    float *cosines, *sines;
} window_request;

static void fill_window(void *context, size_t first_chunk, size_t end_chunk, int thread)
{
    const window_request *of = context;
    (void)thread;
    for (size_t chunk = first_chunk; chunk < end_chunk; chunk++) {
        const size_t start = chunk * CHUNK;
        double sums[1][2][CHUNK];
        sum_sinusoids(of->data->n_obs, of->data->time_days, of->first + (double)start * of->step,
                      of->by_step, 1, of->weights, sums);
        for (size_t m = 0; m < CHUNK && start + m < of->n; m++) {
            of->cosines[start + m] = (float)(0.5 * sums[0][0][m]);
            of->sines[start + m] = (float)(0.5 * sums[0][1][m]);
        }
    }
}

/* columns: residual and base times the root of the weight; then the weights themselves. Turns are
 * by one step and by two. scratch holds sums of that many columns for each thread. */
typedef struct frequency_request {
    const backend_scan *data;
    const joint_map_options *options;
    const double *columns;
    const turns *by_step, *by_two;
    double (*scratch)[2][CHUNK];
    joint_table *table;
} frequency_request;

static void fill_frequencies(void *context, size_t first_chunk, size_t end_chunk, int thread)
{
    const frequency_request *of = context;
    const backend_scan *data = of->data;
    joint_table *table = of->table;
    size_t n_columns = data->n_base + 1;
    const double *weights = of->columns + n_columns * data->n_obs;
    double window_0 = 0.0;
    double(*sums)[2][CHUNK] = of->scratch + (size_t)thread * (n_columns + 1);
    double(*twice)[2][CHUNK] = sums + n_columns;
    for (size_t k = 0; k < data->n_obs; k++)
        window_0 += weights[k];
    for (size_t chunk = first_chunk; chunk < end_chunk; chunk++) {
        const size_t start = chunk * CHUNK;
        double first =
            of->options->first_frequency_per_day + (double)start * of->options->step_per_day;
        sum_sinusoids(data->n_obs, data->time_days, first, of->by_step, n_columns, of->columns,
                      sums);
        sum_sinusoids(data->n_obs, data->time_days, 2.0 * first, of->by_two, 1, weights, twice);
        for (size_t m = 0; m < CHUNK && start + m < table->n; m++)
            fill_frequency(table, start + m, window_0, (double[2]){twice[0][0][m], twice[0][1][m]},
                           sums, m);
    }
}

/* For parallel_for. */
static size_t n_chunks(size_t n)
{
    return (n + CHUNK - 1) / CHUNK;
}

/* cover[q] = the largest |(x, y)| or, without y, x of the two chunks from CHUNK q. */
static void fill_cover(size_t n, const float *x, const float *y, float *cover)
{
    for (size_t q = 0; q < n / CHUNK; q++) {
        float largest = 0.0f;
        for (size_t m = q * CHUNK; m < (q + 2) * CHUNK && m < n; m++)
            largest = fmaxf(largest, y ? hypotf(x[m], y[m]) : x[m]);
        cover[q] = largest;
    }
}

static void fill_covers(joint_table *table)
{
    size_t n = table->stride;
    fill_cover(n, table->scale, NULL, table->scale_cover);
    fill_cover(n, table->explained, NULL, table->explained_cover);
    fill_cover(n, table->power, NULL, table->power_cover);
    fill_cover(n, table->difference_cos, table->difference_sin, table->difference_cover);
    fill_cover(2 * n, table->sum_cos, table->sum_sin, table->sum_cover);
}

/* With G the inner products of the orthonormal columns, of largest singular value sigma, the
 * improvement is a' (1 G; G' 1)^-1 a for the four amplitudes a, so at most |a|^2 / (1 - sigma);
 * and the singular values of H are those of its rotation plus and minus its reflection. */
float joint_table_bound(const joint_table *table, size_t i, size_t j)
{
    size_t q = j / CHUNK;
    float window = table->difference_cover[(j - i) / CHUNK] + table->sum_cover[(j + i) / CHUNK];
    float sigma = table->scale[i] * table->scale_cover[q] * window +
                  table->explained[i] * table->explained_cover[q];
    const float rounding = 1.0001f;
    return sigma < 1.0f ? rounding * (table->power[i] + table->power_cover[q]) / (1.0f - sigma)
                        : INFINITY;
}

static float *take(float **free_memory, size_t length)
{
    float *taken = *free_memory;
    *free_memory += length;
    return taken;
}

static equant_status allocate(size_t n, size_t n_base, joint_table *table)
{
    size_t stride = (n + 2 * CHUNK - 1) / CHUNK * CHUNK;
    *table = (joint_table){.n = n, .n_base = n_base, .stride = stride};
    table->memory = calloc((15 + 2 * n_base) * stride + 6 * (stride / CHUNK), sizeof(float));
    if (!table->memory)
        return status_out_of_memory();
    float *unused = table->memory;
    table->difference_cos = take(&unused, stride);
    table->difference_sin = take(&unused, stride);
    table->sum_cos = take(&unused, 2 * stride);
    table->sum_sin = take(&unused, 2 * stride);
    for (int r = 0; r < 2; r++) {
        table->to_orthonormal[r][0] = take(&unused, stride);
        table->to_orthonormal[r][1] = take(&unused, stride);
        table->amplitude[r] = take(&unused, stride);
        table->on_base[r] = take(&unused, n_base * stride);
    }
    table->scale = take(&unused, stride);
    table->explained = take(&unused, stride);
    table->power = take(&unused, stride);
    table->scale_cover = take(&unused, stride / CHUNK);
    table->explained_cover = take(&unused, stride / CHUNK);
    table->power_cover = take(&unused, stride / CHUNK);
    table->difference_cover = take(&unused, stride / CHUNK);
    table->sum_cover = take(&unused, 2 * (stride / CHUNK));
    return EQUANT_SUCCESS;
}

/* Multiplies residual and base by the root of the weight; the weights come last. */
static void weigh_columns(const backend_scan *data, double *columns)
{
    for (size_t k = 0; k < data->n_obs; k++) {
        double root = data->root_weight[k];
        columns[k] = root * data->residual[k];
        for (size_t b = 0; b < data->n_base; b++)
            columns[(b + 1) * data->n_obs + k] = root * data->base[b * data->n_obs + k];
        columns[(data->n_base + 1) * data->n_obs + k] = root * root;
    }
}

equant_status joint_table_create(const backend_scan *data, const joint_map_options *options,
                                 int n_threads, joint_table *table)
{
    size_t n = options->n_frequencies, n_columns = data->n_base + 2;
    double first = options->first_frequency_per_day, step = options->step_per_day;
    double *columns = malloc(n_columns * data->n_obs * sizeof *columns);
    double(*scratch)[2][CHUNK] = malloc((size_t)n_threads * n_columns * sizeof *scratch);
    turns *by_step = malloc((2 * data->n_obs + 1) * sizeof *by_step);
    turns *by_two = by_step ? by_step + data->n_obs : NULL;
    equant_status status = allocate(n, data->n_base, table);
    if (status == EQUANT_SUCCESS && !(columns && scratch && by_step))
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        weigh_columns(data, columns);
        const double *weights = columns + (data->n_base + 1) * data->n_obs;
        make_turns(data->n_obs, data->time_days, step, by_step);
        make_turns(data->n_obs, data->time_days, 2.0 * step, by_two);
        window_request differences = {
            data, weights, 0.0, step, by_step, n, table->difference_cos, table->difference_sin};
        window_request sums = {data,    weights,   2.0 * first,    step,
                               by_step, 2 * n - 1, table->sum_cos, table->sum_sin};
        frequency_request powers = {data, options, columns, by_step, by_two, scratch, table};
        parallel_for(n_threads, n_chunks(differences.n), 0, fill_window, &differences);
        parallel_for(n_threads, n_chunks(sums.n), 0, fill_window, &sums);
        parallel_for(n_threads, n_chunks(n), 0, fill_frequencies, &powers);
        fill_covers(table);
    } else {
        joint_table_free(table);
    }
    free(columns);
    free(scratch);
    free(by_step);
    return status;
}

void joint_table_free(joint_table *table)
{
    free(table->memory);
    table->memory = NULL;
}
