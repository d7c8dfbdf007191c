#include "inference/likelihood/outlier_set.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "model/prior_table.h"

/* The newest first. Nothing leaves it, so that threads may read while others add. */
struct outlier_list {
    _Atomic(outlier_set *) first;
};

/* Fewer observations say nothing of what is usual among them. */
enum { LEAST_OBSERVATIONS = 20 };
/* More than this share are no exceptions. */
#define MOST_SHARE 0.2

equant_status outlier_book_read(const char *text, bool *is_open, double *share)
{
    *is_open = text && strcmp(text, "none") != 0;
    *share = 0.0;
    if (!*is_open || strcmp(text, "auto") == 0)
        return EQUANT_SUCCESS;
    char *end;
    *share = decimal_text_read(text, &end);
    if (end == text || *end != '\0' || !(*share > 0.0 && *share < 0.5))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "outliers are 'auto', 'none' or a share of the observations between 0 "
                           "and 0.5, not '%s'",
                           text);
    return EQUANT_SUCCESS;
}

/* ---- units -------------------------------------------------------------------------------------
 */

/* night[k]: that of row k. Returns how many there are. */
static size_t number_nights(const equant_dataset *dataset, const bool *begins_night, size_t *latest,
                            size_t *night)
{
    size_t n_nights = 0;
    for (size_t k = 0; k < dataset->n_obs; k++) {
        size_t *own = &latest[dataset->instrument[k]];
        if (begins_night[k])
            *own = n_nights++;
        night[k] = *own;
    }
    return n_nights;
}

static void sort_rows(size_t n_obs, const size_t *night, outlier_book *made)
{
    size_t *next = made->first_row + 1; /* ends as the first row of the next night */
    for (size_t k = 0; k < n_obs; k++)
        next[night[k] + 1]++;
    for (size_t i = 0; i < made->n_nights; i++)
        next[i + 1] += next[i];
    for (size_t k = 0; k < n_obs; k++)
        made->rows[next[night[k]]++] = k;
}

static equant_status list_nights(const equant_dataset *dataset, const bool *begins_night,
                                 outlier_book *made)
{
    size_t n = dataset->n_obs;
    size_t *latest = calloc(dataset->n_instruments + 1, sizeof *latest),
           *night = malloc((n + 1) * sizeof *night);
    made->rows = malloc((n + 1) * sizeof *made->rows);
    made->first_row = calloc(n + 2, sizeof *made->first_row);
    bool has_room = latest && night && made->rows && made->first_row;
    if (has_room) {
        made->n_units = made->n_nights = number_nights(dataset, begins_night, latest, night);
        sort_rows(n, night, made);
        for (size_t i = 0; i < made->n_nights; i++) {
            size_t n_rows = made->first_row[i + 1] - made->first_row[i];
            made->n_units += n_rows > 1 ? n_rows : 0;
        }
    }
    free(latest);
    free(night);
    return has_room ? EQUANT_SUCCESS : status_out_of_memory();
}

equant_status outlier_book_create(const equant_dataset *dataset, const bool *begins_night,
                                  const char *text, outlier_book *made)
{
    memset(made, 0, sizeof *made);
    equant_status status = outlier_book_read(text, &made->is_open, &made->share);
    if (status != EQUANT_SUCCESS)
        return status;
    made->is_open = made->is_open && dataset->n_obs >= LEAST_OBSERVATIONS;
    if (!made->is_open)
        return EQUANT_SUCCESS;
    made->sets = calloc(1, sizeof *made->sets);
    return made->sets ? list_nights(dataset, begins_night, made) : status_out_of_memory();
}

void outlier_book_free(outlier_book *book)
{
    outlier_set *next = book->sets ? atomic_load(&book->sets->first) : NULL;
    while (next) {
        outlier_set *gone = next;
        next = gone->next;
        free(gone->outliers);
        free(gone->dataset.uncertainty_m_s);
        free(gone);
    }
    free(book->sets);
    free(book->rows);
    free(book->first_row);
}

bool outlier_book_is_night(const outlier_book *book, size_t unit)
{
    return unit < book->n_nights && book->first_row[unit + 1] - book->first_row[unit] > 1;
}

size_t outlier_book_rows(const outlier_book *book, size_t unit, const size_t **rows)
{
    bool is_single = unit >= book->n_nights;
    *rows = book->rows + (is_single ? unit - book->n_nights : book->first_row[unit]);
    return is_single ? 1 : book->first_row[unit + 1] - book->first_row[unit];
}

