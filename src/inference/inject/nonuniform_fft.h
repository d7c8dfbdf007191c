/* The nonuniform FFT: sums over times that are not evenly spaced, at evenly spaced frequencies, of
 * eight series side by side,
 *
 *   S(j) = sum over k of a_k exp(2 pi i j df t_k),  j = 0 to n - 1,
 *
 * by spreading a_k to an even grid with a kernel, an FFT, and division by the transform of the
 * kernel. The kernel is the exponential of a semicircle (Barnett, Magland & af Klinteberg 2019,
 * SIAM J. Sci. Comput. 41, C479). */
#ifndef EQUANT_INFERENCE_INJECT_NONUNIFORM_FFT_H
#define EQUANT_INFERENCE_INJECT_NONUNIFORM_FFT_H

#include "inference/select/orbits/fft.h"

/* Points of the grid that a value is spread to, and the error of a sum relative to that of the
 * absolute values of its terms. */
enum { NONUNIFORM_FFT_POINTS = 10 };
#define NONUNIFORM_FFT_ERROR 1e-8

/* What depends on times and frequencies alone: many threads may read it. */
typedef struct nonuniform_fft_plan {
    size_t n_times, n_frequencies, n_grid;
    uint32_t *first;             /* [n_times]: the first point that a value goes to */
    double *weight;              /* [n_times][NONUNIFORM_FFT_POINTS] */
    double *shift_re, *shift_im; /* [n_times]: exp(2 pi i c df t), c the middle frequency */
    double *correction;          /* [n_frequencies]: one over the transform of the kernel */
} nonuniform_fft_plan;

/* To be freed in any case. */
equant_status nonuniform_fft_plan_create(size_t n_times, const double *time_days,
                                         double step_per_day, size_t n_frequencies,
                                         nonuniform_fft_plan *plan);
void nonuniform_fft_plan_free(nonuniform_fft_plan *plan);

/* Room for the transforms of one thread, to be freed with fft_free. */
equant_status nonuniform_fft_work(const nonuniform_fft_plan *plan, fft *work);

/* values [n_times], of eight series each; sums are left in re and im of the work, where
 * nonuniform_fft_place says. */
void nonuniform_fft_run(const nonuniform_fft_plan *plan, const double8 *values, fft *work);

/* Where in re and im of the work S(j) is, still without its correction. */
static inline size_t nonuniform_fft_place(const nonuniform_fft_plan *plan, size_t j)
{
    return (j + plan->n_grid - plan->n_frequencies / 2) % plan->n_grid;
}

#endif
