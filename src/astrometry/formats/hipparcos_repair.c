/* Which scans have lost their residuals. Removing rows from the columns of the scans moves the ones
 * behind them up, so that residual r stands beside scan r + j where j rows before it are gone. The
 * sums that must vanish are then a constant plus one term for each removed row, which depends on
 * its place and on how many are gone before it. All ways to remove the first half of the rows are
 * listed and sorted; each way to remove the other half looks up what completes it. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/formats/hipparcos_scan.h"
#include "core/status_fail.h"

enum { N_SUMS = 5, MOST_LOST = 6, MOST_HALF = (MOST_LOST + 1) / 2 };

/* Residuals are written to 0.01 mas: their rounding keeps the sums from vanishing. In units of what
 * it makes, sums further off than this are not looked at. */
static const double rounding_mas = 0.01 / 3.4641016151377544;
static const float furthest = 12;

/* A way to remove half of the rows: the rows, and what they add to the sums. */
typedef struct half {
    float sums[N_SUMS];
    uint16_t rows[MOST_HALF];
} half;

typedef struct repair {
    size_t n, n_lost, n_left; /* scans, those that are lost, those of them in the left half */
    double (*prefix)[N_SUMS]; /* [n_lost + 1][n - n_lost + 1]: of shift j, before residual r */
    half *halves;             /* of the left */
    size_t n_halves, capacity;
    double best; /* square of the distance of the best whole from zero */
    uint16_t lost[MOST_LOST];
} repair;

/* ---- sums -------------------------------------------------------------- */

static const double *prefix_of(const repair *it, size_t shift, size_t r)
{
    return it->prefix[shift * (it->n - it->n_lost + 1) + r];
}

static void scan_terms(const hipparcos_scan *scan, double terms[N_SUMS])
{
    terms[0] = scan->parallax_factor;
    terms[1] = scan->east;
    terms[2] = scan->north;
    terms[3] = scan->epoch_yr * scan->east;
    terms[4] = scan->epoch_yr * scan->north;
}

static double weight_of(const hipparcos_scan *scan)
{
    return scan->uncertainty_mas > 0 ? 1 / (scan->uncertainty_mas * scan->uncertainty_mas) : 0;
}

/* In units of what the rounding of residuals makes of each sum. */
static void make_prefixes(repair *it, const hipparcos_scan *scans)
{
    size_t n_kept = it->n - it->n_lost;
    double unit[N_SUMS] = {0}, terms[N_SUMS];
    for (size_t r = 0; r < n_kept; r++) {
        scan_terms(&scans[r], terms);
        for (size_t i = 0; i < N_SUMS; i++)
            unit[i] += pow(rounding_mas * weight_of(&scans[r]) * terms[i], 2);
    }
    for (size_t shift = 0; shift <= it->n_lost; shift++) {
        double total[N_SUMS] = {0};
        for (size_t r = 0; r <= n_kept; r++) {
            memcpy(it->prefix[shift * (n_kept + 1) + r], total, sizeof total);
            if (r == n_kept)
                break;
            double pull = scans[r].residual_mas * weight_of(&scans[r]);
            scan_terms(&scans[r + shift], terms);
            for (size_t i = 0; i < N_SUMS; i++)
                total[i] += unit[i] > 0 ? pull * terms[i] / sqrt(unit[i]) : 0;
        }
    }
}

/* Adds what removing row `row` does when `shift` are gone before it. */
static void add_term(const repair *it, size_t shift, size_t row, double sums[N_SUMS])
{
    const double *before = prefix_of(it, shift, row - shift);
    const double *behind = prefix_of(it, shift + 1, row - shift);
    for (size_t i = 0; i < N_SUMS; i++)
        sums[i] += before[i] - behind[i];
}

/* ---- halves ------------------------------------------------------------ */

/* The left ones are sorted by strips of the first sum, and by the second within each. */
static double strip_of(float first_sum)
{
    return floor((double)first_sum / (double)furthest);
}

static int compare_halves(const void *left, const void *right)
{
    const half *a = left, *b = right;
    double strip_a = strip_of(a->sums[0]), strip_b = strip_of(b->sums[0]);
    if (strip_a != strip_b)
        return strip_a < strip_b ? -1 : 1;
    return (a->sums[1] > b->sums[1]) - (a->sums[1] < b->sums[1]);
}

