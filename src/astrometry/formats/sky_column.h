/* What the columns of a table of single measurements are called. */
#ifndef EQUANT_ASTROMETRY_SKY_COLUMN_H
#define EQUANT_ASTROMETRY_SKY_COLUMN_H

#include <stdbool.h>

#include "data/text_table.h"

typedef enum sky_column {
    SKY_TIME,
    SKY_ABSCISSA,
    SKY_UNCERTAINTY,
    SKY_ANGLE,
    SKY_PARALLAX_FACTOR,
    SKY_COLOUR_FACTOR,
    SKY_TRANSIT,
    SKY_SOURCE,
    SKY_REJECTED, /* other than 0: not used */
    SKY_USED,     /* 0 or false: not used */
    SKY_N_COLUMNS,
    SKY_NO_COLUMN = SKY_N_COLUMNS
} sky_column;

/* The column that a heading names; units in brackets behind it do not matter. */
sky_column sky_column_of(text_slice heading);

/* What a heading says of the unit of an angle or of the kind of a date: true where it holds `word`,
 * in small letters, set apart by anything that is no letter. */
bool sky_column_says(text_slice heading, const char *word);

#endif
