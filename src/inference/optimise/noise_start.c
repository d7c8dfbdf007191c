/* Where a term of noise begins: its scale is tried all along its range, and the best are followed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/noise_fit.h"
#include "inference/likelihood/study_crew.h"

/* Values along the range of a term's scale, and of these how many are followed. */
enum { N_SCALES = 24, N_FOLLOWED = 3, FOLLOWED_ITERATIONS = 6 };
/* The share of the scatter that a new term takes, and what it leaves to jitters. */
static const double shares[] = {0.4, 0.8};
enum { N_SHARES = sizeof shares / sizeof *shares };
/* In which starts are tried, where there are threads. */
enum { MOST_PIECES = 6 };

typedef struct start {
    double value;
    double x[MOST_COORDINATES];
} start;

/* Root mean square of the residuals. */
static double scatter(const noise_fit *fit)
{
    double sum = 0.0;
    const series_rows *series = fit->star->menu.series;
    for (size_t k = 0; k < fit->star->n_obs; k++) {
        double r = fit->columns[(series ? series->row[k] : k) * fit->width + fit->width - 1];
        sum += r * r;
    }
    return sqrt(sum / (double)fit->star->n_obs);
}

/* Whether a term has a scale that is looked for. */
static bool has_scale(const noise_menu_term *term)
{
    return term->kind->n_parameters > 1 && noise_range_is_open(&term->parameters[1]) &&
           !term->is_learnt;
}

/* Where a term may begin. Every start is tried, some at a time where there are threads, and the
 * best are followed. */
typedef struct beginning {
    const noise_fit_problem *problem;
    const noise_menu_term *term;
    const double *set;
    int n_scales;
    size_t n, n_pieces;
    start starts[N_SCALES * N_SHARES];
    size_t followed[N_FOLLOWED];
} beginning;

/* One start: the term with a share of the scatter and a scale, jitters with the rest. */
static void try_start(noise_fit *fit, const noise_menu_term *term, double share, double scale,
                      double *set, start *found)
{
    double *values = set + fit->first_jitter + fit->star->n_instruments + term->first;
    noise_menu_start(term, values);
    if (has_scale(term)) {
        const noise_range *range = &term->parameters[1];
        values[1] = range->lowest * pow(range->highest / range->lowest, scale);
        for (size_t i = 2; i < term->kind->n_parameters; i++)
            if (term->parameters[i].per_period)
                values[i] = term->parameters[i].start * values[1];
    }
    if (noise_range_is_open(&term->parameters[0]))
        values[0] = share * scatter(fit);
    noise_fit_read(fit, set, found->x);
    for (size_t i = 0; i < fit->n; i++)
        if (isinf(fit->coordinates[i].highest))
            found->x[i] =
                noise_fit_clamp(&fit->coordinates[i], found->x[i] + log(1.0 - 0.8 * share));
    found->value = noise_fit_objective(fit, found->x);
}

/* A fit for one thread, and a set of its own. */
static equant_status open_own(study *star, const beginning *all, noise_fit **made, double **set)
{
    const study_shape *shape = all->problem->shape;
    size_t n = study_layout(star, shape->n_planets, shape->trend_order).n_parameters;
    *made = malloc(sizeof **made);
    *set = malloc(n * sizeof **set);
    equant_status status = status_out_of_memory();
    if (*made && *set) {
        memcpy(*set, all->set, n * sizeof **set);
        status = noise_fit_open(star, all->problem, *set, *made);
    }
    if (status != EQUANT_SUCCESS) {
        free(*made);
        free(*set);
    }
    return status;
}

static equant_status close_own(noise_fit *fit, double *set)
{
    equant_status status = fit->wanted;
    noise_fit_close(fit);
    free(fit);
    free(set);
    return status;
}

static equant_status try_piece(study *star, void *context, size_t piece)
{
    beginning *all = context;
    noise_fit *fit;
    double *set;
    equant_status status = open_own(star, all, &fit, &set);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t last = all->n * (piece + 1) / all->n_pieces, n_scales = (size_t)all->n_scales;
    for (size_t i = all->n * piece / all->n_pieces; i < last; i++)
        try_start(fit, all->term, shares[i / n_scales],
                  ((double)(i % n_scales) + 0.5) / all->n_scales, set, &all->starts[i]);
    return close_own(fit, set);
}

static equant_status follow_piece(study *star, void *context, size_t piece)
{
    beginning *all = context;
    start *followed = &all->starts[all->followed[piece]];
    noise_fit_memory *known = noise_fit_memory_create();
    noise_fit *fit;
    double *set;
    equant_status status = known ? open_own(star, all, &fit, &set) : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        followed->value = noise_fit_descend(fit, followed->x, FOLLOWED_ITERATIONS,
                                            all->problem->tolerance, known);
        status = close_own(fit, set);
    }
    free(known);
    return status;
}

/* The starts that are followed, the best first, of equal ones the earlier; returns how many. */
static size_t choose_followed(beginning *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        size_t place = n;
        while (place > 0 && all->starts[i].value < all->starts[all->followed[place - 1]].value)
            place--;
        if (!isfinite(all->starts[i].value) || place == N_FOLLOWED)
            continue;
        n += n < N_FOLLOWED;
        for (size_t j = n - 1; j > place; j--)
            all->followed[j] = all->followed[j - 1];
        all->followed[place] = i;
    }
    return n;
}

/* The best of those that were followed becomes the set. */
static equant_status write_best(study *star, beginning *all, size_t n_followed, double *set)
{
    size_t chosen = 0;
    noise_fit *fit;
    double *own;
    for (size_t i = 1; i < n_followed; i++)
        if (all->starts[all->followed[i]].value < all->starts[all->followed[chosen]].value)
            chosen = i;
    if (n_followed == 0 || !isfinite(all->starts[all->followed[chosen]].value))
        return EQUANT_SUCCESS;
    equant_status status = open_own(star, all, &fit, &own);
    if (status != EQUANT_SUCCESS)
        return status;
    noise_fit_write(fit, all->starts[all->followed[chosen]].x, set);
    return close_own(fit, own);
}

equant_status noise_fit_begin_term(study *star, const noise_fit_problem *problem, size_t term,
                                   double *set)
{
    const noise_menu_term *added = &star->menu.terms[term];
    double *values =
        set + study_first_correlated(star, problem->shape->n_planets, problem->shape->trend_order);
    beginning *all = malloc(sizeof *all);
    noise_menu_start(added, values + added->first);
    if (!all)
        return status_out_of_memory();
    int n_threads = study_crew_size(star);
    all->problem = problem;
    all->term = added;
    all->set = set;
    all->n_scales = has_scale(added) ? N_SCALES : 1;
    all->n = N_SHARES * (size_t)all->n_scales;
    all->n_pieces = n_threads == 1 || all->n_scales == 1 ? 1 : MOST_PIECES;
    equant_status status = study_crew_share(star, all->n_pieces, try_piece, all);
    size_t n_followed = status == EQUANT_SUCCESS ? choose_followed(all) : 0;
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, n_followed, follow_piece, all);
    if (status == EQUANT_SUCCESS)
        status = write_best(star, all, n_followed, set);
    free(all);
    return status;
}
