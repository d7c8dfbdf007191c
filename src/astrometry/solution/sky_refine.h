/* The best values of a solution near those that it has: what is linear solved exactly, the shapes
 * of orbits by steps of Levenberg and Marquardt, jitters by the restricted likelihood, in which
 * all other parameters are integrated. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_REFINE_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_REFINE_H

#include "astrometry/solution/sky_design.h"
#include "astrometry/solution/sky_step.h"

/* Memory for refinements of solutions of one design, used again by each. */
typedef struct sky_refiner {
    const sky_design *design;
    double *columns, *residual, *root_weight, *scratch, *work;
    sky_system system;
} sky_refiner;

equant_status sky_refiner_create(const sky_design *design, sky_refiner *refiner);
void sky_refiner_free(sky_refiner *refiner);

/* Whether a refinement found that there is no solution: a column is told by the others. Every other
 * status that is not success is a failure, such as memory that ran out, and is passed on. */
static inline bool sky_refine_has_none(equant_status status)
{
    return status == EQUANT_ERROR_INVALID_ARGUMENT;
}

/* Everything, at given jitters. EQUANT_ERROR_INVALID_ARGUMENT where a column is told by the others:
 * the sentence names it. */
equant_status sky_refine_shapes(sky_refiner *refiner, const sky_limits *limits,
                                sky_solution *solution);

/* The same, until a step makes chi-square smaller by no more than this. */
equant_status sky_refine_roughly(sky_refiner *refiner, const sky_limits *limits, double small_fall,
                                 sky_solution *solution);

/* The same by turns with the jitters; without those that `has_jitter` denies them to. Ends with the
 * covariance. */
equant_status sky_refine(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                         sky_solution *solution);

/* The same for a trial, which becomes the best one where there is none yet or it is more likely. A
 * trial that has no solution is passed over. */
equant_status sky_refine_and_keep(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                                  sky_solution *trial, sky_solution *best, bool *has_best);

/* Behind the refinement: the orthonormal base of all linear columns stands in refiner->system, its
 * whitened residual in refiner->residual. */

#endif
