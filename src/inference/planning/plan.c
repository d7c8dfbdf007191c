/* equant_plan: which times to observe next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/planning/plan_candidates.h"
#include "inference/planning/plan_groups.h"
#include "inference/planning/plan_reason.h"
#include "inference/planning/plan_search.h"

enum { USUAL_DRAWS = 1000, BLOCK = 256 };

struct equant_plan {
    plan_candidates times;
    plan_groups groups;
    double *gains, *log_bayes_factors; /* [times.n] */
    mixture_facts *facts;              /* [times.n] */
    size_t n_chosen;
    plan_choice *chosen;
    char (*reasons)[PLAN_REASON_SIZE]; /* [n_chosen] */
};

/* While a plan is made. */
typedef struct plan_work {
    size_t n_models;
    forecast **models; /* [n_models] */
    equant_plan *plan;
    double *means, *variances; /* [n_times][n_draws], by groups */
    double *unordered;         /* [BLOCK][n_draws of a model] twice; and of covariances */
} plan_work;

static void work_free(plan_work *work)
{
    for (size_t i = 0; work->models && i < work->n_models; i++)
        forecast_free(work->models[i]);
    free(work->models);
    free(work->means);
    free(work->variances);
    free(work->unordered);
}

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
                                 const equant_plan_options *options, plan_work *work)
{
    size_t most = OPTION_OR_ZERO(options, equant_plan_options, max_draws);
    const equant_engine_options *engine = OPTION_OR_ZERO(options, equant_plan_options, engine);
    equant_status status = EQUANT_SUCCESS;
    work->models = calloc(work->n_models, sizeof *work->models);
    if (!work->models)
        return status_out_of_memory();
    for (size_t i = 0; i < work->n_models && status == EQUANT_SUCCESS; i++) {
        status = check_same_star(posteriors[0], posteriors[i]);
        if (status == EQUANT_SUCCESS)
            status = forecast_create(posteriors[i], engine, most > 0 ? most : USUAL_DRAWS,
                                     &work->models[i]);
        if (status == EQUANT_SUCCESS && !forecast_has_state(work->models[i]))
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "the noise 'qp' has no state that could be planned with; esp3 is "
                                 "near it and has one");
    }
    return status;
}

/* ---- what draws foretell ----------------------------------------------------------------------
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

static equant_status foretell_model(plan_work *work, const forecast *model, const size_t *place,
                                    size_t from, size_t to)
{
    const plan_candidates *times = &work->plan->times;
    const draw_sets *sets = forecast_sets(model);
    size_t n_draws = work->plan->groups.n_draws;
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = from; first < to && status == EQUANT_SUCCESS; first += BLOCK) {
        size_t n = to - first < BLOCK ? to - first : BLOCK;
        const forecast_times some = {n, times->time_days + first, times->instruments + first};
        double *means = work->unordered, *variances = work->unordered + BLOCK * sets->n;
        status = forecast_fill(model, &some, means, variances);
        if (status != EQUANT_SUCCESS)
            break;
        scatter(times, sets, first, n, place, n_draws, means, work->means, false);
        scatter(times, sets, first, n, place, n_draws, variances, work->variances, true);
    }
    return status;
}

/* Fills the rows of times `from` to `to`. */
static equant_status foretell(plan_work *work, size_t from, size_t to)
{
    size_t *place = places_of(&work->plan->groups);
    equant_status status = place ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0, first = 0; i < work->n_models && status == EQUANT_SUCCESS; i++) {
        status = foretell_model(work, work->models[i], place + first, from, to);
        first += forecast_sets(work->models[i])->n;
    }
    free(place);
    return status;
}

/* Noise of all draws at one of the times with that at all of them: plan_covariances. */
static equant_status covariances_with(void *context, size_t j, double *covariances)
{
    plan_work *work = context;
    const plan_candidates *times = &work->plan->times;
    const plan_groups *groups = &work->plan->groups;
    size_t *place = places_of(groups);
    equant_status status = place ? EQUANT_SUCCESS : status_out_of_memory();
    memset(covariances, 0, times->n * groups->n_draws * sizeof *covariances);
    for (size_t i = 0, behind = 0; i < work->n_models && status == EQUANT_SUCCESS; i++) {
        const draw_sets *sets = forecast_sets(work->models[i]);
        for (size_t first = 0;
             first < times->n && forecast_has_process(work->models[i]) && status == EQUANT_SUCCESS;
             first += BLOCK) {
            size_t n = times->n - first < BLOCK ? times->n - first : BLOCK;
            const forecast_times some = {n, times->time_days + first, times->instruments + first};
            status = forecast_covariances(work->models[i], &some, times->time_days[j],
                                          times->instruments[j], work->unordered);
            if (status == EQUANT_SUCCESS)
                scatter(times, sets, first, n, place + behind, groups->n_draws, work->unordered,
                        covariances, false);
        }
        behind += sets->n;
    }
    free(place);
    return status;
}

