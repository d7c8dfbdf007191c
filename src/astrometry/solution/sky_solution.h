/* A model of a source with values for all its parameters: the columns of sky_model.h, offsets of
 * velocities, and orbits.
 *
 * Parameters, in this order:
 *   columns of the sky, offsets of the instruments,
 *   for each orbit A, B, F, G (mas) and, where velocities are free of them, their two amplitudes:
 *       v = c dX/dM + h dY/dM (m/s),
 *   for each orbit ln P (days), e cos M0, e sin M0,
 *   where positions of companions stand beside the star's, the logarithm of the ratio of the two
 *   orbits, companion minus star over star, for each orbit; where they stand beside velocities and
 *   no row is the star's, that of the star's orbit in astronomical units over theirs in mas.
 *
 * Rows of a companion minus its star have the constants of the star turned round: without rows of
 * the star itself, those of the whole orbit.
 *
 * In a tied solution the velocities are those of the orbit on the sky: the companion is dark, and
 * the parallax, or that last parameter, turns mas into kilometres. Then nothing is linear any more.
 */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_SOLUTION_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_SOLUTION_H

#include "astrometry/solution/sky_data.h"
#include "astrometry/solution/sky_model.h"
#include "physics/sky_orbit.h"

enum {
    SKY_SOLUTION_MAX_ORBITS = 3,
    SKY_SOLUTION_MAX_PARAMETERS =
        SKY_MODEL_MAX_COLUMNS + SKY_DATA_MAX_INSTRUMENTS + 10 * SKY_SOLUTION_MAX_ORBITS
};

/* Velocity of a body that goes once around one astronomical unit in a day, m/s. */
#define SKY_SOLUTION_AU_PER_DAY (SKY_ORBIT_TWO_PI * 149597870700.0 / 86400.0)

typedef struct sky_solution {
    sky_model model;
    size_t n_orbits;
    bool has_velocities, is_tied, has_ratio, has_scale;
    double side[SKY_SOLUTION_MAX_ORBITS]; /* of tied ones: 1, or -1 for the other node */
    bool lacks_parallax;        /* the parameter is a correction: nothing has a distance */
    double parallax_zero_point; /* mas, taken from the parallax where it is a distance */
    size_t n_instruments;
    double value[SKY_SOLUTION_MAX_PARAMETERS];
    double covariance[SKY_SOLUTION_MAX_PARAMETERS * SKY_SOLUTION_MAX_PARAMETERS];
    double jitter[SKY_DATA_MAX_GROUPS]; /* mas and m/s */
    double chi_square, log_likelihood;  /* of the rows, jitters included */
    double chi_square_before; /* with the jitters of the solution that an orbit was found behind; 0:
                                 not known */
} sky_solution;

/* With all values zero. */
sky_solution sky_solution_make(const sky_data *data, const sky_model *model, size_t n_orbits);

size_t sky_solution_n_amplitudes(const sky_solution *solution); /* of an orbit */
size_t sky_solution_n_linear(const sky_solution *solution);     /* all before the shapes */
size_t sky_solution_n_parameters(const sky_solution *solution);

/* Where the parameters of an orbit begin: amplitudes, and shape. */
size_t sky_solution_amplitudes(const sky_solution *solution, size_t orbit);
size_t sky_solution_shape(const sky_solution *solution, size_t orbit);

sky_constants sky_solution_constants(const sky_solution *solution, size_t orbit);

/* The parallax that is a distance, mas: less its zero point; NaN where none is fitted, or where
 * what is fitted is a correction to one that is not known. */
double sky_solution_distance_parallax(const sky_solution *solution, double zero_point);

/* A parameter of the sky by the name of its column; NaN where there is none. */
double sky_solution_column(const sky_solution *solution, const char *name, double *error);

#endif
