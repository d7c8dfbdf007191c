/* What the file of a run is written from: by checkpoints, and from a posterior. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_RUN_RECORD_H
#define EQUANT_INFERENCE_SAMPLE_RUN_RUN_RECORD_H

#include "inference/sample/walkers/sampler.h"
#include "output/provenance.h"
#include "output/run_file.h"

typedef struct run_record {
    const equant_dataset *dataset;
    quantities_shape shape;
    const draws *kept;
    const sampler *walkers; /* of which the figures are taken */
    const provenance *made_with;
    const run_file_evidence *evidence; /* NULL: not known */
    size_t n_state_bytes;              /* as sampler_run_save writes them */
    const void *state;
} run_record;

/* Takes the place of the file that may be there, whole or not at all. */
equant_status run_record_write(const run_record *record, const char *path);

#endif
