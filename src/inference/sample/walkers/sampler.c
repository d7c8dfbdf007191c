/* The sampler: steps of ensembles, their ladder, and what is counted on the way. */
#include "inference/sample/walkers/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/parallel_for.h"
#include "statistics/random_draw.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "inference/sample/walkers/ladder.h"
#include "inference/sample/walkers/sampler_device.h"
#include "inference/sample/walkers/sampler_state.h"

enum { USUAL_POPULATIONS = 4, LEAST_WALKERS = 8, MAX_COORDINATES = 10000 };

/* What a parameter set of a walker costs. */
#define PREPARATION_NANOSECONDS 300.0

/* ---- memory ---------------------------------------------------------------------- */

/* Two ends of a difference in the half that stays must span the space. */
static size_t least_walkers(size_t n_coordinates)
{
    size_t spanning = 2 * (n_coordinates + 1);
    return spanning > LEAST_WALKERS ? spanning : LEAST_WALKERS;
}

size_t sampler_usual_walkers(size_t n_coordinates)
{
    return 16 * (n_coordinates + 1);
}

static size_t n_gaps(const ensemble_shape *shape)
{
    return shape->n_temperatures - 1;
}

static equant_status check_shape(const ensemble_shape *shape)
{
    if (shape->n_coordinates < 1 || shape->n_coordinates > MAX_COORDINATES)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a sampler takes 1 to %d coordinates, not %zu", MAX_COORDINATES,
                           shape->n_coordinates);
    if (shape->n_walkers % 2 != 0 || shape->n_walkers < least_walkers(shape->n_coordinates))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%zu coordinates need an even number of walkers, at least %zu, not %zu",
                           shape->n_coordinates, least_walkers(shape->n_coordinates),
                           shape->n_walkers);
    /* A walker's row is part of the address of its random numbers. */
    if ((double)shape->n_temperatures * (double)shape->n_populations * (double)shape->n_walkers >
        (double)(UINT32_MAX - 1))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a sampler has at most 2^32 - 2 walkers in all");
    return EQUANT_SUCCESS;
}

static equant_status set_shares(sampler *s, const double *shares)
{
    double sum = 0.0;
    for (int move = 0; move < ENSEMBLE_N_MOVES; move++) {
        if (!(shares[move] >= 0.0) || !isfinite(shares[move]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "shares of moves are numbers from 0 up");
        sum += shares[move];
    }
    if (sum == 0.0) {
        double usual[ENSEMBLE_N_MOVES];
        for (int move = 0; move < ENSEMBLE_N_MOVES; move++)
            usual[move] = ensemble_moves_usual_share((ensemble_move)move);
        return set_shares(s, usual);
    }
    double cumulative = 0.0;
    for (int move = 0; move < ENSEMBLE_N_MOVES; move++) {
        cumulative += shares[move] / sum;
        s->shares[move] = cumulative;
    }
    return EQUANT_SUCCESS;
}

static equant_status set_ladder(sampler *s, const sampler_options *options)
{
    const size_t n = s->walkers.shape.n_temperatures;
    double *beta = s->walkers.beta;
    if (options->beta)
        memcpy(beta, options->beta, n * sizeof *beta);
    else if (options->hottest_beta >= 0.0 && options->hottest_beta < 1.0)
        ladder_begin(n, options->hottest_beta, beta);
    else
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the hottest inverse temperature lies in [0, 1)");
    bool is_ladder = beta[0] == 1.0 && beta[n - 1] >= 0.0;
    for (size_t k = 1; k < n; k++)
        is_ladder = is_ladder && beta[k] < beta[k - 1];
    if (!is_ladder)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "inverse temperatures fall from 1, none below 0");
    return EQUANT_SUCCESS;
}

static equant_status allocate_scratch(sampler *s)
{
    const ensemble_shape *shape = &s->walkers.shape;
    s->cold_parameters = calloc(shape->n_populations * shape->n_walkers,
                                (shape->n_parameters + 1) * sizeof *s->cold_parameters);
    s->ladder_scratch = calloc(4 * shape->n_temperatures, sizeof *s->ladder_scratch);
    return s->cold_parameters && s->ladder_scratch ? EQUANT_SUCCESS : status_out_of_memory();
}

