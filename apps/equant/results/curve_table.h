/* curve.ecsv: the velocities of a fit at many times, for pictures of others. */
#ifndef EQUANT_APP_RESULTS_CURVE_TABLE_H
#define EQUANT_APP_RESULTS_CURVE_TABLE_H

#include "stars/star_result.h"

/* Returns an exit code, with a sentence on failure. */
int curve_table_write(const struct star_result *star, const char *folder);

#endif
