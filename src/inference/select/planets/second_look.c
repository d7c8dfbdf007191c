#include "inference/select/planets/second_look.h"

#include "inference/search/next_planet.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/likelihood/study_crew.h"

/* Peaks refined after a scan. */
enum { N_PEAKS_CHECK = 8 };
/* By how much another orbit's score must be better for it to take the place of one found
 * before. */
#define REPLACE_GAIN 0.5

/* Planets of one solution that are looked for again. */
typedef struct second_look {
    const scan_grid *grid;
    size_t n_fixed;
    const solution *fitted;
    size_t first;    /* planet */
    solution *found; /* for each, what may take the place of `fitted` */
    bool *is_better;
} second_look;

static equant_status look_for_one(study *star, const second_look *look, solution *without, size_t i)
{
    size_t n_fixed = look->n_fixed, n_found;
    const solution *fitted = look->fitted;
    solution *found = &look->found[i];
    planet_scan scan;
    solution_copy(star, fitted, without);
    solution_remove_planet(star, without, look->first + i);
    equant_status status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, without);
    if (status == EQUANT_SUCCESS)
        status =
            planet_scan_create(star, without, n_fixed, NULL, look->grid, "checking planets", &scan);
    if (status != EQUANT_SUCCESS)
        return status;
    status =
        next_planet_refine(star, &scan, without, n_fixed, N_PEAKS_CHECK, true, 1, found, &n_found);
    planet_scan_free(&scan);
    look->is_better[i] = status == EQUANT_SUCCESS && n_found > 0 &&
                         found->measured >= fitted->measured &&
                         solution_score(star, found) > solution_score(star, fitted) + REPLACE_GAIN;
    return status;
}

static equant_status look_for_planet(study *star, void *context, size_t i)
{
    const second_look *look = context;
    solution without = {.set = NULL};
    equant_status status = solution_create(star, &without);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &look->found[i]);
    if (status == EQUANT_SUCCESS)
        status = look_for_one(star, look, &without, i);
    solution_free(&without);
    return status;
}

/* The first of n planets from that of the look on for which something better was found, in `fitted`
 * then; n: none. */
static equant_status look_for_planets(study *star, second_look look, size_t n, solution *fitted,
                                      size_t *better)
{
    solution found[STUDY_MAX_PLANETS] = {{.set = NULL}};
    bool is_better[STUDY_MAX_PLANETS] = {false};
    look.fitted = fitted;
    look.found = found;
    look.is_better = is_better;
    equant_status status = study_crew_share(star, n, look_for_planet, &look);
    *better = 0;
    while (*better < n && !is_better[*better])
        ++*better;
    if (status == EQUANT_SUCCESS && *better < n)
        solution_copy(star, &found[*better], fitted);
    for (size_t i = 0; i < n; i++)
        solution_free(&found[i]);
    return status;
}

equant_status second_look_take(study *star, const scan_grid *grid, size_t n_known, size_t n_fixed,
                               size_t n_checks, solution *fitted)
{
    second_look look = {.grid = grid, .n_fixed = n_fixed, .first = n_known};
    size_t at_once = 1 + (size_t)study_crew_size(star) / 4;
    equant_status status = EQUANT_SUCCESS;
    while (n_checks > 0 && status == EQUANT_SUCCESS) {
        size_t n = n_checks < at_once ? n_checks : at_once, better;
        status = look_for_planets(star, look, n, fitted, &better);
        /* The planet of a better one is last: the next one is in its place. */
        look.first += better;
        n_checks -= better < n ? better + 1 : n;
    }
    return status;
}
