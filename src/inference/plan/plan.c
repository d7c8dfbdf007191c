/* equant_plan: which times to observe next. */
#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/plan/plan_star.h"

equant_status equant_plan_create(size_t n_posteriors, const equant_posterior *const *posteriors,
                                 const equant_candidates *candidates,
                                 const equant_plan_options *options, equant_plan **out)
{
    if (!out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no place for the plan");
    plan_star star;
    equant_status status = plan_star_open(n_posteriors, posteriors, candidates, options, 0, &star);
    equant_plan *plan = star.plan;
    if (status == EQUANT_SUCCESS)
        status = plan_search_run(star.search, plan->n_most, plan->gains, plan->facts, plan->chosen,
                                 &plan->n_chosen);
    if (status == EQUANT_SUCCESS)
        status = plan_star_conclude(&star);
    if (status == EQUANT_SUCCESS) {
        *out = plan;
        star.plan = NULL;
    }
    plan_star_close(&star);
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
    free(plan->quantities);
    free(plan);
}

/* ---- what it says -----------------------------------------------------------------------------
 */

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
                            .sd_m_s = plan->facts[t].deviation,
                            .probability = NAN};
}

static equant_planned chosen_at(const equant_plan *plan, size_t index)
{
    const plan_choice *own = &plan->chosen[index];
    equant_planned known = planned_at(plan, own->time, own->gain);
    for (size_t i = 0; i < index; i++)
        known.total += plan->chosen[i].gain;
    known.reason = plan->reasons[index];
    known.probability = plan->groups.n > 1 ? own->probability : NAN;
    return known;
}

size_t equant_plan_n_candidates(const equant_plan *plan)
{
    return plan ? plan->times.n : 0;
}

equant_status equant_plan_candidate(const equant_plan *plan, size_t index, equant_planned *out)
{
    if (!plan)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no plan");
    equant_status status = STATUS_CHECK_ITEM(out, "candidates", plan->times.n, index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_planned known = planned_at(plan, index, plan->gains[index]);
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

size_t equant_plan_n_chosen(const equant_plan *plan)
{
    return plan ? plan->n_chosen : 0;
}

equant_status equant_plan_chosen(const equant_plan *plan, size_t index, equant_planned *out)
{
    if (!plan)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no plan");
    equant_status status = STATUS_CHECK_ITEM(out, "observations", plan->n_chosen, index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_planned known = chosen_at(plan, index);
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

size_t equant_plan_n_groups(const equant_plan *plan)
{
    return plan ? plan->groups.n : 0;
}

double equant_plan_group_probability(const equant_plan *plan, size_t index)
{
    if (!plan)
        return NAN;
    return index < plan->groups.n ? plan->groups.weights[index] : NAN;
}

const char *equant_plan_group_name(const equant_plan *plan, size_t index)
{
    if (!plan)
        return NULL;
    return index < plan->groups.n ? plan->groups.names[index] : NULL;
}

double equant_plan_group_entropy(const equant_plan *plan)
{
    if (!plan)
        return NAN;
    double sum = 0.0;
    for (size_t g = 0; g < plan->groups.n; g++)
        if (plan->groups.weights[g] > 0.0)
            sum -= plan->groups.weights[g] * log(plan->groups.weights[g]);
    return sum;
}

size_t equant_plan_n_expected(const equant_plan *plan)
{
    return plan ? plan->n_quantities : 0;
}

equant_status equant_plan_expected(const equant_plan *plan, size_t index, equant_expected *out)
{
    if (!plan)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no plan");
    equant_status status = STATUS_CHECK_ITEM(out, "quantities", plan->n_quantities, index);
    if (status != EQUANT_SUCCESS)
        return status;
    const plan_quantity *own = &plan->quantities[index];
    equant_expected known = {.name = own->name, .sd_now = own->now, .sd_after = own->after};
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}
