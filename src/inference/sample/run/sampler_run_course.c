/* The course of a run: steps until it has converged, and word of it on the way. */
#include <math.h>

#include "core/status_fail.h"
#include "core/wall_clock.h"
#include "inference/sample/run/sampler_run.h"

/* The clock of one call. */
typedef struct stopwatch {
    double begun_s, told_s, saved_s;
    uint64_t first_step;
} stopwatch;

/* How many steps the run must have in all, judged by what was seen last. NaN before. */
static double steps_needed(const sampler_run *run, const sampler_run_goals *goals)
{
    const convergence_goals wanted =
        sampler_run_convergence(goals, run->state.schedule.window_start, run->worst_step);
    return wanted.n_steps > 0.0 ? convergence_steps(&wanted, &run->worst) : NAN;
}

/* Until the goals are met, a budget is spent or all steps are made; NaN where nobody knows. */
static double seconds_left(const sampler_run_goals *goals, double steps_left, double rate,
                           double elapsed_s)
{
    double left = isnan(steps_left) ? NAN : fmax(steps_left, 0.0) / rate;
    return goals->max_seconds > 0.0 ? fmin(left, goals->max_seconds - elapsed_s) : left;
}

static equant_progress_report describe(const sampler_run *run, const sampler_run_goals *goals,
                                       const stopwatch *watch, double now)
{
    const run_schedule *schedule = &run->state.schedule;
    uint64_t step = sampler_n_steps(run->walkers);
    bool is_burning_in = step < schedule->n_burn_in;
    double elapsed = now - watch->begun_s;
    double rate = (double)(step - watch->first_step) / elapsed;
    double made = (double)step, needed = steps_needed(run, goals);
    double left = fmin(needed - made, (double)goals->max_steps - (double)step);
    double done = isnan(needed) ? 0.0 : fmin(made / needed, 1.0);
    return (equant_progress_report){
        .struct_size = sizeof(equant_progress_report),
        .stage = is_burning_in ? "burn-in" : "sampling",
        .done = is_burning_in ? (double)step / (double)schedule->n_burn_in : done,
        .step = step,
        .steps_per_s = rate,
        .acceptance = sampler_acceptance_of_all(run->walkers, 0),
        .rhat = run->worst.rhat,
        .ess_bulk = run->worst.ess_bulk,
        .ess_tail = run->worst.ess_tail,
        .seconds_left = seconds_left(goals, isnan(needed) ? NAN : left, rate, elapsed),
        .call_done = NAN};
}

/* Tells the audience what is due. *is_cancelled: it has had enough. */
static equant_status tell(const sampler_run *run, const sampler_run_goals *goals,
                          const sampler_run_audience *audience, stopwatch *watch,
                          bool *is_cancelled)
{
    const double interval_s = 0.05;
    double now = wall_clock_s();
    if (audience->progress && now - watch->told_s >= interval_s) {
        equant_progress_report report = describe(run, goals, watch, now);
        watch->told_s = now;
        *is_cancelled = audience->progress(&report, audience->progress_context) != 0;
    }
    bool is_due = now - watch->saved_s >= audience->checkpoint_seconds;
    if (!audience->checkpoint || !(is_due || *is_cancelled))
        return EQUANT_SUCCESS;
    equant_status status = audience->checkpoint(run, audience->checkpoint_context);
    watch->saved_s = wall_clock_s();
    return status;
}

static bool is_over(const sampler_run *run, const sampler_run_goals *goals, const stopwatch *watch,
                    equant_sample_end *end)
{
    if (sampler_n_steps(run->walkers) >= goals->max_steps) {
        *end = EQUANT_END_STEPS;
        return true;
    }
    if (goals->max_seconds > 0.0 && wall_clock_s() - watch->begun_s >= goals->max_seconds) {
        *end = EQUANT_END_SECONDS;
        return true;
    }
    return false;
}

/* Whether a run that had converged when it was saved still meets the goals. */
static equant_status look_back(sampler_run *run, const sampler_run_goals *goals)
{
    if (!run->state.has_converged)
        return EQUANT_SUCCESS;
    equant_status status = sampler_run_judge(run, goals);
    run->state.has_converged = run->verdict.lacks == EQUANT_CRITERION_NONE;
    return status;
}

equant_status sampler_run_to_end(sampler_run *run, const sampler_run_goals *goals,
                                 const sampler_run_audience *audience, equant_sample_end *end)
{
    double now = wall_clock_s();
    stopwatch watch = {now, now, now, sampler_n_steps(run->walkers)};
    bool is_cancelled = false;
    equant_status status = look_back(run, goals);
    while (status == EQUANT_SUCCESS && !run->state.has_converged &&
           !is_over(run, goals, &watch, end)) {
        status = sampler_run_advance(run, goals);
        if (status == EQUANT_SUCCESS && !run->state.has_converged)
            status = tell(run, goals, audience, &watch, &is_cancelled);
        if (status == EQUANT_SUCCESS && is_cancelled)
            return status_fail(EQUANT_ERROR_CANCELLED, "sampling was cancelled at step %llu",
                               (unsigned long long)sampler_n_steps(run->walkers));
    }
    if (run->state.has_converged)
        *end = EQUANT_END_CONVERGED;
    return status;
}
