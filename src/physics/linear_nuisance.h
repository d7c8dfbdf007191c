/* Offsets and trend by weighted least squares, in closed form.
 *
 * The model is linear in an offset per instrument and in the trend d1 t + d2 t^2. With
 * the moments of one instrument
 *   W[j] = sum w t^j  (j = 0..4),     b[j] = sum w r t^j  (j = 0..2),
 * r the residual without them, the offsets are eliminated one instrument at a time
 * (they do not see each other) and at most two equations for the trend remain.
 */
#ifndef EQUANT_PHYSICS_LINEAR_NUISANCE_H
#define EQUANT_PHYSICS_LINEAR_NUISANCE_H

#include "physics/lane.h"
#include <stdbool.h>

enum { LINEAR_N_WEIGHT_MOMENTS = 5, LINEAR_N_RESIDUAL_MOMENTS = 3 };

typedef struct linear_moments {
    double W[LINEAR_N_WEIGHT_MOMENTS];
    double b[LINEAR_N_RESIDUAL_MOMENTS];
} linear_moments;

/* The reduced equations G d = g of the trend. */
typedef struct linear_reduced {
    double G11, G12, G22, g1, g2;
} linear_reduced;

/* Adds one instrument; with solve_offset its offset is eliminated. One without
 * observations has no say. */
LANE_FUNCTION void linear_reduce(linear_reduced *reduced, const linear_moments *m, int solve_offset)
{
    bool eliminate = solve_offset && m->W[0] > 0.0;
    double mean_t = eliminate ? m->W[1] / m->W[0] : 0.0;
    double mean_t2 = eliminate ? m->W[2] / m->W[0] : 0.0;
    reduced->G11 += m->W[2] - mean_t * m->W[1];
    reduced->G12 += m->W[3] - mean_t * m->W[2];
    reduced->G22 += m->W[4] - mean_t2 * m->W[2];
    reduced->g1 += m->b[1] - mean_t * m->b[0];
    reduced->g2 += m->b[2] - mean_t2 * m->b[0];
}

/* Solves for as many trend terms as `order` asks and the data determine: a term
 * whose pivot is lost to rounding (below `negligible` of its scale) is set to zero, as one
 * observation has no slope. */
LANE_FUNCTION void linear_solve_trend(const linear_reduced *r, int order, double negligible,
                                      double scale1, double scale2, double *d1, double *d2)
{
    *d1 = 0.0;
    *d2 = 0.0;
    if (order < 1 || !(r->G11 > negligible * scale1))
        return;
    double ratio = r->G12 / r->G11;
    double pivot = r->G22 - ratio * r->G12;
    if (order >= 2 && pivot > negligible * scale2)
        *d2 = (r->g2 - ratio * r->g1) / pivot;
    *d1 = (r->g1 - r->G12 * *d2) / r->G11;
}

/* The same trend from another origin: d1 t + d2 t^2 in the time of the data is
 * value + slope tau + curvature tau^2 in tau = (t - middle)/scale, and back. */
typedef struct linear_trend {
    double value, slope, curvature;
} linear_trend;

LANE_FUNCTION linear_trend linear_trend_about(double d1, double d2, double middle, double scale)
{
    linear_trend trend = {middle * (d1 + d2 * middle), (d1 + 2.0 * d2 * middle) * scale,
                          d2 * scale * scale};
    return trend;
}

/* The same for the terms of a parameter set, of which there are `order`; NULL: none. */
LANE_FUNCTION linear_trend linear_trend_given(const double *terms, int order, double middle,
                                              double scale)
{
    double d1 = terms ? terms[0] : 0.0, d2 = terms && order > 1 ? terms[1] : 0.0;
    return linear_trend_about(d1, d2, middle, scale);
}

/* `value` is what the offsets, as they stand, hold of the trend. */
LANE_FUNCTION double linear_trend_restore(double slope, double curvature, double middle,
                                          double scale, double d[2])
{
    d[1] = curvature / (scale * scale);
    d[0] = slope / scale - 2.0 * d[1] * middle;
    return middle * (d[0] + d[1] * middle);
}

/* The offset of an instrument, once the trend is known; zero where nothing was seen. */
LANE_FUNCTION double linear_offset(const linear_moments *m, double d1, double d2)
{
    return m->W[0] > 0.0 ? (m->b[0] - d1 * m->W[1] - d2 * m->W[2]) / m->W[0] : 0.0;
}

#endif
