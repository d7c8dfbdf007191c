/* Pictures along the time to come: a band of velocities, or what observations would teach. */
#ifndef EQUANT_APP_PLANNING_TIME_PICTURE_H
#define EQUANT_APP_PLANNING_TIME_PICTURE_H

#include <stdio.h>

#include "equant.h"
#include "options/picture_options.h"
#include "planning/future_times.h"

/* Bands and a curve, then observations of the run that lie among them as marks of their times. */
int time_picture_band(const equant_posterior *posterior, const equant_prediction *prediction,
                      const char *folder, enum picture_format format);

/* The gain of each candidate, and the chosen ones as marks with their numbers. Where the sky is
 * known (else NULL), nights stand apart, and the moon above them. */
int time_picture_gain(const equant_posterior *posterior, const equant_plan *plan,
                      const struct candidate_sky *sky, const char *folder,
                      enum picture_format format);

/* The same as a part of a page, wide and narrow, without the sky and without a caption. */
void time_picture_gain_on_page(FILE *page, const equant_posterior *posterior,
                               const equant_plan *plan);

#endif
