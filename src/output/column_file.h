/* Draws as plain columns: a NetCDF-4 file as ArviZ and xarray open it, without what a run would
 * need to go on.
 *
 *   posterior      (chain, draw): one variable for each column; a chain is a population
 *   sample_stats   (chain, draw): log_likelihood
 *   observed_data  tables of what was seen, each along a dimension of its own
 *   starts         a table of where walkers began, with the columns of the posterior
 *   sampler        attributes: figures of the run
 *   provenance     attributes
 *
 * A build without NetCDF answers EQUANT_ERROR_UNAVAILABLE. */
#ifndef EQUANT_OUTPUT_COLUMN_FILE_H
#define EQUANT_OUTPUT_COLUMN_FILE_H

#include "output/provenance.h"

typedef struct column_file_column {
    const char *name, *unit;
    const double *values; /* [n_chains][n_draws], or of a table [n_rows] */
} column_file_column;

typedef struct column_file_table {
    const char *dimension;
    size_t n_rows, n_columns;
    const column_file_column *columns;
} column_file_table;

typedef struct column_file_figure {
    const char *name;
    double value;
} column_file_figure;

typedef struct column_file_contents {
    size_t n_chains, n_draws; /* draws of a chain: steps, and in each of them walkers */
    size_t n_walkers;
    size_t n_columns;
    const column_file_column *columns;
    const double *log_likelihood; /* [n_chains][n_draws] */
    size_t n_tables;
    const column_file_table *tables; /* those without rows are left out */
    column_file_table starts;        /* no rows: not known              */
    size_t n_figures;
    const column_file_figure *figures;
    const provenance *made_with;
} column_file_contents;

/* The attribute by which such a file is known from that of a run, and the layout that this code
 * knows: files of layout 1 have neither tables nor figures. */
#define COLUMN_FILE_NAME "equant_columns"
#define COLUMN_FILE_STARTS "starts" /* group of the starts, which files of before do not have */
enum { COLUMN_FILE_LAYOUT = 2 };

/* Takes the place of the file that may be there, whole or not at all. */
equant_status column_file_write(const char *path, const column_file_contents *contents);

/* What is read back. */
typedef struct column_file {
    column_file_contents contents; /* all that it points to is this file's own */
    provenance made_with;
} column_file;

/* Fails on files that are damaged, cut short, or of something else. */
equant_status column_file_read(const char *path, column_file **made);
void column_file_free(column_file *file);

/* Whether a file is of this kind; false also where it cannot be read. */
bool column_file_recognises(const char *path);

/* A table by its dimension, and one of its columns; a figure, or `usual` where there is none; a
 * text of the provenance. NULL where there is none. */
const column_file_table *column_file_find_table(const column_file *file, const char *dimension);
const double *column_file_find_column(const column_file_table *table, const char *name);
double column_file_find_figure(const column_file *file, const char *name, double usual);
const char *column_file_find_text(const column_file *file, const char *name);

#endif
