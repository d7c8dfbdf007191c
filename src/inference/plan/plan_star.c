#include "inference/plan/plan_star.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

enum { USUAL_DRAWS = 1000, BLOCK = 256 };

/* ---- models -----------------------------------------------------------------------------------
 */

static equant_status check_same_star(const equant_posterior *first, const equant_posterior *other)
{
    const equant_dataset *a = equant_posterior_dataset(first), *b = equant_posterior_dataset(other);
    size_t n = equant_dataset_n_obs(a);
    if (n != equant_dataset_n_obs(b) ||
        equant_dataset_n_instruments(a) != equant_dataset_n_instruments(b) ||
        memcmp(equant_dataset_times_days(a), equant_dataset_times_days(b), n * sizeof(double)) ||
        memcmp(equant_dataset_velocities_m_s(a), equant_dataset_velocities_m_s(b),
               n * sizeof(double)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the runs are of different observations: rival models have the same");
    return EQUANT_SUCCESS;
}

static equant_status open_models(const equant_posterior *const *posteriors,
                                 const equant_plan_options *options, plan_star *star)
{
    size_t most = OPTION_OR_ZERO(options, equant_plan_options, max_draws);
    const equant_engine_options *engine = OPTION_OR_ZERO(options, equant_plan_options, engine);
    equant_status status = EQUANT_SUCCESS;
    star->models = calloc(star->n_models, sizeof *star->models);
    if (!star->models)
        return status_out_of_memory();
    for (size_t i = 0; i < star->n_models && status == EQUANT_SUCCESS; i++) {
        status = check_same_star(posteriors[0], posteriors[i]);
        if (status == EQUANT_SUCCESS)
            status = forecast_create(posteriors[i], engine, most > 0 ? most : USUAL_DRAWS,
                                     &star->models[i]);
        if (status == EQUANT_SUCCESS && !forecast_has_state(star->models[i]))
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "the noise 'qp' has no state that could be planned with; esp3 is "
                                 "near it and has one");
    }
    return status;
}

/* ---- what draws predict ----------------------------------------------------------------------
 */

/* place[draw]: where a draw of all models stands among the groups. */
static size_t *places_of(const plan_groups *groups)
{
    size_t *place = malloc(groups->n_draws * sizeof *place);
    for (size_t i = 0; place && i < groups->n_draws; i++)
        place[groups->order[i]] = i;
    return place;
}

static void scatter(const plan_candidates *times, const draw_sets *sets, size_t first, size_t n,
                    const size_t *place, size_t n_draws, const double *from, double *to,
                    bool is_variance)
{
    for (size_t t = 0; t < n; t++) {
        double sigma = times->uncertainties_m_s[first + t];
        size_t instrument = (size_t)times->instruments[first + t];
        for (size_t i = 0; i < sets->n; i++) {
            double jitter = sets->jitters[i * sets->n_instruments + instrument];
            to[(first + t) * n_draws + place[i]] =
                from[t * sets->n + i] + (is_variance ? sigma * sigma + jitter * jitter : 0.0);
        }
    }
}

static equant_status predict_model(plan_star *star, const forecast *model, const size_t *place,
                                   size_t from, size_t to)
{
    const plan_candidates *times = &star->plan->times;
    const draw_sets *sets = forecast_sets(model);
    size_t n_draws = star->plan->groups.n_draws;
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = from; first < to && status == EQUANT_SUCCESS; first += BLOCK) {
        size_t n = to - first < BLOCK ? to - first : BLOCK;
        const forecast_times some = {n, times->time_days + first, times->instruments + first};
        double *means = star->unordered, *variances = star->unordered + BLOCK * sets->n;
        status = forecast_fill(model, &some, means, variances);
        if (status != EQUANT_SUCCESS)
            break;
        scatter(times, sets, first, n, place, n_draws, means, star->means, false);
        scatter(times, sets, first, n, place, n_draws, variances, star->variances, true);
    }
    return status;
}

/* Fills the rows of times `from` to `to`. */
static equant_status predict_draws(plan_star *star, size_t from, size_t to)
{
    size_t *place = places_of(&star->plan->groups);
    equant_status status = place ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0, first = 0; i < star->n_models && status == EQUANT_SUCCESS; i++) {
        status = predict_model(star, star->models[i], place + first, from, to);
        first += forecast_sets(star->models[i])->n;
    }
    free(place);
    return status;
}

