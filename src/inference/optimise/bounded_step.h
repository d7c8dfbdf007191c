/* A step of Levenberg and Marquardt that stays where orbits can be. Where the linearised model asks
 * for more (a period beyond its range or by more than it can foresee, an orbit that would touch the
 * star), the planet goes as far as it may, or along the edge where it is there already, and all
 * else takes the step that is best beside that. A step that is merely cut off is a step to nowhere:
 * the damping grows until it is short, and the fit creeps. */
#ifndef EQUANT_INFERENCE_OPTIMISE_BOUNDED_STEP_H
#define EQUANT_INFERENCE_OPTIMISE_BOUNDED_STEP_H

#include "inference/optimise/arrow_matrix.h"
#include "inference/likelihood/study.h"

/* Columns of a planet in the basis EQUANT_BASIS_LINEAR. */
enum { LN_PERIOD, E_COS_M0, E_SIN_M0, AMPLITUDE_A, AMPLITUDE_B };

/* Which unknowns there are, and room to work in. */
typedef struct bounded_step {
    const study *star;
    size_t n, n_fixed, n_planets;
    const bool *is_free, *is_damped; /* [n] */
    arrow_matrix turned;             /* with each orbit at its edge along it and across */
    bool *is_wanted;                 /* [n] */
    double *step, *right, *known;    /* [n] */
    double *equations, *storage;
} bounded_step;

/* For matrices of n unknowns of which n_apart from `first` on stay apart. */
equant_status bounded_step_create(const study *star, size_t n, size_t first, size_t n_apart,
                                  bounded_step *made);
void bounded_step_free(bounded_step *work);

/* From `here` to `trial`, [n] in the basis EQUANT_BASIS_LINEAR: J' W J is `square`, J' W r is
 * `descent`. */
void bounded_step_take(const bounded_step *work, const arrow_matrix *square, const double *descent,
                       double damping, const double *here, double *trial);

#endif
