/* equant/sky_fit.h: fits of astrometry. How a source moves on the sky, and the orbit of a companion
 * that nobody has to guess. */
#ifndef EQUANT_SKY_FIT_H
#define EQUANT_SKY_FIT_H

#include <stddef.h>

#include "equant/astrometry.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Motion without companions. With years t since the reference time, J = 365.25 days, a row of the
 * star says
 *
 *     w = (ra + pm_ra t + acceleration_ra t^2/2 + jerk_ra t^3/6) sin psi
 *       + (dec + pm_dec t + ...) cos psi + parallax x parallax factor
 *       + colour x (-1000 colour factor) + sum of cos and sin of 3 psi, 5 psi, 7 psi
 *
 * in mas and mas per year. The colour, an offset in 1/micrometre of what the catalogue took the
 * source's colour for, has a prior of 0.085 around zero, as in Gaia's own solutions. */
typedef struct equant_sky_solve_options {
    size_t struct_size;
    int n_motion;            /* 5, 7 (with acceleration) or 9 (with jerk); 0: 5            */
    int n_harmonics;         /* of the scan angle: 0 to 3, for 3, 5 and 7 times it         */
    int no_colour;           /* 1: the column of the colour is left out                    */
    int as_ccds;             /* 1: rows as they are; 0: means of transits                  */
    double excess_noise_mas; /* added to all errors in quadrature                          */
    int with_jitter;         /* 1: a jitter is found besides                               */
} equant_sky_solve_options;

enum { EQUANT_SKY_MAX_COLUMNS = 16 };

typedef struct equant_sky_solution {
    size_t struct_size;
    size_t n_rows;
    size_t n_columns;
    const char *name[EQUANT_SKY_MAX_COLUMNS]; /* "ra", "dec", "parallax", "pm_ra", "pm_dec",
        "acceleration_ra", ..., "jerk_dec", "colour", "cos3", "sin3", ..., "sin7"; static        */
    double value[EQUANT_SKY_MAX_COLUMNS];
    double error[EQUANT_SKY_MAX_COLUMNS];
    double covariance[256]; /* [n_columns][n_columns]                                       */
    double jitter_mas;      /* with excess_noise_mas in it                                  */
    double chi_square;      /* the prior of the colour included, as in the next             */
    double log_likelihood;
} equant_sky_solution;

/* The solution of these columns; options may be NULL. EQUANT_ERROR_INVALID_ARGUMENT where the rows
 * do not determine a column: the sentence names it. */
EQUANT_API equant_status equant_sky_solve(const equant_astrometry *source,
                                          const equant_sky_solve_options *options,
                                          equant_sky_solution *solution);

#ifdef __cplusplus
}
#endif
#endif
