#include "inference/sample/run/sampler_run.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/walkers/density_target.h"
#include "model/orbit_elements.h"

enum { LEAST_CAPACITY = 128 };

#define MIN_ROUND_TRIPS 10.0 /* per population */

/* ---- memory ------------------------------------------------------------------------ */

static equant_status create_draws(sampler_run *run, const sampler_run_options *options, size_t n)
{
    draws_shape shape = {.n_populations = sampler_n_populations(run->walkers),
                         .n_walkers = sampler_n_walkers(run->walkers),
                         .n_parameters = n,
                         .n_planets = options->has_alike_planets ? options->n_planets : 0};
    size_t capacity = options->max_draws / (shape.n_populations * shape.n_walkers);
    run->state.schedule = run_schedule_begin(options->n_burn_in, options->thinning,
                                             capacity > LEAST_CAPACITY ? capacity : LEAST_CAPACITY);
    return draws_create(&shape, &run->kept);
}

static equant_status create_begin(const draws_shape *shape, const double *parameters, draws **made)
{
    double *zeros = calloc(shape->n_populations * shape->n_walkers + 1, sizeof *zeros);
    equant_status status = zeros ? draws_create(shape, made) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = draws_append(*made, 0, parameters, zeros, zeros);
    free(zeros);
    return status;
}

equant_status sampler_run_create_on(const sampler_run_options *options,
                                    const sampler_target *target, const double *start,
                                    sampler_run **made)
{
    sampler_run *run = calloc(1, sizeof *run);
    if (!run)
        return status_out_of_memory();
    run->n_threads = options->sampler.n_threads;
    run->worst = diagnostics_unknown();
    equant_status status = sampler_create(target, &options->sampler, start, &run->walkers);
    if (status == EQUANT_SUCCESS)
        status = create_draws(run, options, target->n_parameters);
    if (status == EQUANT_SUCCESS)
        status =
            create_begin(&run->kept->shape, sampler_cold_parameters(run->walkers), &run->begin);
    if (status != EQUANT_SUCCESS) {
        sampler_run_free(run);
        return status;
    }
    *made = run;
    return EQUANT_SUCCESS;
}

/* Several modes are what temperatures are asked for. */
static equant_status create_guide(sampler_run *run, const sampler_run_options *options,
                                  const posterior_density *density)
{
    const walker_guide_options wanted = {.density = density,
                                         .shape = run->kept->shape,
                                         .n_planets = options->n_planets,
                                         .span_days = options->span_days,
                                         .n_threads = run->n_threads};
    if (!(options->span_days > 0.0) || options->n_planets == 0 ||
        sampler_n_temperatures(run->walkers) < 2 || !sampler_can_follow(run->walkers))
        return EQUANT_SUCCESS;
    return walker_guide_create(&wanted, &run->guide);
}

equant_status sampler_run_create(const sampler_run_options *options, posterior_density *density,
                                 const sampler_target *target, const double *start,
                                 sampler_run **made)
{
    const sampler_target usual = density_target(density);
    equant_status status = sampler_run_create_on(options, target ? target : &usual, start, made);
    if (status != EQUANT_SUCCESS)
        return status;
    (*made)->layout = &posterior_density_map(density)->layout;
    status = create_guide(*made, options, density);
    if (status != EQUANT_SUCCESS) {
        sampler_run_free(*made);
        *made = NULL;
    }
    return status;
}

void sampler_run_free(sampler_run *run)
{
    if (!run)
        return;
    sampler_free(run->walkers);
    walker_guide_free(run->guide);
    draws_free(run->kept);
    draws_free(run->begin);
    free(run);
}

/* ---- interruption --------------------------------------------------------------------- */

static size_t guide_bytes(const sampler_run *run)
{
    return run->guide ? walker_guide_bytes(run->guide) : 0;
}

static size_t begin_bytes(const draws_shape *shape)
{
    return shape->n_populations * shape->n_walkers * shape->n_parameters * sizeof(double);
}

size_t sampler_run_state_bytes(const sampler_run *run)
{
    return sizeof run->state + sampler_state_bytes(run->walkers) + guide_bytes(run) +
           (run->begin ? begin_bytes(&run->begin->shape) : 0);
}