/* Puts all walkers at their first places. */
static equant_status begin(sampler *s, const double *start)
{
    if (start == NULL && s->target.draw == NULL)
        return status_fail(
            EQUANT_ERROR_INVALID_ARGUMENT,
            "a sampler needs places to start from, or a prior that can be drawn from");
    for (size_t half = 0; half < 2; half++) {
        ensemble_place(&s->walkers, &s->target, half, start);
        size_t n_sets = ensemble_gather(&s->walkers);
        if (n_sets < ensemble_n_half_rows(&s->walkers.shape))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "%zu walkers start where the prior is zero",
                               ensemble_n_half_rows(&s->walkers.shape) - n_sets);
        equant_status status = ensemble_evaluate(&s->walkers, &s->target, n_sets);
        if (status != EQUANT_SUCCESS)
            return status;
        ensemble_settle(&s->walkers, half);
    }
    return EQUANT_SUCCESS;
}

static equant_status create(sampler *s, const sampler_options *options, const double *start)
{
    ensemble_shape shape = {
        .n_temperatures = options->n_temperatures > 0 ? options->n_temperatures : 1,
        .n_populations = options->n_populations > 0 ? options->n_populations : USUAL_POPULATIONS,
        .n_walkers = options->n_walkers > 0 ? options->n_walkers
                                            : sampler_usual_walkers(s->target.n_coordinates),
        .n_coordinates = s->target.n_coordinates,
        .n_parameters = s->target.n_parameters};
    int n_threads = placement_threads(options->n_threads);
    equant_status status = check_shape(&shape);
    if (status == EQUANT_SUCCESS)
        status = set_shares(s, options->shares);
    if (status == EQUANT_SUCCESS)
        status = ensemble_create(&s->walkers, &shape, &s->target, options->seed, n_threads);
    if (status == EQUANT_SUCCESS)
        status = set_ladder(s, options);
    if (status == EQUANT_SUCCESS)
        status = sampler_state_create_counts(s);
    if (status == EQUANT_SUCCESS)
        status = allocate_scratch(s);
    if (status == EQUANT_SUCCESS)
        status = begin(s, start);
    return status == EQUANT_SUCCESS ? sampler_device_begin(s) : status;
}

equant_status sampler_create(const sampler_target *target, const sampler_options *options,
                             const double *start, sampler **made)
{
    sampler *s = calloc(1, sizeof *s);
    if (s == NULL)
        return status_out_of_memory();
    s->target = *target;
    equant_status status = create(s, options, start);
    if (status == EQUANT_SUCCESS)
        *made = s;
    else
        sampler_free(s);
    return status;
}

void sampler_free(sampler *s)
{
    if (s == NULL)
        return;
    sampler_device_end(s);
    ensemble_free(&s->walkers);
    sampler_state_free_counts(s);
    free(s->cold_parameters);
    free(s->ladder_scratch);
    free(s);
}

/* ---- steps ------------------------------------------------------------------------- */

/* One kind for all walkers: they then do the same work, which processors without branches
 * like. */
static ensemble_move choose_move(const sampler *s)
{
    random_stream stream = {s->walkers.seed, RANDOM_PURPOSE_SCHEDULE, 1};
    double u = random_uniforms_at(stream, s->n_steps).half[0];
    int move = 0;
    while (move + 1 < ENSEMBLE_N_MOVES && u >= s->shares[move])
        move++;
    return (ensemble_move)move;
}

/* The guide of this step, where it has one. */
static const sampler_guide *choose_guide(const sampler *s, ensemble_move move)
{
    random_stream stream = {s->walkers.seed, RANDOM_PURPOSE_SCHEDULE, 1};
    bool is_wanted = s->guide && ensemble_moves_needs_guide(move) &&
                     random_uniforms_at(stream, s->n_steps).half[1] < 0.5;
    return is_wanted ? s->guide : NULL;
}

void sampler_follow(sampler *s, const sampler_guide *guide)
{
    s->guide = guide;
}

bool sampler_can_follow(const sampler *s)
{
    return s->device == NULL;
}

static void count_tried(sampler *s, ensemble_move move)
{
    const ensemble_shape *shape = &s->walkers.shape;
    const size_t n = shape->n_populations * shape->n_walkers;
    for (size_t t = 0; t < shape->n_temperatures; t++)
        if (!ensemble_is_drawn(&s->walkers, &s->target, t))
            s->counts.n_tried[t * ENSEMBLE_N_MOVES + move] += n;
}

