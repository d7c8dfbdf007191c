/* Activity indicators that velocities may follow, as columns of the menu: which there are, which
 * were asked for, and what people have to be told of them. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_NOISE_INDICATORS_H
#define EQUANT_INFERENCE_LIKELIHOOD_NOISE_INDICATORS_H

#include "inference/likelihood/noise_menu.h"

/* All that say something; over long spans also averaged, against magnetic cycles. */
equant_status noise_indicators_offer(const equant_dataset *dataset, noise_menu *menu);

/* Those of these names, separated by commas, for every model to have. */
equant_status noise_indicators_take(const equant_dataset *dataset, const char *names,
                                    noise_menu *menu);

/* What has to be said of one that a model has: where it is missing. */
void noise_indicators_remark(const equant_dataset *dataset, const noise_menu_indicator *used,
                             remarks *made);

/* Adds it to a list of n characters: "fwhm of HARPS averaged over 100 days". */
void noise_indicators_write(const equant_dataset *dataset, const noise_menu_indicator *used,
                            size_t n, char *text);

/* The indicator at the observations of its instrument, averaged where it is to be; NaN elsewhere.
 */
void noise_indicators_values(const equant_dataset *dataset, const noise_menu_indicator *wanted,
                             double *column);

#endif
