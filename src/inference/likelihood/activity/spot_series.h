/* The indicators of the instruments that are taken for series of one process. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_SPOT_SERIES_H
#define EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_SPOT_SERIES_H

#include <stdbool.h>

#include "equant.h"

/* Fewer values than this say nothing; more series than this say nothing new. */
enum { SPOTS_MOST_SERIES = 8, SPOTS_LEAST_VALUES = 20 };

/* An indicator of an instrument. */
typedef struct spot_series {
    size_t indicator, instrument; /* of the data set */
    double mean, deviation;       /* by which its values are brought to 0 and 1 */
    bool sees_rate;               /* it follows how fast spots come and go, too */
    size_t n_values, n_uncertainties;
    /* What was found: of G, of G' for a radian of the rotation, and its jitter; in deviations. */
    double scale, rate, jitter;
} spot_series;

/* Those of the named indicators that have enough values; fails where there is none. */
equant_status spot_series_choose(const equant_dataset *dataset, const char *names, size_t *n_series,
                                 spot_series series[SPOTS_MOST_SERIES]);

/* Whether an indicator is one of those that are named; NULL or "auto": all are. */
bool spot_series_is_named(const char *names, const char *name);

/* The value that a series has at an observation; NaN: none. */
double spot_series_value(const equant_dataset *dataset, const spot_series *series, size_t k);

#endif
