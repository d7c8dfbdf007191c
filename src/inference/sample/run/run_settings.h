/* The numbers that decide what a run does, with their defaults, and as texts in its file. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_RUN_SETTINGS_H
#define EQUANT_INFERENCE_SAMPLE_RUN_RUN_SETTINGS_H

#include "inference/sample/run/sampler_run.h"
#include "model/model_quantities.h"
#include "output/provenance.h"

enum { SAMPLE_BACKEND_SIZE = 64 };

typedef struct run_settings {
    uint64_t n_planets, trend_order, marginalise_offsets, start;
    host_star star;
    uint64_t seed, n_populations, n_walkers, n_temperatures; /* none of them zero but the seed */
    uint64_t n_burn_in, thinning, max_draws;
    double max_rhat, min_ess;
    uint64_t max_steps;
    uint64_t precision, solver, summation, danby_max_iterations; /* of the engine */
    double danby_tolerance;
    char backend[SAMPLE_BACKEND_SIZE]; /* one that does not choose by itself */
    char noise[NOISE_KINDS_TEXT_SIZE]; /* terms with parameters; empty: none  */
} run_settings;

/* From what a caller asks for; fails on what cannot be meant. n_walkers may still be zero, and
 * the backend empty. */
equant_status run_settings_take(const equant_dataset *dataset, const equant_sample_options *options,
                                run_settings *made);

/* What a caller may change when a run goes on; zeros leave it as it was. */
equant_status run_settings_extend(const equant_sample_options *options, run_settings *settings);

/* Names a backend, where none was: batches that each choose their own would make results
 * depend on their size. n_sets are evaluated at a time. */
equant_status run_settings_settle(run_settings *settings, const equant_dataset *dataset,
                                  size_t n_sets);

equant_engine_options run_settings_engine(const run_settings *settings, int n_threads);

/* What the columns of a run's parameter sets are, and when it ends, but for its seconds. */
quantities_shape run_settings_shape(const run_settings *settings, const equant_dataset *dataset);
sampler_run_goals run_settings_goals(const run_settings *settings);

/* Appends all of them. */
equant_status run_settings_write(const run_settings *settings, provenance *texts);

equant_status run_settings_read(const run_file *from, const char *path, run_settings *settings);

#endif
