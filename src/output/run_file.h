/* The file of a run: NetCDF-4 with one group per kind of data, as ArviZ and xarray open it, and
 * with everything that a run needs to go on.
 *
 *   posterior      (chain, draw[, planet | instrument]): every quantity of
 * model/model_quantities.h. A chain is a population; its draws are the walkers of the first kept
 * step, then those of the second, and so on: step(draw) and walker(draw) tell sample_stats (chain,
 * draw): log_likelihood, log_prior and their sum lp; the prior is the density in the coordinates of
 * the sampler observed_data, constant_data   (obs): rv; t, sigma, instrument, instrument_number
 *   evidence       lnZ, lnZ_err, lnZ_run(run), k_hat
 *   sampler        figures of the sampler, and its state as bytes
 *   provenance     attributes: version, options, seed ...
 *
 * One call at a time in a process: the NetCDF library is not safe for threads. A build without
 * it answers EQUANT_ERROR_UNAVAILABLE. */
#ifndef EQUANT_OUTPUT_RUN_FILE_H
#define EQUANT_OUTPUT_RUN_FILE_H

#include "inference/sample/draws/draws.h"
#include "model/model_quantities.h"

typedef struct run_file_text {
    const char *name, *value;
} run_file_text;

typedef struct run_file_figure {
    const char *name;
    size_t n;
    const double *values; /* [n] */
} run_file_figure;

typedef struct run_file_evidence {
    double log_z, log_z_err;
    size_t n_runs; /* independent ones, e.g. populations */
    const double *log_z_of_run;
    const char *method; /* "bridge sampling" */
    double k_hat;       /* of importance weights; NaN: there are none */
} run_file_evidence;

typedef struct run_file_contents {
    const equant_dataset *dataset;
    quantities_shape shape;
    const draws *draws;                /* may hold no steps yet       */
    const run_file_evidence *evidence; /* NULL: unknown               */
    size_t n_figures;
    const run_file_figure *figures;
    size_t n_provenance;
    const run_file_text *provenance;
    size_t n_state_bytes; /* of the sampler; 0: none     */
    const void *state;
} run_file_contents;

/* Whether this build can write files of runs, and no file of another kind is in the way; the
 * sentence of a failure speaks of `path`. */
equant_status run_file_is_possible(const char *path);

/* Writes beside the file that may be there and then takes its place: whatever happens on the
 * way, `path` is the old file or the new one. Only one program may write to a path. */
equant_status run_file_write(const char *path, const run_file_contents *contents);

/* What is read back: enough to go on, and to summarise. */
typedef struct run_file {
    quantities_shape shape;
    draws *draws;
    equant_dataset *dataset; /* the observations of the run */
    double reference_time_days;
    size_t n_provenance;
    run_file_text *provenance;
    size_t n_state_bytes;
    void *state;
    run_file_evidence evidence; /* method NULL: unknown */
} run_file;

/* Fails on files that are damaged, cut short or somebody else's, and where `dataset` is given
 * and holds other observations than those of the run. */
equant_status run_file_read(const char *path, const equant_dataset *dataset, run_file **made);
void run_file_free(run_file *run);

/* The observations alone; draws are not read. */
equant_status run_file_read_dataset(const char *path, equant_dataset **made);

/* The value of a text of the provenance; NULL where there is none of this name. */
const char *run_file_provenance(const run_file *run, const char *name);

#endif
