/* Times of which a posterior is asked. */
#ifndef EQUANT_INFERENCE_PREDICT_PREDICTION_TIME_H
#define EQUANT_INFERENCE_PREDICT_PREDICTION_TIME_H

#include <stddef.h>

#include "equant.h"

/* Whether time `number`, counted from 1 among those that are called `noun`, is one: beyond a
 * hundred million days a double holds no seconds, and no orbit is known so well. */
equant_status prediction_time_check(const char *noun, size_t number, double time_days);

#endif
