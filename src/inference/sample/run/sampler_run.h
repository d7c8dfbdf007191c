/* A run of the sampler on a posterior, from its first step to draws that have converged. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_SAMPLER_RUN_H
#define EQUANT_INFERENCE_SAMPLE_RUN_SAMPLER_RUN_H

#include "inference/sample/draws/convergence.h"
#include "inference/sample/draws/draws.h"
#include "inference/sample/target/posterior_density.h"
#include "inference/sample/evidence/walker_guide.h"
#include "inference/sample/run/run_schedule.h"
#include "inference/sample/walkers/sampler.h"

typedef struct sampler_run_options {
    sampler_options sampler;
    size_t n_planets;
    bool has_alike_planets; /* their priors are the same: draws keep them by period */
    double span_days;       /* of the observations: with temperatures, walkers on a processor follow
                               the modes that they were seen in; 0: they do not */
    uint64_t n_burn_in, thinning;
    size_t max_draws;
} sampler_run_options;

/* When a run ends. */
typedef struct sampler_run_goals {
    double max_rhat, min_ess;
    uint64_t max_steps;
    double max_seconds; /* 0: no limit */
} sampler_run_goals;

/* What decides the future beside walkers and draws. */
typedef struct sampler_run_state {
    run_schedule schedule;
    uint64_t has_converged;
    uint64_t n_guide_bytes; /* behind the state of the walkers */
    uint64_t n_begin_bytes; /* behind that of the guide        */
} sampler_run_state;

/* Diagnostics of whatever is told of a run beside its parameters; walkers began as the draws of
 * `begin` are, or NULL. */
typedef equant_status (*sampler_run_judge_told)(void *context, const draws *kept,
                                                const draws *begin, const convergence_goals *goals,
                                                convergence_verdict *verdict);

typedef struct sampler_run {
    const parameter_layout *layout; /* tells angles among the parameters; NULL: there are none */
    sampler *walkers;
    walker_guide *guide; /* NULL: none is followed */
    draws *kept;
    draws *begin;                      /* of one step: where walkers began; NULL: not known */
    sampler_run_judge_told judge_told; /* NULL: parameters are all that is told */
    void *told;                        /* its context                           */
    sampler_run_state state;
    diagnostics worst;           /* of all parameters when last looked at; NaN before            */
    convergence_verdict verdict; /* on them; and, where they meet the goals, on all that is told */
    uint64_t worst_step;         /* when that was                                                */
    int n_threads;
} sampler_run;

/* Walkers begin at `start`, as sampler_create has it. The target is that of the posterior with
 * another way to evaluate, or NULL: as the posterior does. Borrows both. */
equant_status sampler_run_create(const sampler_run_options *options, posterior_density *density,
                                 const sampler_target *target, const double *start,
                                 sampler_run **made);
/* The same on any target, none of whose parameters is an angle. Borrows its context. */
equant_status sampler_run_create_on(const sampler_run_options *options,
                                    const sampler_target *target, const double *start,
                                    sampler_run **made);
void sampler_run_free(sampler_run *run);

/* Everything beside the kept draws that decides how a run goes on. */
size_t sampler_run_state_bytes(const sampler_run *run);
equant_status sampler_run_save(const sampler_run *run, void *blob);
/* Goes on from there with these draws, which it takes over when it succeeds. */
equant_status sampler_run_restore(sampler_run *run, const void *blob, size_t n_bytes, draws *kept);

/* What can be told of a run from its state alone: the sampler has no walkers that could go on. */
equant_status sampler_run_read(const void *blob, size_t n_bytes, sampler_run_state *state,
                               sampler **told);
/* Where its walkers began, for draws of this shape; NULL: the state does not say. */
equant_status sampler_run_read_begin(const void *blob, size_t n_bytes, const draws_shape *shape,
                                     draws **begin);

/* One step, and what the schedule wants after it. */
equant_status sampler_run_advance(sampler_run *run, const sampler_run_goals *goals);
/* What the schedule wants after a step that somebody else has made. */
equant_status sampler_run_heed_step(sampler_run *run, const sampler_run_goals *goals);

/* Looks at the kept draws: fills worst and verdict. */
equant_status sampler_run_judge(sampler_run *run, const sampler_run_goals *goals);

/* What is asked of draws that were kept between these steps. */
convergence_goals sampler_run_convergence(const sampler_run_goals *goals, uint64_t window_start,
                                          uint64_t n_steps);

/* The verdict that counts: walkers must have crossed the temperature ladder as well. */
void sampler_run_add_journeys(const sampler_figures *figures, convergence_verdict *verdict);

/* Who is told how far a run has come. NULL members are not called. */
typedef struct sampler_run_audience {
    equant_progress progress;
    void *progress_context;
    equant_status (*checkpoint)(const sampler_run *run, void *context);
    void *checkpoint_context;
    double checkpoint_seconds; /* between two of them */
} sampler_run_audience;

/* Until the goals are met or a limit is reached. Of a cancelled run the answer is
 * EQUANT_ERROR_CANCELLED; the last thing that it did was a checkpoint. */
equant_status sampler_run_to_end(sampler_run *run, const sampler_run_goals *goals,
                                 const sampler_run_audience *audience, equant_sample_end *end);

#endif
