#include "inference/sample/draws/summary.h"

#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "inference/sample/draws/star_draw.h"
#include "model/circle.h"
#include "parallel/parallel_for.h"

#define SIGMA_LOW 0.15865525393145705 /* share of a normal distribution below minus sigma */
#define MODE_SHARE 0.1                /* smaller is noisier, larger blurs a peak at an edge */

/* What all rows of a table share. */
typedef struct table {
    const summary_request *request;
    quantities_frame frame;
    size_t best; /* draw */
} table;

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double quantile(size_t n, const double *sorted, double probability)
{
    double place = probability * (double)(n - 1);
    size_t below = (size_t)place;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double densest(size_t n, const double *sorted)
{
    size_t n_inside = (size_t)ceil(MODE_SHARE * (double)n), best = 0;
    for (size_t i = 0; i + n_inside <= n; i++)
        if (sorted[i + n_inside - 1] - sorted[i] < sorted[best + n_inside - 1] - sorted[best])
            best = i;
    return 0.5 * (sorted[best] + sorted[best + n_inside - 1]);
}

/* Turns angles by whole turns until they are within half a turn of their mean direction. */
static void unwrap(size_t n, double *angles)
{
    double cosines = 0.0, sines = 0.0;
    for (size_t i = 0; i < n; i++) {
        cosines += cos(angles[i]);
        sines += sin(angles[i]);
    }
    double mean = atan2(sines, cosines);
    for (size_t i = 0; i < n; i++)
        angles[i] -= TWO_PI * floor((angles[i] - mean) / TWO_PI + 0.5);
}

/* In [0, 2 pi). */
static double wrapped(double angle)
{
    double turned = angle - TWO_PI * floor(angle / TWO_PI);
    return turned < TWO_PI ? turned : 0.0;
}

void summary_describe(size_t n, double *values, bool is_angle, summary_row *row)
{
    if (is_angle)
        unwrap(n, values);
    qsort(values, n, sizeof *values, by_number);
    row->median = quantile(n, values, 0.5);
    row->low = quantile(n, values, SIGMA_LOW);
    row->high = quantile(n, values, 1.0 - SIGMA_LOW);
    row->mode = densest(n, values);
    if (is_angle) {
        double turn = wrapped(row->median) - row->median;
        row->median += turn;
        row->low += turn;
        row->high += turn;
        row->mode = wrapped(row->mode);
    }
}

/* The quantity of a row in all draws, each with a star of its own. */
static void fill_values(const table *made, const summary_row *row, const draws *from,
                        double *values)
{
    quantities_frame frame = made->frame;
    for (size_t i = 0; i < draws_n(from); i++) {
        frame.star = star_draw_at(&made->request->shape.star, i);
        values[i] =
            quantity_value(&row->what.entry, row->what.index, draws_at(from, i).parameters, &frame);
    }
}

static equant_status fill_row(const table *made, summary_row *row)
{
    const quantity *entry = &row->what.entry;
    bool is_angle = entry->kind->info.is_angle != 0;
    const summary_request *request = made->request;
    const draws *kept = request->draws;
    size_t n = draws_n(kept), n_starts = request->begin ? draws_n(request->begin) : 0;
    double *values = malloc((n + n_starts) * sizeof *values);
    if (values == NULL)
        return status_out_of_memory();
    fill_values(made, row, kept, values);
    if (n_starts > 0)
        fill_values(made, row, request->begin, values + n);
    /* The most probable draw goes around the most probable star. */
    row->best =
        quantity_value(entry, row->what.index, draws_at(kept, made->best).parameters, &made->frame);
    diagnostics_series series = diagnostics_series_of(kept, request->begin, values);
    series.is_angle = is_angle;
    equant_status status = diagnostics_compute(&series, &row->quality);
    if (!request->is_for_quality)
        summary_describe(n, values, is_angle, row);
    free(values);
    return status;
}

typedef struct filled_rows {
    const table *made;
    summary_row *rows;
    atomic_int failed;
} filled_rows;

static void fill_some(void *context, size_t first, size_t end, int thread)
{
    filled_rows *of = context;
    (void)thread;
    for (size_t r = first; r < end; r++) {
        of->rows[r].what = quantities_row(&of->made->request->shape, r);
        parallel_keep_larger(&of->failed, (int)fill_row(of->made, &of->rows[r]));
    }
}

static equant_status fill_rows(const table *made, size_t n_rows, summary_row *rows)
{
    filled_rows of = {.made = made, .rows = rows};
    parallel_for(placement_threads(made->request->n_threads), n_rows, 1, fill_some, &of);
    /* The sentence stayed with the thread that failed, and memory is all that can run out. */
    return atomic_load(&of.failed) == EQUANT_SUCCESS ? EQUANT_SUCCESS : status_out_of_memory();
}

static equant_status check(const summary_request *request)
{
    if (draws_n(request->draws) == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are no draws to summarise");
    if (request->shape.layout.n_parameters != request->draws->shape.n_parameters)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "draws of %zu parameters do not fit a model of %zu",
                           request->draws->shape.n_parameters, request->shape.layout.n_parameters);
    return EQUANT_SUCCESS;
}

equant_status summary_create(const summary_request *request, summary **out)
{
    equant_status status = check(request);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_rows = quantities_n_rows(&request->shape);
    table shared = {.request = request, .best = draws_best(request->draws)};
    shared.frame =
        (quantities_frame){request->reference_time_days, host_star_at(&request->shape.star, NULL),
                           draws_at(request->draws, shared.best).parameters};
    summary *made = calloc(1, sizeof *made);
    summary_row *rows = calloc(n_rows + 1, sizeof *rows);
    if (made == NULL || rows == NULL)
        status = status_out_of_memory();
    else
        status = fill_rows(&shared, n_rows, rows);
    if (status != EQUANT_SUCCESS) {
        free(made);
        free(rows);
        return status;
    }
    made->n_rows = n_rows;
    made->rows = rows;
    *out = made;
    return EQUANT_SUCCESS;
}

void summary_free(summary *made)
{
    if (made == NULL)
        return;
    free(made->rows);
    free(made);
}
