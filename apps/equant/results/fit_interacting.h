/* The planets of a fit as planets that attract each other, fitted once more by integrated orbits.
 */
#ifndef EQUANT_APP_RESULTS_FIT_INTERACTING_H
#define EQUANT_APP_RESULTS_FIT_INTERACTING_H

#include "stars/star_result.h"

/* What is fitted, and to what. */
struct fit_interacting {
    const struct star_result *star;  /* NULL: transits alone */
    const equant_transits *transits; /* NULL: velocities alone */
    double star_mass;                /* 0: 1 */
    const equant_engine_options *engine;
};

/* A table behind the text of a fit; less than two planets have none, and a sentence says so. */
int fit_interacting_print(const struct fit_interacting *what);

#endif
