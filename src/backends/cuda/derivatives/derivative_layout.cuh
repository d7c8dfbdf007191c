/* Derivatives as their kernel reads and writes them: passed by value, so only plain members.
 * Pointers are to device memory. */
#ifndef EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_LAYOUT_CUH
#define EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_LAYOUT_CUH

#include "backends/cuda/layout.h"
#include "physics/velocity_derivatives.h"

/* Results of one launch, NULL where not asked for. */
struct derivative_results {
    double *chi_square, *log_likelihood, *chi_square_gradient, *log_likelihood_gradient, *fisher,
        *jacobian;
};

struct derivative_problem {
    cuda_layout layout;
    velocity_basis basis;
    size_t n_sets;
    const double *parameters;
    derivative_results results;
    double *memory; /* [teams of the launch][derivative_words] */
};

/* Columns of the Jacobian as they are kept: the elements of each planet, the trend, then the
 * residuals. */
static __host__ __device__ inline size_t derivative_n_columns(const cuda_layout &layout)
{
    return layout.model.columns[TERM_ORBITS].n + (size_t)layout.model.trend_order + 1;
}

/* Constants of one planet. */
enum { DERIVATIVE_CONSTANTS = N_CONSTANTS + N_DERIVATIVE_CONSTANTS };

/* Working memory of a team, which goes from set to set. The matrix of products of the columns
 * goes on with one row per instrument, whose column of ones is never written down. */
struct derivative_workspace {
    double *planets; /* [n_planets][DERIVATIVE_CONSTANTS] */
    double *columns; /* [n_columns][n_obs]                */
    double *weights; /* [n_obs]                           */
    double *offsets; /* [n_segments]                      */
    double *moments; /* [n_segments][4]: W0, W1, W2, b0   */
    double *matrix;  /* [matrix_size][matrix_size]        */
    size_t n_columns, matrix_size;
};

static __host__ __device__ inline size_t derivative_words(const cuda_layout &layout)
{
    size_t n_columns = derivative_n_columns(layout), size = n_columns + layout.n_segments;
    return DERIVATIVE_CONSTANTS * layout.model.n_planets + (n_columns + 1) * layout.n_obs +
           5 * layout.n_segments + size * size;
}

static __device__ inline derivative_workspace derivative_workspace_in(const cuda_layout &layout,
                                                                      double *words)
{
    derivative_workspace at;
    at.n_columns = derivative_n_columns(layout);
    at.matrix_size = at.n_columns + layout.n_segments;
    at.planets = words;
    at.columns = at.planets + DERIVATIVE_CONSTANTS * layout.model.n_planets;
    at.weights = at.columns + at.n_columns * layout.n_obs;
    at.offsets = at.weights + layout.n_obs;
    at.moments = at.offsets + layout.n_segments;
    at.matrix = at.moments + 4 * layout.n_segments;
    return at;
}

#endif
