/* Which periods can be looked for in data of some length: one sentence for velocities, astrometry
 * and the numbers of planets alike. */
#ifndef EQUANT_CORE_PERIOD_RANGE_H
#define EQUANT_CORE_PERIOD_RANGE_H

#include "equant.h"

/* Fails where the shortest period would turn more than `most_turns` times in the data, and says
 * from which period on it can be done. */
equant_status period_range_check_turns(double period_min_days, double span_days, double most_turns);

#endif
