/* Observations as a fit believes them: those that the rest does not predict have wider errors,
 * which a run then samples with. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_BELIEVED_DATA_H
#define EQUANT_INFERENCE_SAMPLE_RUN_BELIEVED_DATA_H

#include "equant.h"

enum { BELIEVED_DATA_TEXT_SIZE = 4096 };

/* Fits as the options say, and gives *made and a text that names the outliers; NULL and "" where
 * there are none, or where nobody asked. The caller frees *made. */
equant_status believed_data_create(const equant_dataset *dataset,
                                   const equant_sample_options *options, equant_dataset **made,
                                   char text[BELIEVED_DATA_TEXT_SIZE]);

#endif
