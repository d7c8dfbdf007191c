/* The chains of a comparison in a file, between two sweeps: one that was stopped goes on from there
 * to the same numbers. It is there whole or as it was (core/files/replacement.h). */
#ifndef EQUANT_INFERENCE_COMPARE_CHAIN_FILE_H
#define EQUANT_INFERENCE_COMPARE_CHAIN_FILE_H

#include "inference/compare/comparison_start.h"

/* What the numbers of a run hang on, in one: data, noise, priors, starts and lengths. */
uint64_t chain_file_mark(const comparison_start *start, uint64_t seed, size_t n_populations,
                         size_t n_sweeps, size_t n_slots);

/* Populations that have done so many sweeps. */
equant_status chain_file_write(const char *path, uint64_t mark, size_t sweep, size_t n_populations,
                               const population *populations);

/* Removes the file; one of something else stays, and is a failure. */
equant_status chain_file_remove(const char *path);

/* Reads them into populations that have been created; *sweep stays where there is no file, and a
 * file of another run is EQUANT_ERROR_INVALID_ARGUMENT. */
equant_status chain_file_read(const char *path, uint64_t mark, size_t n_populations,
                              population *populations, size_t *sweep);

#endif
