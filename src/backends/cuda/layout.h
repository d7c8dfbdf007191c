/* Observations as the CUDA kernels read them, and everything else that a launch needs:
 * passed by value, so only plain members. Pointers are to device memory. */
#ifndef EQUANT_BACKENDS_CUDA_LAYOUT_H
#define EQUANT_BACKENDS_CUDA_LAYOUT_H

#include "backends/backend.h"
#include "physics/noise_plan.h"

/* One instrument: a run of the arrays over observations. */
typedef struct cuda_segment {
    size_t first, end;
    double reference_m_s; /* subtracted from its velocities before they are narrowed */
    double log_variances; /* sum of ln sigma^2 */
    double weights;       /* sum of 1/sigma^2 */
} cuda_segment;

/* A row in the order of time, for models with correlated noise. */
typedef struct cuda_noise_row {
    double gap_days, variance; /* since the row before; sigma^2 */
    int place_in_arrays, instrument;
    unsigned seen, forgotten; /* blocks that it sees, and that it begins anew */
} cuda_noise_row;

typedef struct cuda_layout {
    size_t n_obs, n_segments;
    parameter_layout model;
    double time_middle, time_scale; /* the trend is solved in (time - middle) / scale */
    double farthest_days;           /* largest |time| */
    double period_floor_days;       /* shorter ones have no phase in double */
    double danby_tolerance;
    int danby_max_iterations;

    /* [n_obs], in instrument order */
    const double *time;
    const float *time_single, *time_low;
    const double *observed;                     /* as given                        */
    const double *velocity, *variance, *weight; /* velocity less its reference     */
    const float *velocity_single;
    const size_t *row;            /* place in the data set           */
    const int *instrument;        /* its place among the segments    */
    const cuda_segment *segments; /* [n_segments]                    */

    /* Of correlated noise; nothing of it is there in a model without. */
    noise_plan noise;
    int n_noise_words, n_night_places;
    const cuda_noise_row *noise_rows; /* [n_obs] */

    unsigned long long guess_texture; /* of the tabulated first guess; 0: none */
} cuda_layout;

/* Results of one launch, device memory, NULL where not asked for. */
typedef struct cuda_results {
    double *chi_square, *log_likelihood, *linear, *velocities, *residuals;
} cuda_results;

/* Sets of many data sets under one model, device memory: set s belongs to layouts[problem[s]], and
 * the n_sets of order[] are computed; there are n_all in the arrays of parameters and results. */
typedef struct cuda_list {
    const cuda_layout *layouts;
    const unsigned *problem, *order;
    size_t n_sets, n_all;
} cuda_list;

/* A kernel that chi-square takes, as it is launched for a large batch. */
typedef struct cuda_function {
    const char *name;
    const void *kernel;
    int threads;
    size_t shared_bytes; /* beside what the kernel itself declares */
} cuda_function;

#define CUDA_MAX_FUNCTIONS 8

/* What one translation unit PRECISION.cu offers. Launches are asynchronous. */
typedef struct cuda_kernels {
    /* Doubles of working memory for each set, 0 where none are needed. */
    size_t (*scratch_words)(const cuda_layout *layout, const backend_engine *engine,
                            const cuda_results *results);
    void (*evaluate)(const cuda_layout *layout, const backend_engine *engine, size_t n_sets,
                     const double *parameters, const cuda_results *results, double *scratch,
                     void *stream);
    /* Sets of many data sets in one launch: of those whose layouts have the same list_kind, of
     * which `any` is one, in host memory; 0: the model or the engine has no such kernel. Velocities
     * and residuals are not asked for. */
    int (*list_kind)(const cuda_layout *layout, const backend_engine *engine);
    void (*evaluate_list)(const cuda_layout *any, const backend_engine *engine,
                          const cuda_list *list, const double *parameters,
                          const cuda_results *results, double *scratch, void *stream);
    void (*solve)(const backend_engine *engine, unsigned long long guess_texture, size_t n,
                  const double *M, const double *e, double *E, double *sine, double *cosine,
                  void *stream);
    /* The kernels of evaluate, in the order of their launch; returns how many. */
    size_t (*list)(const cuda_layout *layout, const backend_engine *engine,
                   cuda_function functions[CUDA_MAX_FUNCTIONS]);
} cuda_kernels;

#ifdef __cplusplus
extern "C" {
#endif
extern const cuda_kernels cuda_kernels_double, cuda_kernels_mixed, cuda_kernels_single,
    cuda_kernels_pair;
#ifdef __cplusplus
}
#endif

/* In the order of equant_precision. */
static inline const cuda_kernels *cuda_kernels_of(equant_precision precision)
{
    const cuda_kernels *const kernels[4] = {&cuda_kernels_double, &cuda_kernels_mixed,
                                            &cuda_kernels_single, &cuda_kernels_pair};
    return kernels[precision];
}

#endif
