/* Which of the models that were tried the data ask for: how often noise gains as much as an orbit
 * or a few columns do, and the choice among the rungs. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_VERDICT_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_VERDICT_H

#include "astrometry/orbit/sky_ladder.h"

/* The Bayesian information criterion of a solution of the ladder's data. */
double sky_verdict_bic(const sky_ladder *ladder, const sky_solution *own);

/* How often noise would gain as much as a solution does over the same with an orbit less; the gain
 * in ln L goes into *gain. */
double sky_verdict_false_alarm(const sky_ladder *ladder, const sky_ladder_settings *settings,
                               const sky_solution *found, const sky_solution *base, double *gain);

/* The same of a gain behind a solution without an orbit. */
double sky_verdict_chance(const sky_ladder *ladder, const sky_ladder_settings *settings,
                          const sky_solution *base, double gain);

/* Whether the columns that a rung without an orbit has beyond another are more than noise. */
bool sky_verdict_is_worth(const sky_ladder *ladder, const sky_ladder_settings *settings,
                          sky_rung rung, sky_rung over);

/* How often noise makes chi-square of a tied solution larger by so much than with velocities of
 * their own amplitude: a model of one dark companion for both then asks for less than the data
 * have. */
double sky_verdict_tie_chance(const sky_ladder *ladder, const sky_solution *tied, double excess);

/* Chooses among the rungs that were tried: sets chosen, verdict, gain and false alarms. */
void sky_verdict_choose(sky_ladder *ladder, const sky_ladder_settings *settings);

#endif