/* The first half at or behind a strip and a second sum. */
static size_t find_half(const repair *it, double strip, float second_sum)
{
    size_t low = 0, high = it->n_halves;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double own = strip_of(it->halves[middle].sums[0]);
        if (own < strip || (own == strip && it->halves[middle].sums[1] < second_sum))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void judge(repair *it, const half *left, const double right[N_SUMS], const uint16_t *rows)
{
    double square = 0;
    if (it->n_left > 0 && it->n_left < it->n_lost && left->rows[it->n_left - 1] >= rows[0])
        return; /* rows are removed in their order */
    for (size_t i = 0; i < N_SUMS; i++)
        square += pow((double)left->sums[i] + right[i], 2);
    if (square >= it->best)
        return;
    it->best = square;
    memcpy(it->lost, left->rows, it->n_left * sizeof *rows);
    memcpy(it->lost + it->n_left, rows, (it->n_lost - it->n_left) * sizeof *rows);
}

/* All left halves that bring the sums of a right one close to zero. */
static void complete(repair *it, const double right[N_SUMS], const uint16_t *rows)
{
    double strip = strip_of((float)-right[0]);
    for (int side = -1; side <= 1; side++)
        for (size_t i = find_half(it, strip + side, (float)-right[1] - furthest);
             i < it->n_halves && strip_of(it->halves[i].sums[0]) == strip + side &&
             it->halves[i].sums[1] <= (float)-right[1] + furthest;
             i++)
            judge(it, &it->halves[i], right, rows);
}

static equant_status keep(repair *it, const double sums[N_SUMS], const uint16_t *rows)
{
    if (it->n_halves == it->capacity) {
        size_t capacity = 2 * it->capacity + 1024;
        half *grown = realloc(it->halves, capacity * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        it->halves = grown;
        it->capacity = capacity;
    }
    half *made = &it->halves[it->n_halves++];
    for (size_t i = 0; i < N_SUMS; i++)
        made->sums[i] = (float)sums[i];
    memcpy(made->rows, rows, it->n_left * sizeof *rows);
    return EQUANT_SUCCESS;
}

/* All rows from `first` on for the removals shift .. end - 1, in their order. */
static equant_status walk(repair *it, size_t shift, size_t end, size_t first,
                          const double sums[N_SUMS], uint16_t *rows, size_t depth)
{
    if (shift == end) {
        if (end == it->n_left)
            return keep(it, sums, rows);
        complete(it, sums, rows);
        return EQUANT_SUCCESS;
    }
    equant_status status = EQUANT_SUCCESS;
    size_t last = it->n - it->n_lost + shift; /* leaves room for those behind */
    for (size_t row = first; row <= last && status == EQUANT_SUCCESS; row++) {
        double next[N_SUMS];
        memcpy(next, sums, sizeof next);
        add_term(it, shift, row, next);
        rows[depth] = (uint16_t)row;
        status = walk(it, shift + 1, end, row + 1, next, rows, depth + 1);
    }
    return status;
}

static equant_status search(repair *it)
{
    static const double nothing[N_SUMS] = {0};
    uint16_t rows[MOST_LOST];
    it->best = INFINITY;
    it->n_left = it->n_lost / 2;
    equant_status status = walk(it, 0, it->n_left, 0, nothing, rows, 0);
    if (status != EQUANT_SUCCESS)
        return status;
    qsort(it->halves, it->n_halves, sizeof *it->halves, compare_halves);
    return walk(it, it->n_left, it->n_lost, it->n_left,
                prefix_of(it, it->n_lost, it->n - it->n_lost), rows, 0);
}

/* Scans without the rows, beside the residuals in their order. */
static void apply(const repair *it, hipparcos_scan *scans)
{
    size_t shift = 0;
    for (size_t r = 0; r + it->n_lost < it->n; r++) {
        while (shift < it->n_lost && it->lost[shift] == r + shift)
            shift++;
        hipparcos_scan whole = scans[r + shift];
        whole.residual_mas = scans[r].residual_mas;
        whole.uncertainty_mas = scans[r].uncertainty_mas;
        scans[r] = whole;
    }
}

equant_status hipparcos_scan_repair(hipparcos_scan *scans, size_t n, size_t n_lost,
                                    double *imbalance)
{
    *imbalance = INFINITY;
    if (n_lost == 0 || n_lost > MOST_LOST || n > UINT16_MAX)
        return EQUANT_SUCCESS;
    repair it = {.n = n, .n_lost = n_lost};
    it.prefix = malloc((n_lost + 1) * (n - n_lost + 1) * sizeof *it.prefix);
    if (it.prefix == NULL)
        return status_out_of_memory();
    make_prefixes(&it, scans);
    equant_status status = search(&it);
    if (status == EQUANT_SUCCESS && isfinite(it.best)) {
        *imbalance = sqrt(it.best);
        apply(&it, scans);
    }
    free(it.halves);
    free(it.prefix);
    return status;
}
