/* How probable each number of planets is, in words. */
#ifndef EQUANT_APP_STARS_STAR_NUMBERS_H
#define EQUANT_APP_STARS_STAR_NUMBERS_H

#include "stars/star_result.h"

/* The number that is most probable; n_numbers where none is known. */
size_t star_numbers_likeliest(const struct star_result *star);

enum { STAR_NUMBERS_TEXT_SIZE = 512 };

/* "Planets that these data show: 4 (87 %), or 3 (12 %), by a quick estimate ..."; where chains
 * counted all, "Probably 4 planets ..."; "" where nothing is known. */
void star_numbers_describe(const struct star_result *star, size_t size, char *text);

#endif
