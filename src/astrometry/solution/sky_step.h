/* Steps of Levenberg and Marquardt within the range that shapes of orbits may have: what stands at
 * an end of it, and would leave it, is held there, and the others move on without it. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_STEP_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_STEP_H

#include "astrometry/solution/sky_solution.h"
#include "astrometry/solution/sky_system.h"

typedef struct sky_limits {
    double period_min_days, period_max_days, eccentricity_max;
    double eccentricity_max_before; /* of all orbits but the last one; 0: the same */
} sky_limits;

/* Normal equations of the last m parameters, all before them eliminated. */
typedef struct sky_step {
    size_t m;
    double *gradient;                           /* [m]: half the fall of chi-square with each */
    double *matrix;                             /* [m][m], the lower triangle                 */
    double *factor;                             /* [m][m]: of Cholesky                        */
    double *change;                             /* [m]: the step                              */
    bool is_held[SKY_SOLUTION_MAX_ORBITS];      /* the eccentricity of an orbit    */
    double outward[SKY_SOLUTION_MAX_ORBITS][2]; /* the direction in which it grows */
} sky_step;

/* Doubles that sky_step_begin needs. */
size_t sky_step_memory(size_t m);

/* The system has the whitened columns of all parameters of the solution, shares are those of the
 * residual. */
sky_step sky_step_begin(const sky_system *system, const double *shares, size_t m,
                        const sky_limits *limits, const sky_solution *solution, double *memory);

/* Finds step->change under a damping; false where there is none. `promise`: the fall of chi-square
 * is at most twice this, as far as the model is linear. */
bool sky_step_find(sky_step *step, const sky_solution *solution, double damping, double *promise);

/* Shapes back into their range. */
void sky_step_keep_within(const sky_limits *limits, sky_solution *solution);

#endif
