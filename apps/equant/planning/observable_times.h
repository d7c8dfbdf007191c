/* Times at which a star can be observed from one or several sites, as candidates of a plan. */
#ifndef EQUANT_APP_PLANNING_OBSERVABLE_TIMES_H
#define EQUANT_APP_PLANNING_OBSERVABLE_TIMES_H

#include "nights/night_question.h"
#include "planning/future_times.h"
#include "planning/setup_request.h"

/* Whether days are Julian dates, so that they have dates in a calendar. */
bool night_times_are_dates(double time_days);

/* Middles of exposures between the start and the end of the request, every step, with all limits
 * kept from the first to the last minute of each. Barycentric where the data are. Without a start
 * they begin now, or after the data where these are not over. Returns an exit code, with a sentence
 * on failure. */
int night_times_find(const char *command, const struct site_request *from,
                     const struct future_request *when, const struct future_usual *usual,
                     const equant_dataset *dataset, const struct setups *setups,
                     struct future_times *times);

#endif
