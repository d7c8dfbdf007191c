/* One node of a scan of positions: by how much chi-square falls when an orbit of given frequency,
 * eccentricity and M0 joins the model of a star's path, its four Thiele-Innes amplitudes and all
 * base terms free.
 *
 *   X = cos E - e     Y = sqrt(1 - e^2) sin E       the orbit in its own plane
 *   s, c              sine and cosine of the direction of a row, times the root of its weight
 *   r                 residual, whitened, orthogonal to the base, of unit length
 *   q                 an orthonormal column of the base
 *
 * The columns of the amplitudes B, G, A, F are X s, Y s, X c, Y c. Products of a row that all nodes
 * share (s s, s c, c c, s r, c r, s q, c q) are made ahead, so a node takes nine sums of X X, X Y
 * and Y Y with the first three, and one of X and one of Y with each of the others.
 *
 * What the four share with the base explains nothing new. With it taken away the normal equations
 * are N a = b, and chi-square falls by b' N^-1 b. They are solved column after column: what is left
 * of a column beside the base and the columns before it adds the square of its share in the
 * residual, unless so little is left that it is not told from rounding.
 */
#ifndef EQUANT_PHYSICS_SKY_SCAN_NODE_H
#define EQUANT_PHYSICS_SKY_SCAN_NODE_H

#include "physics/lane.h"

enum { SKY_SCAN_AMPLITUDES = 4, SKY_SCAN_PRODUCTS = 10 /* of them with each other */ };

/* Where a row has its products; pairs (s q, c q) of the base follow. */
enum {
    SKY_ROW_SS,
    SKY_ROW_SC,
    SKY_ROW_CC,
    SKY_ROW_SR,
    SKY_ROW_CR,
    SKY_ROW_BASE,
};

/* Sums over rows that every node needs. */
enum { SKY_SUM_RESIDUAL = 9, SKY_SUM_BASE = 13 };
typedef struct sky_scan_node_sums {
    real square[9];   /* (ss, sc, cc) x (XX, XY, YY)      */
    real residual[4]; /* X sr, Y sr, X cr, Y cr           */
} sky_scan_node_sums;

LANE_FUNCTION void sky_scan_node_add(sky_scan_node_sums *sums, real X, real Y, real ss, real sc,
                                     real cc, real sr, real cr)
{
    real XX = X * X, XY = X * Y, YY = Y * Y;
    sums->square[0] = lane_fma(XX, ss, sums->square[0]);
    sums->square[1] = lane_fma(XY, ss, sums->square[1]);
    sums->square[2] = lane_fma(YY, ss, sums->square[2]);
    sums->square[3] = lane_fma(XX, sc, sums->square[3]);
    sums->square[4] = lane_fma(XY, sc, sums->square[4]);
    sums->square[5] = lane_fma(YY, sc, sums->square[5]);
    sums->square[6] = lane_fma(XX, cc, sums->square[6]);
    sums->square[7] = lane_fma(XY, cc, sums->square[7]);
    sums->square[8] = lane_fma(YY, cc, sums->square[8]);
    sums->residual[0] = lane_fma(X, sr, sums->residual[0]);
    sums->residual[1] = lane_fma(Y, sr, sums->residual[1]);
    sums->residual[2] = lane_fma(X, cr, sums->residual[2]);
    sums->residual[3] = lane_fma(Y, cr, sums->residual[3]);
}

/* The normal equations, in double whatever the sums were made in: N is a difference. */
typedef struct sky_scan_equations {
    f64 N[SKY_SCAN_PRODUCTS];      /* lower triangle, row after row      */
    f64 b[SKY_SCAN_AMPLITUDES];    /* shares in the residual             */
    f64 size[SKY_SCAN_AMPLITUDES]; /* squares of the columns themselves  */
} sky_scan_equations;

/* From the nine sums `square` and the four `residual`, as above. */
LANE_FUNCTION sky_scan_equations sky_scan_equations_of(const f64 *square, const f64 *residual)
{
    sky_scan_equations made;
    made.N[0] = square[0]; /* B B */
    made.N[1] = square[1]; /* G B */
    made.N[2] = square[2]; /* G G */
    made.N[3] = square[3]; /* A B */
    made.N[4] = square[4]; /* A G */
    made.N[5] = square[6]; /* A A */
    made.N[6] = square[4]; /* F B */
    made.N[7] = square[5]; /* F G */
    made.N[8] = square[7]; /* F A */
    made.N[9] = square[8]; /* F F */
    for (int i = 0; i < SKY_SCAN_AMPLITUDES; i++) {
        made.b[i] = residual[i];
        made.size[i] = made.N[i * (i + 3) / 2];
    }
    return made;
}

/* Takes away what the four columns share with one of the base: q times B, G, A, F. */
LANE_FUNCTION void sky_scan_equations_project(sky_scan_equations *equations, const f64 *q)
{
    for (int i = 0; i < SKY_SCAN_AMPLITUDES; i++)
        for (int j = 0; j <= i; j++) {
            f64 *N = &equations->N[i * (i + 1) / 2 + j];
            *N = lane_fma(-q[i], q[j], *N);
        }
}

/* Shares of the square of a column below which what is left of it counts nothing: far enough above
 * the errors of sums (1e-6 and 1e-15) that a gain is never made of them alone. */
#if REAL_IS_DOUBLE
#define SKY_SCAN_NEGLIGIBLE 1e-9
#else
#define SKY_SCAN_NEGLIGIBLE 1e-4
#endif

/* b' N^-1 b for a residual of unit length: the share of its square that is gained. Never negative,
 * never more than one, never NaN. */
LANE_FUNCTION f64 sky_scan_equations_gain(const sky_scan_equations *equations)
{
    const f64 zero = F64(0.0), tiny = F64(1e-150), negligible = F64(SKY_SCAN_NEGLIGIBLE);
    f64 v[SKY_SCAN_PRODUCTS], y[SKY_SCAN_AMPLITUDES], inverse[SKY_SCAN_AMPLITUDES];
    f64 gain = zero;
    for (int i = 0; i < SKY_SCAN_AMPLITUDES; i++) {
        y[i] = equations->b[i];
        for (int j = 0; j <= i; j++) {
            f64 left = equations->N[i * (i + 1) / 2 + j];
            for (int k = 0; k < j; k++)
                left = lane_fma(-v[i * (i + 1) / 2 + k] * inverse[k], v[j * (j + 1) / 2 + k], left);
            v[i * (i + 1) / 2 + j] = left;
        }
        f64 left = v[i * (i + 3) / 2], least = lane_max(negligible * equations->size[i], tiny);
        for (int k = 0; k < i; k++)
            y[i] = lane_fma(-v[i * (i + 1) / 2 + k] * inverse[k], y[k], y[i]);
        inverse[i] =
            lane_select(lane_less(least, left), lane_divide(F64(1.0), lane_max(left, least)), zero);
        gain = lane_fma(y[i] * y[i], inverse[i], gain);
    }
    return lane_min(gain, F64(1.0));
}

#endif
