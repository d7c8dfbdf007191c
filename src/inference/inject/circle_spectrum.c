#include "inference/inject/circle_spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/likelihood/study_crew.h"
#include "inference/select/orbits/orbit_columns.h"
#include "model/machine_clones.h"

/* Frequencies within the resolution of the data, 1 / span. */
#define OVERSAMPLING 3.0
enum { FREQUENCIES_PER_PIECE = 256 };

void circle_spectrum_free(circle_spectrum *spectrum)
{
    nonuniform_fft_plan_free(&spectrum->plan);
    free(spectrum->xx);
    *spectrum = (circle_spectrum){0};
}

double circle_spectrum_frequency(const circle_spectrum *spectrum, size_t i)
{
    return (double)(spectrum->first + i) * spectrum->step_per_day;
}

typedef struct product_table {
    const base_columns *base;
    circle_spectrum *made;
} product_table;

static equant_status products_of_piece(study *star, void *context, size_t piece)
{
    static const double at_zero = 0.0;
    const product_table *table = context;
    circle_spectrum *made = table->made;
    orbit_columns work;
    size_t first = piece * FREQUENCIES_PER_PIECE;
    equant_status status = orbit_columns_create(table->base->n_obs, 1, &work);
    for (size_t i = first; i < first + FREQUENCIES_PER_PIECE && i < made->n; i++) {
        if (status == EQUANT_SUCCESS)
            status = orbit_columns_set(star, table->base, circle_spectrum_frequency(made, i), 0.0,
                                       &at_zero, &work);
        if (status != EQUANT_SUCCESS)
            break;
        orbit_products p = orbit_columns_products(table->base, work.x, work.y);
        double determinant = p.xx * p.yy - p.xy * p.xy;
        bool is_there = orbit_products_are_determined(p);
        made->xx[i] = is_there ? p.yy / determinant : 0.0;
        made->xy[i] = is_there ? -p.xy / determinant : 0.0;
        made->yy[i] = is_there ? p.xx / determinant : 0.0;
    }
    orbit_columns_free(&work);
    return status;
}

equant_status circle_spectrum_create(study *star, const base_columns *base, circle_spectrum *made)
{
    double step = 1.0 / (OVERSAMPLING * star->span_days);
    size_t first = (size_t)fmax(1.0, ceil(1.0 / (star->period_max_days * step)));
    size_t last = (size_t)floor(1.0 / (star->period_min_days * step));
    *made = (circle_spectrum){
        .step_per_day = step, .first = first, .n = last >= first ? last - first + 1 : 0};
    made->xx = malloc((3 * made->n + 1) * sizeof *made->xx);
    if (!made->xx)
        return status_out_of_memory();
    made->xy = made->xx + made->n;
    made->yy = made->xy + made->n;
    equant_status status = nonuniform_fft_plan_create(base->n_obs, base->time_days, step,
                                                      first + made->n, &made->plan);
    product_table table = {base, made};
    return status == EQUANT_SUCCESS
               ? study_crew_share(star,
                                  (made->n + FREQUENCIES_PER_PIECE - 1) / FREQUENCIES_PER_PIECE,
                                  products_of_piece, &table)
               : status;
}

MACHINE_CLONES static void fill_gain(const circle_spectrum *spectrum, const fft *work,
                                     double8 *gain)
{
    for (size_t i = 0; i < spectrum->n; i++) {
        size_t j = spectrum->first + i, at = nonuniform_fft_place(&spectrum->plan, j);
        double correction = spectrum->plan.correction[j];
        double8 c = work->re[at] * correction, s = work->im[at] * correction;
        gain[i] = 0.5 * (c * c * spectrum->xx[i] + 2.0 * c * s * spectrum->xy[i] +
                         s * s * spectrum->yy[i]);
    }
}

void circle_spectrum_run(const circle_spectrum *spectrum, const double8 *dual, fft *work,
                         double8 *gain)
{
    nonuniform_fft_run(&spectrum->plan, dual, work);
    fill_gain(spectrum, work, gain);
}
