#include "inference/select/orbits/frequency_sums.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"

/* Where there are fewer frequencies to a side, all of them are taken; and of phases so many at
 * least. */
enum { FEW_FREQUENCIES = 12, COARSEST_STRIDE = 4, FEW_PHASES = 48, THINNEST = 16 };
/* Of the whole sum: what half of its frequencies and phases may change it by. */
#define TOLERANCE 4e-3

/* What a sum is made of. */
typedef struct sum_list {
    const phase_rows *centre;
    frequency_sum *sums; /* [centre->n] */
    double largest;      /* of all that is held */
} sum_list;

static bool is_in_range(const study *star, double frequency)
{
    return frequency * star->period_max_days > 1.0 && frequency * star->period_min_days < 1.0;
}

/* Keeps what a row of an eccentricity holds, j frequencies from the best. */
static void keep(sum_list *list, size_t i, int j, const phase_row *row)
{
    frequency_sum *sum = &list->sums[i];
    double log_width = sum->log_share + log(sum->step / row->frequency);
    sum->held[j + sum->reach] = phase_row_held(row, 1) + log_width;
    sum->halved[j + sum->reach] = sum->thinning > 1 && j != 0 ? phase_row_held(row, 2) + log_width
                                                              : sum->held[j + sum->reach];
    list->largest = fmax(list->largest, sum->held[j + sum->reach]);
}

/* The sum of rows of an eccentricity with a stride, over the largest row of all. */
static double sum_with(const sum_list *list, const frequency_sum *sum, const double *held,
                       int stride)
{
    double total = 0.0;
    for (int j = -(sum->reach / stride) * stride; j <= sum->reach; j += stride)
        total += exp(held[j + sum->reach] - list->largest);
    return total * stride;
}

static double sum_of(const sum_list *list, size_t i)
{
    return sum_with(list, &list->sums[i], list->sums[i].held, list->sums[i].stride);
}

/* By how much half of its frequencies would change it, where it does not have them all. */
static double change_by_frequencies(const sum_list *list, size_t i)
{
    const frequency_sum *sum = &list->sums[i];
    return sum->stride == 1
               ? 0.0
               : fabs(sum_of(list, i) - sum_with(list, sum, sum->held, 2 * sum->stride));
}

