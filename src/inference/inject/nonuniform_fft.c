#include "inference/inject/nonuniform_fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/machine_clones.h"

/* Of the kernel: its sharpness for a grid twice as fine as it needs to be. */
#define SHARPNESS (2.3 * NONUNIFORM_FFT_POINTS)
#define HALF_WIDTH (0.5 * NONUNIFORM_FFT_POINTS)
/* Points of the integral that transforms the kernel. */
enum { N_QUADRATURE = 200 };

/* z from -1 to 1 over the width of the kernel. */
static double kernel(double z)
{
    double inside = 1.0 - z * z;
    return inside > 0.0 ? exp(SHARPNESS * (sqrt(inside) - 1.0)) : 0.0;
}

/* The transform of the kernel at a frequency, in cycles per point of the grid. The kernel ends
 * smoothly enough that the trapezoidal rule in z = sin(angle) converges as fast as for a periodic
 * function. */
static double kernel_transform(double frequency)
{
    double sum = 0.0, step = 0.5 * TWO_PI / N_QUADRATURE;
    for (int i = 1; i < N_QUADRATURE; i++) {
        double angle = i * step - 0.25 * TWO_PI, z = sin(angle);
        sum += kernel(z) * cos(angle) * cos(TWO_PI * frequency * HALF_WIDTH * z);
    }
    return sum * step * HALF_WIDTH;
}

static void plan_time(nonuniform_fft_plan *plan, size_t k, double turns)
{
    double middle = TWO_PI * (turns * (double)(plan->n_frequencies / 2) -
                              floor(turns * (double)(plan->n_frequencies / 2)));
    double place = (turns - floor(turns)) * (double)plan->n_grid;
    double first = ceil(place - HALF_WIDTH);
    plan->shift_re[k] = cos(middle);
    plan->shift_im[k] = sin(middle);
    for (int i = 0; i < NONUNIFORM_FFT_POINTS; i++)
        plan->weight[k * NONUNIFORM_FFT_POINTS + (size_t)i] =
            kernel((first + i - place) / HALF_WIDTH);
    plan->first[k] = (uint32_t)((first < 0.0 ? first + (double)plan->n_grid : first));
}

equant_status nonuniform_fft_plan_create(size_t n_times, const double *time_days,
                                         double step_per_day, size_t n_frequencies,
                                         nonuniform_fft_plan *plan)
{
    size_t n_grid = fft_length(2 * n_frequencies);
    if (n_grid < 2 * NONUNIFORM_FFT_POINTS)
        n_grid = fft_length(2 * NONUNIFORM_FFT_POINTS);
    *plan =
        (nonuniform_fft_plan){.n_times = n_times, .n_frequencies = n_frequencies, .n_grid = n_grid};
    plan->first = malloc(n_times * sizeof *plan->first);
    plan->weight = malloc(n_times * (NONUNIFORM_FFT_POINTS + 2) * sizeof *plan->weight);
    plan->correction = malloc(n_frequencies * sizeof *plan->correction);
    if (!plan->first || !plan->weight || !plan->correction)
        return status_out_of_memory();
    plan->shift_re = plan->weight + n_times * NONUNIFORM_FFT_POINTS;
    plan->shift_im = plan->shift_re + n_times;
    for (size_t k = 0; k < n_times; k++)
        plan_time(plan, k, step_per_day * time_days[k]);
    for (size_t j = 0; j < n_frequencies; j++) {
        double from_middle = (double)j - (double)(n_frequencies / 2);
        plan->correction[j] = 1.0 / kernel_transform(from_middle / (double)n_grid);
    }
    return EQUANT_SUCCESS;
}

void nonuniform_fft_plan_free(nonuniform_fft_plan *plan)
{
    free(plan->first);
    free(plan->weight);
    free(plan->correction);
    *plan = (nonuniform_fft_plan){0};
}

equant_status nonuniform_fft_work(const nonuniform_fft_plan *plan, fft *work)
{
    return fft_create(plan->n_grid, work);
}

MACHINE_CLONES static void spread(const nonuniform_fft_plan *plan, const double8 *values, fft *work)
{
    for (size_t k = 0; k < plan->n_times; k++) {
        double8 re = values[k] * plan->shift_re[k], im = values[k] * plan->shift_im[k];
        size_t at = plan->first[k];
        for (size_t i = 0; i < NONUNIFORM_FFT_POINTS; i++, at++) {
            if (at == plan->n_grid)
                at = 0;
            double weight = plan->weight[k * NONUNIFORM_FFT_POINTS + i];
            work->re[work->place[at]] += weight * re;
            work->im[work->place[at]] += weight * im;
        }
    }
}

void nonuniform_fft_run(const nonuniform_fft_plan *plan, const double8 *values, fft *work)
{
    memset(work->re, 0, plan->n_grid * sizeof *work->re);
    memset(work->im, 0, plan->n_grid * sizeof *work->im);
    spread(plan, values, work);
    fft_run(work);
}
