/* What callers of the library hold as equant_posterior. */
#ifndef EQUANT_INFERENCE_RUN_POSTERIOR_H
#define EQUANT_INFERENCE_RUN_POSTERIOR_H

#include "inference/draws/modes.h"
#include "inference/run/sampler_run.h"
#include "inference/run/run_settings.h"
#include "inference/draws/summary.h"

typedef struct posterior_origin {
    const equant_dataset *dataset;
    const run_settings *settings;
    quantities_shape shape;
    const provenance *made_with;
    equant_sample_end end;
    double seconds;
    int n_threads;
} posterior_origin;

/* Takes the draws out of the run. Fails where it has kept none. */
equant_status posterior_create(sampler_run *run, const posterior_origin *origin,
                               equant_posterior **made);

#endif
