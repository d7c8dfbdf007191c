/* The evidence of circles at all frequencies of a grid: products of cosine and sine with the rest
 * of a model, summed over the observations for eight frequencies at a time, and the mean over the
 * scales of amplitudes. In single precision: they propose planets, and whatever is accepted is
 * computed again. A GPU, where there is one, computes them in double. */
#ifndef EQUANT_INFERENCE_COMPARE_SLOT_SUMS_H
#define EQUANT_INFERENCE_COMPARE_SLOT_SUMS_H

#include "inference/compare/background.h"
#include "inference/compare/slot_grid.h"

typedef struct slot_sums {
    const slot_grid *grid;
    const count_priors *priors;
    size_t n_groups;      /* of eight frequencies */
    float *lanes;         /* [n_obs][2][8]: how a group's frequencies turn from its first */
    double *turn, *start; /* [n_obs][2]: from group to group, and of the first */
    double *phase;        /* [n_obs][2] */
    float *circle;        /* [n_obs][2][8]: cosine and sine of a group */
    float *columns;       /* [chunks][n_obs][4]: residual and basis, four at a time */
    float *noise;         /* numbers of the noise, row by row */
    size_t column_room;
    float *square;              /* [n_groups][3][8]: the circles' own products */
    float *exponent, *factor;   /* [n_groups][8]: evidence = factor exp(exponent) */
    struct device_circles *gpu; /* NULL: here */
    double *gpu_rows;           /* noise and columns on their way to it */
    double *gpu_exponent, *gpu_factor;
} slot_sums;

equant_status slot_sums_create(const slot_grid *grid, const count_priors *priors, slot_sums *made);
void slot_sums_free(slot_sums *sums);

/* Leaves the sums to a GPU, where the engine has one. */
equant_status slot_sums_ask_gpu(slot_sums *sums, const equant_engine_options *engine);

/* What depends on the noise alone. */
equant_status slot_sums_take_noise(slot_sums *sums, const count_noise *noise);

/* The evidence of all bins behind a background with that noise, in exponent and factor. */
equant_status slot_sums_run(slot_sums *sums, const count_noise *noise, const background *rest);

#endif
