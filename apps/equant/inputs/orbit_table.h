/* A CSV table of orbits, one parameter set a row, read in bounded memory. The
 * header names the columns, in any order, as equant_model_parameter_name does;
 * omega and M0 may be given in degrees (omega_deg_1, m0_deg_1). Offsets and
 * trend that have no columns are left to be solved. */
#ifndef EQUANT_APP_INPUTS_ORBIT_TABLE_H
#define EQUANT_APP_INPUTS_ORBIT_TABLE_H

#include <stdbool.h>

#include "equant.h"
#include "files/line_reader.h"

struct orbit_table {
    struct line_reader reader;
    equant_model *model; /* that the header describes                         */
    size_t n_parameters;
    size_t n_columns;           /* of the file                                        */
    char delimiter;             /* of its cells (table_line.h)                        */
    size_t *parameter;          /* [n_columns]: where a column goes; n_parameters:
                                   nowhere                                            */
    double *factor;             /* [n_columns]: pi / 180 for degrees, else 1          */
    bool interrupted;           /* by Ctrl-C while waiting for input                  */
    const double *noise_values; /* the last n_noise_values parameters of each set */
    size_t n_noise_values;
    const equant_states *states; /* give what has no column; NULL: nothing */
    const equant_dataset *dataset;
};

/* What the header leaves open. */
struct orbit_table_options {
    size_t n_instruments;
    int trend_order;            /* 0 to 2: of a trend without columns, to be solved  */
    bool solves_offsets;        /* false: offsets without columns are zero           */
    const char *noise;          /* names of noise terms; NULL or "": white           */
    const double *noise_values; /* of all their parameters; NULL: in columns of the table */
    size_t n_noise_values;
    const equant_states *states;   /* that give what has no column; NULL: none */
    const equant_dataset *dataset; /* that they are about                      */
};

/* Opens the table and reads its header; "-" is standard input. Returns an exit
 * code, with a sentence on failure; close it only after success. */
int orbit_table_open(struct orbit_table *table, const char *path,
                     const struct orbit_table_options *options);
void orbit_table_close(struct orbit_table *table);

/* Reads up to n_max rows into parameters[n_max][n_parameters] and says how many
 * there were: fewer only at the end, at Ctrl-C, or at a line that makes no
 * sense. Rows before such a line are valid; the answer is then the exit code,
 * with a sentence. */
int orbit_table_read(struct orbit_table *table, size_t n_max, double *parameters, size_t *n_rows);

/* Passes over n rows; it is an error when there are fewer. */
int orbit_table_skip(struct orbit_table *table, uint64_t n);

#endif
