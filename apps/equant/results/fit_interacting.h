/* The planets of a fit as planets that attract each other, fitted once more by integrated orbits.
 */
#ifndef EQUANT_APP_RESULTS_FIT_INTERACTING_H
#define EQUANT_APP_RESULTS_FIT_INTERACTING_H

#include "stars/star_result.h"

/* A table behind the text of a fit; a star_mass of 0 is taken as 1. Less than two planets have
 * none. */
int fit_interacting_print(const struct star_result *star, double star_mass);

#endif
