/* What callers of the library hold as equant_posterior. */
#ifndef EQUANT_OUTPUT_SAMPLED_POSTERIOR_H
#define EQUANT_OUTPUT_SAMPLED_POSTERIOR_H

#include "inference/draws/modes.h"
#include "inference/run/run.h"
#include "inference/run/run_settings.h"
#include "inference/draws/summary.h"

typedef struct sampled_posterior_origin {
    const equant_dataset *dataset;
    const sample_settings *settings;
    quantities_shape shape;
    const provenance *made_with;
    equant_sample_end end;
    double seconds;
    int n_threads;
} sampled_posterior_origin;

/* Takes the draws out of the run. Fails where it has kept none. */
equant_status sampled_posterior_create(sample *run, const sampled_posterior_origin *origin,
                                       equant_posterior **made);

#endif
