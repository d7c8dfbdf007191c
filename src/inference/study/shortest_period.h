/* The shortest period worth a look where the caller names none. */
#ifndef EQUANT_INFERENCE_STUDY_SHORTEST_PERIOD_H
#define EQUANT_INFERENCE_STUDY_SHORTEST_PERIOD_H

#include "equant.h"

/* Half a day; a quarter where most nights hold observations that are hours apart. */
equant_status shortest_period_find(const equant_dataset *dataset, double *period_days);

#endif
