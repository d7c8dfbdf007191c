/* Planets that have a panel over time of their own: the long ones of a star that has short ones
 * too, whose turns would melt into a band and hide them. */
#ifndef EQUANT_APP_FIGURES_LONG_PLANETS_H
#define EQUANT_APP_FIGURES_LONG_PLANETS_H

#include "stars/star_result.h"

enum { LONG_PLANETS_MOST = 3 };

struct long_planets {
    size_t n, index[LONG_PLANETS_MOST];
};

/* Those with periods from `period_min_days` on, the longest first where there are too many; none
 * where no planet is shorter. */
struct long_planets long_planets_of(const struct star_result *star, double period_min_days);

/* The velocities less all but that planet, share_m_s[n_obs]. Returns an exit code, with a sentence
 * on failure. */
int long_planets_share(const struct star_result *star, size_t index, double *share_m_s);

#endif
