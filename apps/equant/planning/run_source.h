/* The run that a prediction or a plan is made from. */
#ifndef EQUANT_APP_PLANNING_RUN_SOURCE_H
#define EQUANT_APP_PLANNING_RUN_SOURCE_H

#include "equant.h"

/* A folder of `equant sample`, or its run.nc. Returns an exit code, with a sentence on failure. */
int run_source_open(const char *path, equant_posterior **posterior);

/* The same of velocities or of astrometry; one of the two is filled, by what the file holds. */
int run_source_open_any(const char *path, equant_posterior **posterior, equant_sky_posterior **sky);

/* The observations alone of a run of velocities, for what can be refused before its draws are read;
 * NULL is left in the place of those of a run of astrometry. */
int run_source_dataset(const char *path, equant_dataset **velocities);

/* The number of an instrument, from 1, by its name or by that number; NULL is 0, the one that
 * observed last. Returns an exit code, with a sentence on failure. */
int run_source_instrument(const char *command, const equant_dataset *velocities, const char *text,
                          size_t *number);

/* What the star is called, and its instrument number `number`; "" where nobody has said. */
const char *run_source_star(const equant_posterior *posterior);
const char *run_source_instrument_name(const equant_posterior *posterior, size_t number);

/* The time of the last observation. */
double run_source_end_days(const equant_posterior *posterior);

#endif