static void count_accepted(sampler *s, ensemble_move move)
{
    const ensemble_shape *shape = &s->walkers.shape;
    const size_t n = ensemble_n_half_rows(shape) / shape->n_temperatures;
    for (size_t t = 0; t < shape->n_temperatures; t++) {
        if (ensemble_is_drawn(&s->walkers, &s->target, t))
            continue;
        uint64_t n_accepted = 0;
        for (size_t i = 0; i < n; i++)
            n_accepted += s->walkers.accepted[t * n + i];
        s->counts.n_accepted[t * ENSEMBLE_N_MOVES + move] += n_accepted;
    }
}

sampler_proposals sampler_propose(sampler *s, size_t half)
{
    ensemble_move move = choose_move(s);
    if (ensemble_moves_needs_guide(move))
        ensemble_guide(&s->walkers, half);
    ensemble_propose(&s->walkers, &s->target, choose_guide(s, move), s->n_steps, half, move);
    return (sampler_proposals){ensemble_gather(&s->walkers), s->walkers.parameters,
                               s->walkers.proposed_log_likelihood};
}

void sampler_accept(sampler *s, size_t half)
{
    ensemble_accept(&s->walkers, s->n_steps, half);
    count_accepted(s, choose_move(s));
}

/* What is counted of a step wherever walkers live. */
static void count_step(sampler *s)
{
    count_tried(s, choose_move(s));
    if (s->walkers.shape.n_temperatures > 1)
        s->counts.n_sweeps[s->n_steps % 2]++;
    s->n_steps++;
}

void sampler_end_step(sampler *s)
{
    if (s->walkers.shape.n_temperatures > 1)
        ensemble_swap(&s->walkers, s->n_steps, s->counts.rejection, s->counts.round_trips);
    count_step(s);
}

static equant_status step_here(sampler *s)
{
    for (size_t half = 0; half < 2; half++) {
        size_t n_sets = sampler_propose(s, half).n_sets;
        equant_status status = ensemble_evaluate(&s->walkers, &s->target, n_sets);
        if (status != EQUANT_SUCCESS)
            return status;
        sampler_accept(s, half);
    }
    sampler_end_step(s);
    return EQUANT_SUCCESS;
}

static equant_status step_on_device(sampler *s)
{
    equant_status status = sampler_device_step(s, choose_move(s));
    if (status == EQUANT_SUCCESS)
        count_step(s);
    return status;
}

equant_status sampler_advance(sampler *s, size_t n_steps)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n_steps && status == EQUANT_SUCCESS; i++)
        status = s->device ? step_on_device(s) : step_here(s);
    return status;
}

uint64_t sampler_n_steps(const sampler *s)
{
    return s->n_steps;
}

/* ---- rounds -------------------------------------------------------------------------- */

static void begin_counts(sampler *s)
{
    const ensemble_shape *shape = &s->walkers.shape;
    const size_t n_moves = shape->n_temperatures * ENSEMBLE_N_MOVES;
    const size_t n_swaps = n_gaps(shape) * shape->n_populations;
    sampler_counts *counts = &s->counts;
    memset(counts->n_tried, 0, n_moves * sizeof *counts->n_tried);
    memset(counts->n_accepted, 0, n_moves * sizeof *counts->n_accepted);
    memset(counts->n_sweeps, 0, sizeof counts->n_sweeps);
    memset(counts->rejection, 0, n_swaps * sizeof *counts->rejection);
    memset(counts->round_trips, 0, shape->n_populations * sizeof *counts->round_trips);
    sampler_device_changed(s, BACKEND_WALKERS_SUMS);
}

equant_status sampler_adapt_ladder(sampler *s)
{
    const size_t n_rungs = s->walkers.shape.n_temperatures;
    if (s->is_frozen)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the ladder is frozen and is not to be adapted");
    equant_status status = sampler_device_fetch(s, BACKEND_WALKERS_SUMS);
    if (status != EQUANT_SUCCESS)
        return status;
    double *rejection = s->ladder_scratch;
    bool has_all = true;
    for (size_t gap = 0; gap + 1 < n_rungs; gap++) {
        rejection[gap] = sampler_swap_rejection(s, gap);
        has_all = has_all && !isnan(rejection[gap]);
    }
    if (has_all)
        ladder_respace(n_rungs, rejection, s->walkers.beta, s->ladder_scratch + n_rungs);
    begin_counts(s);
    return EQUANT_SUCCESS;
}

