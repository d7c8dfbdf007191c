#include "stars/star_models.h"

#include <math.h>
#include <stdio.h>

#include "terminal/spoken_number.h"

/* Models without one planet; that of a single one is the model without planets. */
static size_t n_without_one(const struct star_result *star)
{
    /* A fit that was cut off has not compared them. */
    bool has_gains = star->n_planets > 1 && isfinite(star->planets[0].log_likelihood_gain);
    return has_gains ? star->n_planets : 0;
}

size_t star_models_n(const struct star_result *star)
{
    size_t n = (star->n_planets > 0) + n_without_one(star) + star->has_candidate;
    return n > 0 && !isnan(star->summary.log_likelihood_without_planets) ? n + 1 : 0;
}

/* ln Z that a model gains by a planet; sampled probabilities are those of all models together. */
static double log_odds(const struct star_result *star, const struct star_planet *planet)
{
    return star->is_sampled ? NAN : log(planet->probability) - log(planet->false_inclusion);
}

static struct star_model without_planets(const struct star_result *star)
{
    return (struct star_model){.log_likelihood = star->summary.log_likelihood_without_planets,
                               .bic = star->summary.bic_without_planets,
                               .delta_log_evidence =
                                   star->n_planets == 1 ? -log_odds(star, &star->planets[0]) : NAN};
}

static struct star_model without_one(const struct star_result *star, size_t planet)
{
    const struct star_planet *own = &star->planets[planet];
    return (struct star_model){.n_planets = star->n_planets - 1,
                               .without = planet + 1,
                               .log_likelihood =
                                   star->summary.log_likelihood - own->log_likelihood_gain,
                               .bic = star->summary.bic + own->delta_bic,
                               .delta_log_evidence = -log_odds(star, own)};
}

static struct star_model with_candidate(const struct star_result *star)
{
    const struct star_planet *own = &star->candidate;
    return (struct star_model){.n_planets = star->n_planets + 1,
                               .with_candidate = true,
                               .log_likelihood =
                                   star->summary.log_likelihood + own->log_likelihood_gain,
                               .bic = star->summary.bic - own->delta_bic,
                               .delta_log_evidence = log_odds(star, own)};
}

struct star_model star_models_at(const struct star_result *star, size_t index)
{
    size_t first = star->n_planets > 0, n_before = first + n_without_one(star);
    if (index < first)
        return without_planets(star);
    if (index < n_before)
        return without_one(star, index - first);
    if (index > n_before)
        return with_candidate(star);
    return (struct star_model){.n_planets = star->n_planets,
                               .is_fit = true,
                               .log_likelihood = star->summary.log_likelihood,
                               .bic = star->summary.bic};
}

void star_models_describe(const struct star_result *star, const struct star_model *model,
                          char text[STAR_MODEL_TEXT_SIZE])
{
    if (model->is_fit)
        snprintf(text, STAR_MODEL_TEXT_SIZE, "the fit");
    else if (model->with_candidate)
        snprintf(text, STAR_MODEL_TEXT_SIZE, "with the candidate, %s days",
                 spoken_number_digits(star->candidate.values[EQUANT_ELEMENT_PERIOD], 4).text);
    else if (model->without > 0)
        snprintf(
            text, STAR_MODEL_TEXT_SIZE, "without %s, %s days",
            planet_name_of(&star->letters, model->without - 1).text,
            spoken_number_digits(star->planets[model->without - 1].values[EQUANT_ELEMENT_PERIOD], 4)
                .text);
    else
        snprintf(text, STAR_MODEL_TEXT_SIZE, "without planets");
}
