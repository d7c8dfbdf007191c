/* One row of Gaia's epoch astrometry: a transit with the measurements of its CCDs, whatever file it
 * comes from. A cell has one value for the transit, or one for each CCD. */
#ifndef EQUANT_ASTROMETRY_GAIA_TRANSIT_H
#define EQUANT_ASTROMETRY_GAIA_TRANSIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/text_table.h"

/* Those of gaia_names.h, in the same order. */
typedef enum gaia_column {
    GAIA_SOURCE_ID,
    GAIA_TRANSIT_ID,
    GAIA_TIME,        /* TCB at Gaia; its unit is one of gaia_clock.h */
    GAIA_CORRECTION,  /* from Gaia to the barycentre */
    GAIA_ABSCISSA,    /* mas */
    GAIA_UNCERTAINTY, /* mas */
    GAIA_ANGLE,       /* degrees */
    GAIA_PARALLAX_FACTOR,
    GAIA_COLOUR_FACTOR,
    GAIA_USED,
    GAIA_EXCESS_NOISE, /* mas */
    GAIA_N_COLUMNS,
    GAIA_NO_COLUMN = GAIA_N_COLUMNS
} gaia_column;

/* Ten CCDs see a transit; files with longer arrays are something else. */
enum { GAIA_MOST_CCDS = 32 };

/* Values as whole numbers where the file has them: times and source numbers have more digits than a
 * double. What is missing is NaN. */
typedef struct gaia_cell {
    size_t n;
    double real[GAIA_MOST_CCDS];
    int64_t whole[GAIA_MOST_CCDS];
} gaia_cell;

typedef struct gaia_transit {
    gaia_cell cells[GAIA_N_COLUMNS]; /* n = 0: no such column */
} gaia_transit;

/* The column that a heading names, in snake or in camel case. */
gaia_column gaia_column_of(text_slice heading);
const char *gaia_column_name(gaia_column column);

/* Whether the beginning of a file names one of the columns that make a table one of epochs. */
bool gaia_columns_are_in(const char *head, size_t n_bytes);

/* True when the columns suffice: time, abscissa, uncertainty, angle. Else *missing is the name of
 * one that is not there. */
bool gaia_columns_suffice(const bool has[GAIA_N_COLUMNS], const char **missing);

void gaia_cell_add_real(gaia_cell *cell, double value);
void gaia_cell_add_whole(gaia_cell *cell, int64_t value);
void gaia_cell_add_missing(gaia_cell *cell);

/* Values of a text: "1.5", "(1, 2, 3)", "[true,false]" or "1 2 3". What Gaia's tables keep in
 * single precision is rounded to it, so that all serialisations give the same bits. False where
 * there is a word that is none, or more values than there are CCDs. */
bool gaia_cell_read(text_slice text, gaia_column column, gaia_cell *cell);

#endif
