/* What posteriors of velocities and of the sky tell in the same words. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_POSTERIOR_FACTS_H
#define EQUANT_INFERENCE_SAMPLE_RUN_POSTERIOR_FACTS_H

#include "inference/sample/draws/diagnostics.h"
#include "inference/sample/draws/draws.h"
#include "inference/sample/draws/summary.h"
#include "inference/sample/run/sampler_run.h"

/* How a run went. */
typedef struct posterior_course {
    equant_sample_end end;
    const draws *kept;
    const sampler_figures *figures;
    uint64_t n_burn_in;
    double seconds;
} posterior_course;

/* Everything that follows from the course alone; the evidence is not known. */
equant_posterior_summary posterior_facts_of(const posterior_course *course);

/* Adds the worst figures of all quantities and what the run lacks, and says that it has converged
 * when it lacks nothing. */
void posterior_facts_judge(const sampler_run_goals *goals, const sampler_figures *figures,
                           size_t n_rows, const summary_row *rows, equant_posterior_summary *facts);

/* The figures of a quantity; its name and what it belongs to are the caller's to add. */
equant_sampled_quantity posterior_facts_quantity(const summary_row *row);

/* A run that ended before it had kept anything. */
equant_status posterior_facts_fail_empty(uint64_t n_steps);

#endif
