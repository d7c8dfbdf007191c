#include "inference/optimise/outliers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/maximum_likelihood.h"

/* Times that the choice is made anew; what the score must gain at least; by what factor a unit must
 * be off from what it was taken for. */
enum { MOST_ROUNDS = 6 };
#define LEAST_GAIN 0.1
#define OTHER_SIZE 1.5
/* Units that are off by less, in squares of what is expected, are no candidates. */
#define LEAST_SQUARE 4.0

/* ---- candidates ---------------------------------------------------------------------------------
 */

typedef struct candidate {
    size_t unit;
    double square; /* of deviation over expectation */
    double deviation_m_s;
} candidate;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->square != y->square)
        return x->square > y->square ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* ---- how many ----------------------------------------------------------------------------------
 */

/* The share of what is unpredicted that measurement explains: no refit can bring the rest below. */
static double least_level(const study *star, const outlier_view *views)
{
    const outlier_book *book = &star->book;
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    double sum = 0.0, n = 0.0;
    for (size_t unit = 0; unit < outliers_n_views(star); unit++) {
        const size_t *rows;
        if (isnan(views[unit].gain) || outlier_book_rows(book, unit, &rows) > 1)
            continue;
        double ratio = sigma[rows[0]] / views[unit].sigma_m_s;
        sum += fmin(1.0, ratio * ratio);
        n += 1.0;
    }
    return n > 0.0 ? sum / n : 1.0;
}

/* What the first n candidates would gain if the level of the noise followed: outliers raise it, and
 * hide behind it. chi_square is that of all rows, believed. */
static double promise(const study *star, double chi_square, double least, size_t n,
                      const candidate *list)
{
    double left = (double)star->n_obs, rest = chi_square, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        left -= 1.0;
        rest -= list[i].square;
    }
    rest = fmax(rest, 0.0);
    double level = fmin(1.0, fmax(least, rest / left));
    for (size_t i = 0; i < n; i++) {
        double wide = level + list[i].square;
        sum += log(wide) + list[i].square / wide;
    }
    return 0.5 * (chi_square - left * log(level) - rest / level - sum);
}

/* How many of the candidates, the worst first, promise most beyond their price. */
static size_t count_outliers(const study *star, double chi_square, double least, size_t n,
                             const candidate *list)
{
    double most = 0.0;
    size_t best = 0;
    for (size_t k = 1; k <= n; k++) {
        double value =
            promise(star, chi_square, least, k, list) - outlier_book_price(&star->book, k);
        if (value > most) {
            most = value;
            best = k;
        }
    }
    return best;
}

/* ---- which -------------------------------------------------------------------------------------
 */

static void add_candidate(const outlier_view *views, size_t unit, candidate *list, size_t *n)
{
    const outlier_view *seen = &views[unit];
    double ratio = seen->deviation_m_s / seen->sigma_m_s;
    if (!isnan(seen->gain) && ratio * ratio > LEAST_SQUARE)
        list[(*n)++] = (candidate){
            .unit = unit, .square = ratio * ratio, .deviation_m_s = seen->deviation_m_s};
}

/* A night of several observations is off as a whole, or some of these are: what gains more. */
static bool is_whole(const study *star, const outlier_view *views, size_t night)
{
    const outlier_book *book = &star->book;
    double usual = outlier_book_price(book, 1), apart = 0.0, best = 0.0;
    for (size_t i = book->first_row[night]; i < book->first_row[night + 1]; i++) {
        double gain = views[book->n_nights + i].gain;
        best = fmax(best, gain);
        apart += fmax(0.0, gain - usual);
    }
    double together = views[night].gain;
    return apart > 0.0 ? together - usual > apart : together > best;
}

static size_t list_candidates(const study *star, const outlier_view *views, candidate *list)
{
    const outlier_book *book = &star->book;
    size_t n = 0;
    for (size_t night = 0; night < book->n_nights; night++) {
        if (!outlier_book_is_night(book, night) || is_whole(star, views, night)) {
            add_candidate(views, night, list, &n);
            continue;
        }
        for (size_t i = book->first_row[night]; i < book->first_row[night + 1]; i++)
            add_candidate(views, book->n_nights + i, list, &n);
    }
    qsort(list, n, sizeof *list, compare_candidates);
    size_t most = outlier_book_most(book);
    return n < most ? n : most;
}

/* chi-square as it would be if the model believed its outliers. */
static double believe(const solution *fitted, const outlier_view *views, double chi_square)
{
    const outlier_set *set = fitted->noise.outliers;
    for (size_t i = 0; set && i < set->n; i++) {
        const outlier_view *seen = &views[set->outliers[i].unit];
        double d = seen->deviation_m_s, v = seen->sigma_m_s * seen->sigma_m_s,
               wide = v + set->outliers[i].widening_m_s * set->outliers[i].widening_m_s;
        if (!isnan(seen->gain))
            chi_square += d * d / v - d * d / wide;
    }
    return chi_square;
}

/* The set that a look at a solution suggests. */
static equant_status suggest(study *star, size_t n_fixed, const solution *fitted, outlier_set **set)
{
    size_t size = outliers_n_views(star);
    outlier_view *views = malloc(size * sizeof *views);
    candidate *list = malloc(size * sizeof *list);
    outlier *chosen = malloc(size * sizeof *chosen);
    double chi_square;
    equant_status status = views && list && chosen ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = outliers_look(star, n_fixed, fitted, views, &chi_square);
    if (status == EQUANT_SUCCESS) {
        size_t n = list_candidates(star, views, list);
        n = count_outliers(star, believe(fitted, views, chi_square), least_level(star, views), n,
                           list);
        for (size_t i = 0; i < n; i++)
            chosen[i] = (outlier){list[i].unit, fabs(list[i].deviation_m_s)};
        status = outlier_book_set(&star->book, star->dataset, n, chosen, set);
    }
    free(views);
    free(list);
    free(chosen);
    return status;
}

/* Whether a suggestion is what a solution has, sizes but little different. */
static bool is_known(const outlier_set *own, const outlier_set *suggested)
{
    bool known = outlier_set_is_same(own, suggested);
    for (size_t i = 0; own && known && i < own->n; i++)
        known = fabs(log(own->outliers[i].widening_m_s / suggested->outliers[i].widening_m_s)) <
                log(OTHER_SIZE);
    return known;
}

equant_status outliers_choose(study *star, size_t n_fixed, solution *fitted)
{
    solution trial = {.set = NULL};
    if (!star->book.is_open)
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, &trial);
    for (int round = 0; round < MOST_ROUNDS && status == EQUANT_SUCCESS; round++) {
        outlier_set *set;
        status = suggest(star, n_fixed, fitted, &set);
        if (status != EQUANT_SUCCESS || is_known(fitted->noise.outliers, set))
            break;
        solution_copy(star, fitted, &trial);
        trial.noise.outliers = set;
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, &trial);
        if (status != EQUANT_SUCCESS ||
            !(solution_score(star, &trial) > solution_score(star, fitted) + LEAST_GAIN))
            break;
        solution_copy(star, &trial, fitted);
    }
    solution_free(&trial);
    return status;
}
