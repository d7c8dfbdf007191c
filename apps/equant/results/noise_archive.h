/* Noise and outliers of a fit out of its JSON. */
#ifndef EQUANT_APP_RESULTS_NOISE_ARCHIVE_H
#define EQUANT_APP_RESULTS_NOISE_ARCHIVE_H

#include <stdbool.h>

#include "stars/star_noise.h"
#include "stars/star_outliers.h"

/* Take what stands at a path such as "noise.tried[0].delta_bic", in the order of the text; false
 * where it is not of the noise. */
bool noise_archive_take_number(struct star_noise *noise, const char *path, double value);
bool noise_archive_take_string(struct star_noise *noise, const char *path, const char *value);
bool noise_archive_take_boolean(struct star_noise *noise, const char *path, bool value);

/* The same of "outliers[0].rows[1]". */
bool noise_archive_take_outlier(struct star_outliers *outliers, const char *path, double value);

/* The indicator whose instrument a path names; NULL where it names none. */
struct star_noise_indicator *noise_archive_instrument(struct star_noise *noise, const char *path);

#endif
