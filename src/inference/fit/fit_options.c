#include "inference/fit/fit_options.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/priors/stated_star.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_fit_options, member)

equant_status equant_fit_check_noise(const char *noise)
{
    noise_term terms[NOISE_TEXT_MOST_TERMS];
    size_t n_terms;
    if (!noise || strcmp(noise, "white") == 0 || strcmp(noise, "auto") == 0)
        return EQUANT_SUCCESS;
    return noise_menu_read(noise, terms, &n_terms);
}

equant_status equant_fit_check_outliers(const char *outliers)
{
    bool is_open;
    double share;
    return outlier_book_read(outliers, &is_open, &share);
}

static equant_status check_noise(const char *noise, bool no_jitter)
{
    if (!noise || strcmp(noise, "white") == 0)
        return EQUANT_SUCCESS;
    if (strcmp(noise, "auto") != 0)
        return equant_fit_check_noise(noise);
    if (no_jitter)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise 'auto' is chosen beside jitters: a fit without jitters has "
                           "white noise");
    return EQUANT_SUCCESS;
}

/* What states go with. */
static equant_status check_states(const equant_dataset *dataset, const equant_fit_options *options)
{
    const equant_states *states = OPTION(states);
    if (!states)
        return EQUANT_SUCCESS;
    if (OPTION(n_known) > 0 || OPTION(method) != EQUANT_FIT_SCAN)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit with states takes planets from them, not from a start or from "
                           "differential evolution");
    if (OPTION(n_planets) < 0 && equant_states_n_planets(states) > 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no planets leave no room for those that the states name");
    if (OPTION(indicators_as_series))
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "a fit with states has indicators as columns, not as series");
    const host_star host = host_star_of(OPTION(star), OPTION(star_mass));
    return state_list_check_star(states, dataset, host_star_has_mass(&host));
}