/* Noise of all draws at one of the times with that at all of them: plan_covariances. */
static equant_status covariances_with(void *context, size_t j, double *covariances)
{
    plan_star *star = context;
    const plan_candidates *times = &star->plan->times;
    const plan_groups *groups = &star->plan->groups;
    size_t *place = places_of(groups);
    equant_status status = place ? EQUANT_SUCCESS : status_out_of_memory();
    memset(covariances, 0, times->n * groups->n_draws * sizeof *covariances);
    for (size_t i = 0, behind = 0; i < star->n_models && status == EQUANT_SUCCESS; i++) {
        const draw_sets *sets = forecast_sets(star->models[i]);
        for (size_t first = 0;
             first < times->n && forecast_has_process(star->models[i]) && status == EQUANT_SUCCESS;
             first += BLOCK) {
            size_t n = times->n - first < BLOCK ? times->n - first : BLOCK;
            const forecast_times some = {n, times->time_days + first, times->instruments + first};
            status = forecast_covariances(star->models[i], &some, times->time_days[j],
                                          times->instruments[j], star->unordered);
            if (status == EQUANT_SUCCESS)
                scatter(times, sets, first, n, place + behind, groups->n_draws, star->unordered,
                        covariances, false);
        }
        behind += sets->n;
    }
    free(place);
    return status;
}

/* ---- what it means ----------------------------------------------------------------------------
 */

static bool has_process(const plan_star *star)
{
    for (size_t i = 0; i < star->n_models; i++)
        if (forecast_has_process(star->models[i]))
            return true;
    return false;
}

static void compare_heaviest(const plan_star *star)
{
    equant_plan *plan = star->plan;
    size_t n = plan->groups.n_draws, pair[2] = {0, 0};
    if (plan->groups.n > 1)
        plan_groups_heaviest(&plan->groups, pair);
    for (size_t t = 0; t < plan->times.n; t++)
        plan->log_bayes_factors[t] =
            plan->groups.n > 1
                ? plan_reason_log_bayes_factor(&plan->groups, pair, star->means + t * n,
                                               star->variances + t * n)
                : NAN;
}

/* Reasons are of what was predicted before anything was chosen. */
static equant_status find_reasons(plan_star *star)
{
    equant_plan *plan = star->plan;
    size_t n = plan->groups.n_draws;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < plan->n_chosen && status == EQUANT_SUCCESS; i++) {
        size_t t = plan->chosen[i].time;
        status = predict_draws(star, t, t + 1);
        if (status != EQUANT_SUCCESS)
            break;
        status = plan_reason_write(&plan->groups, star->models[0], star->means + t * n,
                                   star->variances + t * n, plan->reasons[i]);
    }
    return status;
}

/* ---- quantities --------------------------------------------------------------------------------
 */

/* Of one model alone: rivals have their own. */
static equant_status load_quantities(plan_star *star)
{
    equant_plan *plan = star->plan;
    const draw_sets *sets = forecast_sets(star->models[0]);
    size_t n_all = equant_posterior_n_quantities(sets->posterior), n = plan->groups.n_draws;
    if (star->n_models > 1)
        return EQUANT_SUCCESS;
    double *values = malloc(draws_n(posterior_draws(sets->posterior)) * sizeof *values);
    plan->quantities = calloc(n_all + 1, sizeof *plan->quantities);
    star->quantities = malloc((n_all + 1) * n * sizeof *star->quantities);
    equant_status status =
        values && plan->quantities && star->quantities ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t q = 0; q < n_all && status == EQUANT_SUCCESS; q++) {
        equant_sampled_quantity own = {.struct_size = sizeof own};
        status = equant_posterior_quantity(sets->posterior, q, &own);
        if (status != EQUANT_SUCCESS || !plan_reason_is_told(&own))
            continue;
        status = equant_posterior_values(sets->posterior, q, values);
        double *row = star->quantities + plan->n_quantities * n;
        for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
            row[i] = values[sets->index[plan->groups.order[i]]];
        snprintf(plan->quantities[plan->n_quantities++].name, PLAN_RECORD_NAME, "%s", own.name);
    }
    free(values);
    return status;
}

/* ---- opening and closing -----------------------------------------------------------------------
 */

