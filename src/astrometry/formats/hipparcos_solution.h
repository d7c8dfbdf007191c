/* The solution of a catalogue that abscissae of Hipparcos are residuals to. It is put back where it
 * is known, so that a fit has the star's own parallax and motion, and not corrections to them. */
#ifndef EQUANT_ASTROMETRY_HIPPARCOS_SOLUTION_H
#define EQUANT_ASTROMETRY_HIPPARCOS_SOLUTION_H

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/formats/sky_format.h"

typedef struct hipparcos_solution {
    bool has_parallax, has_motion;
    double parallax_mas, pm_mas_yr[2];
    double acceleration[2], jerk[2]; /* mas/yr^2, mas/yr^3 */
} hipparcos_solution;

/* Adds what is known of it to all rows of the builder, with a remark. A parallax that the file does
 * not tell may be given by the input; one beside that of the file is refused. */
equant_status hipparcos_solution_put_back(const hipparcos_solution *solution,
                                          const sky_input *input, sky_builder *builder);

#endif