/* Parameter sets of the first step, one population behind the other. */
static void save_begin(const draws *begin, char *to)
{
    size_t n_bytes = begin_bytes(&begin->shape) / begin->shape.n_populations;
    for (size_t p = 0; p < begin->shape.n_populations; p++)
        memcpy(to + p * n_bytes, begin->population[p].parameters, n_bytes);
}

equant_status sampler_run_save(const sampler_run *run, void *blob)
{
    sampler_run_state state = run->state;
    state.n_guide_bytes = guide_bytes(run);
    state.n_begin_bytes = run->begin ? begin_bytes(&run->begin->shape) : 0;
    memcpy(blob, &state, sizeof state);
    char *to = (char *)blob + sizeof state;
    if (run->guide)
        walker_guide_save(run->guide, to + sampler_state_bytes(run->walkers));
    if (run->begin)
        save_begin(run->begin, to + sampler_state_bytes(run->walkers) + state.n_guide_bytes);
    return sampler_save(run->walkers, to);
}

/* The parts of a state. */
typedef struct state_parts {
    const char *walkers, *guide, *begin;
    size_t n_walker_bytes;
} state_parts;

/* States were shorter once: they did not say where walkers began. */
static size_t size_of_state(const void *blob, size_t n_bytes)
{
    const size_t before = offsetof(sampler_run_state, n_begin_bytes);
    return n_bytes > before && sampler_is_state((const char *)blob + before, n_bytes - before)
               ? before
               : sizeof(sampler_run_state);
}

static equant_status read_state(const void *blob, size_t n_bytes, sampler_run_state *state,
                                state_parts *parts)
{
    const size_t size = size_of_state(blob, n_bytes);
    *state = (sampler_run_state){.n_begin_bytes = 0};
    if (n_bytes >= size)
        memcpy(state, blob, size);
    if (n_bytes < size || state->n_guide_bytes > n_bytes - size ||
        state->n_begin_bytes > n_bytes - size - state->n_guide_bytes)
        return status_fail(EQUANT_ERROR_FORMAT, "this is not the state of a run");
    parts->walkers = (const char *)blob + size;
    parts->n_walker_bytes = n_bytes - size - state->n_guide_bytes - state->n_begin_bytes;
    parts->guide = parts->walkers + parts->n_walker_bytes;
    parts->begin = parts->guide + state->n_guide_bytes;
    return EQUANT_SUCCESS;
}

equant_status sampler_run_read_begin(const void *blob, size_t n_bytes, const draws_shape *shape,
                                     draws **begin)
{
    sampler_run_state state;
    state_parts parts = {NULL, NULL, NULL, 0};
    *begin = NULL;
    equant_status status = read_state(blob, n_bytes, &state, &parts);
    if (status != EQUANT_SUCCESS || state.n_begin_bytes == 0)
        return status;
    if (state.n_begin_bytes != begin_bytes(shape))
        return status_fail(EQUANT_ERROR_FORMAT, "the state belongs to a run of another shape");
    double *parameters = malloc(state.n_begin_bytes); /* for the blob may not be aligned */
    if (!parameters)
        return status_out_of_memory();
    memcpy(parameters, parts.begin, state.n_begin_bytes);
    status = create_begin(shape, parameters, begin);
    free(parameters);
    return status;
}

