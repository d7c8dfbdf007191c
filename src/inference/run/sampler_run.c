#include "inference/run/sampler_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/sampler/density_target.h"
#include "model/orbit_elements.h"

enum { LEAST_CAPACITY = 128, MIN_ROUND_TRIPS = 10 /* per population */ };

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

equant_status sampler_run_create_on(const sampler_run_options *options,
                                    const sampler_target *target, const double *start,
                                    sampler_run **made)
{
    sampler_run *run = calloc(1, sizeof *run);
    if (!run)
        return status_out_of_memory();
    run->n_threads = options->sampler.n_threads;
    run->worst = (diagnostics){NAN, NAN, NAN, NAN, false};
    equant_status status = sampler_create(target, &options->sampler, start, &run->walkers);
    if (status == EQUANT_SUCCESS)
        status = create_draws(run, options, target->n_parameters);
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
    free(run);
}

/* ---- interruption --------------------------------------------------------------------- */

static size_t guide_bytes(const sampler_run *run)
{
    return run->guide ? walker_guide_bytes(run->guide) : 0;
}

size_t sampler_run_state_bytes(const sampler_run *run)
{
    return sizeof run->state + sampler_state_bytes(run->walkers) + guide_bytes(run);
}

equant_status sampler_run_save(const sampler_run *run, void *blob)
{
    sampler_run_state state = run->state;
    state.n_guide_bytes = guide_bytes(run);
    memcpy(blob, &state, sizeof state);
    char *to = (char *)blob + sizeof state;
    if (run->guide)
        walker_guide_save(run->guide, to + sampler_state_bytes(run->walkers));
    return sampler_save(run->walkers, to);
}

static equant_status read_state(const void *blob, size_t n_bytes, sampler_run_state *state)
{
    if (n_bytes >= sizeof *state)
        memcpy(state, blob, sizeof *state);
    return n_bytes >= sizeof *state && state->n_guide_bytes <= n_bytes - sizeof *state
               ? EQUANT_SUCCESS
               : status_fail(EQUANT_ERROR_FORMAT, "this is not the state of a run");
}

equant_status sampler_run_restore(sampler_run *run, const void *blob, size_t n_bytes, draws *kept)
{
    sampler_run_state state;
    equant_status status = read_state(blob, n_bytes, &state);
    if (status != EQUANT_SUCCESS)
        return status;
    if (memcmp(&kept->shape, &run->kept->shape, sizeof kept->shape) != 0)
        return status_fail(EQUANT_ERROR_FORMAT, "the draws belong to a run of another shape");
    const run_schedule *schedule = &state.schedule, *planned = &run->state.schedule;
    if (schedule->n_burn_in != planned->n_burn_in || schedule->thinning != planned->thinning ||
        schedule->capacity != planned->capacity || schedule->thin == 0)
        return status_fail(EQUANT_ERROR_FORMAT, "the state belongs to a run of another length");
    const char *from = (const char *)blob + sizeof state;
    size_t n_walker_bytes = n_bytes - sizeof state - state.n_guide_bytes;
    status = sampler_restore(run->walkers, from, n_walker_bytes);
    if (status == EQUANT_SUCCESS && run->guide)
        status = walker_guide_restore(run->guide, from + n_walker_bytes, state.n_guide_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    sampler_follow(run->walkers, walker_guide_moves(run->guide));
    run->state = state;
    draws_free(run->kept);
    run->kept = kept;
    return EQUANT_SUCCESS;
}

equant_status sampler_run_read(const void *blob, size_t n_bytes, sampler_run_state *state,
                               sampler **told)
{
    equant_status status = read_state(blob, n_bytes, state);
    if (status != EQUANT_SUCCESS)
        return status;
    return sampler_tell((const char *)blob + sizeof *state,
                        n_bytes - sizeof *state - state->n_guide_bytes, told);
}

/* ---- steps ------------------------------------------------------------------------------ */

equant_status sampler_run_judge_draws(const draws *kept, const parameter_layout *layout,
                                      int n_threads, diagnostics *worst)
{
    const size_t n = kept->shape.n_parameters;
    bool *is_angle = calloc(n, sizeof *is_angle);
    diagnostics *quality = calloc(n, sizeof *quality);
    equant_status status = is_angle && quality ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        for (size_t i = 0; layout && i < parameter_layout_end(layout, TERM_ORBITS); i++)
            is_angle[i] = parameter_layout_element(layout, i) >= FIRST_ANGLE_ELEMENT;
        status = diagnostics_of_draws(kept, is_angle, n_threads, quality);
    }
    if (status == EQUANT_SUCCESS)
        *worst = diagnostics_worst(n, quality);
    free(is_angle);
    free(quality);
    return status;
}

equant_status sampler_run_judge(sampler_run *run)
{
    equant_status status =
        sampler_run_judge_draws(run->kept, run->layout, run->n_threads, &run->worst);
    if (status == EQUANT_SUCCESS)
        run->worst_step = sampler_n_steps(run->walkers);
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

static bool has_agreed(const diagnostics *worst, const sampler_run_goals *goals)
{
    return worst->rhat <= goals->max_rhat;
}

/* Whether the ladder has been climbed often enough for its ends to know of each other. */
static bool has_travelled(size_t n_temperatures, size_t n_populations, uint64_t round_trips)
{
    return n_temperatures < 2 || round_trips >= MIN_ROUND_TRIPS * n_populations;
}

static bool is_enough(const diagnostics *worst, const sampler_run_goals *goals)
{
    return worst->is_constant ||
           (has_agreed(worst, goals) && worst->ess_bulk >= goals->min_ess &&
            worst->ess_tail >= goals->min_ess && worst->turnover >= SAMPLER_RUN_MIN_TURNOVER);
}

bool sampler_run_meets(const sampler_run *run, const sampler_run_goals *goals)
{
    const sampler *walkers = run->walkers;
    return has_travelled(sampler_n_temperatures(walkers), sampler_n_populations(walkers),
                         sampler_round_trips(walkers)) &&
           is_enough(&run->worst, goals);
}

bool sampler_run_has_met(const sampler_figures *figures, const diagnostics *worst,
                         const sampler_run_goals *goals)
{
    return has_travelled(figures->n_temperatures, figures->n_populations, figures->round_trips) &&
           is_enough(worst, goals);
}

/* Figures of the sampler count anew, so that they and the draws speak of the same time. */
static void move_window(sampler_run *run)
{
    size_t n_dropped = run->kept->n_steps / 2;
    if (n_dropped == 0)
        return;
    run->state.schedule.window_start = run->kept->step[n_dropped - 1];
    draws_drop(run->kept, n_dropped);
    sampler_freeze(run->walkers);
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
    status = sampler_run_judge(run);
    if (status != EQUANT_SUCCESS)
        return status;
    run->state.has_converged = sampler_run_meets(run, goals);
    if (!has_agreed(&run->worst, goals) &&
        run_schedule_wants_later_window(&run->state.schedule, step))
        move_window(run);
    return EQUANT_SUCCESS;
}