/* ---- sets --------------------------------------------------------------------------------------
 */

size_t outlier_book_most(const outlier_book *book)
{
    return (size_t)(MOST_SHARE * (double)book->first_row[book->n_nights]);
}

/* ln of the prior odds of no outliers against a set of k: where their share is unknown, it is
 * integrated over its Beta distribution. */
static double log_odds_of_none(double share, double all, double k)
{
    double a = PRIOR_TABLE_OUTLIER_SHARE * PRIOR_TABLE_OUTLIER_STRENGTH,
           b = PRIOR_TABLE_OUTLIER_STRENGTH - a;
    return share > 0.0 ? k * log((1.0 - share) / share)
                       : lgamma(a) - lgamma(a + k) + lgamma(b + all) - lgamma(b + all - k);
}

double outlier_book_price(const outlier_book *book, size_t n)
{
    return log_odds_of_none(book->share, (double)book->n_units, (double)n) +
           (double)n * PRIOR_TABLE_OUTLIER_SIZE;
}

static bool is_equal(const outlier_set *set, size_t n, const outlier *outliers)
{
    bool equal = set->n == n;
    for (size_t i = 0; i < n && equal; i++)
        equal = set->outliers[i].unit == outliers[i].unit &&
                set->outliers[i].widening_m_s == outliers[i].widening_m_s;
    return equal;
}

static int compare_units(const void *a, const void *b)
{
    const outlier *x = a, *y = b;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static void widen(const outlier_book *book, outlier_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        const size_t *rows;
        size_t n_rows = outlier_book_rows(book, set->outliers[i].unit, &rows);
        for (size_t j = 0; j < n_rows; j++) {
            double *sigma = &set->dataset.uncertainty_m_s[rows[j]];
            *sigma = hypot(*sigma, set->outliers[i].widening_m_s);
        }
    }
}

equant_status outlier_book_set(const outlier_book *book, const equant_dataset *dataset, size_t n,
                               const outlier *outliers, outlier_set **set)
{
    *set = NULL;
    if (n == 0)
        return EQUANT_SUCCESS;
    outlier_set *made = calloc(1, sizeof *made);
    outlier *own = malloc(n * sizeof *own);
    double *sigma = malloc(dataset->n_obs * sizeof *sigma);
    if (!made || !own || !sigma) {
        free(made);
        free(own);
        free(sigma);
        return status_out_of_memory();
    }
    memcpy(own, outliers, n * sizeof *own);
    qsort(own, n, sizeof *own, compare_units);
    for (outlier_set *known = atomic_load(&book->sets->first); known && !*set; known = known->next)
        *set = is_equal(known, n, own) ? known : NULL;
    if (*set) {
        free(made);
        free(own);
        free(sigma);
        return EQUANT_SUCCESS;
    }
    memcpy(sigma, dataset->uncertainty_m_s, dataset->n_obs * sizeof *sigma);
    *made = (outlier_set){
        .n = n, .outliers = own, .price = outlier_book_price(book, n), .dataset = *dataset};
    made->dataset.uncertainty_m_s = sigma;
    widen(book, made);
    made->next = atomic_load(&book->sets->first);
    while (!atomic_compare_exchange_weak(&book->sets->first, &made->next, made))
        ;
    *set = made;
    return EQUANT_SUCCESS;
}

double outlier_set_price(const outlier_set *set)
{
    return set ? set->price : 0.0;
}

bool outlier_set_is_same(const outlier_set *one, const outlier_set *other)
{
    bool same = (one ? one->n : 0) == (other ? other->n : 0);
    for (size_t i = 0; one && same && i < one->n; i++)
        same = one->outliers[i].unit == other->outliers[i].unit;
    return same;
}

void outlier_set_remark(const outlier_book *book, const outlier_set *set, remarks *made)
{
    for (size_t i = 0; set && i < set->n; i++) {
        const size_t *rows;
        bool is_night = outlier_book_rows(book, set->outliers[i].unit, &rows) > 1;
        int instrument = set->dataset.instrument[rows[0]];
        remarks_add(made,
                    "The rest of the data does not predict the %s of %s %.3f (%s): %s widened by "
                    "%.3g m/s.",
                    is_night ? "night" : "observation", set->dataset.time_name,
                    set->dataset.time_days[rows[0]], set->dataset.instrument_names[instrument],
                    is_night ? "its errors are" : "its error is", set->outliers[i].widening_m_s);
    }
}