/* ---- making -----------------------------------------------------------------------------------
 */

static bool has_process(const plan_work *work)
{
    for (size_t i = 0; i < work->n_models; i++)
        if (forecast_has_process(work->models[i]))
            return true;
    return false;
}

static void compare_heaviest(const plan_work *work)
{
    equant_plan *plan = work->plan;
    size_t n = plan->groups.n_draws, pair[2] = {0, 0};
    if (plan->groups.n > 1)
        plan_groups_heaviest(&plan->groups, pair);
    for (size_t t = 0; t < plan->times.n; t++)
        plan->log_bayes_factors[t] =
            plan->groups.n > 1
                ? plan_reason_log_bayes_factor(&plan->groups, pair, work->means + t * n,
                                               work->variances + t * n)
                : NAN;
}

/* Reasons are of what was foretold before anything was chosen. */
static equant_status find_reasons(plan_work *work)
{
    equant_plan *plan = work->plan;
    size_t n = plan->groups.n_draws;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < plan->n_chosen && status == EQUANT_SUCCESS; i++) {
        size_t t = plan->chosen[i].time;
        status = foretell(work, t, t + 1);
        if (status != EQUANT_SUCCESS)
            break;
        status = plan_reason_write(&plan->groups, work->models[0], work->means + t * n,
                                   work->variances + t * n, plan->reasons[i]);
    }
    return status;
}

static equant_status search(plan_work *work, const equant_plan_options *options, size_t n)
{
    equant_plan *plan = work->plan;
    const plan_problem problem = {
        .n_times = plan->times.n,
        .n_draws = plan->groups.n_draws,
        .n_groups = plan->groups.n,
        .ends = plan->groups.ends,
        .group_weights = plan->groups.weights,
        .means = work->means,
        .variances = work->variances,
        .covariances = has_process(work) ? covariances_with : NULL,
        .context = work,
        .time_days = plan->times.time_days,
        .worth = plan->times.worth,
        .min_gap_days = OPTION_OR_ZERO(options, equant_plan_options, min_gap_days),
        .about_groups = plan->groups.is_target,
        .n_threads = forecast_sets(work->models[0])->n_threads,
        .progress = OPTION_OR_ZERO(options, equant_plan_options, progress),
        .progress_context = OPTION_OR_ZERO(options, equant_plan_options, progress_context)};
    return plan_search_run(&problem, n, plan->gains, plan->facts, plan->chosen, &plan->n_chosen);
}

