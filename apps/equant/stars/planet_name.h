/* What a planet is called: by its letter where somebody has given letters, else by its number. */
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

/* "planet b" or "planet 1"; planets count from 0. */
struct planet_name planet_name_of(const struct planet_letters *letters, size_t planet);

/* The letter of a planet, from 0, of papers, which have one in any case: b, c, ... */
char planet_name_letter(const struct planet_letters *letters, size_t planet);

/* As states gave them to a fit, and to a run. */
struct planet_letters planet_letters_of_fit(const equant_fit *fit);
struct planet_letters planet_letters_of_run(const equant_posterior *posterior);

#endif
