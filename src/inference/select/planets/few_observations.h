/* Planets in whose signal few observations share, such as a passage of pericentre: whether they are
 * probable beside these observations being wrong. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_FEW_OBSERVATIONS_H
#define EQUANT_INFERENCE_SELECT_PLANETS_FEW_OBSERVATIONS_H

#include "inference/select/planets/candidate_pool.h"

/* What such a planet must have at least. */
#define FEW_OBSERVATIONS_PROBABILITY 0.95
/* Where less eccentric orbits alone are looked for, there is none. */
#define FEW_OBSERVATIONS_ECCENTRICITY 0.9

/* Passes over the best of the pool while few observations share in its new planet, however well
 * they measure it, and it is not probable beside their being wrong. */
equant_status few_observations_pass_over(candidate_pool *pool);

/* A fitted solution with the worst observations not believed, whether or not models of the star may
 * have outliers; its ln L has paid for them. */
equant_status few_observations_disbelieve(study *star, size_t n_fixed, solution *doubting);

/* Which planet of a solution that is no measurement is to blame: the last, where the amplitudes of
 * all are measured. */
equant_status few_observations_measure(study *star, size_t n_fixed, const solution *fitted,
                                       measurement *made);

/* A model whose last planet was refused because few observations share in it, and for nothing else,
 * is accepted after all where it is probable: against `without`, everything refitted, and against
 * the same with observations that it does not predict not believed, whether or not models of the
 * star may have outliers. The planet is trusted from then on: it counts as a measurement. `spare`
 * is to work with. */
equant_status few_observations_take(study *star, const planet_finder_options *options,
                                    const solution *with, const solution *without, solution *spare,
                                    verdict *judged, bool *accepted);

/* Where amplitude and eccentricity lie of the first planet that few observations share in; NaN for
 * all others, whose errors say as much. */
equant_status few_observations_ranges(study *star, size_t n_fixed, const solution *fitted,
                                      orbit_range *ranges);

#endif