equant_status sampler_run_restore(sampler_run *run, const void *blob, size_t n_bytes, draws *kept)
{
    sampler_run_state state;
    state_parts parts = {NULL, NULL, NULL, 0};
    draws *begin = NULL;
    equant_status status = read_state(blob, n_bytes, &state, &parts);
    if (status != EQUANT_SUCCESS)
        return status;
    if (memcmp(&kept->shape, &run->kept->shape, sizeof kept->shape) != 0)
        return status_fail(EQUANT_ERROR_FORMAT, "the draws belong to a run of another shape");
    const run_schedule *schedule = &state.schedule, *planned = &run->state.schedule;
    if (schedule->n_burn_in != planned->n_burn_in || schedule->thinning != planned->thinning ||
        schedule->capacity != planned->capacity || schedule->thin == 0)
        return status_fail(EQUANT_ERROR_FORMAT, "the state belongs to a run of another length");
    status = sampler_run_read_begin(blob, n_bytes, &kept->shape, &begin);
    if (status == EQUANT_SUCCESS)
        status = sampler_restore(run->walkers, parts.walkers, parts.n_walker_bytes);
    if (status == EQUANT_SUCCESS && run->guide)
        status = walker_guide_restore(run->guide, parts.guide, state.n_guide_bytes);
    if (status != EQUANT_SUCCESS) {
        draws_free(begin);
        return status;
    }
    sampler_follow(run->walkers, walker_guide_moves(run->guide));
    run->state = state;
    draws_free(run->kept);
    draws_free(run->begin);
    run->kept = kept;
    run->begin = begin;
    return EQUANT_SUCCESS;
}

equant_status sampler_run_read(const void *blob, size_t n_bytes, sampler_run_state *state,
                               sampler **told)
{
    state_parts parts = {NULL, NULL, NULL, 0};
    equant_status status = read_state(blob, n_bytes, state, &parts);
    return status == EQUANT_SUCCESS ? sampler_tell(parts.walkers, parts.n_walker_bytes, told)
                                    : status;
}

/* ---- steps ------------------------------------------------------------------------------ */

convergence_goals sampler_run_convergence(const sampler_run_goals *goals, uint64_t window_start,
                                          uint64_t n_steps)
{
    return (convergence_goals){.max_rhat = goals->max_rhat,
                               .min_ess = goals->min_ess,
                               .n_steps = (double)n_steps - (double)window_start,
                               .n_burn_in = (double)window_start};
}

void sampler_run_add_journeys(const sampler_figures *figures, convergence_verdict *verdict)
{
    double wanted = MIN_ROUND_TRIPS * (double)figures->n_populations;
    double made = (double)figures->round_trips;
    if (figures->n_temperatures > 1 && made < wanted && !(verdict->excess > wanted / made))
        *verdict = (convergence_verdict){
            EQUANT_CRITERION_ROUND_TRIPS, SIZE_MAX, made, wanted, wanted / made, verdict->burn_in};
}

/* Without a layout no parameter is an angle. */
static equant_status judge_parameters(sampler_run *run, const convergence_goals *goals)
{
    const size_t n = run->kept->shape.n_parameters;
    const parameter_layout *layout = run->layout;
    bool *is_angle = calloc(n, sizeof *is_angle);
    diagnostics *quality = calloc(n, sizeof *quality);
    equant_status status = is_angle && quality ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        for (size_t i = 0; layout && i < parameter_layout_end(layout, TERM_ORBITS); i++)
            is_angle[i] = parameter_layout_element(layout, i) >= FIRST_ANGLE_ELEMENT;
        status = diagnostics_of_draws(run->kept, run->begin, is_angle, run->n_threads, quality);
    }
    if (status == EQUANT_SUCCESS) {
        run->worst = diagnostics_worst(n, quality);
        run->verdict = convergence_judge(goals, n, quality);
    }
    free(is_angle);
    free(quality);
    return status;
}

/* Parameters first, for what follows from them takes longer to look at. */
equant_status sampler_run_judge(sampler_run *run, const sampler_run_goals *goals)
{
    sampler_figures figures = {.n_temperatures = sampler_n_temperatures(run->walkers),
                               .n_populations = sampler_n_populations(run->walkers),
                               .round_trips = sampler_round_trips(run->walkers)};
    uint64_t step = sampler_n_steps(run->walkers);
    convergence_goals wanted =
        sampler_run_convergence(goals, run->state.schedule.window_start, step);
    equant_status status = judge_parameters(run, &wanted);
    if (status == EQUANT_SUCCESS)
        sampler_run_add_journeys(&figures, &run->verdict);
    if (status == EQUANT_SUCCESS && run->judge_told && run->verdict.lacks == EQUANT_CRITERION_NONE)
        status = run->judge_told(run->told, run->kept, run->begin, &wanted, &run->verdict);
    if (status == EQUANT_SUCCESS)
        run->worst_step = step;
    return status;
}

