/* When the planets of a fit will be at their conjunctions: coming transits and occultations, if
 * any, with their errors. */
#ifndef EQUANT_APP_RESULTS_FIT_EVENTS_H
#define EQUANT_APP_RESULTS_FIT_EVENTS_H

#include "stars/star_result.h"

/* Prints so many of each planet, from the last observation on. Returns an exit code. */
int fit_events_print(const struct star_result *star, int n_events);

#endif
