/* What a person knows of the star: --star-mass 0.874+-0.012 and the like. */
#ifndef EQUANT_APP_OPTIONS_STAR_REQUEST_H
#define EQUANT_APP_OPTIONS_STAR_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"
#include "options/option_table.h"

/* Of an equant_star. */
extern const struct option_row star_request_rows[];

/* Appends what was given, " --star-mass 0.874+-0.012". */
void star_request_describe(const equant_star *star, char *line, size_t n);

/* The numbers of a star by the names that files have for them, "mass" and "mass_err" being
 * "star_mass" and "star_mass_err"; NULL when out of range. */
const char *star_request_name(size_t index);
double *star_request_number(equant_star *star, size_t index);

/* "0.87", or "0.874 ± 0.012". */
void star_request_mass_text(const equant_star *star, char *text, size_t n);

#endif
