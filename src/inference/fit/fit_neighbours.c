/* Models that a fit was compared with: they differ from it by one planet. */
#include <math.h>

#include "core/status_fail.h"
#include "inference/fit/fit_record.h"

/* Models without one planet; that of a single one is the model without planets. A fit that was cut
 * off has not compared them. */
static size_t n_without_one(const equant_fit *fit)
{
    return fit->n_planets > 1 && isfinite(fit->planets[0].log_likelihood_gain) ? fit->n_planets : 0;
}

size_t equant_fit_n_neighbours(const equant_fit *fit)
{
    if (!fit)
        return 0;
    size_t n = (fit->n_planets > 0) + n_without_one(fit) + fit->has_candidate;
    return n > 0 && !isnan(fit->summary.log_likelihood_without_planets) ? n + 1 : 0;
}

/* ln Z that a model gains by a planet; sampled probabilities are those of all models together. */
static double log_odds(const equant_fit *fit, const equant_planet *planet)
{
    return fit->is_sampled ? NAN : log(planet->probability) - log(planet->false_inclusion);
}

static equant_fitted_neighbour without_planets(const equant_fit *fit)
{
    return (equant_fitted_neighbour){
        .log_likelihood = fit->summary.log_likelihood_without_planets,
        .bic = fit->summary.bic_without_planets,
        .delta_log_evidence = fit->n_planets == 1 ? -log_odds(fit, &fit->planets[0]) : NAN};
}

static equant_fitted_neighbour without_one(const equant_fit *fit, size_t planet)
{
    const equant_planet *own = &fit->planets[planet];
    return (equant_fitted_neighbour){.n_planets = fit->n_planets - 1,
                                     .without = planet + 1,
                                     .log_likelihood =
                                         fit->summary.log_likelihood - own->log_likelihood_gain,
                                     .bic = fit->summary.bic + own->delta_bic,
                                     .delta_log_evidence = -log_odds(fit, own)};
}

static equant_fitted_neighbour with_candidate(const equant_fit *fit)
{
    const equant_planet *own = &fit->candidate;
    return (equant_fitted_neighbour){.n_planets = fit->n_planets + 1,
                                     .with_candidate = 1,
                                     .log_likelihood =
                                         fit->summary.log_likelihood + own->log_likelihood_gain,
                                     .bic = fit->summary.bic - own->delta_bic,
                                     .delta_log_evidence = log_odds(fit, own)};
}

static equant_fitted_neighbour neighbour_of(const equant_fit *fit, size_t index)
{
    size_t first = fit->n_planets > 0, n_before = first + n_without_one(fit);
    if (index < first)
        return without_planets(fit);
    if (index < n_before)
        return without_one(fit, index - first);
    if (index > n_before)
        return with_candidate(fit);
    return (equant_fitted_neighbour){.n_planets = fit->n_planets,
                                     .is_fit = 1,
                                     .log_likelihood = fit->summary.log_likelihood,
                                     .bic = fit->summary.bic};
}

equant_status equant_fit_neighbour(const equant_fit *fit, size_t index,
                                   equant_fitted_neighbour *neighbour)
{
    equant_status status =
        STATUS_CHECK_ITEM(neighbour, "models", equant_fit_n_neighbours(fit), index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_fitted_neighbour own = neighbour_of(fit, index);
    OPTIONS_FILL(own, neighbour);
    return EQUANT_SUCCESS;
}
