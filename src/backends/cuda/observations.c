#include "backends/cuda/observations.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "backends/cuda/failure.h"
#include "model/time_frame.h"
#include "statistics/packed_noise.h"

/* The arrays of the image, at aligned offsets behind each other. */
typedef struct image_plan {
    size_t time, time_single, time_low, observed, velocity, velocity_single, variance, weight;
    size_t row, instrument, segments, noise_rows, n_bytes;
} image_plan;

static size_t place(size_t *end, size_t count, size_t size)
{
    size_t at = (*end + 255) / 256 * 256;
    *end = at + count * size;
    return at;
}

/* Kernels read up to this many observations past the last, and give them no weight. */
#define OBSERVATIONS_PADDING 256

static image_plan plan_image(size_t n_rows, size_t n_segments, size_t n_noise_rows)
{
    size_t n_obs = n_rows + OBSERVATIONS_PADDING;
    image_plan plan;
    size_t end = 256; /* so that no offset is taken for NULL */
    plan.time = place(&end, n_obs, sizeof(double));
    plan.time_single = place(&end, n_obs, sizeof(float));
    plan.time_low = place(&end, n_obs, sizeof(float));
    plan.observed = place(&end, n_obs, sizeof(double));
    plan.velocity = place(&end, n_obs, sizeof(double));
    plan.velocity_single = place(&end, n_obs, sizeof(float));
    plan.variance = place(&end, n_obs, sizeof(double));
    plan.weight = place(&end, n_obs, sizeof(double));
    plan.row = place(&end, n_obs, sizeof(size_t));
    plan.instrument = place(&end, n_obs, sizeof(int));
    plan.segments = place(&end, n_segments, sizeof(cuda_segment));
    plan.noise_rows = place(&end, n_noise_rows, sizeof(cuda_noise_row));
    plan.n_bytes = end;
    return plan;
}

/* Counts, references and places of the instruments. */
static void fill_segments(const observation_rows *rows, cuda_segment *segments, size_t *place_of)
{
    for (size_t i = 0; i < rows->n_instruments; i++)
        segments[i] = (cuda_segment){.first = 0};
    for (size_t k = 0; k < rows->n; k++) {
        cuda_segment *segment = &segments[rows->instrument[k]];
        double sigma = rows->uncertainty[k], weight = 1.0 / (sigma * sigma);
        segment->end++;
        segment->weights += weight;
        segment->reference_m_s += weight * rows->value[k];
    }
    size_t next = 0;
    for (size_t i = 0; i < rows->n_instruments; i++) {
        cuda_segment *segment = &segments[i];
        size_t n = segment->end;
        segment->reference_m_s = n > 0 ? segment->reference_m_s / segment->weights : 0.0;
        segment->weights = 0.0;
        segment->first = segment->end = next;
        next += n;
    }
    for (size_t k = 0; k < rows->n; k++)
        place_of[k] = segments[rows->instrument[k]].end++;
}

/* Rows in the order of time, and the plan of the recursion. */
static void lay_out_noise(const backend_problem *problem, const size_t *place_of,
                          cuda_layout *layout, cuda_noise_row *made)
{
    const observation_rows *rows = &problem->rows;
    layout->n_night_places = rows->n_night_places;
    layout->noise = noise_words_plan(&problem->layout.noise, rows->n_night_places);
    layout->n_noise_words = noise_words_n(&layout->noise);
    for (size_t k = 0; k < rows->n; k++) {
        int night_place = rows->night_place ? rows->night_place[k] : 0;
        bool begins_night = rows->begins_night && rows->begins_night[k];
        made[k] = (cuda_noise_row){
            .gap_days = k > 0 ? rows->time_days[k] - rows->time_days[k - 1] : 0.0,
            .variance = rows->uncertainty[k] * rows->uncertainty[k],
            .place_in_arrays = (int)place_of[k],
            .instrument = rows->instrument[k],
            .seen = noise_words_seen(&layout->noise, night_place, rows->instrument[k]),
            .forgotten = noise_words_forgotten(&layout->noise, night_place, begins_night)};
    }
}

