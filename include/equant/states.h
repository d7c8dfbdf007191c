/* equant/states.h: states. What is known of parameters before a fit or a run: values, ranges,
 * priors, transits. */
#ifndef EQUANT_STATES_H
#define EQUANT_STATES_H

#include <stddef.h>

#include "equant/data.h"
#include "equant/model.h"
#include "equant/star.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A list of states, each of which is a sentence NAME=VALUE (docs/model.md has all of them):
 *
 *   "b.period_days=normal(20.8851, 0.0003)"   a prior
 *   "b.t_conj=normal(2406.9628, 0.0012)"      likewise, of a quantity that follows from the orbit
 *   "b.transit=normal(2406.9628, 0.0012)"     a transit that was seen; there may be many
 *   "c.eccentricity=0"                        a value: here a circle
 *   "c.k_m_s=0:10"                            a range
 *   "jitter[HARPS]=1.5", "offset=free"        of an instrument, of all
 *   "trend=none"                              which trend there is
 *
 * Planets have letters: b, c, ... */
typedef struct equant_states equant_states;

EQUANT_API equant_status equant_states_create(equant_states **states);
EQUANT_API void equant_states_free(equant_states *states);

/* Adds one. Sentences about it begin with `where`, "star.yaml:12", unless that is NULL. A name
 * that is already there is refused, but for transits. */
EQUANT_API equant_status equant_states_set(equant_states *states, const char *state,
                                           const char *where);

/* The letters of planets, "b,d,c". Those whose period no state has are given in the order of
 * periods. Without it they are b, c, ... up to the last that a state names. */
EQUANT_API equant_status equant_states_name_planets(equant_states *states, const char *letters,
                                                    const char *where);

/* Transits from a file: lines of a letter, a time and its error, or, where the planets are one, of
 * a time and its error; empty lines and what follows a '#' do not count. */
EQUANT_API equant_status equant_states_read_transits(equant_states *states, const char *path);

/* Those that there are: name and value as they were written, and where; NULL when out of range.
 * Valid until the list is changed or freed. */
EQUANT_API size_t equant_states_n(const equant_states *states);
EQUANT_API const char *equant_states_name(const equant_states *states, size_t index);
EQUANT_API const char *equant_states_text(const equant_states *states, size_t index);
EQUANT_API const char *equant_states_where(const equant_states *states, size_t index);

/* How many planets they speak of, and the letters of these, '\0' when out of range. */
EQUANT_API size_t equant_states_n_planets(const equant_states *states);
EQUANT_API char equant_states_letter(const equant_states *states, size_t index);

/* What they know of the inclination of a planet, in degrees, with its error; NaN where nothing. */
EQUANT_API double equant_states_inclination_deg(const equant_states *states, char letter,
                                                double *err);
/* The mass of a planet, in Jupiters, whose m sin i and inclination are known, to first order in
 * their errors: m sin i (M + m)^(-2/3) is what velocities know. Any but the mass may have an error
 * of 0; NaN where something is unknown. */
EQUANT_API double equant_planet_mass_jupiter(double star_mass, double m_sin_i, double m_sin_i_err,
                                             double inclination_deg, double inclination_err_deg,
                                             double *err);

/* Whether they can be true together: EQUANT_ERROR_INVALID_ARGUMENT with a sentence about the first
 * that contradicts another. A fit and a run ask, too. */
EQUANT_API equant_status equant_states_check(const equant_states *states);

/* ---- in parameter sets that the caller evaluates himself ------------------------------------ */

/* Planets of a model have the letters of the states in their order. What is fixed has values in its
 * sets; an event that is fixed, and a circle, give M0 and omega. */

/* 1 where states give the value of a column of the model, else 0. */
EQUANT_API int equant_states_gives(const equant_states *states, const equant_dataset *dataset,
                                   const equant_model *model, size_t column);
/* Puts these values into sets[n_sets][n_parameters]. */
EQUANT_API equant_status equant_states_fill(const equant_states *states,
                                            const equant_dataset *dataset,
                                            const equant_model *model, size_t n_sets, double *sets);

/* How many of them are priors or ranges, transits among them. */
EQUANT_API size_t equant_states_n_priors(const equant_states *states);
/* ln of the density of all of these at each set, normalised, -inf outside of ranges; where an event
 * is known, of that which is next to the time. The star may be NULL: then nothing may be said of
 * what needs its mass. Fails where something is said of what the model has not, also with no sets.
 */
EQUANT_API equant_status equant_states_log_prior(const equant_states *states,
                                                 const equant_dataset *dataset,
                                                 const equant_model *model, const equant_star *star,
                                                 size_t n_sets, const double *sets,
                                                 double *log_prior);

#ifdef __cplusplus
}
#endif
#endif
