#include "inference/priors/stated_noise.h"

#include <math.h>
#include <string.h>

/* Of a density without ends: what lies beyond is not tried. */
#define TAIL 1e-6
/* Fits move logarithms: the share of a range at which one that begins at nothing begins. */
#define LEAST_SHARE 1e-4

static const char *owner_of(const study *star, const noise_menu_term *term)
{
    return term->owner > 0 ? equant_dataset_instrument_name(star->dataset, (size_t)term->owner - 1)
                           : NULL;
}

static const parameter_state *said_of(const equant_states *states, const study *star,
                                      const noise_menu_term *term, size_t parameter)
{
    return state_list_of_noise(states, noise_catalogue_number(term->kind), (int)parameter,
                               owner_of(star, term));
}

const parameter_state *stated_noise_said(const equant_states *states, const study *star,
                                         size_t term, size_t parameter)
{
    return said_of(states, star, &star->menu.terms[term], parameter);
}

/* ---- ranges --------------------------------------------------------------------------------- */

static noise_range range_of(const prior_density *density, double least)
{
    if (density->kind == PRIOR_FIXED)
        return (noise_range){density->first, density->first, density->first, false, NULL};
    bool has_ends = density->kind == PRIOR_UNIFORM || density->kind == PRIOR_LOG_UNIFORM;
    double low = has_ends ? density->lower : prior_density_quantile(density, TAIL),
           high = has_ends ? density->upper : prior_density_quantile(density, 1.0 - TAIL);
    if (!(low > least))
        low = least + LEAST_SHARE * (high - least);
    double start = has_ends ? sqrt(low) * sqrt(high) : prior_density_quantile(density, 0.5);
    return (noise_range){low, high, fmin(fmax(start, low), high), false, NULL};
}

static bool is_usual(const noise_range *one, const noise_range *other)
{
    return one->lowest == other->lowest && one->highest == other->highest;
}

static equant_status narrow(const parameter_state *said, const study *star, size_t t,
                            size_t parameter, noise_menu_term *term)
{
    const noise_ranges ranges = noise_ranges_of(star->dataset);
    noise_range usual[NOISE_CATALOGUE_MOST_PARAMETERS];
    noise_ranges_usual(&ranges, term->kind, usual);
    if (star->menu.always.terms >> t & 1 &&
        !is_usual(&term->parameters[parameter], &usual[parameter]))
        return parameter_state_fail(said,
                                    "the words of the noise have said already what %s is: say it "
                                    "there or here",
                                    said->name);
    double least = term->kind->parameters[parameter].least;
    if (!(said->density.kind == PRIOR_FIXED ? said->density.first > least
                                            : said->density.upper > least))
        return parameter_state_fail(said, "%s=%s is not above %g, as the noise needs it",
                                    said->name, said->text, least);
    noise_range made = range_of(&said->density, least);
    if (term->kind->is_rotation && parameter == 1 && made.lowest > star->span_days)
        return parameter_state_fail(said,
                                    "%s=%s: such a rotation is longer than the data, %.6g days",
                                    said->name, said->text, star->span_days);
    term->parameters[parameter] = made;
    return EQUANT_SUCCESS;
}

static bool is_of_noise(const parameter_state *said)
{
    return said->kind && said->kind->term == TERM_NOISE && said->form != STATE_FREE;
}

equant_status stated_noise_narrow(const equant_states *states, study *star)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < equant_states_n(states) && status == EQUANT_SUCCESS; i++) {
        const parameter_state *said = &states->list[i];
        bool is_met = !is_of_noise(said);
        for (size_t t = 0; t < star->menu.n_terms; t++)
            for (size_t p = 0; p < star->menu.terms[t].kind->n_parameters; p++)
                if (status == EQUANT_SUCCESS &&
                    said_of(states, star, &star->menu.terms[t], p) == said) {
                    status = narrow(said, star, t, p, &star->menu.terms[t]);
                    is_met = true;
                }
        if (status == EQUANT_SUCCESS && !is_met)
            status = state_list_refuse_noise(said);
    }
    return status;
}

void stated_noise_remark(const equant_states *states, noise_choice chosen, study *star)
{
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *said = &states->list[i];
        bool counts = !is_of_noise(said);
        for (size_t t = 0; t < star->menu.n_terms; t++)
            for (size_t p = 0; p < star->menu.terms[t].kind->n_parameters; p++)
                counts = counts || (chosen.terms >> t & 1 &&
                                    said_of(states, star, &star->menu.terms[t], p) == said);
        if (!counts)
            remarks_add(&star->menu.remarks,
                        "What was said of %s counts for nothing: the noise that was chosen has no "
                        "such parameter.",
                        said->name);
    }
}

size_t stated_noise_list(const equant_states *states, const study *star, const study_shape *shape,
                         stated_noise_place places[NOISE_MENU_MOST_PARAMETERS])
{
    size_t n = 0, first = study_first_correlated(star, shape->n_planets, shape->trend_order);
    for (size_t t = 0; t < star->menu.n_terms; t++) {
        const noise_menu_term *term = &star->menu.terms[t];
        for (size_t p = 0; p < term->kind->n_parameters && shape->noise.terms >> t & 1; p++) {
            const noise_range *range = &term->parameters[p];
            if (noise_range_is_open(range))
                places[n++] = (stated_noise_place){
                    .column = first + term->first + p,
                    .divisor = range->per_period ? first + term->first + 1 : SIZE_MAX,
                    .lower = log(range->lowest),
                    .upper = log(range->highest),
                    .said = said_of(states, star, term, p)};
        }
    }
    return n;
}
