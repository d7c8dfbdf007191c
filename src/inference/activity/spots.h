/* The process that activity indicators are series of, found from them alone. */
#ifndef EQUANT_INFERENCE_ACTIVITY_SPOTS_H
#define EQUANT_INFERENCE_ACTIVITY_SPOTS_H

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

typedef struct spot_finding {
    size_t n_series, n_values;
    spot_series series[SPOTS_MOST_SERIES];
    double period_days, decay_days, width;
    double gain; /* in ln L over indicators of white noise */
} spot_finding;

/* As equant_spots_learn, whose options these are. Expectations of G and of G' at the observations
 * go to means, [2][n_obs]. */
equant_status spots_find(const equant_dataset *dataset, const equant_spots_options *options,
                         spot_finding *found, double *means);

/* Whether an indicator is one of those that are named; NULL or "auto": all are. */
bool spots_is_named(const char *names, const char *name);

/* The value that a series has at an observation; NaN: none. */
double spots_value(const equant_dataset *dataset, const spot_series *series, size_t k);

#endif
