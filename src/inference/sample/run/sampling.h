/* One run on one star: its posterior, its walkers and its file, tied together. For the calls that
 * begin a run, go on with one, or take many side by side. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_SAMPLING_H
#define EQUANT_INFERENCE_SAMPLE_RUN_SAMPLING_H

#include "inference/sample/evidence/guided_evidence.h"
#include "inference/sample/run/believed_data.h"
#include "inference/sample/run/run_settings.h"
#include "inference/sample/run/sampler_run.h"
#include "output/run_file.h"

enum { SAMPLING_BASIS_SIZE = 120 };

/* One call. */
typedef struct sampling {
    const equant_dataset *dataset;
    const equant_sample_options *options; /* of the caller; may be NULL */
    const equant_priors *priors;
    equant_priors *own_priors;   /* where the caller gave none, or states count */
    const equant_states *states; /* NULL: nothing is known */
    equant_states *own_states;   /* where they come from a file */
    char basis_words[SAMPLING_BASIS_SIZE];
    orbit_basis *basis;       /* [n_planets]; NULL: the usual one */
    equant_dataset *believed; /* the data, where errors of outliers are wider */
    char outliers[BELIEVED_DATA_TEXT_SIZE];
    run_settings settings;
    const char *path;     /* NULL: no file */
    provenance made_with; /* of the file and of the posterior */
    int n_threads;
    posterior_density *density;
    size_t n_together;            /* stars whose sets are evaluated together; 0: this one alone */
    const sampler_target *target; /* of the run, where it is not that of the density */
    sampler_run *run;
    guided_evidence found;      /* at the end, of a run with temperatures */
    run_file_evidence evidence; /* the same for its file; method NULL: not yet */
    double begun_s;
} sampling;

/* Settings, data, priors and density of a session whose data set, options and beginning are there.
 * To be freed in any case, as everything that follows. */
equant_status sampling_prepare(sampling *session);
/* Walkers where they begin, and how the run is made in words. */
equant_status sampling_begin(sampling *session);
/* From there to the end, with word of it and checkpoints on the way. */
equant_status sampling_go_on(sampling *session, equant_posterior **made);
/* What a run that has ended has found. */
equant_status sampling_finish(sampling *session, equant_sample_end end, equant_posterior **made);
void sampling_free(sampling *session);

/* Pieces of these, for a run that is read from a file. */
equant_status sampling_create_priors(sampling *session, const char *noise);
equant_status sampling_choose_basis(sampling *session);
equant_status sampling_create_density(sampling *session);
equant_status sampling_create_run(sampling *session, const double *start);
equant_status sampling_describe(sampling *session, const char *star_name, const char *command);
int sampling_threads(const equant_sample_options *options);

#endif
