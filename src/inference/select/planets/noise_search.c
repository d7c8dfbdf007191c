#include "inference/select/planets/noise_search.h"

#include "inference/select/planets/rival.h"
#include "inference/select/planets/shape_search.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"

/* Planets that are looked for with the noise of the star without planets: it may hide some, and
 * takes none for another. */
static equant_status find_behind_noise(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    solution_copy(star, &result->without_planets, &search->pool.current);
    for (size_t p = 0; p < search->options->n_known; p++)
        solution_add_planet(star, &search->pool.current, search->options->known + N_ELEMENTS * p);
    equant_status status = maximum_likelihood_solution(star, search->options->n_fixed,
                                                       POLISH_TO_RANK, &search->pool.current);
    if (status == EQUANT_SUCCESS)
        status = seen_models_note(star, &search->pool.current, &search->seen);
    return status == EQUANT_SUCCESS ? planet_search_go_on(search, result) : status;
}

/* Planets that were found with white noise, less those that other noise explains as well. */
static equant_status keep_beside_noise(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    solution *current = &search->pool.current;
    equant_status status = noise_choice_improve(star, search->options->n_fixed, current);
    if (status == EQUANT_SUCCESS && (current->noise.terms != 0 || current->noise.outliers))
        status = candidate_pool_reconsider(&search->pool, current);
    if (status == EQUANT_SUCCESS)
        status = candidate_pool_choose_trend(&search->pool, current);
    if (status == EQUANT_SUCCESS)
        status = seen_models_note(star, current, &search->seen);
    if (status == EQUANT_SUCCESS)
        status = planet_search_judge(search);
    return status == EQUANT_SUCCESS ? planet_search_drop(search, POLISH_TO_RANK, result) : status;
}

/* What a search that was set aside has found and refused. */
typedef struct set_aside {
    solution found;
    planet_finder_result refused; /* of it only the candidate */
} set_aside;

/* The candidate goes to `to`, and what was there away. */
static void move_candidate(planet_finder_result *from, planet_finder_result *to)
{
    solution_free(&to->candidate);
    to->candidate = from->candidate;
    to->candidate_gain = from->candidate_gain;
    to->candidate_bound_days = from->candidate_bound_days;
    to->candidate_verdict = from->candidate_verdict;
    to->has_candidate = from->has_candidate;
    from->candidate.set = NULL;
    from->has_candidate = false;
}

/* Planets behind the noise of the star without planets, set aside. */
static equant_status look_behind_noise(planet_search *search, planet_finder_result *result,
                                       set_aside *behind)
{
    study *star = search->star;
    equant_status status = find_behind_noise(search, result);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, search->options->n_fixed, &search->pool.current);
    solution_copy(star, &search->pool.current, &behind->found);
    move_candidate(result, &behind->refused);
    return status;
}

/* The one planet that the current solution has more than another; n_planets where there is none. */
static size_t one_more(const study *star, const solution *current, const solution *other)
{
    size_t more = current->n_planets;
    if (current->n_planets != other->n_planets + 1)
        return more;
    for (size_t p = 0; p < current->n_planets; p++)
        if (!rival_has_period(star, other, current->set[N_ELEMENTS * p])) {
            if (more < current->n_planets)
                return current->n_planets;
            more = p;
        }
    return more;
}

/* Whether the current solution is preferred to a rival with other noise: by what chance gives its
 * planets or, where it is one planet that the noise of the rival replaces, by evidence. */
static equant_status is_preferred(planet_search *search, const solution *rival, bool *preferred)
{
    const solution *current = &search->pool.current;
    size_t planet = one_more(search->star, current, rival);
    *preferred = planet_search_prefers(search, current, rival);
    return *preferred || planet == current->n_planets
               ? EQUANT_SUCCESS
               : planet_search_outweighs_noise(search, planet, rival, preferred);
}

/* The better of the current solution, which may have planets and noise that were not looked behind
 * yet, and the one set aside. */
static equant_status settle(planet_search *search, bool is_searched, set_aside *behind,
                            planet_finder_result *result)
{
    const study *star = search->star;
    bool has_rival = !noise_menu_is_least(&star->menu, result->without_planets.noise),
         preferred = true;
    equant_status status =
        has_rival ? is_preferred(search, &behind->found, &preferred) : EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS)
        return status;
    if (has_rival)
        status = solution_create(star, &search->other_way);
    if (status != EQUANT_SUCCESS)
        return status;
    if (has_rival)
        solution_copy(star, preferred ? &behind->found : &search->pool.current, &search->other_way);
    if (has_rival && !preferred) {
        solution_copy(search->star, &behind->found, &search->pool.current);
        move_candidate(&behind->refused, result);
        return planet_search_judge(search);
    }
    return is_searched ? EQUANT_SUCCESS : planet_search_go_on(search, result);
}

equant_status noise_search_run(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    solution *current = &search->pool.current, white = {.set = NULL};
    set_aside behind = {.found = {.set = NULL}};
    equant_status status = solution_create(star, &white);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &behind.found);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, current, &white);
        star->chooses_noise = true;
        status = study_report(star, "choosing the noise", 0.0);
    }
    if (status == EQUANT_SUCCESS)
        status = noise_choice_improve(star, 0, &result->without_planets);
    if (status == EQUANT_SUCCESS &&
        !noise_menu_is_least(&star->menu, result->without_planets.noise)) {
        status = look_behind_noise(search, result, &behind);
        search->rival = &behind.found;
    }
    if (status == EQUANT_SUCCESS) {
        star->chooses_noise = false;
        solution_copy(star, &white, current);
        status = planet_search_go_on(search, result);
        star->chooses_noise = true;
    }
    /* Of several planets that lose against noise one may still be more probable than it. */
    bool is_stopped = status == EQUANT_SUCCESS && planet_search_is_behind(search);
    search->rival = NULL;
    size_t n_white = current->n_planets;
    if (status == EQUANT_SUCCESS)
        status = keep_beside_noise(search, result);
    if (status == EQUANT_SUCCESS)
        status = settle(search,
                        !is_stopped && current->n_planets == n_white &&
                            noise_menu_is_least(&star->menu, current->noise),
                        &behind, result);
    if (status == EQUANT_SUCCESS)
        status = shape_search_run(search, result);
    solution_free(&white);
    solution_free(&behind.found);
    solution_free(&behind.refused.candidate);
    return status;
}
