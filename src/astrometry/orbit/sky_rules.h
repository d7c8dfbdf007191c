/* What speaks against an orbit beside its false-alarm probability: the rules by which Gaia DR3
 * accepted orbits (Halbwachs et al. 2023, A&A 674, A9), and a few that need no threshold. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_RULES_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_RULES_H

#include "astrometry/solution/sky_refine.h"

enum { SKY_RULES_LENGTH = 256 };

/* The Gaussian that a chi-square of nu degrees of freedom is as improbable as. */
double sky_rules_goodness(double chi_square, double degrees);

/* Words of the rules that are not met, behind commas. */
void sky_rules_flags(const sky_data *data, const sky_limits *limits,
                     const equant_sky_companion *companion, double parallax_significance,
                     double goodness, char flags[SKY_RULES_LENGTH]);

#endif
