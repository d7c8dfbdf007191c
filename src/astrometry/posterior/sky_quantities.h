/* What is told of one draw of orbits on the sky: Campbell's elements, sizes, masses, and all that
 * is linear. */
#ifndef EQUANT_ASTROMETRY_POSTERIOR_SKY_QUANTITIES_H
#define EQUANT_ASTROMETRY_POSTERIOR_SKY_QUANTITIES_H

#include "astrometry/solution/sky_solution.h"

enum {
    SKY_QUANTITIES_NAME_SIZE = 40,
    SKY_QUANTITIES_UNIT_SIZE = 16,
    SKY_QUANTITIES_MOST =
        17 * SKY_SOLUTION_MAX_ORBITS + SKY_MODEL_MAX_COLUMNS + 2 * SKY_DATA_MAX_INSTRUMENTS + 3
};

typedef struct sky_quantities_column {
    char name[SKY_QUANTITIES_NAME_SIZE]; /* "period_days_1" */
    char unit[SKY_QUANTITIES_UNIT_SIZE];
    size_t planet, instrument; /* from 1; 0: of none */
    bool is_angle, is_derived;
} sky_quantities_column;

/* Angles and passages are taken next to those of one solution, so that draws around a whole turn,
 * or around the other node, do not fall into two heaps. */
typedef struct sky_quantities_frame {
    const sky_solution *near;
    double reference_jd, parallax_zero_point_mas;
    double star_mass, star_mass_err; /* solar masses; 0: unknown */
    bool has_star;                   /* rows of the star itself */
} sky_quantities_frame;

/* Values of one solution, and with `columns` their names; returns how many. The star's mass is
 * `mass_deviate` standard deviations from the one that is given. */
size_t sky_quantities_fill(const sky_quantities_frame *frame, const sky_solution *solution,
                           double mass_deviate, double values[SKY_QUANTITIES_MOST],
                           sky_quantities_column *columns);

/* What a column of the model ("pm_ra") is called there ("pm_ra_mas_yr"), and its unit. */
void sky_quantities_name_column(const char *column, char name[SKY_QUANTITIES_NAME_SIZE],
                                const char **unit);

/* What a column is by its name and unit, as a file has them; false where it can be none. */
bool sky_quantities_recognise(const char *name, const char *unit, sky_quantities_column *column);

#endif
