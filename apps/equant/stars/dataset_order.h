/* The observations of a data set with its instruments in another order. */
#ifndef EQUANT_APP_STARS_DATASET_ORDER_H
#define EQUANT_APP_STARS_DATASET_ORDER_H

#include "equant.h"

/* Instruments are those of names[n_instruments]; the reference time is given anew. Answers
 * EQUANT_ERROR_INVALID_ARGUMENT, without a sentence, when an observation is of none of them. The
 * caller frees *made. */
equant_status dataset_order_copy(const equant_dataset *from, size_t n_instruments,
                                 const char *const *names, double reference_time_days,
                                 equant_dataset **made);

#endif
