/* The model of a fit, the values of its parameters and their covariance. */
#ifndef EQUANT_INFERENCE_FIT_FIT_PARAMETERS_H
#define EQUANT_INFERENCE_FIT_FIT_PARAMETERS_H

#include "inference/fit/fit_record.h"
#include "inference/optimise/uncertainty.h"

/* Offsets, trend, jitters and parameters of noise are columns. */
equant_status fit_parameters_keep_model(const study *star, const solution *best, equant_fit *fit);

equant_status fit_parameters_keep(const study *star, const solution *best, const uncertainty *known,
                                  equant_fit *fit);

#endif