static equant_status open_search(plan_star *star, const equant_plan_options *options)
{
    equant_plan *plan = star->plan;
    star->problem = (plan_problem){
        .n_times = plan->times.n,
        .n_draws = plan->groups.n_draws,
        .n_groups = plan->groups.n,
        .ends = plan->groups.ends,
        .group_weights = plan->groups.weights,
        .means = star->means,
        .variances = star->variances,
        .covariances = has_process(star) ? covariances_with : NULL,
        .context = star,
        .time_days = plan->times.time_days,
        .worth = plan->times.worth,
        .min_gap_days = OPTION_OR_ZERO(options, equant_plan_options, min_gap_days),
        .places = plan->times.places,
        .starts_days = plan->times.starts_days,
        .ends_days = plan->times.ends_days,
        .n_quantities = plan->n_quantities,
        .quantities = star->quantities,
        .about_groups = plan->groups.is_target,
        .n_threads = forecast_sets(star->models[0])->n_threads,
        .progress = OPTION_OR_ZERO(options, equant_plan_options, progress),
        .progress_context = OPTION_OR_ZERO(options, equant_plan_options, progress_context)};
    equant_status status = plan_search_create(&star->problem, plan->n_most, &star->search);
    for (size_t q = 0; q < plan->n_quantities && status == EQUANT_SUCCESS; q++)
        plan->quantities[q].now = plan_search_deviation(star->search, q);
    return status;
}

static equant_status make_room(plan_star *star)
{
    equant_plan *plan = star->plan;
    size_t n = plan->times.n, n_draws = plan->groups.n_draws;
    plan->gains = calloc(n, sizeof *plan->gains);
    plan->log_bayes_factors = calloc(n, sizeof *plan->log_bayes_factors);
    plan->facts = calloc(n, sizeof *plan->facts);
    plan->chosen = calloc(plan->n_most, sizeof *plan->chosen);
    plan->reasons = calloc(plan->n_most, sizeof *plan->reasons);
    star->means = malloc(n * n_draws * sizeof *star->means);
    star->variances = malloc(n * n_draws * sizeof *star->variances);
    star->unordered = malloc(2 * BLOCK * n_draws * sizeof *star->unordered);
    return plan->gains && plan->log_bayes_factors && plan->facts && plan->chosen && plan->reasons &&
                   star->means && star->variances && star->unordered
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

static equant_status prepare(plan_star *star, const equant_plan_options *options)
{
    equant_plan *plan = star->plan;
    equant_status status = plan_groups_create(
        star->n_models, star->models, OPTION_OR_ZERO(options, equant_plan_options, target),
        OPTION_OR_ZERO(options, equant_plan_options, probabilities), &plan->groups);
    if (status == EQUANT_SUCCESS)
        status = make_room(star);
    if (status == EQUANT_SUCCESS)
        status = predict_draws(star, 0, plan->times.n);
    if (status == EQUANT_SUCCESS)
        status = load_quantities(star);
    if (status != EQUANT_SUCCESS)
        return status;
    compare_heaviest(star);
    return open_search(star, options);
}

equant_status plan_star_open(size_t n_posteriors, const equant_posterior *const *posteriors,
                             const equant_candidates *candidates,
                             const equant_plan_options *options, size_t n_most, plan_star *star)
{
    *star = (plan_star){.n_models = n_posteriors};
    if (n_posteriors == 0 || !posteriors || !candidates)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a plan takes posteriors and times that may be observed");
    equant_status status = OPTIONS_CHECK(options);
    equant_plan *made = star->plan = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = plan_candidates_create(equant_posterior_dataset(posteriors[0]), candidates,
                                        &made->times);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t wanted =
        n_most > 0 ? n_most : OPTION_OR_ZERO(options, equant_plan_options, n_observations);
    made->n_most = wanted == 0 ? 1 : wanted > made->times.n ? made->times.n : wanted;
    status = open_models(posteriors, options, star);
    return status == EQUANT_SUCCESS ? prepare(star, options) : status;
}

equant_status plan_star_conclude(plan_star *star)
{
    equant_plan *plan = star->plan;
    for (size_t q = 0; q < plan->n_quantities; q++)
        plan->quantities[q].after = plan_search_deviation(star->search, q);
    return find_reasons(star);
}

void plan_star_close(plan_star *star)
{
    for (size_t i = 0; star->models && i < star->n_models; i++)
        forecast_free(star->models[i]);
    plan_search_free(star->search);
    equant_plan_free(star->plan);
    free(star->models);
    free(star->means);
    free(star->variances);
    free(star->unordered);
    free(star->quantities);
    memset(star, 0, sizeof *star);
}
