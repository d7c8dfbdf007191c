/* What the caller wants of the readers: a unit, what becomes of bad rows, which columns. */
#ifndef EQUANT_DATA_READING_REQUEST_H
#define EQUANT_DATA_READING_REQUEST_H

#include <stdbool.h>

#include "data/column_role.h"
#include "equant.h"

/* One "rv=RV_corr" of the member `columns`. */
typedef struct column_choice {
    column_role role; /* COLUMN_OTHER for indicators */
    int indicator;    /* of the catalogue; -1 for none */
    bool is_indicator_uncertainty;
    text_slice key;    /* as it was written */
    text_slice column; /* name or number */
    bool is_none;      /* no column has this role: "star=none" */
} column_choice;

enum { READING_REQUEST_CHOICES = 32 };

typedef struct reading_request {
    equant_unit unit; /* FROM_FILE: as the files say */
    bool skips_bad_rows;
    const char *star; /* the rows of this one alone; NULL: all, which must be of one */
    size_t n_choices;
    column_choice choices[READING_REQUEST_CHOICES]; /* slices of the caller's text */
} reading_request;

/* Fails on options that cannot be meant. */
equant_status reading_request_read(const equant_dataset_options *options, reading_request *request);

/* The column, counted from 0, that a choice means among names[n], or -1: the one with just this
 * name, else with it but for capitals and signs, else the one with this number of n_columns. */
int reading_request_column(const column_choice *choice, const text_slice *names, size_t n,
                           size_t n_columns);

#endif
