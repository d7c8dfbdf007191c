/* The process that activity indicators are series of, found from them alone. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_SPOTS_H
#define EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_SPOTS_H

#include "inference/likelihood/activity/spot_series.h"

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

#endif
