/* The planets of a fit in the coordinates of a basis, with their errors. */
#ifndef EQUANT_APP_RESULTS_FIT_BASIS_H
#define EQUANT_APP_RESULTS_FIT_BASIS_H

#include "stars/star_result.h"

/* Returns an exit code, with a sentence on failure. */
int fit_basis_print(const struct star_result *star, const char *basis);

#endif
