/* What a source does on the sky without companions, as columns of a linear model: where it stands,
 * its parallax, how it moves, and what the instrument adds. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_MODEL_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_MODEL_H

#include <stdbool.h>

#include "equant.h"

enum { SKY_MODEL_MAX_COLUMNS = 18, SKY_MODEL_MAX_HARMONICS = 3 };

typedef struct sky_model {
    int order;         /* of the motion in time: 0 none at all, 1 proper motion, 2 and 3 its first
                          and second derivatives as well                                        */
    bool has_parallax; /* where rows have factors of it                                        */
    bool has_colour;
    bool no_position; /* proper motions alone do not tell where the source stands             */
    double recession_per_year; /* by which share its distance grows: all that is seen shrinks */
    bool has_second_frame;     /* rows of a second mission, whose zero of position is another     */
    int n_harmonics; /* of the scan angle, each with sine and cosine: 3, 5, 7 times the angle   */
} sky_model;

/* Standard deviation of the pseudocolour before the data, per micrometre, and what a factor of the
 * file is multiplied by: the source model of Gaia's own update. */
#define SKY_MODEL_COLOUR_PRIOR 0.085
#define SKY_MODEL_COLOUR_SCALE (-1.0)
#define SKY_MODEL_DAYS_PER_YEAR 365.25

size_t sky_model_n_columns(const sky_model *model);

/* A fixed word, "parallax" or "pm_ra"; never NULL. */
const char *sky_model_column_name(const sky_model *model, size_t column);

/* Where a column stands, or SIZE_MAX. */
size_t sky_model_column_index(const sky_model *model, const char *name);

/* Column `column` at row `k`: zero in rows of companions. Colour and harmonics are of the first
 * frame alone. */
double sky_model_value(const sky_model *model, const equant_sky_rows *rows, size_t column,
                       size_t k);

#endif
