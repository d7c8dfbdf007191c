/* What a solution predicts at every row, and how that moves with its parameters. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_DESIGN_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_DESIGN_H

#include "astrometry/solution/sky_solution.h"

/* The rows of some data behind one model without orbits, whose columns are laid out once. */
typedef struct sky_design {
    const sky_data *data;
    sky_model model;
    size_t n_rows;         /* those of the data, and the prior of the colour behind them  */
    size_t n_base;         /* columns of the sky and offsets of the instruments           */
    double *base;          /* [n_base][n_rows]                                            */
    double *sine, *cosine; /* [n_rows] of the angles */
} sky_design;

equant_status sky_design_create(const sky_data *data, const sky_model *model, sky_design *design);
void sky_design_free(sky_design *design);

/* Derivatives of the prediction by the first n_columns parameters, [n_columns][n_rows], and the
 * residuals, [n_rows]; each may be NULL. For parameters that are linear the derivatives do not
 * depend on their values. The solution is one of the model of the design. */
void sky_design_fill(const sky_design *design, const sky_solution *solution, size_t n_columns,
                     double *columns, double *residual);

/* 1/sigma of every row, with these jitters. */
void sky_design_weigh(const sky_design *design, const double jitter[SKY_DATA_MAX_GROUPS],
                      double *root_weight);

#endif
