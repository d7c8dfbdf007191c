/* What states add to ln L: densities of columns and of what follows from orbits, as fits and
 * samplers take them. Threads may share the states. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_PRIOR_H
#define EQUANT_INFERENCE_PRIORS_STATED_PRIOR_H

#include "inference/priors/stated_orbit.h"

/* ln of a density as fits take it: a range is a range and no more, whichever its ends are. */
double stated_prior_log_density(const prior_density *density, double x);

/* Whether a state is a prior of the planet with this letter: not one that is fixed, and there.
 * A planet without a letter, '\0', has none: states without one are of jitters and the like. */
bool stated_prior_is_of(const parameter_state *said, char letter);

/* The value of a planet's quantity that a density is about: of all turns of an angle, and of all
 * events, that which is next to its middle. */
double stated_prior_value(const parameter_state *said, double reference_time_days, double star_mass,
                          const double elements[N_ELEMENTS]);

/* How it moves with a coordinate of a planet. */
double stated_prior_slope(const parameter_state *said, const stated_orbit *own,
                          const double at[N_STATED], size_t place, double reference_time_days,
                          double star_mass);

/* The sum of all priors of a planet, or of those that follow from its orbit alone. */
double stated_prior_log(const equant_states *states, char letter, double reference_time_days,
                        double star_mass, bool derived_only, const double elements[N_ELEMENTS]);

/* -INFINITY where orbits cross that must not, else 0: sorted by period, each apocentre lies within
 * the next pericentre. elements: [n_planets][N_ELEMENTS]. */
double stated_prior_log_apart(const equant_states *states, size_t n_planets,
                              const double *elements);

/* Whether two orbits cross; their axes are as P^(2/3). */
bool stated_prior_cross(const double *one, const double *other);

/* ln of what is said of the quantities that follow from an orbit, as factors of the likelihood:
 * transits, times of events, masses; -INFINITY beyond ranges. */
double stated_prior_log_derived(const equant_states *states, char letter,
                                double reference_time_days, double star_mass,
                                const double elements[N_ELEMENTS]);

/* Adds what normal priors say of an orbit to the inverse of a covariance of its coordinates in
 * EQUANT_BASIS_REGULAR, [5] rows and columns of a matrix [n][n]. */
void stated_prior_add_precision(const equant_states *states, char letter,
                                double reference_time_days, double star_mass,
                                const double elements[N_ELEMENTS], size_t n, double *precision);

#endif
