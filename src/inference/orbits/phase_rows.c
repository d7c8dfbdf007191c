#include "inference/orbits/phase_rows.h"

#include <math.h>
#include <stdlib.h>

#include "core/status.h"
#include "inference/orbits/orbit_columns.h"
#include "inference/study/study_crew.h"
#include "model/circle.h"

enum { PHASES_PER_PIECE = 16 };

/* The row of a piece. */
static const phase_row *row_of(const phase_rows *all, size_t piece)
{
    size_t low = 0, high = all->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (all->rows[middle].first_piece <= piece)
            low = middle;
        else
            high = middle;
    }
    return &all->rows[low];
}

/* A row behind white noise, all of its phases at once. */
static equant_status phases_of_row(const study *star, const phase_rows *all, phase_row *row)
{
    orbit_products *products = malloc((row->n_phases + 1) * sizeof *products);
    if (!products)
        return status_out_of_memory();
    const equant_engine_options engine = orbit_columns_engine(star);
    equant_status status =
        row->orbit ? EQUANT_SUCCESS : phase_orbit_create(row->e, &engine, &row->own);
    if (status == EQUANT_SUCCESS)
        status = phase_products_find(all->base, row->orbit ? row->orbit : &row->own, row->frequency,
                                     row->n_phases, products);
    for (size_t i = 0; i < row->n_phases && status == EQUANT_SUCCESS; i++)
        row->evidence[i] =
            orbit_products_evidence(products[i], ORBIT_PRODUCTS_SCALES, all->around->scales, NULL);
    free(products);
    return status;
}

static equant_status phases_of_piece(study *star, void *context, size_t piece)
{
    const phase_rows *all = context;
    if (!all->base->factor)
        return phases_of_row(star, all, &all->rows[piece]);
    const phase_row *row = row_of(all, piece);
    size_t first = (piece - row->first_piece) * PHASES_PER_PIECE, left = row->n_phases - first,
           n = left < PHASES_PER_PIECE ? left : PHASES_PER_PIECE, n_obs = all->base->n_obs;
    double m0[PHASES_PER_PIECE] = {0.0};
    orbit_columns work;
    equant_status status = orbit_columns_create(n_obs, n, &work);
    for (size_t i = 0; i < n; i++)
        m0[i] = TWO_PI * (row->first_phase + (double)(first + i) / (double)row->n_phases);
    if (status == EQUANT_SUCCESS)
        status = orbit_columns_set(star, all->base, row->frequency, row->e, m0, &work);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        row->evidence[first + i] = orbit_products_evidence(
            orbit_columns_products(all->base, work.x + i * n_obs, work.y + i * n_obs),
            ORBIT_PRODUCTS_SCALES, all->around->scales, NULL);
    orbit_columns_free(&work);
    return status;
}

/* Rows from `first` on, as phases_of_piece takes them. */
static phase_rows rows_from(const phase_rows *all, size_t first)
{
    return (phase_rows){
        .base = all->base, .around = all->around, .n = all->n - first, .rows = all->rows + first};
}

equant_status phase_rows_run(study *star, phase_rows *whole, size_t first)
{
    phase_rows some = rows_from(whole, first), *all = &some;
    size_t n_phases = 0;
    for (size_t i = 0; i < all->n; i++) {
        all->rows[i].first_piece = all->n_pieces;
        all->n_pieces += all->base->factor
                             ? (all->rows[i].n_phases + PHASES_PER_PIECE - 1) / PHASES_PER_PIECE
                             : 1;
        n_phases += all->rows[i].n_phases;
    }
    double *next = malloc((n_phases + 1) * sizeof *next);
    if (!next)
        return status_out_of_memory();
    whole->evidence[whole->n_runs++] = next;
    for (size_t i = 0; i < all->n; i++) {
        all->rows[i].evidence = next;
        next += all->rows[i].n_phases;
    }
    return study_crew_share(star, all->n_pieces, phases_of_piece, all);
}

double phase_row_held(const phase_row *row, size_t stride)
{
    double largest = -INFINITY, sum = 0.0;
    size_t n = 0;
    for (size_t j = 0; j < row->n_phases; j += stride)
        largest = fmax(largest, row->evidence[j]);
    for (size_t j = 0; j < row->n_phases; j += stride, n++)
        sum += exp(row->evidence[j] - largest);
    return largest + log(sum / (double)n);
}

void phase_rows_free(phase_rows *all)
{
    for (size_t i = 0; i < all->n; i++)
        phase_orbit_free(&all->rows[i].own);
    free(all->rows);
    for (size_t i = 0; i < all->n_runs; i++)
        free(all->evidence[i]);
}
