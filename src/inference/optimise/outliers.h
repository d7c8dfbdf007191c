/* Which observations and nights a model does not believe, and what the rest of the data says of
 * each: by how much they are off from what noise, planets and all other observations predict, and
 * what it would gain not to believe them. With Q = C^-1, the free columns of the mean projected
 * out, the rows u of a unit are expected to be off by d = (Q_uu)^-1 (Q r)_u with the covariance
 * (Q_uu)^-1. */
#ifndef EQUANT_INFERENCE_OPTIMISE_OUTLIERS_H
#define EQUANT_INFERENCE_OPTIMISE_OUTLIERS_H

#include "inference/optimise/solution.h"

/* Of one unit, as if it were none of the outliers of the model. Gain is NaN where the rest predicts
 * nothing, and of units that are none. */
typedef struct outlier_view {
    double deviation_m_s; /* of the mean of its rows, weighted */
    double sigma_m_s;     /* what that is expected to be */
    double gain;          /* in ln L, of errors widened by the deviation, all else as it is */
} outlier_view;

/* In outlier_views.c. Views are [outliers_n_views]: by unit. chi_square is that of the model, its
 * outliers believed.
 */
size_t outliers_n_views(const study *star);
equant_status outliers_look(study *star, size_t n_fixed, const solution *model, outlier_view *views,
                            double *chi_square);

/* Decides afresh, for a solution that has been fitted, which units are its outliers, everything
 * refitted: what gains more than it costs. Does nothing where the star has none. */
equant_status outliers_choose(study *star, size_t n_fixed, solution *fitted);

#endif
