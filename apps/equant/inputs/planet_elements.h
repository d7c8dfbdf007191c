/* The elements of a planet as a row of numbers, and what tables call them. */
#ifndef EQUANT_APP_INPUTS_PLANET_ELEMENTS_H
#define EQUANT_APP_INPUTS_PLANET_ELEMENTS_H

#include "equant.h"

/* "period_days" and so on, in the order of equant_element. */
extern const char *const planet_elements_names[EQUANT_N_ELEMENTS];

void planet_elements_get(const equant_planet *planet, double *elements);

#endif
