/* The numbers that decide what a run does, with their defaults, and as texts in its file. */
#ifndef EQUANT_OUTPUT_SAMPLE_SETTINGS_H
#define EQUANT_OUTPUT_SAMPLE_SETTINGS_H

#include "inference/density/correlated_noise.h"
#include "output/provenance.h"

enum { SAMPLE_BACKEND_SIZE = 64 };

typedef struct sample_settings {
    uint64_t n_planets, trend_order, marginalise_offsets, has_kernel, start;
    correlated_noise_kernel kernel;
    double star_mass;
    uint64_t seed, n_populations, n_walkers, n_temperatures; /* none of them zero but the seed */
    uint64_t n_burn_in, thinning, max_draws;
    double max_rhat, min_ess;
    uint64_t max_steps;
    uint64_t precision, solver, summation, danby_max_iterations; /* of the engine */
    double danby_tolerance;
    char backend[SAMPLE_BACKEND_SIZE]; /* one that does not choose by itself */
} sample_settings;

/* From what a caller asks for; fails on what cannot be meant. n_walkers may still be zero, and
 * the backend empty. */
equant_status sample_settings_take(const equant_dataset *dataset,
                                   const equant_sample_options *options, sample_settings *made);

/* What a caller may change when a run goes on; zeros leave it as it was. */
equant_status sample_settings_extend(const equant_sample_options *options, sample_settings *of);

/* Whether the limits leave room for draws. */
equant_status sample_settings_check(const sample_settings *of);

/* Names a backend, where none was: batches that each choose their own would make results
 * depend on their size. n_sets are evaluated at a time. */
void sample_settings_settle(sample_settings *of, const equant_dataset *dataset, size_t n_sets);

equant_engine_options sample_settings_engine(const sample_settings *of, int n_threads);

/* Appends all of them. */
equant_status sample_settings_write(const sample_settings *of, provenance *texts);

equant_status sample_settings_read(const run_file *from, const char *path, sample_settings *of);

#endif
