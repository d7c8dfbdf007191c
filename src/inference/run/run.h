/* A run of the sampler on a posterior, from its first step to draws that have converged. */
#ifndef EQUANT_INFERENCE_SAMPLE_H
#define EQUANT_INFERENCE_SAMPLE_H

#include "inference/draws/diagnostics.h"
#include "inference/draws/draws.h"
#include "inference/density/density.h"
#include "inference/run/run_schedule.h"
#include "inference/sampler/sampler.h"

typedef struct sample_options {
    sampler_options sampler;
    size_t n_planets;
    bool has_alike_planets; /* their priors are the same: draws keep them by period */
    uint64_t n_burn_in, thinning;
    size_t max_draws;
} sample_options;

/* Below this many turnovers of the slowest parameter nobody can tell how slow it is. */
#define SAMPLE_MIN_TURNOVER 10.0

/* When a run ends. */
typedef struct sample_targets {
    double max_rhat, min_ess;
    uint64_t max_steps;
    double max_seconds; /* 0: no limit */
} sample_targets;

/* What decides the future beside walkers and draws. */
typedef struct sample_state {
    run_schedule schedule;
    uint64_t has_converged;
} sample_state;

typedef struct sample {
    posterior *density;
    sampler *walkers;
    draws *kept;
    sample_state state;
    diagnostics worst;   /* of all parameters when last looked at; NaN before            */
    uint64_t worst_step; /* when that was                                                */
    int n_threads;
    bool *is_angle;       /* [n_parameters]                                               */
    diagnostics *quality; /* [n_parameters]                                               */
} sample;

/* Walkers begin at `start`, as sampler_create has it. Borrows the posterior. */
equant_status sample_create(const sample_options *options, posterior *density, const double *start,
                            sample **made);
void sample_free(sample *run);

/* Everything beside the kept draws that decides how a run goes on. */
size_t sample_state_bytes(const sample *run);
equant_status sample_save(const sample *run, void *blob);
/* Goes on from there with these draws, which it takes over when it succeeds. */
equant_status sample_restore(sample *run, const void *blob, size_t n_bytes, draws *kept);

/* One step, and what the schedule wants after it. */
equant_status sample_advance(sample *run, const sample_targets *targets);

/* Looks at the kept draws: fills quality and worst. */
equant_status sample_judge(sample *run);

/* Whether what was seen last meets the targets. */
bool sample_meets(const sample *run, const sample_targets *targets);

/* Who is told how far a run has come. NULL members are not called. */
typedef struct sample_audience {
    equant_sample_watch watch;
    void *watch_context;
    equant_status (*checkpoint)(const sample *run, void *context);
    void *checkpoint_context;
    double checkpoint_seconds; /* between two of them */
} sample_audience;

/* Until the targets are met or a limit is reached. Of a cancelled run the answer is
 * EQUANT_ERROR_CANCELLED; the last thing that it did was a checkpoint. */
equant_status sample_run(sample *run, const sample_targets *targets,
                         const sample_audience *audience, equant_sample_end *end);

#endif
