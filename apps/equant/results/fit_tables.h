/* A fit as tables in a folder. */
#ifndef EQUANT_APP_RESULTS_FIT_TABLES_H
#define EQUANT_APP_RESULTS_FIT_TABLES_H

#include "stars/star_result.h"

/* Writes planets.ecsv, parameters.ecsv, covariance.ecsv, residuals.ecsv and curve.ecsv.
 * Returns an exit code, with a sentence on failure. */
int fit_tables_write(const struct star_result *star, const char *folder);

#endif