static equant_status make_room(plan_work *work, size_t n_wanted)
{
    equant_plan *plan = work->plan;
    size_t n = plan->times.n, n_draws = plan->groups.n_draws;
    plan->gains = calloc(n, sizeof *plan->gains);
    plan->log_bayes_factors = calloc(n, sizeof *plan->log_bayes_factors);
    plan->facts = calloc(n, sizeof *plan->facts);
    plan->chosen = calloc(n_wanted, sizeof *plan->chosen);
    plan->reasons = calloc(n_wanted, sizeof *plan->reasons);
    work->means = malloc(n * n_draws * sizeof *work->means);
    work->variances = malloc(n * n_draws * sizeof *work->variances);
    work->unordered = malloc(2 * BLOCK * n_draws * sizeof *work->unordered);
    return plan->gains && plan->log_bayes_factors && plan->facts && plan->chosen && plan->reasons &&
                   work->means && work->variances && work->unordered
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

static equant_status make(plan_work *work, const equant_plan_options *options)
{
    equant_plan *plan = work->plan;
    size_t wanted = OPTION_OR_ZERO(options, equant_plan_options, n_observations), n = plan->times.n;
    wanted = wanted == 0 ? 1 : wanted > n ? n : wanted;
    equant_status status = plan_groups_create(
        work->n_models, work->models, OPTION_OR_ZERO(options, equant_plan_options, target),
        OPTION_OR_ZERO(options, equant_plan_options, probabilities), &plan->groups);
    if (status == EQUANT_SUCCESS)
        status = make_room(work, wanted);
    if (status == EQUANT_SUCCESS)
        status = foretell(work, 0, n);
    if (status != EQUANT_SUCCESS)
        return status;
    compare_heaviest(work);
    status = search(work, options, wanted);
    return status == EQUANT_SUCCESS ? find_reasons(work) : status;
}

equant_status equant_plan_create(size_t n_posteriors, const equant_posterior *const *posteriors,
                                 const equant_candidates *candidates,
                                 const equant_plan_options *options, equant_plan **out)
{
    if (n_posteriors == 0 || !posteriors || !candidates || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a plan takes posteriors and times that may be observed");
    equant_status status = OPTIONS_CHECK(options);
    equant_plan *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    plan_work work = {.n_models = n_posteriors, .plan = made};
    if (status == EQUANT_SUCCESS)
        status = plan_candidates_create(equant_posterior_dataset(posteriors[0]), candidates,
                                        &made->times);
    if (status == EQUANT_SUCCESS)
        status = open_models(posteriors, options, &work);
    if (status == EQUANT_SUCCESS)
        status = make(&work, options);
    work_free(&work);
    if (status == EQUANT_SUCCESS)
        *out = made;
    else
        equant_plan_free(made);
    return status;
}

void equant_plan_free(equant_plan *plan)
{
    if (!plan)
        return;
    plan_candidates_free(&plan->times);
    plan_groups_free(&plan->groups);
    free(plan->gains);
    free(plan->log_bayes_factors);
    free(plan->facts);
    free(plan->chosen);
    free(plan->reasons);
    free(plan);
}

/* ---- what it says -----------------------------------------------------------------------------
 */

static equant_status fail_range(const char *noun, size_t n, size_t index)
{
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are %zu %s, and none has index %zu", n,
                       noun, index);
}

static equant_planned planned_at(const equant_plan *plan, size_t t, double gain)
{
    return (equant_planned){.struct_size = sizeof(equant_planned),
                            .candidate = t,
                            .time_days = plan->times.time_days[t],
                            .instrument = plan->times.instruments[t],
                            .uncertainty_m_s = plan->times.uncertainties_m_s[t],
                            .gain = gain,
                            .total = gain,
                            .value = gain * plan->times.worth[t],
                            .log_bayes_factor = plan->log_bayes_factors[t],
                            .mean_m_s = plan->facts[t].mean,
                            .sd_m_s = plan->facts[t].deviation};
}

size_t equant_plan_n_candidates(const equant_plan *plan)
{
    return plan->times.n;
}

equant_status equant_plan_candidate(const equant_plan *plan, size_t index, equant_planned *out)
{
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index >= plan->times.n)
        return fail_range("candidates", plan->times.n, index);
    equant_planned known = planned_at(plan, index, plan->gains[index]);
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

size_t equant_plan_n_chosen(const equant_plan *plan)
{
    return plan->n_chosen;
}

equant_status equant_plan_chosen(const equant_plan *plan, size_t index, equant_planned *out)
{
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index >= plan->n_chosen)
        return fail_range("observations", plan->n_chosen, index);
    equant_planned known = planned_at(plan, plan->chosen[index].time, plan->chosen[index].gain);
    for (size_t i = 0; i < index; i++)
        known.total += plan->chosen[i].gain;
    known.reason = plan->reasons[index];
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

size_t equant_plan_n_groups(const equant_plan *plan)
{
    return plan->groups.n;
}

double equant_plan_group_probability(const equant_plan *plan, size_t index)
{
    return index < plan->groups.n ? plan->groups.weights[index] : NAN;
}

const char *equant_plan_group_name(const equant_plan *plan, size_t index)
{
    return index < plan->groups.n ? plan->groups.names[index] : NULL;
}

double equant_plan_group_entropy(const equant_plan *plan)
{
    double sum = 0.0;
    for (size_t g = 0; g < plan->groups.n; g++)
        if (plan->groups.weights[g] > 0.0)
            sum -= plan->groups.weights[g] * log(plan->groups.weights[g]);
    return sum;
}
