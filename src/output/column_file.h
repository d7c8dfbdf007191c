/* Draws as plain columns: a NetCDF-4 file as ArviZ and xarray open it, without what a run would
 * need to go on.
 *
 *   posterior      (chain, draw): one variable for each column; a chain is a population
 *   sample_stats   (chain, draw): log_likelihood
 *   provenance     attributes
 *
 * A build without NetCDF answers EQUANT_ERROR_UNAVAILABLE. */
#ifndef EQUANT_OUTPUT_COLUMN_FILE_H
#define EQUANT_OUTPUT_COLUMN_FILE_H

#include "output/provenance.h"

typedef struct column_file_column {
    const char *name, *unit;
    const double *values; /* [n_chains][n_draws] */
} column_file_column;

typedef struct column_file_contents {
    size_t n_chains, n_draws; /* draws of a chain: steps, and in each of them walkers */
    size_t n_walkers;
    size_t n_columns;
    const column_file_column *columns;
    const double *log_likelihood; /* [n_chains][n_draws] */
    const provenance *made_with;
} column_file_contents;

/* The attribute by which such a file is known from that of a run. */
#define COLUMN_FILE_NAME "equant_columns"

/* Takes the place of the file that may be there, whole or not at all. */
equant_status column_file_write(const char *path, const column_file_contents *contents);

#endif
