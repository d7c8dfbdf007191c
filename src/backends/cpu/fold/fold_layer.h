/* One eccentricity of a scan, folded.
 *
 * What the nodes of one frequency and eccentricity sum over the observations are functions of the
 * mean anomaly, all of them shifted by M0:
 *
 *   S(M0) = sum_k c_k G(M_k + M0) = sum_h G_h exp(i h M0) sum_k c_k exp(i h M_k),
 *
 * c one of a few columns (root weight times residual or base; weight), G one of X, Y, X^2, XY, Y^2
 * of scan_node.h. The columns are spread over cells of the mean anomaly by a B-spline and
 * transformed; what the spline did to each harmonic is undone with the multiplication by G_h;
 * harmonics that no phase tells apart are added, and a second transform gives all phases. Even and
 * odd G share one, as real and imaginary part. */
#ifndef EQUANT_BACKENDS_CPU_FOLD_FOLD_LAYER_H
#define EQUANT_BACKENDS_CPU_FOLD_FOLD_LAYER_H

#include "backends/cpu/fold/fourier_plan.h"
#include "backends/cpu/kernels.h"

/* Cells over which an observation is spread: the order of the spline. Six, or four of more cells:
 * where there are few of them, and where observations are many. */
enum { FOLD_TAPS_FEW = 4, FOLD_TAPS_MANY = 6 };

/* Columns: the weight times X^2 + i XY, the weight times Y^2, then the residual and the base
 * times X + i Y. */
enum { FOLD_COLUMN_XX, FOLD_COLUMN_YY, FOLD_COLUMN_RESIDUAL, FOLD_COLUMN_BASE };

/* The estimate of a node of which nothing is known: the base imitates its columns. */
#define FOLD_UNKNOWN 1e30f

/* Numbers of the normal equations of a node. */
enum { FOLD_EQUATIONS = 7 };

typedef struct fold_layer {
    size_t n_cells, n_phases; /* no cells: the layer is not folded   */
    size_t n_taps;            /* cells of an observation             */
    size_t first_estimate;    /* where a bin's estimates of it begin */
    size_t family;            /* the first layer that has the same frequencies: they share cells */
    size_t first_equation;    /* where its phases begin among those of the family */
    fourier_plan cells;       /* of half as many complex numbers     */
    fourier_plan phases;
    float *turns;          /* [n_cells / 2][2]: what makes spectra of cells of those of pairs */
    float *weights;        /* [n_cells / 2][2][n_kinds lanes]: of harmonics h and -h          */
    size_t weights_stride; /* n_kinds lanes: columns that have weights of their own, and one
                              group of lanes for all others */
} fold_layer;

/* Cells that an eccentricity needs when an observation is spread over n_taps; 0: too many. */
size_t fold_layer_cells(double eccentricity, size_t n_taps);
/* Over how many cells an observation is to be spread; 0: summing at every node takes less. */
size_t fold_layer_taps(double eccentricity, size_t n_phases, size_t n_obs, size_t n_base);
/* Whether a layer gains by folding where the columns are folded at its frequencies for another. */
bool fold_layer_joins(double eccentricity, size_t n_phases, size_t n_obs, size_t n_base);
/* Fills a layer that has its numbers of cells, taps and phases and is zero otherwise, by the solver
 * of `exact`, which is one in double, for n_lanes lanes, in which the columns begin anew after
 * n_columns of them. On failure it can be (and must be) freed. */
equant_status fold_layer_create(fold_layer *layer, const cpu_kernels *exact, double eccentricity,
                                size_t n_lanes, size_t n_columns);
void fold_layer_free(fold_layer *layer);

/* Estimates of a frequency: one for each BACKEND_SCAN_PHASES phases. */
static inline size_t fold_layer_estimates(const fold_layer *layer)
{
    return layer->n_phases / BACKEND_SCAN_PHASES;
}

#endif
