/* One node of a scan: by how much chi-square falls when a planet of given frequency,
 * eccentricity and M0 joins the model, its two amplitudes and all base terms free.
 *
 *   X = cos E / (1 - e cos E)     Y = sin E / (1 - e cos E)
 *
 * span the velocities of all such planets (radial_velocity.h; constant factors and the sign of
 * Y go into the amplitudes). All columns are whitened, i.e. multiplied by the root of the
 * weight:
 *
 *   x, y   X and Y               r   residual, orthogonal to the base
 *   q      an orthonormal column of the base
 *
 * What x and y share with the base explains nothing new. With it taken away the normal
 * equations of the amplitudes are F a = b,
 *   F = | xx - sum (q.x)^2       xy - sum (q.x)(q.y) |      b = | x.r |
 *       | xy - sum (q.x)(q.y)    yy - sum (q.y)^2    |          | y.r |
 * and chi-square falls by b' F^-1 b.
 */
#ifndef EQUANT_PHYSICS_SCAN_NODE_H
#define EQUANT_PHYSICS_SCAN_NODE_H

#include "physics/lane.h"

/* Sums over observations that every node needs. */
typedef struct scan_node_sums {
    real xx, xy, yy, xr, yr;
} scan_node_sums;

LANE_FUNCTION void scan_node_add(scan_node_sums *sums, real x, real y, real r)
{
    sums->xx = lane_fma(x, x, sums->xx);
    sums->xy = lane_fma(x, y, sums->xy);
    sums->yy = lane_fma(y, y, sums->yy);
    sums->xr = lane_fma(x, r, sums->xr);
    sums->yr = lane_fma(y, r, sums->yr);
}

/* The normal equations, in double whatever the sums were made in: F is a difference. */
typedef struct scan_node_equations {
    f64 xx, xy, yy; /* F               */
    f64 xr, yr;     /* b               */
    f64 x2, y2;     /* |x|^2 and |y|^2 */
} scan_node_equations;

/* Takes away what x and y share with one column of the base. */
LANE_FUNCTION void scan_node_project(scan_node_equations *equations, f64 qx, f64 qy)
{
    equations->xx = lane_fma(-qx, qx, equations->xx);
    equations->xy = lane_fma(-qx, qy, equations->xy);
    equations->yy = lane_fma(-qy, qy, equations->yy);
}

/* Shares of |x|^2 below which what is left of x is not told from rounding: far enough above
 * the errors of sums (1e-6 and 1e-15) that an improvement is never made of them alone. */
#if REAL_IS_DOUBLE
#define SCAN_NODE_NEGLIGIBLE 1e-9
#else
#define SCAN_NODE_NEGLIGIBLE 1e-4
#endif

/* b' F^-1 b on the axes of F, x and y scaled to unit length first: an axis whose eigenvalue is
 * negligible (a long period that the trend imitates, fewer observations than unknowns) counts
 * nothing. Never negative, never NaN. */
LANE_FUNCTION f64 scan_node_improvement(const scan_node_equations *equations)
{
    const f64 zero = F64(0.0), half = F64(0.5), tiny = F64(1e-150);
    const f64 negligible = F64(SCAN_NODE_NEGLIGIBLE);
    f64 per_x2 = lane_divide(F64(1.0), lane_max(equations->x2, tiny));
    f64 per_y2 = lane_divide(F64(1.0), lane_max(equations->y2, tiny));
    f64 per_xy = lane_sqrt(per_x2 * per_y2);
    f64 xx = equations->xx * per_x2, yy = equations->yy * per_y2, xy = equations->xy * per_xy;

    /* Eigenvalues mean +- root; cosine and sine of twice the angle of the first axis. */
    f64 mean = half * (xx + yy), difference = half * (xx - yy);
    f64 root = lane_sqrt(lane_fma(xy, xy, difference * difference));
    f64 per_root = lane_divide(F64(1.0), lane_max(root, tiny));
    f64 first = mean + root, second = mean - root;

    /* Squares of the components of b along them, from those of its square. */
    f64 bx2 = equations->xr * equations->xr * per_x2;
    f64 by2 = equations->yr * equations->yr * per_y2;
    f64 bxy = equations->xr * equations->yr * per_xy;
    f64 common = half * (bx2 + by2);
    f64 along = lane_fma(xy, bxy, difference * (half * (bx2 - by2))) * per_root;
    f64 b_first = lane_max(common + along, zero), b_second = lane_max(common - along, zero);

    f64 from_first = lane_select(lane_less(negligible, first), lane_divide(b_first, first), zero);
    f64 from_second =
        lane_select(lane_less(negligible, second), lane_divide(b_second, second), zero);
    return from_first + from_second;
}

#endif
