/* What is asked of a fit: whether it can be done, and what it means for those who do it. */
#ifndef EQUANT_INFERENCE_FIT_FIT_OPTIONS_H
#define EQUANT_INFERENCE_FIT_FIT_OPTIONS_H

#include "inference/select/planets/planet_finder.h"

equant_status fit_options_check(const equant_dataset *dataset, const equant_fit_options *options);

/* With the usual numbers in the place of zeros. A budget of time begins now. */
planet_finder_options fit_options_of_finder(const equant_fit_options *options);
study_options fit_options_of_study(const equant_fit_options *options);

#endif