equant_status observations_lay_out(const backend_problem *problem, const backend_engine *engine,
                                   cuda_layout *layout, void **image, size_t *n_bytes)
{
    const observation_rows *rows = &problem->rows;
    const bool is_correlated = problem->layout.noise.n > 0;
    image_plan plan = plan_image(rows->n, rows->n_instruments, is_correlated ? rows->n : 0);
    char *base = calloc(1, plan.n_bytes);
    size_t *place_of = calloc(rows->n, sizeof *place_of);
    if (!base || !place_of) {
        free(base);
        free(place_of);
        return failure_host_memory();
    }
    time_frame frame = time_frame_of(rows, &problem->layout);
    *layout = (cuda_layout){
        .n_obs = rows->n,
        .n_segments = rows->n_instruments,
        .model = problem->layout,
        .time_middle = frame.middle,
        .time_scale = frame.scale,
        .farthest_days = frame.farthest,
        .period_floor_days = frame.period_floor,
        .danby_tolerance = engine->danby_tolerance,
        .danby_max_iterations = engine->danby_max_iterations,
        .time = (const double *)plan.time,
        .time_single = (const float *)plan.time_single,
        .time_low = (const float *)plan.time_low,
        .observed = (const double *)plan.observed,
        .velocity = (const double *)plan.velocity,
        .velocity_single = (const float *)plan.velocity_single,
        .variance = (const double *)plan.variance,
        .weight = (const double *)plan.weight,
        .row = (const size_t *)plan.row,
        .instrument = (const int *)plan.instrument,
        .segments = (const cuda_segment *)plan.segments,
        .noise_rows = (const cuda_noise_row *)plan.noise_rows,
    };
    cuda_segment *segments = (cuda_segment *)(base + plan.segments);
    fill_segments(rows, segments, place_of);
    for (size_t k = 0; k < rows->n; k++) {
        size_t i = place_of[k];
        cuda_segment *segment = &segments[rows->instrument[k]];
        double t = rows->time_days[k];
        double variance = rows->uncertainty[k] * rows->uncertainty[k];
        double weight = 1.0 / variance, reduced = rows->value[k] - segment->reference_m_s;
        segment->weights += weight;
        segment->log_variances += log(variance);
        ((double *)(base + plan.time))[i] = t;
        ((float *)(base + plan.time_single))[i] = (float)t;
        ((float *)(base + plan.time_low))[i] = (float)(t - (double)(float)t);
        ((double *)(base + plan.observed))[i] = rows->value[k];
        ((double *)(base + plan.velocity))[i] = reduced;
        ((float *)(base + plan.velocity_single))[i] = (float)reduced;
        ((double *)(base + plan.variance))[i] = variance;
        ((size_t *)(base + plan.row))[i] = k;
        ((int *)(base + plan.instrument))[i] = rows->instrument[k];
        ((double *)(base + plan.weight))[i] = weight;
    }
    if (is_correlated)
        lay_out_noise(problem, place_of, layout, (cuda_noise_row *)(base + plan.noise_rows));
    free(place_of);
    *image = base;
    *n_bytes = plan.n_bytes;
    return EQUANT_SUCCESS;
}

void observations_rebase(cuda_layout *layout, void *base)
{
#define REBASE(member) layout->member = (const void *)((char *)base + (uintptr_t)layout->member)
    REBASE(time);
    REBASE(time_single);
    REBASE(time_low);
    REBASE(observed);
    REBASE(velocity);
    REBASE(velocity_single);
    REBASE(variance);
    REBASE(weight);
    REBASE(row);
    REBASE(instrument);
    REBASE(segments);
    REBASE(noise_rows);
#undef REBASE
}
