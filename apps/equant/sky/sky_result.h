/* A fit of astrometry with everything that is told of it, for text and JSON alike. */
#ifndef EQUANT_APP_SKY_SKY_RESULT_H
#define EQUANT_APP_SKY_SKY_RESULT_H

#include <stdbool.h>
#include <stdio.h>

#include "equant.h"

struct sky_result {
    const equant_astrometry *source;
    const equant_dataset *velocities; /* NULL: none */
    const equant_sky_fit *fit;
    const equant_sky_solution *solution;
    equant_sky_summary summary;
    equant_sky_companion companion; /* where summary.n_companions is 1 */
    bool as_ccds;
    double star_mass, parallax_zero_point_mas;
};

/* Returns an exit code. */
int sky_text_print(const struct sky_result *result);
void sky_json_write(FILE *stream, const struct sky_result *result);

#endif
