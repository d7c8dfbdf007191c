#include "backends/cpu/problem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/time_frame.h"
#include "platform/system_memory.h"
#include "statistics/packed_noise.h"

void *problem_allocate(size_t count, size_t size)
{
    const size_t line = 64;
    if (size != 0 && count > (SIZE_MAX - line) / size)
        return NULL;
    size_t bytes = (count * size + line) / line * line;
    void *memory = system_memory_align(line, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

void problem_store_real(void *array, size_t real_size, size_t i, double value)
{
    if (real_size == sizeof(double))
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

/* Instrument order: where each instrument starts, where each observation goes. */
static void place_rows(cpu_problem *laid_out, const observation_rows *rows)
{
    for (size_t k = 0; k < rows->n; k++)
        laid_out->segments[rows->instrument[k]].n_obs++;
    size_t next = 0;
    for (size_t i = 0; i < rows->n_instruments; i++) {
        cpu_segment *segment = &laid_out->segments[i];
        size_t end = next + segment->n_obs;
        size_t padded_end = (end + CPU_PADDING - 1) / CPU_PADDING * CPU_PADDING;
        segment->first = next / CPU_PADDING * CPU_PADDING;
        segment->n_padded = end == next ? 0 : padded_end - segment->first;
        segment->storage = laid_out->n_storage;
        segment->next_row = next;
        laid_out->n_storage += segment->n_padded;
        next = end;
    }
    for (size_t k = 0; k < rows->n; k++) {
        laid_out->instrument[k] = (size_t)rows->instrument[k];
        laid_out->row[k] = laid_out->segments[rows->instrument[k]].next_row++;
    }
}

static equant_status allocate(cpu_problem *laid_out, const cpu_kernels *kernels)
{
    size_t n = laid_out->n_padded, m = laid_out->n_storage, size = kernels->real_size;
    laid_out->time_wide = problem_allocate(n, kernels->wide_size);
    laid_out->time_low = problem_allocate(n, kernels->wide_size);
    laid_out->time_real = problem_allocate(n, size);
    laid_out->velocity = problem_allocate(n, size);
    laid_out->weight = problem_allocate(m, size);
    laid_out->variance = problem_allocate(m, size);
    laid_out->variance_double = problem_allocate(m, sizeof(double));
    laid_out->observed = problem_allocate(n, sizeof(double));
    laid_out->time = problem_allocate(n, sizeof(double));
    bool complete = laid_out->time_wide && laid_out->time_low && laid_out->time_real &&
                    laid_out->velocity && laid_out->weight && laid_out->variance &&
                    laid_out->variance_double && laid_out->observed && laid_out->time;
    return complete ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

/* The weighted mean of an instrument's velocities: near its offset, so that what is
 * left is small enough to narrow. */
static void set_references(cpu_problem *laid_out, const observation_rows *rows)
{
    for (size_t k = 0; k < rows->n; k++) {
        double sigma = rows->uncertainty[k];
        cpu_segment *segment = &laid_out->segments[rows->instrument[k]];
        segment->W[0] += 1.0 / (sigma * sigma);
        segment->reference_m_s += rows->value[k] / (sigma * sigma);
    }
    for (size_t i = 0; i < laid_out->n_segments; i++) {
        cpu_segment *segment = &laid_out->segments[i];
        if (segment->n_obs > 0)
            segment->reference_m_s /= segment->W[0];
        segment->W[0] = 0.0;
    }
}

static void fill_observation(cpu_problem *laid_out, const observation_rows *rows,
                             const cpu_kernels *kernels, size_t k)
{
    size_t i = laid_out->row[k], real_size = kernels->real_size;
    cpu_segment *segment = &laid_out->segments[rows->instrument[k]];
    double t = rows->time_days[k], tau = (t - laid_out->time_middle) / laid_out->time_scale;
    double variance = rows->uncertainty[k] * rows->uncertainty[k];
    laid_out->time[i] = t;
    laid_out->observed[i] = rows->value[k];
    problem_store_real(laid_out->time_wide, kernels->wide_size, i, t);
    problem_store_real(laid_out->time_low, kernels->wide_size, i, t - (double)(float)t);
    problem_store_real(laid_out->time_real, real_size, i, tau);
    problem_store_real(laid_out->velocity, real_size, i, rows->value[k] - segment->reference_m_s);
    size_t j = segment->storage + (i - segment->first);
    problem_store_real(laid_out->weight, real_size, j, 1.0 / variance);
    problem_store_real(laid_out->variance, real_size, j, variance);
    laid_out->variance_double[j] = variance;
    segment->log_variances += log(variance);
    double power = 1.0 / variance;
    for (int m = 0; m < LINEAR_N_WEIGHT_MOMENTS; m++, power *= tau)
        segment->W[m] += power;
}

/* Rows in the order of time, and the linear terms that are solved for. */
static equant_status lay_out_noise(cpu_problem *laid_out, const observation_rows *rows)
{
    cpu_noise *noise = &laid_out->noise;
    const parameter_layout *layout = &laid_out->layout;
    noise->n_places = rows->n_night_places;
    noise->plan = noise_words_plan(&layout->noise, rows->n_night_places);
    noise->n_words = (size_t)noise_words_n(&noise->plan);
    noise->n_states =
        (size_t)(2 * noise->plan.n_pairs + 3 * noise->plan.n_triples + noise->plan.n_singles);
    noise->gap = problem_allocate(rows->n, sizeof(double));
    noise->variance = problem_allocate(rows->n, sizeof(double));
    noise->tau = problem_allocate(rows->n, sizeof(double));
    noise->place = problem_allocate(rows->n, sizeof(int));
    noise->begins_night = problem_allocate(rows->n, sizeof(bool));
    noise->owner = problem_allocate(rows->n, sizeof(int));
    noise->seen = problem_allocate(rows->n, sizeof(unsigned));
    noise->forgotten = problem_allocate(rows->n, sizeof(unsigned));
    if (!noise->gap || !noise->variance || !noise->tau || !noise->place || !noise->begins_night ||
        !noise->owner || !noise->seen || !noise->forgotten)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    for (size_t k = 0; k < rows->n; k++) {
        noise->gap[k] = k > 0 ? rows->time_days[k] - rows->time_days[k - 1] : 0.0;
        noise->variance[k] = rows->uncertainty[k] * rows->uncertainty[k];
        noise->tau[k] = (rows->time_days[k] - laid_out->time_middle) / laid_out->time_scale;
        noise->place[k] = rows->night_place ? rows->night_place[k] : 0;
        noise->begins_night[k] = rows->begins_night && rows->begins_night[k];
        noise->owner[k] = rows->instrument[k];
        noise->seen[k] = noise_words_seen(&noise->plan, noise->place[k], noise->owner[k]);
        noise->forgotten[k] =
            noise_words_forgotten(&noise->plan, noise->place[k], noise->begins_night[k]);
    }
    for (size_t m = 0; m < layout->n_linear; m++)
        if (!layout->given[m < rows->n_instruments ? TERM_OFFSETS : TERM_TREND]) {
            if (noise->n_solved == CPU_NOISE_MOST_SOLVED)
                return EQUANT_ERROR_UNAVAILABLE;
            noise->solved[noise->n_solved++] = m;
        }
    return EQUANT_SUCCESS;
}

equant_status problem_create(cpu_problem *laid_out, const backend_problem *problem,
                             const backend_engine *engine, const cpu_kernels *kernels)
{
    const observation_rows *rows = &problem->rows;
    laid_out->n_obs = rows->n;
    laid_out->n_padded = (rows->n + CPU_PADDING - 1) / CPU_PADDING * CPU_PADDING;
    laid_out->n_segments = rows->n_instruments;
    laid_out->layout = problem->layout;
    laid_out->engine = *engine;
    laid_out->row = problem_allocate(rows->n, sizeof(size_t));
    laid_out->instrument = problem_allocate(rows->n, sizeof(size_t));
    laid_out->segments = problem_allocate(rows->n_instruments, sizeof(cpu_segment));
    if (!laid_out->row || !laid_out->instrument || !laid_out->segments)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    place_rows(laid_out, rows);
    equant_status status = allocate(laid_out, kernels);
    if (status != EQUANT_SUCCESS)
        return status;

    time_frame frame = time_frame_of(rows, &problem->layout);
    laid_out->time_middle = frame.middle;
    laid_out->time_scale = frame.scale;
    laid_out->period_floor_days = frame.period_floor;
    for (size_t j = 0; j < laid_out->n_storage; j++) {
        problem_store_real(laid_out->variance, kernels->real_size, j, INFINITY);
        laid_out->variance_double[j] = INFINITY;
    }
    set_references(laid_out, rows);
    for (size_t k = 0; k < rows->n; k++)
        fill_observation(laid_out, rows, kernels, k);
    return problem->layout.noise.n > 0 ? lay_out_noise(laid_out, rows) : EQUANT_SUCCESS;
}

void problem_free(cpu_problem *problem)
{
    free(problem->time_wide);
    free(problem->time_low);
    free(problem->time_real);
    free(problem->velocity);
    free(problem->weight);
    free(problem->variance);
    free(problem->variance_double);
    free(problem->observed);
    free(problem->time);
    free(problem->row);
    free(problem->instrument);
    free(problem->segments);
    free(problem->noise.gap);
    free(problem->noise.variance);
    free(problem->noise.tau);
    free(problem->noise.place);
    free(problem->noise.begins_night);
    free(problem->noise.owner);
    free(problem->noise.seen);
    free(problem->noise.forgotten);
}
