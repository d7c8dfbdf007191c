/* What callers of the library hold as equant_posterior. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_POSTERIOR_H
#define EQUANT_INFERENCE_SAMPLE_RUN_POSTERIOR_H

#include "inference/sample/draws/modes.h"
#include "inference/sample/run/sampler_run.h"
#include "inference/sample/run/run_settings.h"
#include "inference/sample/draws/summary.h"
#include "output/run_file.h"

/* The method of an evidence that a bridge has found, as files have it. */
#define POSTERIOR_BY_BRIDGE "bridge sampling"

typedef struct posterior_origin {
    const equant_dataset *dataset;
    const run_settings *settings;
    quantities_shape shape;
    const provenance *made_with;
    sampler_figures figures;
    const run_file_evidence *evidence; /* NULL: not known; copied */
    const draws *begin;                /* where walkers began; NULL: not known; only looked at  */
    uint64_t n_burn_in;                /* steps before the first that was kept                 */
    size_t n_state_bytes;
    const void *state;     /* of the run, as sampler_run_save has it; copied         */
    equant_sample_end end; /* where draws do not turn out to have converged        */
    double seconds;
    int n_threads;
} posterior_origin;

/* Takes the draws over, of which there must be some, and leaves NULL in their place. */
equant_status posterior_create(draws **kept, const posterior_origin *origin,
                               equant_posterior **made);

/* Inside a posterior, for whoever goes on with its draws: valid as long as it is. */
const draws *posterior_draws(const equant_posterior *posterior);
const modes *posterior_modes(const equant_posterior *posterior);
const quantities_shape *posterior_shape(const equant_posterior *posterior);
const provenance *posterior_provenance(const equant_posterior *posterior);

#endif
