/* The unit of a column of velocities: as written, or as the numbers suggest. */
#ifndef EQUANT_DATA_VELOCITY_UNIT_H
#define EQUANT_DATA_VELOCITY_UNIT_H

#include <stdbool.h>

#include "data/text_table.h"
#include "equant.h"

/* m/s in one unit; FROM_FILE counts as m/s. */
double velocity_unit_scale(equant_unit unit);

/* "m/s" or "km/s". */
const char *velocity_unit_name(equant_unit unit);

/* Reads "km/s", "KM / S", "m s-1", "m s^-1", "kms", ...; FROM_FILE for anything
 * else. */
equant_unit velocity_unit_parse(text_slice text);

/* What the numbers of a file say about its unit, in the unit of the file. */
typedef struct velocity_statistics {
    double mean;
    double spread; /* largest minus smallest velocity */
    double median_uncertainty;
} velocity_statistics;

/* False when memory ran out. */
bool velocity_unit_statistics(size_t n, const double *velocity, const double *uncertainty,
                              velocity_statistics *statistics);

/* The median of |value| over what is not NaN, NaN where there is nothing. False when memory ran
 * out. */
bool velocity_unit_median_size(size_t n, const double *values, double *size);

/* The more likely unit of numbers without one. */
equant_unit velocity_unit_guess(const velocity_statistics *statistics);

#endif
