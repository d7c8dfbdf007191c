/* Points as samplers of others see them: what their dimensions are, and the way from them to
 * parameter sets, prior densities and the unit cube, and back.
 *
 * A smooth point is one in the coordinates of statistics/coordinate_map.h, but that the amplitude y
 * and the angle lambda of a planet become y cos lambda and y sin lambda: samplers of others do not
 * know that an angle wraps. Where K or M0 is fixed there is nothing to turn, and an angle that is
 * left alone is one within half a turn of zero. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_SPACE_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_SPACE_H

#include "inference/sample/target/posterior_density.h"

typedef struct target_space target_space;

/* Borrows the posterior. */
equant_status target_space_create(const posterior_density *density, equant_space kind,
                                  target_space **made);
void target_space_free(target_space *space);

size_t target_space_n_dimensions(const target_space *space);
/* NULL when out of range. */
const char *target_space_name(const target_space *space, size_t dimension);
/* Whether the ends of this dimension of the cube meet. */
int target_space_cube_wraps(const target_space *space, size_t dimension);

/* The functions below may be called from several threads, each with a row of its own for what it
 * fills. Coordinates and parameters are [n_dimensions] and [n_parameters] of the posterior. */

/* Fills the parameter set and returns ln of the prior's density at the point; -INFINITY and NaN
 * outside the prior. Coordinates are memory to work in. */
double target_space_prepare(const target_space *space, const double *point, double *coordinates,
                            double *parameters);

/* The point of a parameter set. */
void target_space_point(const target_space *space, const double *parameters, double *point);

/* A point of the prior from one of the unit cube, by way of its parameter set. */
void target_space_from_cube(const target_space *space, const double *cube, double *parameters,
                            double *point);

/* Point number `index` of the prior; the cube is memory to work in, [n_dimensions]. */
void target_space_draw(const target_space *space, uint64_t seed, uint64_t index, double *cube,
                       double *parameters, double *point);

#endif
