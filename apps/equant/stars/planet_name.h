/* What a planet is called, in texts, pages, tables of papers and figures alike: by its letter. That
 * is the one that somebody has given, else b, c, d, ... in the order of the numbers that columns
 * have. */
#ifndef EQUANT_APP_STARS_PLANET_NAME_H
#define EQUANT_APP_STARS_PLANET_NAME_H

#include "equant.h"

/* Letters of planets, "bdc", in the order of their numbers; "": nobody has given any. */
enum { PLANET_LETTERS_SIZE = 32 };
struct planet_letters {
    char text[PLANET_LETTERS_SIZE];
};

struct planet_name {
    char text[32];
};

/* "planet b"; planets count from 0. Beyond z they have their number: "planet 27". */
struct planet_name planet_name_of(const struct planet_letters *letters, size_t planet);
/* "b" */
struct planet_name planet_name_short(const struct planet_letters *letters, size_t planet);

/* The letter of a planet, from 0; z for all that are beyond it. */
char planet_name_letter(const struct planet_letters *letters, size_t planet);

/* As states gave them to a fit, and to a run. */
struct planet_letters planet_letters_of_fit(const equant_fit *fit);
struct planet_letters planet_letters_of_run(const equant_posterior *posterior);

#endif
