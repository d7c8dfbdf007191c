/* What the terms of noise of a model cost, by an integral over all of their ranges. A rotation that
 * the data do not ask for has many periods that do about as well: the best of them alone, taken for
 * a normal distribution, would say that it costs a dozen in ln L where it costs nothing. */
#ifndef EQUANT_INFERENCE_OPTIMISE_NOISE_INTEGRAL_H
#define EQUANT_INFERENCE_OPTIMISE_NOISE_INTEGRAL_H

#include "inference/optimise/noise_fit.h"

/* ln of the best likelihood, that of the set, over its mean under the prior of the terms
 * (model/prior_table.h) with jitters integrated, less ln of the prior odds of having these terms;
 * where the likelihood is a normal distribution, noise_fit_price. NaN where no jitter is measured
 * as it should be. */
equant_status noise_integral_price(study *star, const noise_fit_problem *problem, const double *set,
                                   double *price);

#endif
