/* A planet of a star with everything that is known of it: of a fit, of a folder, or of a
 * posterior. */
#ifndef EQUANT_APP_STARS_STAR_PLANET_H
#define EQUANT_APP_STARS_STAR_PLANET_H

#include "files/quantity_kind.h"

struct star_planet {
    /* By the index of the catalogue, so that the elements come first; NaN: unknown. */
    double values[QUANTITY_KIND_MOST], errors[QUANTITY_KIND_MOST];
    double false_alarm, log_likelihood_gain,
        delta_bic; /* as equant_planet has them; NaN: unknown */
};

/* A planet of which nothing is known. */
struct star_planet star_planet_unknown(void);

/* The value of a quantity by its name, such as "t_conj". */
double star_planet_value(const struct star_planet *planet, const char *name);

#endif
