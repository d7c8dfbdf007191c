#include "inference/compare/slot_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/circles/device_circles.h"
#include "core/status_fail.h"
#include "inference/compare/slot_sums_loop.h"
#include "model/circle.h"
#include "statistics/circle_evidence.h"
#include "platform/system_processor.h"

/* ---- for each machine --------------------------------------------------- */

typedef void loop_function(const slot_loop *loop);

static void square_anywhere(const slot_loop *loop)
{
    slot_loop_square(loop);
}

static void run_anywhere(const slot_loop *loop)
{
    slot_loop_run(loop);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void square_avx2(const slot_loop *loop)
{
    slot_loop_square(loop);
}

__attribute__((target("avx2"))) static void run_avx2(const slot_loop *loop)
{
    slot_loop_run(loop);
}

static loop_function *square_here(void)
{
    return system_processor_has_avx2() ? square_avx2 : square_anywhere;
}

static loop_function *run_here(void)
{
    return system_processor_has_avx2() ? run_avx2 : run_anywhere;
}
#else
static loop_function *square_here(void)
{
    return square_anywhere;
}

static loop_function *run_here(void)
{
    return run_anywhere;
}
#endif

/* ---- laying out ---------------------------------------------------------- */

/* Of a row of noise: the root weight, gains and views of the states, propagators of the blocks. */
static size_t most_noise_numbers(void)
{
    return 1 + 5 * SLOT_MOST_STATES;
}

static equant_status allocate(slot_sums *made)
{
    size_t n = made->grid->star->n_obs, n_lanes = SLOT_LANES * made->n_groups;
    made->column_room = 1 + made->grid->star->n_base + 2 * made->priors->n_max + SLOT_CHUNK;
    made->lanes = malloc(2 * SLOT_LANES * n * sizeof *made->lanes);
    made->turn = malloc(2 * n * sizeof *made->turn);
    made->start = malloc(2 * n * sizeof *made->start);
    made->phase = malloc(2 * n * sizeof *made->phase);
    made->circle = malloc(2 * SLOT_LANES * n * sizeof *made->circle);
    made->columns = malloc(made->column_room * n * sizeof *made->columns);
    made->noise = malloc(most_noise_numbers() * n * sizeof *made->noise);
    made->square = malloc(3 * n_lanes * sizeof *made->square);
    made->exponent = malloc(n_lanes * sizeof *made->exponent);
    made->factor = malloc(n_lanes * sizeof *made->factor);
    return made->lanes && made->turn && made->start && made->phase && made->circle &&
                   made->columns && made->noise && made->square && made->exponent && made->factor
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

/* The angle of a frequency at a time, within a turn. */
static double angle_of(double frequency, double time_days)
{
    double turns = frequency * time_days;
    return TWO_PI * (turns - floor(turns));
}

equant_status slot_sums_create(const slot_grid *grid, const count_priors *priors, slot_sums *made)
{
    memset(made, 0, sizeof *made);
    made->grid = grid;
    made->priors = priors;
    made->n_groups = (grid->n_bins + SLOT_LANES - 1) / SLOT_LANES;
    equant_status status = allocate(made);
    if (status != EQUANT_SUCCESS) {
        slot_sums_free(made);
        return status;
    }
    for (size_t k = 0; k < grid->star->n_obs; k++) {
        double time = grid->star->time_days[k];
        double first = angle_of(slot_grid_middle(grid, 0), time);
        double group = angle_of(SLOT_LANES * grid->step, time);
        made->start[2 * k] = cos(first);
        made->start[2 * k + 1] = sin(first);
        made->turn[2 * k] = cos(group);
        made->turn[2 * k + 1] = sin(group);
        for (size_t i = 0; i < SLOT_LANES; i++) {
            double lane = angle_of((double)i * grid->step, time);
            made->lanes[(2 * k) * SLOT_LANES + i] = (float)cos(lane);
            made->lanes[(2 * k + 1) * SLOT_LANES + i] = (float)sin(lane);
        }
    }
    return EQUANT_SUCCESS;
}

static void leave_gpu(slot_sums *sums)
{
    device_circles_free(sums->gpu);
    free(sums->gpu_rows);
    free(sums->gpu_exponent);
    free(sums->gpu_factor);
    sums->gpu = NULL;
    sums->gpu_rows = sums->gpu_exponent = sums->gpu_factor = NULL;
}

void slot_sums_free(slot_sums *sums)
{
    free(sums->lanes);
    free(sums->turn);
    free(sums->start);
    free(sums->phase);
    free(sums->circle);
    free(sums->columns);
    free(sums->noise);
    free(sums->square);
    free(sums->exponent);
    free(sums->factor);
    leave_gpu(sums);
    memset(sums, 0, sizeof *sums);
}

static slot_loop loop_of(const slot_sums *sums)
{
    return (slot_loop){.n_obs = sums->grid->star->n_obs,
                       .n_groups = sums->n_groups,
                       .lanes = sums->lanes,
                       .turn = sums->turn,
                       .start = sums->start,
                       .phase = sums->phase,
                       .circle = sums->circle,
                       .square = sums->square,
                       .exponent = sums->exponent,
                       .factor = sums->factor,
                       .columns = sums->columns,
                       .noise = sums->noise};
}

/* One row of a factor: gains are of the row before, which the states have seen. */
static void lay_row(const noise_factor *factor, size_t row, float *to)
{
    size_t n = factor->n_states;
    *to++ = (float)factor->root_weight[row];
    for (size_t i = 0; i < n; i++)
        *to++ = row > 0 ? (float)factor->w[(row - 1) * n + i] : 0.0f;
    for (size_t i = 0; i < n; i++)
        *to++ = (float)factor->u[row * n + i];
    for (size_t i = 0; i < factor->propagator_size; i++)
        *to++ = (float)factor->propagators[row * factor->propagator_size + i];
}

/* ---- on a GPU ------------------------------------------------------------- */

equant_status slot_sums_ask_gpu(slot_sums *sums, const equant_engine_options *engine)
{
    const count_star *star = sums->grid->star;
    const count_priors *priors = sums->priors;
    double precision[ORBIT_PRODUCTS_MOST_SCALES];
    size_t row = most_noise_numbers();
    for (size_t i = 0; i < priors->n_scales; i++)
        precision[i] = 1.0 / (priors->scales[i] * priors->scales[i]);
    const backend_circle_grid grid = {.n_obs = star->n_obs,
                                      .time_days = star->time_days,
                                      .first_frequency_per_day = slot_grid_middle(sums->grid, 0),
                                      .step_per_day = sums->grid->step,
                                      .n_frequencies = sums->grid->n_bins,
                                      .most_columns = sums->column_room,
                                      .n_scales = priors->n_scales,
                                      .precision = precision};
    equant_status status = device_circles_create(engine, &grid, &sums->gpu);
    if (status != EQUANT_SUCCESS || !sums->gpu)
        return status;
    if (row < sums->column_room)
        row = sums->column_room;
    sums->gpu_rows = malloc(row * star->n_obs * sizeof *sums->gpu_rows);
    sums->gpu_exponent = malloc(grid.n_frequencies * sizeof *sums->gpu_exponent);
    sums->gpu_factor = malloc(grid.n_frequencies * sizeof *sums->gpu_factor);
    if (sums->gpu_rows && sums->gpu_exponent && sums->gpu_factor)
        return EQUANT_SUCCESS;
    leave_gpu(sums);
    return status_out_of_memory();
}

static equant_status give_noise(slot_sums *sums, const count_noise *noise)
{
    const noise_factor *factor = &noise->factor;
    bool has_states = !noise->is_white && !factor->is_whole;
    circle_noise given = {.stride = 1, .rows = sums->gpu_rows};
    size_t n = has_states ? factor->n_states : 0;
    if (has_states) {
        given.n_states = n;
        given.n_blocks = factor->n_blocks;
        given.block_states = factor->block_states;
        given.stride = 1 + 2 * n + factor->propagator_size;
    }
    for (size_t k = 0; k < sums->grid->star->n_obs; k++) {
        double *to = sums->gpu_rows + k * given.stride;
        *to++ = noise->is_white ? sqrt(noise->weight[k]) : factor->root_weight[k];
        for (size_t i = 0; i < n; i++)
            *to++ = k > 0 ? factor->w[(k - 1) * n + i] : 0.0;
        for (size_t i = 0; i < n; i++)
            *to++ = factor->u[k * n + i];
        for (size_t i = 0; has_states && i < factor->propagator_size; i++)
            *to++ = k > 0 ? factor->propagators[k * factor->propagator_size + i] : 0.0;
    }
    return device_circles_take_noise(sums->gpu, &given);
}

static equant_status run_on_gpu(slot_sums *sums, const background *rest)
{
    size_t n_obs = sums->grid->star->n_obs;
    memcpy(sums->gpu_rows, rest->residual, n_obs * sizeof *sums->gpu_rows);
    memcpy(sums->gpu_rows + n_obs, rest->solved, rest->n * n_obs * sizeof *sums->gpu_rows);
    equant_status status = device_circles_run(sums->gpu, rest->n + 1, sums->gpu_rows,
                                              sums->gpu_exponent, sums->gpu_factor);
    for (size_t b = 0; b < sums->grid->n_bins && status == EQUANT_SUCCESS; b++) {
        sums->exponent[b] = (float)sums->gpu_exponent[b];
        sums->factor[b] = (float)sums->gpu_factor[b];
    }
    return status;
}

/* Whether a GPU that has failed can be done without; then it is. */
static bool can_do_without(slot_sums *sums)
{
    if (!device_circles_may_leave(sums->gpu))
        return false;
    leave_gpu(sums);
    return true;
}

/* ---- here -------------------------------------------------------------------- */

static void take_noise_here(slot_sums *sums, const count_noise *noise)
{
    slot_loop loop = loop_of(sums);
    /* A whole matrix has no states to carry: its variances weigh the rows, which is near enough for
     * a proposal. */
    bool has_states = !noise->is_white && !noise->factor.is_whole;
    loop.noise_stride = 1;
    if (has_states) {
        loop.n_states = noise->factor.n_states;
        loop.n_blocks = noise->factor.n_blocks;
        loop.block_states = noise->factor.block_states;
        loop.noise_stride = 1 + 2 * loop.n_states + noise->factor.propagator_size;
    }
    for (size_t k = 0; k < loop.n_obs; k++)
        if (has_states)
            lay_row(&noise->factor, k, sums->noise + k * loop.noise_stride);
        else
            sums->noise[k] =
                (float)(noise->is_white ? sqrt(noise->weight[k]) : noise->factor.root_weight[k]);
    square_here()(&loop);
}

equant_status slot_sums_take_noise(slot_sums *sums, const count_noise *noise)
{
    equant_status status = sums->gpu ? give_noise(sums, noise) : EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS && !can_do_without(sums))
        return status;
    if (!sums->gpu)
        take_noise_here(sums, noise);
    return EQUANT_SUCCESS;
}

static void run_by_processor(slot_sums *sums, const background *rest)
{
    slot_loop loop = loop_of(sums);
    size_t n = loop.n_obs;
    float precision[ORBIT_PRODUCTS_MOST_SCALES];
    loop.n_columns = rest->n + 1;
    loop.n_scales = sums->priors->n_scales;
    loop.precision = precision;
    for (size_t i = 0; i < loop.n_scales; i++)
        precision[i] = (float)(1.0 / (sums->priors->scales[i] * sums->priors->scales[i]));
    size_t n_chunks = (loop.n_columns + SLOT_CHUNK - 1) / SLOT_CHUNK;
    memset(sums->columns, 0, n_chunks * SLOT_CHUNK * n * sizeof *sums->columns);
    for (size_t j = 0; j < loop.n_columns; j++) {
        const double *from = j == 0 ? rest->residual : rest->solved + (j - 1) * n;
        float *to = sums->columns + j / SLOT_CHUNK * SLOT_CHUNK * n + j % SLOT_CHUNK;
        for (size_t k = 0; k < n; k++)
            to[k * SLOT_CHUNK] = (float)from[k];
    }
    run_here()(&loop);
}

equant_status slot_sums_run(slot_sums *sums, const count_noise *noise, const background *rest)
{
    equant_status status = sums->gpu ? run_on_gpu(sums, rest) : EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS) {
        if (!can_do_without(sums))
            return status;
        take_noise_here(sums, noise);
    }
    if (!sums->gpu)
        run_by_processor(sums, rest);
    return EQUANT_SUCCESS;
}