/* The same by phases. */
static double change_by_phases(const sum_list *list, size_t i)
{
    const frequency_sum *sum = &list->sums[i];
    return sum->thinning == 1
               ? 0.0
               : fabs(sum_of(list, i) - sum_with(list, sum, sum->halved, sum->stride));
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* What the rows of an eccentricity were made with last; a stride of 0: with nothing. */
typedef struct grid_before {
    int stride, thinning;
} grid_before;

/* Whether frequency j is one of the stride of a sum and is not known yet, as the best is. */
static bool is_new(const frequency_sum *sum, int j, grid_before before)
{
    bool is_known = before.stride > 0 && before.thinning == sum->thinning && j % before.stride == 0;
    return j != 0 && j % sum->stride == 0 && !is_known;
}

/* Row j. If not all phases are taken, they are others than those of its neighbours, but behind
 * white noise, where all of a row come at once and begin at 0. */
static phase_row row_at(const sum_list *list, size_t i, int j)
{
    const frequency_sum *sum = &list->sums[i];
    const phase_row *own = &list->centre->rows[i];
    size_t n_phases = own->n_phases / (size_t)sum->thinning;
    int shift = list->centre->base->factor ? abs(j / sum->stride) % sum->thinning : 0;
    return (phase_row){.frequency = own->frequency + j * sum->step,
                       .e = own->e,
                       .n_phases = n_phases,
                       .first_phase = (double)shift / (double)(n_phases * (size_t)sum->thinning),
                       .orbit = &own->own};
}

/* Goes through the new rows of all eccentricities, always in one order: counts them, lays them out
 * or, when they are done, keeps what they hold. */
static size_t each_new_row(const study *star, sum_list *list, const grid_before *before,
                           phase_rows *rows, bool is_done)
{
    size_t n = 0;
    for (size_t i = 0; i < list->centre->n; i++) {
        const frequency_sum *sum = &list->sums[i];
        for (int j = -sum->reach; j <= sum->reach; j++) {
            phase_row row = row_at(list, i, j);
            if (!is_new(sum, j, before[i]) || !is_in_range(star, row.frequency))
                continue;
            if (is_done)
                keep(list, i, j, &rows->rows[n]);
            else if (rows)
                rows->rows[n] = row;
            n++;
        }
    }
    return n;
}

/* Finds the rows that the strides before did not have. */
static equant_status find_rows(study *star, sum_list *list, const grid_before *before)
{
    phase_rows rows = {.base = list->centre->base,
                       .columns = list->centre->columns,
                       .around = list->centre->around};
    size_t n = each_new_row(star, list, before, NULL, false);
    rows.rows = calloc(n + 1, sizeof *rows.rows);
    if (!rows.rows)
        return status_out_of_memory();
    rows.n = each_new_row(star, list, before, &rows, false);
    equant_status status = phase_rows_run(star, &rows, 0);
    if (status == EQUANT_SUCCESS)
        each_new_row(star, list, before, &rows, true);
    phase_rows_free(&rows);
    return status;
}

/* ---- refinement ------------------------------------------------------------------------------ */

/* Takes more frequencies or more phases, whichever matters more, of the eccentricities that are not
 * known well enough; false where there is none. */
static bool refine_grids(sum_list *list, grid_before *before)
{
    double whole = 0.0;
    bool is_refined = false;
    for (size_t i = 0; i < list->centre->n; i++)
        whole += sum_of(list, i);
    for (size_t i = 0; i < list->centre->n; i++) {
        frequency_sum *sum = &list->sums[i];
        double by_frequencies = change_by_frequencies(list, i),
               by_phases = change_by_phases(list, i);
        before[i] = (grid_before){sum->stride, sum->thinning};
        if (!(by_frequencies + by_phases > TOLERANCE * whole))
            continue;
        if (by_frequencies > by_phases)
            sum->stride /= 2;
        else
            sum->thinning /= 2;
        is_refined = true;
    }
    return is_refined;
}

static equant_status refine(study *star, sum_list *list, grid_before *before)
{
    equant_status status = EQUANT_SUCCESS;
    do
        status = find_rows(star, list, before);
    while (status == EQUANT_SUCCESS && refine_grids(list, before));
    return status;
}

static int thinnest(size_t n_phases)
{
    int thinning = 1;
    while (thinning < THINNEST && n_phases >= 2 * (size_t)thinning * FEW_PHASES)
        thinning *= 2;
    return thinning;
}

/* The rows of the best frequency are known. */
static void begin(const study *star, sum_list *list, double *held)
{
    for (size_t i = 0; i < list->centre->n; i++) {
        frequency_sum *sum = &list->sums[i];
        const phase_row *own = &list->centre->rows[i];
        sum->stride = sum->reach >= FEW_FREQUENCIES ? COARSEST_STRIDE : 1;
        sum->thinning = thinnest(own->n_phases);
        if (sum->reach < 0)
            continue;
        size_t n = 2 * (size_t)sum->reach + 1;
        sum->held = held;
        sum->halved = held + n;
        for (size_t j = 0; j < 2 * n; j++)
            *held++ = -INFINITY;
        if (is_in_range(star, own->frequency))
            keep(list, i, 0, own);
    }
}

equant_status frequency_sums_find(study *star, const phase_rows *centre, frequency_sum *sums,
                                  double *log_evidence)
{
    sum_list list = {centre, sums, -INFINITY};
    size_t n = 1;
    double whole = 0.0;
    for (size_t i = 0; i < centre->n; i++)
        n += sums[i].reach < 0 ? 0 : 2 * (2 * (size_t)sums[i].reach + 1);
    double *held = malloc(n * sizeof *held);
    grid_before *before = calloc(centre->n + 1, sizeof *before);
    equant_status status = held && before ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        begin(star, &list, held);
        status = refine(star, &list, before);
    }
    for (size_t i = 0; i < centre->n && status == EQUANT_SUCCESS; i++)
        whole += sum_of(&list, i);
    *log_evidence = list.largest > -INFINITY ? list.largest + log(whole) : -INFINITY;
    free(before);
    free(held);
    return status;
}
