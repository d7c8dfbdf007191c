/* Observations and nights of a star that its fit does not believe: their errors are widened. */
#ifndef EQUANT_APP_STARS_STAR_OUTLIERS_H
#define EQUANT_APP_STARS_STAR_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"

enum { STAR_OUTLIERS_TEXT_SIZE = 320 };

struct star_outlier {
    size_t n_rows, *rows; /* observations of the data set, from 0 */
    bool is_night;
    double deviation_m_s, expected_m_s, widening_m_s; /* as in equant_fitted_outlier */
};

struct star_outliers {
    size_t n;
    struct star_outlier *list;
    double *uncertainties_m_s; /* [n_obs], widened; NULL: as measured */
};

struct star_result;

/* From the fit of the star. Returns an exit code, with a sentence on failure. */
int star_outliers_collect(struct star_result *star);
void star_outliers_free(struct star_outliers *outliers);

bool star_outliers_has(const struct star_outliers *outliers, size_t row);

/* "observation of JD 2453218.123 (k): +23.1 m/s, 6.2 sigma; ..." */
void star_outliers_describe(const struct star_result *star, size_t index,
                            char text[STAR_OUTLIERS_TEXT_SIZE]);

#endif
