/* The posterior density of a model's parameters given a star's data: what a sampler walks on.
 *
 *   coordinates --prepare--> ln prior, parameter set --log_likelihood--> ln L
 *
 * statistics/coordinate_map.h says what the coordinates are. Parameter sets are those of the
 * evaluator: elements, offsets unless they are integrated out, trend terms, jitters, parameters of
 * noise terms. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_POSTERIOR_DENSITY_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_POSTERIOR_DENSITY_H

#include "inference/sample/target/model_priors.h"
#include "statistics/coordinate_map.h"

typedef struct posterior_density posterior_density;

typedef struct posterior_density_options {
    const equant_dataset *dataset;
    size_t n_planets;
    int trend_order;
    const priors *priors;                /* of the same star, planets and trend; terms of
                                            noise are theirs                               */
    const equant_engine_options *engine; /* NULL: defaults                                 */
    int marginalise_offsets;     /* 1: as inference/sample/target/marginal_offsets.h does        */
    const equant_states *states; /* what follows from orbits and is known, or NULL; not to be
                                    outlived by the posterior. Planet 1 has their first letter */
    const orbit_basis *basis;    /* [n_planets] coordinates of orbits; NULL: the usual ones */
    double star_mass;            /* solar masses; 0: unknown                           */
} posterior_density_options;

/* How many coordinates a density will have, before it is made. */
size_t posterior_density_count(const posterior_density_options *options);

/* Everything but the states is copied. A model without anything free is refused. */
equant_status posterior_density_create(const posterior_density_options *options,
                                       posterior_density **made);
void posterior_density_free(posterior_density *p);

/* Coordinates: how many, which of them wrap at 2 pi, and to which planet they belong (those of
 * none have the label n_planets; labels end at 255). Arrays are [n_coordinates]. */
size_t posterior_density_n_coordinates(const posterior_density *p);
const unsigned char *posterior_density_is_angle(const posterior_density *p);
const unsigned char *posterior_density_subset(const posterior_density *p);

/* Columns of a parameter set; the name is NULL when out of range. */
size_t posterior_density_n_parameters(const posterior_density *p);
const char *posterior_density_parameter_name(const posterior_density *p, size_t column);

/* Fills the parameter set and returns ln of the prior's density in coordinates, Jacobian
 * included. Outside the prior that is -INFINITY and the set is NaN. Threads may share p. */
double posterior_density_prepare(const posterior_density *p, const double *coordinates,
                                 double *parameters);

/* Brings coordinates near the events that are known, where they are far from one: places to begin.
 */
void posterior_density_keep_events(const posterior_density *p, double *coordinates);

/* The coordinates of a parameter set, inside the prior or not. Threads may share p. */
void posterior_density_coordinates_of(const posterior_density *p, const double *parameters,
                                      double *coordinates);

/* Coordinates from the prior: a function of seed and index alone. Threads may share p. */
void posterior_density_draw(const posterior_density *p, uint64_t seed, uint64_t index,
                            double *coordinates);

/* ln L of n_sets parameter sets, with offsets integrated out where that was asked for, and with
 * what is known of quantities that follow from orbits; each depends on its own set alone. -INFINITY
 * for a set outside the domain of the model. One call at a time. */
equant_status posterior_density_log_likelihood(posterior_density *p, size_t n_sets,
                                               const double *parameters, double *log_likelihood);

/* The same with its derivatives by the parameters, [n_sets][n_parameters], in double precision; NaN
 * where ln L is -INFINITY. Of posteriors without states: what these add is left out. */
equant_status posterior_density_differentiate(posterior_density *p, size_t n_sets,
                                              const double *parameters, double *log_likelihood,
                                              double *gradient);

/* What the two consist of: the map of prepare and draw, and the evaluator whose log-likelihoods
 * these are; NULL where something is added to them, or no evaluator has them. */
const coordinate_map *posterior_density_map(const posterior_density *p);
equant_evaluator *posterior_density_evaluator(const posterior_density *p);

#endif
