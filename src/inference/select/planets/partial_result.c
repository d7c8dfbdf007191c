#include "inference/select/planets/partial_result.h"

#include <math.h>

#include "inference/likelihood/set_likelihood.h"

void partial_result_free(partial_result *kept)
{
    solution_free(&kept->best);
}

equant_status partial_result_keep(const study *star, const solution *found,
                                  partial_knowledge knowledge, const planet_finder_result *known,
                                  partial_result *kept)
{
    bool is_first = !kept->best.set;
    bool is_worse = !is_first && knowledge == PARTIAL_FOUND &&
                    (kept->knowledge != PARTIAL_FOUND ||
                     solution_bic(star, found, 0) >= solution_bic(star, &kept->best, 0));
    if (is_worse)
        return EQUANT_SUCCESS;
    equant_status status = is_first ? solution_create(star, &kept->best) : EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, found, &kept->best);
    kept->knowledge = knowledge;
    kept->known = *known;
    return EQUANT_SUCCESS;
}

/* What nobody has worked out is not a number. */
static void forget(const partial_result *kept, planet_finder_result *result)
{
    for (size_t p = 0; p < STUDY_MAX_PLANETS; p++) {
        if (kept->knowledge == PARTIAL_FOUND)
            result->gain[p] = result->gain_bic[p] = result->false_alarm[p] = NAN;
        if (kept->knowledge != PARTIAL_JUDGED) {
            result->log_odds[p] = NAN;
            result->families[p].n = 0;
        }
        result->bound_days[p] = NAN;
        result->ranges[p] = (orbit_range){{NAN, NAN}, {NAN, NAN}};
    }
    if (kept->knowledge != PARTIAL_JUDGED)
        result->together.n = result->pairs.n = 0;
    for (size_t t = 0; t < NOISE_MENU_MOST_TERMS; t++)
        result->noise_trials[t] = (noise_trial){NAN, NAN};
    for (size_t i = 0; i < NOISE_MENU_MOST_INDICATORS; i++)
        result->indicator_trials[i] = (noise_trial){NAN, NAN};
}

equant_status partial_result_take(study *star, const partial_result *kept,
                                  planet_finder_result *result)
{
    const solution best = result->best, without = result->without_planets,
                   candidate = result->candidate;
    *result = kept->known;
    result->best = best;
    result->without_planets = without;
    result->candidate = candidate;
    result->has_candidate = false;
    result->is_partial = true;
    forget(kept, result);
    equant_status status = result->best.set ? EQUANT_SUCCESS : solution_create(star, &result->best);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, &kept->best, &result->best);
    const study_shape shape = solution_shape(&result->best);
    const set_likelihood_results values = {.log_likelihood = &result->best.log_likelihood,
                                           .chi_square = &result->best.chi_square};
    return set_likelihood_evaluate(star, &shape, result->best.set, &values);
}