static equant_status keep(sampler_run *run)
{
    equant_status status = draws_append(
        run->kept, sampler_n_steps(run->walkers), sampler_cold_parameters(run->walkers),
        sampler_cold_log_likelihood(run->walkers), sampler_cold_log_prior(run->walkers));
    if (status == EQUANT_SUCCESS && run->kept->n_steps >= run->state.schedule.capacity) {
        draws_halve(run->kept);
        run_schedule_halve(&run->state.schedule);
    }
    return status;
}

/* Figures of the sampler count anew, so that they and the draws speak of the same time. */
static void move_window(sampler_run *run, size_t n_dropped)
{
    if (n_dropped == 0)
        return;
    run->state.schedule.window_start = run->kept->step[n_dropped - 1];
    draws_drop(run->kept, n_dropped);
    sampler_freeze(run->walkers);
}

/* Kept steps up to the first at which the burn-in was long enough for the slowest quantity; none,
 * as long as less than as many again would be left. */
static size_t early_steps(const sampler_run *run, uint64_t step)
{
    const draws *kept = run->kept;
    double burn_in = run->verdict.burn_in, begun = (double)run->state.schedule.window_start;
    if (!(burn_in > begun) || !(2.0 * burn_in - begun < (double)step))
        return 0;
    size_t n = 0;
    while (n < kept->n_steps && (double)kept->step[n] < burn_in)
        n++;
    return n + 1 < kept->n_steps ? n + 1 : 0;
}

/* Whether early and late draws, or populations, tell different things. */
static bool disagrees(const convergence_verdict *verdict)
{
    return verdict->lacks == EQUANT_CRITERION_RHAT || verdict->lacks == EQUANT_CRITERION_DRIFT ||
           verdict->lacks == EQUANT_CRITERION_POPULATIONS;
}

/* What walkers follow is learned in the burn-in, and stays. */
static equant_status learn(sampler_run *run, uint64_t step)
{
    const run_schedule *schedule = &run->state.schedule;
    equant_status status = EQUANT_SUCCESS;
    if (!run->guide || step > schedule->n_burn_in)
        return status;
    if (step % schedule->thinning == 0)
        status = walker_guide_see(run->guide, step, sampler_cold_parameters(run->walkers),
                                  sampler_cold_log_likelihood(run->walkers),
                                  sampler_cold_log_prior(run->walkers));
    if (status == EQUANT_SUCCESS && run_schedule_ends_round(schedule, step)) {
        sampler_follow(run->walkers, NULL);
        status = walker_guide_renew(run->guide);
        sampler_follow(run->walkers, walker_guide_moves(run->guide));
    }
    return status;
}

equant_status sampler_run_advance(sampler_run *run, const sampler_run_goals *goals)
{
    equant_status status = sampler_advance(run->walkers, 1);
    return status == EQUANT_SUCCESS ? sampler_run_heed_step(run, goals) : status;
}

equant_status sampler_run_heed_step(sampler_run *run, const sampler_run_goals *goals)
{
    uint64_t step = sampler_n_steps(run->walkers);
    equant_status status = learn(run, step);
    if (status == EQUANT_SUCCESS && run_schedule_ends_round(&run->state.schedule, step))
        status = sampler_adapt_ladder(run->walkers);
    if (status == EQUANT_SUCCESS && run_schedule_ends_burn_in(&run->state.schedule, step))
        sampler_freeze(run->walkers);
    if (status == EQUANT_SUCCESS && run_schedule_keeps(&run->state.schedule, step))
        status = keep(run);
    if (status != EQUANT_SUCCESS || !run_schedule_checks(&run->state.schedule, step))
        return status;
    status = sampler_run_judge(run, goals);
    if (status != EQUANT_SUCCESS)
        return status;
    run->state.has_converged = run->verdict.lacks == EQUANT_CRITERION_NONE;
    if (disagrees(&run->verdict) && run_schedule_wants_later_window(&run->state.schedule, step))
        move_window(run, run->kept->n_steps / 2);
    else if (!run->state.has_converged)
        move_window(run, early_steps(run, step));
    return EQUANT_SUCCESS;
}
