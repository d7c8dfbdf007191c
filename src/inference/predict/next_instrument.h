/* Who makes an observation that has not been made, and how well. */
#ifndef EQUANT_INFERENCE_PREDICT_NEXT_INSTRUMENT_H
#define EQUANT_INFERENCE_PREDICT_NEXT_INSTRUMENT_H

#include "equant.h"

/* *instrument comes as a number from 1, 0 for the one that observed last, and goes as one from 0;
 * an uncertainty of 0 becomes the median of that instrument. */
equant_status next_instrument_choose(const equant_dataset *dataset, size_t *instrument,
                                     double *uncertainty_m_s);

#endif
