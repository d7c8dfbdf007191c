/* Aliases: the frequencies that a signal shows besides its own because observations repeat
 * with the day, the month and the year (Dawson & Fabrycky 2010, ApJ 722, 937). */
#ifndef EQUANT_INFERENCE_SEARCH_ALIASES_H
#define EQUANT_INFERENCE_SEARCH_ALIASES_H

#include <stddef.h>

enum { ALIASES_MAX = 12, ALIASES_FAMILY_MAX = 512 };

/* Aliases of a frequency, positive ones; returns how many. */
size_t aliases_of(double frequency_per_day, double aliases[ALIASES_MAX]);

/* The frequencies below `highest` at which the signal of one may have its origin, it first: sums
 * and differences with once and twice each cycle, and with those of two of them. None is nearer to
 * another than `resolution`. Returns how many. */
size_t aliases_family(double frequency_per_day, double highest_per_day, double resolution_per_day,
                      double family[ALIASES_FAMILY_MAX]);

/* The name of what makes `frequency` an alias of `true_frequency`, within a tolerance: "the day",
 * "the year" ...; NULL where it is none. */
const char *aliases_name(double frequency_per_day, double true_frequency_per_day,
                         double tolerance_per_day);

/* The cycle of observing whose frequency this is, within a tolerance: "the sidereal day", "the
 * day", "the year", or "the year, seen once a day"; NULL where it is none. */
const char *aliases_cycle(double frequency_per_day, double tolerance_per_day);

/* True for a frequency so near to one or two cycles per day, solar or sidereal, that data of
 * this span cannot tell it from a slow drift. */
int aliases_is_drift(double frequency_per_day, double span_days);

/* The window function |sum w exp(2 pi i f t)|^2 / (sum w)^2: 1 at frequency zero. */
double aliases_window(size_t n_obs, const double *time_days, const double *root_weight,
                      double frequency_per_day);

#endif
