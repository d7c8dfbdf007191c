/* How probable each number of planets is, in words. */
#ifndef EQUANT_APP_STARS_STAR_NUMBERS_H
#define EQUANT_APP_STARS_STAR_NUMBERS_H

#include "stars/star_result.h"

/* The number that is most probable; n_numbers where none is known. */
size_t star_numbers_likeliest(const struct star_result *star);

/* "Probably 4 planets (87 %), or 3 (12 %): a quick estimate ..."; "" where nothing is known. */
void star_numbers_describe(const struct star_result *star, size_t size, char *text);

#endif
