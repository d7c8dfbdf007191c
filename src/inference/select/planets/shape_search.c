#include "inference/select/planets/shape_search.h"

#include "inference/optimise/noise_choice.h"
#include "inference/likelihood/study_crew.h"

/* The candidate, where the star has it with another shape of its noise: planets hide in noise that
 * is rougher than the star's. */
static equant_status reconsider_candidate(planet_search *search, planet_finder_result *result,
                                          bool *accepted)
{
    study *star = search->star;
    solution *with = &search->pool.found[0];
    verdict judged;
    bool has_changed;
    *accepted = false;
    if (!result->has_candidate || result->candidate.n_planets != search->pool.current.n_planets + 1)
        return EQUANT_SUCCESS;
    solution_copy(star, &result->candidate, with);
    equant_status status = noise_choice_reshape(star, search->options->n_fixed, with, &has_changed);
    if (status != EQUANT_SUCCESS || !has_changed)
        return status;
    status = seen_models_note(star, with, &search->seen);
    if (status == EQUANT_SUCCESS)
        status = planet_search_weigh(search, with, &judged);
    *accepted = status == EQUANT_SUCCESS && refusal_of(&judged) == EQUANT_REFUSED_NOT;
    if (*accepted)
        candidate_pool_accept(&search->pool);
    return status == EQUANT_SUCCESS && !*accepted
               ? planet_search_refuse(search, with, &judged, result)
               : status;
}

/* ---- planets that are a part of the noise ------------------------------------------------------
 */

/* The star without each planet, its noise in the likeliest shape. */
typedef struct shaped_rests {
    const planet_search *search;
    solution without[STUDY_MAX_PLANETS];
    bool has_other_shape[STUDY_MAX_PLANETS];
} shaped_rests;

static equant_status leave_out(study *star, void *context, size_t p)
{
    shaped_rests *rests = context;
    const planet_search *search = rests->search;
    solution *without = &rests->without[p];
    if (p < search->options->n_known)
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, without);
    if (status == EQUANT_SUCCESS)
        status = planet_weighing_leave_out(star, &search->by, &search->pool.current, p, without);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_reshape(star, search->options->n_fixed, without,
                                      &rests->has_other_shape[p]);
    return status == EQUANT_SUCCESS ? noise_choice_price(star, search->options->n_fixed, without)
                                    : status;
}

/* Whether a planet is there beside noise that could take its place. */
static equant_status holds_against(planet_search *search, size_t planet, const solution *without,
                                   bool *holds)
{
    double alarm = 1.0;
    equant_status status =
        planet_weighing_false_alarm(search->star, &search->by, &search->pool.current, planet,
                                    without, &search->pool.check, &alarm);
    *holds = alarm <= search->options->false_alarm_max;
    return status == EQUANT_SUCCESS && !*holds
               ? planet_search_outweighs_noise(search, planet, without, holds)
               : status;
}

/* A planet whose place another shape of the noise takes goes: a harmonic of a rotation that the
 * usual shape lacks looks like one. At most one does; the search then goes on. */
static equant_status doubt_planets(planet_search *search, bool *has_dropped)
{
    study *star = search->star;
    solution *current = &search->pool.current;
    shaped_rests rests = {.search = search};
    size_t n = current->n_planets;
    bool holds = true;
    equant_status status = study_crew_share(star, n, leave_out, &rests);
    for (size_t p = search->options->n_known; p < n && status == EQUANT_SUCCESS; p++)
        status = seen_models_note(star, &rests.without[p], &search->seen);
    for (size_t p = n; p-- > search->options->n_known && status == EQUANT_SUCCESS && holds;)
        if (rests.has_other_shape[p]) {
            star->weighs_shapes = true;
            status = holds_against(search, p, &rests.without[p], &holds);
            if (status == EQUANT_SUCCESS && !holds)
                solution_copy(star, &rests.without[p], current);
        }
    for (size_t p = 0; p < n; p++)
        solution_free(&rests.without[p]);
    *has_dropped = !holds;
    return status;
}

equant_status shape_search_run(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    bool has_changed;
    equant_status status =
        noise_choice_reshape(star, search->options->n_fixed, &search->pool.current, &has_changed);
    if (status == EQUANT_SUCCESS)
        status = seen_models_note(star, &search->pool.current, &search->seen);
    if (status == EQUANT_SUCCESS && !has_changed)
        status = reconsider_candidate(search, result, &has_changed);
    star->weighs_shapes = has_changed;
    if (status == EQUANT_SUCCESS && !has_changed && search->options->n_planets == 0)
        status = doubt_planets(search, &has_changed);
    return status == EQUANT_SUCCESS && has_changed ? planet_search_go_on(search, result) : status;
}
