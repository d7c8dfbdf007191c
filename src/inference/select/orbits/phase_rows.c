#include "inference/select/orbits/phase_rows.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/select/orbits/orbit_columns.h"
#include "inference/likelihood/study_crew.h"
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

/* A piece of a row behind a factor. */
static equant_status phases_of_piece(study *star, void *context, size_t piece)
{
    const phase_rows *all = context;
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

/* ---- white noise ----------------------------------------------------------------------------- */

/* Rows of one frequency and the sums that they share. */
typedef struct row_group {
    const phase_rows *all;
    phase_row *const *rows;
    harmonic_sums sums;
} row_group;

/* A row of a group, all of its phases at once. */
static equant_status phases_of_row(study *star, void *context, size_t index)
{
    const row_group *group = context;
    phase_row *row = group->rows[index];
    orbit_products *products = malloc((row->n_phases + 1) * sizeof *products);
    if (!products)
        return status_out_of_memory();
    const equant_engine_options engine = orbit_columns_engine(star);
    equant_status status =
        row->orbit ? EQUANT_SUCCESS : phase_orbit_create(row->e, &engine, &row->own);
    if (status == EQUANT_SUCCESS)
        status = phase_products_find(&group->sums, row->orbit ? row->orbit : &row->own,
                                     row->n_phases, products);
    for (size_t i = 0; i < row->n_phases && status == EQUANT_SUCCESS; i++)
        row->evidence[i] = orbit_products_evidence(products[i], ORBIT_PRODUCTS_SCALES,
                                                   group->all->around->scales, NULL);
    free(products);
    return status;
}

/* Rows by their frequencies. */
typedef struct row_groups {
    const phase_rows *all;
    size_t n, *first; /* [n + 1], of the rows of each */
    phase_row **rows;
} row_groups;

/* The sums of a frequency, up to the highest harmonic that one of its rows has; then the rows. */
static equant_status phases_of_group(study *star, void *context, size_t index)
{
    const row_groups *groups = context;
    size_t first = groups->first[index], n = groups->first[index + 1] - first, most = 0;
    row_group own = {.all = groups->all, .rows = groups->rows + first};
    for (size_t i = 0; i < n; i++) {
        size_t harmonics = phase_orbit_harmonics(own.rows[i]->e);
        most = harmonics > most ? harmonics : most;
    }
    equant_status status =
        harmonic_sums_find(groups->all->columns, own.rows[0]->frequency, most, &own.sums);
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, n, phases_of_row, &own);
    harmonic_sums_free(&own.sums);
    return status;
}

static int by_frequency(const void *left, const void *right)
{
    const phase_row *a = *(phase_row *const *)left, *b = *(phase_row *const *)right;
    int order = (a->frequency > b->frequency) - (a->frequency < b->frequency);
    return order != 0 ? order : (a > b) - (a < b);
}

static equant_status run_groups(study *star, const phase_rows *all)
{
    row_groups groups = {.all = all};
    groups.rows = malloc((all->n + 1) * sizeof(phase_row *));
    groups.first = malloc((all->n + 1) * sizeof *groups.first);
    equant_status status = groups.rows && groups.first ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        for (size_t i = 0; i < all->n; i++)
            groups.rows[i] = &all->rows[i];
        qsort(groups.rows, all->n, sizeof(phase_row *), by_frequency);
        for (size_t i = 0; i < all->n; i++)
            if (i == 0 || groups.rows[i]->frequency != groups.rows[i - 1]->frequency)
                groups.first[groups.n++] = i;
        groups.first[groups.n] = all->n;
        status = study_crew_share(star, groups.n, phases_of_group, &groups);
    }
    free(groups.first);
    free(groups.rows);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

/* Rows from `first` on. */
static phase_rows rows_from(const phase_rows *all, size_t first)
{
    return (phase_rows){.base = all->base,
                        .columns = all->columns,
                        .around = all->around,
                        .n = all->n - first,
                        .rows = all->rows + first};
}

equant_status phase_rows_run(study *star, phase_rows *whole, size_t first)
{
    phase_rows some = rows_from(whole, first), *all = &some;
    size_t n_phases = 0;
    for (size_t i = 0; i < all->n; i++) {
        all->rows[i].first_piece = all->n_pieces;
        all->n_pieces += (all->rows[i].n_phases + PHASES_PER_PIECE - 1) / PHASES_PER_PIECE;
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
    return all->columns ? run_groups(star, all)
                        : study_crew_share(star, all->n_pieces, phases_of_piece, all);
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