/* A basis is one of the optimisation that everything ends with. */
static equant_status check_basis(const equant_fit_options *options)
{
    basis_words words;
    if (OPTION(basis) && (OPTION(n_fixed) > 0 || OPTION(indicators_as_series)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a basis goes neither with fixed planets nor with series of indicators");
    return basis_words_read(OPTION(basis), &words);
}

equant_status fit_options_check(const equant_dataset *dataset, const equant_fit_options *options)
{
    size_t n_known = OPTION(n_known), n_fixed = OPTION(n_fixed);
    int n_planets = OPTION(n_planets), max_planets = OPTION(max_planets);
    double alarm = OPTION(false_alarm_max), e = OPTION(eccentricity_max);
    double probability = OPTION(probability_min);
    if (n_planets < -1 || n_planets > STUDY_MAX_PLANETS || max_planets < 0 ||
        max_planets > STUDY_MAX_PLANETS || n_known > STUDY_MAX_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a fit takes 0 to %d planets",
                           STUDY_MAX_PLANETS);
    if (n_fixed > n_known || (n_known > 0 && !OPTION(known)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "fixed planets must be among the known ones");
    if (OPTION(method) != EQUANT_FIT_SCAN && OPTION(method) != EQUANT_FIT_DE)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no method %d",
                           (int)OPTION(method));
    if (n_fixed > 0 && OPTION(method) == EQUANT_FIT_DE)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "differential evolution moves all planets: it cannot keep some");
    if (!(alarm >= 0.0 && alarm <= 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a false-alarm probability lies between 0 and 1, not at %g", alarm);
    if (!(probability >= 0.0 && probability < 1.0))
        return status_fail(
            EQUANT_ERROR_INVALID_ARGUMENT,
            "the probability that a planet must have lies between 0 and 1, not at %g", probability);
    if (OPTION(no_probabilities) && probability > 0.0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit without probabilities cannot ask a planet for one");
    if (!(OPTION(budget_s) >= 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a budget of time is positive, or 0 for none, not %g s",
                           OPTION(budget_s));
    if (!(e >= 0.0 && e <= 0.95))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "eccentricities can be searched up to 0.95, not %g", e);
    if (!(OPTION(star_mass) >= 0.0) || !isfinite(OPTION(star_mass)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a star's mass must be positive");
    if (equant_star_check(OPTION(star)) != EQUANT_SUCCESS)
        return EQUANT_ERROR_INVALID_ARGUMENT;
    if (equant_dataset_n_obs(dataset) <= equant_dataset_n_instruments(dataset))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit needs more observations than instruments, not %zu and %zu",
                           equant_dataset_n_obs(dataset), equant_dataset_n_instruments(dataset));
    equant_status status = check_noise(OPTION(noise), OPTION(no_jitter) != 0);
    if (status == EQUANT_SUCCESS)
        status = check_states(dataset, options);
    if (status == EQUANT_SUCCESS)
        status = check_basis(options);
    if (status == EQUANT_SUCCESS)
        status = equant_fit_check_outliers(OPTION(outliers));
    if (status == EQUANT_SUCCESS)
        status = trend_order_check(OPTION(trend));
    return status == EQUANT_SUCCESS ? study_check_planets(n_known, OPTION(known)) : status;
}

/* Of a budget: until when planets are looked for, so that those that were found can be judged, and
 * until when that is done, so that what was found can be written. */
#define SHARE_TO_FIND 0.5
#define SHARE_TO_JUDGE 0.9

planet_finder_options fit_options_of_finder(const equant_fit_options *options)
{
    double now_s = wall_clock_s(), budget_s = OPTION(budget_s) > 0.0 ? OPTION(budget_s) : INFINITY;
    return (planet_finder_options){
        .method = OPTION(method),
        .n_planets = OPTION(n_planets),
        .max_planets = OPTION(max_planets) > 0 ? (size_t)OPTION(max_planets) : 10,
        .false_alarm_max = OPTION(false_alarm_max) > 0.0 ? OPTION(false_alarm_max) : 1e-3,
        .probability_min = OPTION(probability_min),
        .eccentricity_max = OPTION(eccentricity_max) > 0.0 ? OPTION(eccentricity_max) : 0.9,
        .trend = OPTION(trend),
        .n_known = OPTION(n_known),
        .n_fixed = OPTION(n_fixed),
        .known = OPTION(known),
        .seed = OPTION(seed),
        .deadline_s = now_s + SHARE_TO_FIND * budget_s,
        .end_s = now_s + SHARE_TO_JUDGE * budget_s,
        .keeps_partial = OPTION(keeps_partial) != 0,
        .no_probabilities = OPTION(no_probabilities) != 0,
    };
}

/* The noise that is meant. A signal is a planet or noise: where the number of planets is given,
 * there is nothing to decide, and without jitters there is no white part for other noise to stand
 * on. What states say of planets says nothing of the noise: the default is the same with them. */
static const char *noise_of(const equant_fit_options *options)
{
    bool decides = OPTION(n_planets) == 0 && OPTION(method) == EQUANT_FIT_SCAN;
    if (OPTION(noise))
        return OPTION(noise);
    return decides && !OPTION(no_jitter) ? EQUANT_DEFAULT_NOISE : "white";
}

/* Outliers are what fits believe least where they decide about noise. */
static const char *outliers_of(const equant_fit_options *options)
{
    if (OPTION(outliers))
        return OPTION(outliers);
    return strcmp(noise_of(options), "auto") == 0 ? "auto" : "none";
}

study_options fit_options_of_study(const equant_fit_options *options)
{
    return (study_options){
        .engine = OPTION(engine),
        .star = host_star_of(OPTION(star), OPTION(star_mass)),
        .keeps_reference_time = state_list_needs_reference_time(OPTION(states)),
        .exact_precision = OPTION(exact_precision) != 0,
        .no_jitter = OPTION(no_jitter) != 0,
        .noise = noise_of(options),
        .indicators = OPTION(indicators),
        .as_series = OPTION(indicators_as_series) != 0,
        .outliers = outliers_of(options),
        .period_min_days = OPTION(period_min_days),
        .period_max_days = OPTION(period_max_days),
        .progress = OPTION(progress),
        .progress_context = OPTION(progress_context),
    };
}