void sampler_freeze(sampler *s)
{
    s->is_frozen = 1;
    begin_counts(s);
}

/* ---- the cold rung -------------------------------------------------------------------- */

static void prepare_cold(void *context, size_t first, size_t end, int thread)
{
    sampler *s = context;
    const ensemble *walkers = &s->walkers;
    (void)thread;
    for (size_t i = first; i < end; i++)
        (void)s->target.prepare(s->target.context,
                                walkers->coordinates + i * walkers->shape.n_coordinates,
                                s->cold_parameters + i * walkers->shape.n_parameters);
}

const double *sampler_cold_parameters(sampler *s)
{
    const ensemble *walkers = &s->walkers;
    const size_t n = walkers->shape.n_populations * walkers->shape.n_walkers;
    if (s->device) {
        (void)sampler_device_fetch(s, BACKEND_WALKERS_COLD);
        return s->cold_parameters;
    }
    const double cost = PREPARATION_NANOSECONDS * (double)n;
    parallel_for(ensemble_threads(walkers, cost), n, 0, prepare_cold, s);
    return s->cold_parameters;
}

const double *sampler_cold_log_likelihood(const sampler *s)
{
    (void)sampler_device_fetch(s, BACKEND_WALKERS_COLD);
    return s->walkers.log_likelihood;
}

const double *sampler_cold_log_prior(const sampler *s)
{
    (void)sampler_device_fetch(s, BACKEND_WALKERS_COLD);
    return s->walkers.log_prior;
}

size_t sampler_n_populations(const sampler *s)
{
    return s->walkers.shape.n_populations;
}

size_t sampler_n_temperatures(const sampler *s)
{
    return s->walkers.shape.n_temperatures;
}

size_t sampler_n_walkers(const sampler *s)
{
    return s->walkers.shape.n_walkers;
}

/* ---- figures ---------------------------------------------------------------------------- */

const double *sampler_beta(const sampler *s)
{
    return s->walkers.beta;
}

double sampler_acceptance(const sampler *s, size_t temperature, ensemble_move move)
{
    (void)sampler_device_fetch(s, BACKEND_WALKERS_SUMS);
    size_t i = temperature * ENSEMBLE_N_MOVES + move;
    return (double)s->counts.n_accepted[i] / (double)s->counts.n_tried[i];
}

double sampler_acceptance_of_all(const sampler *s, size_t temperature)
{
    (void)sampler_device_fetch(s, BACKEND_WALKERS_SUMS);
    uint64_t n_accepted = 0, n_tried = 0;
    for (size_t move = 0; move < ENSEMBLE_N_MOVES; move++) {
        n_accepted += s->counts.n_accepted[temperature * ENSEMBLE_N_MOVES + move];
        n_tried += s->counts.n_tried[temperature * ENSEMBLE_N_MOVES + move];
    }
    return (double)n_accepted / (double)n_tried;
}

double sampler_swap_rejection(const sampler *s, size_t gap)
{
    const ensemble_shape *shape = &s->walkers.shape;
    double sum = 0.0;
    (void)sampler_device_fetch(s, BACKEND_WALKERS_SUMS);
    for (size_t p = 0; p < shape->n_populations; p++)
        sum += s->counts.rejection[gap * shape->n_populations + p];
    return sum / ((double)s->counts.n_sweeps[gap % 2] * (double)shape->n_populations *
                  (double)shape->n_walkers);
}

uint64_t sampler_round_trips(const sampler *s)
{
    uint64_t sum = 0;
    (void)sampler_device_fetch(s, BACKEND_WALKERS_SUMS);
    for (size_t p = 0; p < s->walkers.shape.n_populations; p++)
        sum += s->counts.round_trips[p];
    return sum;
}

sampler_figures sampler_figures_of(const sampler *s)
{
    return (sampler_figures){.n_temperatures = sampler_n_temperatures(s),
                             .n_populations = sampler_n_populations(s),
                             .n_walkers = sampler_n_walkers(s),
                             .n_steps = sampler_n_steps(s),
                             .acceptance = sampler_acceptance_of_all(s, 0),
                             .round_trips = sampler_round_trips(s)};
}

equant_status sampler_tell(const void *blob, size_t n_bytes, sampler **made)
{
    sampler *told = calloc(1, sizeof *told);
    equant_status status =
        told ? sampler_state_read_counts(blob, n_bytes, told) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        *made = told;
    else
        sampler_free(told);
    return status;
}
