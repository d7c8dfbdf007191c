/* What a target is inside: for target.c, and for its derivatives in target_derivatives.c. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_OBJECT_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_OBJECT_H

#include "inference/sample/target/target_space.h"

/* Points whose parameter sets are in memory at a time. */
enum { TARGET_MOST_ROWS = 65536 };

struct equant_target {
    posterior_density *density;
    target_space *space;
    double *coordinates, *parameters; /* [n_rows][n_dimensions], [n_rows][n_parameters] */
    double *log_prior;                /* [n_rows] */
    size_t n_rows;
    double *log_likelihood,
        *by_parameter; /* of derivatives: [n_slopes], [n_slopes][n_parameters] */
    double *work;      /* [n_slopes][n_parameters] */
    size_t n_slopes;   /* 0 before the first call for them */
    int n_threads;
};

/* Rows of working memory for a batch: as many as it has points, or as there may be. */
equant_status target_prepare_batch(equant_target *target, size_t n, const void *rows,
                                   const void *results);

/* One of them. */
static inline double *target_coordinates(equant_target *target, size_t row)
{
    return target->coordinates + row * target_space_n_dimensions(target->space);
}

static inline double *target_parameters(equant_target *target, size_t row)
{
    return target->parameters + row * posterior_density_n_parameters(target->density);
}

#endif
