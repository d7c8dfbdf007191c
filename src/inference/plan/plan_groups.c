#include "inference/plan/plan_groups.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* Ranges of a quantity have so many draws, at least: fewer would not tell its distribution. */
enum { LEAST_IN_RANGE = 40 };

/* A draw and what it is ordered by. */
typedef struct ordered_draw {
    double key;
    size_t draw;
} ordered_draw;

static int by_key(const void *a, const void *b)
{
    const ordered_draw *first = a, *second = b;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    return (first->draw > second->draw) - (first->draw < second->draw);
}

static void take_order(size_t n, ordered_draw *list, plan_groups *made)
{
    qsort(list, n, sizeof *list, by_key);
    for (size_t i = 0; i < n; i++)
        made->order[i] = list[i].draw;
}

/* ---- modes ------------------------------------------------------------------------------------
 */

/* "41.7 and 0.974 days" */
static void name_mode(const modes *found, size_t number, char name[PLAN_GROUPS_NAME_SIZE])
{
    size_t used = 0;
    for (size_t p = 0; p < found->n_planets && used < PLAN_GROUPS_NAME_SIZE; p++)
        used += (size_t)snprintf(name + used, PLAN_GROUPS_NAME_SIZE - used, "%s%.4g",
                                 p == 0                      ? ""
                                 : p + 1 == found->n_planets ? " and "
                                                             : ", ",
                                 found->mode[number].period_days[p]);
    if (used < PLAN_GROUPS_NAME_SIZE)
        snprintf(name + used, PLAN_GROUPS_NAME_SIZE - used, "%s", used > 0 ? " days" : "no planet");
}

/* Modes that are too light to have a group of their own share the last. */
static equant_status group_modes(const forecast *model, ordered_draw *list, plan_groups *made)
{
    const draw_sets *sets = forecast_sets(model);
    const modes *found = posterior_modes(sets->posterior);
    size_t n_in[PLAN_GROUPS_MOST] = {0}, last = PLAN_GROUPS_MOST - 1;
    size_t *of = malloc(sets->n * sizeof *of);
    if (!of)
        return status_out_of_memory();
    draw_sets_modes(sets, of);
    for (size_t i = 0; i < sets->n; i++) {
        size_t own = of[i] < found->n && of[i] < last ? of[i] : last;
        list[i] = (ordered_draw){(double)own, i};
        n_in[own]++;
    }
    free(of);
    take_order(sets->n, list, made);
    for (size_t own = 0, end = 0; own < PLAN_GROUPS_MOST; own++) {
        end += n_in[own];
        if (n_in[own] == 0)
            continue;
        if (own == last)
            snprintf(made->names[made->n], PLAN_GROUPS_NAME_SIZE, "other periods");
        else
            name_mode(found, own, made->names[made->n]);
        made->weights[made->n] = (double)n_in[own] / (double)sets->n;
        made->modes[made->n] = own == last ? SIZE_MAX : own;
        made->ends[made->n++] = end;
    }
    made->are_modes = true;
    return EQUANT_SUCCESS;
}

/* ---- models -----------------------------------------------------------------------------------
 */

/* By evidence, where all have one that can be used. */
static bool weigh_by_evidence(size_t n, forecast *const *models, double *weights)
{
    double highest = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        equant_posterior_summary facts = {.struct_size = sizeof facts};
        equant_posterior_summarize(forecast_sets(models[i])->posterior, &facts);
        if (!facts.evidence_is_sound)
            return false;
        weights[i] = facts.log_evidence;
        highest = fmax(highest, weights[i]);
    }
    for (size_t i = 0; i < n; i++)
        weights[i] = exp(weights[i] - highest);
    return true;
}

static equant_status group_models(size_t n, forecast *const *models, const double *probabilities,
                                  plan_groups *made)
{
    double whole = 0.0;
    if (n > PLAN_GROUPS_MOST)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a plan takes up to %d models",
                           PLAN_GROUPS_MOST);
    bool is_weighed = probabilities == NULL && weigh_by_evidence(n, models, made->weights);
    for (size_t i = 0; i < n; i++) {
        const draw_sets *sets = forecast_sets(models[i]);
        if (!is_weighed)
            made->weights[i] = probabilities ? probabilities[i] : 1.0;
        if (!(made->weights[i] >= 0.0) || !isfinite(made->weights[i]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the probability of model %zu is none", i + 1);
        whole += made->weights[i];
        made->ends[i] = (i > 0 ? made->ends[i - 1] : 0) + sets->n;
        snprintf(made->names[i], PLAN_GROUPS_NAME_SIZE, "run %zu (%zu planet%s)", i + 1,
                 sets->layout->n_planets, sets->layout->n_planets == 1 ? "" : "s");
    }
    if (!(whole > 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "no model has a probability above zero");
    for (size_t i = 0; i < n; i++)
        made->weights[i] /= whole;
    for (size_t i = 0; i < made->n_draws; i++)
        made->order[i] = i;
    made->n = n;
    return EQUANT_SUCCESS;
}

/* ---- a quantity -------------------------------------------------------------------------------
 */

static equant_status load_quantity(const forecast *model, const char *name, ordered_draw *list)
{
    const draw_sets *sets = forecast_sets(model);
    size_t n = equant_posterior_n_quantities(sets->posterior), found = 0;
    equant_sampled_quantity own = {.struct_size = sizeof own};
    for (; found < n; found++) {
        equant_status status = equant_posterior_quantity(sets->posterior, found, &own);
        if (status != EQUANT_SUCCESS)
            return status;
        if (strcmp(own.name, name) == 0)
            break;
    }
    if (found == n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is no '%s' to learn: \"everything\", \"modes\", \"models\" or a "
                           "quantity of the run, such as k_m_s_1",
                           name);
    double *values = malloc(draws_n(posterior_draws(sets->posterior)) * sizeof *values);
    if (!values)
        return status_out_of_memory();
    equant_status status = equant_posterior_values(sets->posterior, found, values);
    for (size_t i = 0; i < sets->n && status == EQUANT_SUCCESS; i++)
        list[i] = (ordered_draw){values[sets->index[i]], i};
    free(values);
    return status;
}

/* Ranges with as many draws each. */
static equant_status group_quantity(const forecast *model, const char *name, ordered_draw *list,
                                    plan_groups *made)
{
    size_t n = forecast_sets(model)->n, n_ranges = n / LEAST_IN_RANGE;
    equant_status status = load_quantity(model, name, list);
    if (status != EQUANT_SUCCESS)
        return status;
    n_ranges = n_ranges > PLAN_GROUPS_MOST ? PLAN_GROUPS_MOST : n_ranges;
    take_order(n, list, made);
    if (n_ranges < 2 || list[0].key == list[n - 1].key)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           n_ranges < 2 ? "there are too few draws to plan for '%s'"
                                        : "'%s' is known: all draws have the same",
                           name);
    for (size_t g = 0, from = 0; g < n_ranges; g++) {
        size_t to = (g + 1) * n / n_ranges;
        made->ends[g] = to;
        made->weights[g] = (double)(to - from) / (double)n;
        snprintf(made->names[g], PLAN_GROUPS_NAME_SIZE, "%s from %.6g to %.6g", name,
                 list[from].key, list[to - 1].key);
        from = to;
    }
    made->n = n_ranges;
    made->is_of_quantity = true;
    return EQUANT_SUCCESS;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static equant_status group(size_t n_models, forecast *const *models, const char *target,
                           const double *probabilities, ordered_draw *list, plan_groups *made)
{
    bool is_everything = !target || strcmp(target, "everything") == 0;
    bool of_modes = target && strcmp(target, "modes") == 0;
    bool of_models = target && strcmp(target, "models") == 0;
    made->is_target = !is_everything;
    if (of_models && n_models < 2)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "models are told apart by several runs, and there is one");
    if (n_models > 1 && !of_models && !is_everything)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "several runs are planned for \"models\" or \"everything\"");
    if (n_models > 1)
        return group_models(n_models, models, probabilities, made);
    if (!is_everything && !of_modes)
        return group_quantity(models[0], target, list, made);
    equant_status status = group_modes(models[0], list, made);
    if (status == EQUANT_SUCCESS && of_modes && made->n < 2)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "all draws have the same periods (%s): there are no modes to tell "
                             "apart",
                             made->names[0]);
    return status;
}

equant_status plan_groups_create(size_t n_models, forecast *const *models, const char *target,
                                 const double *probabilities, plan_groups *made)
{
    memset(made, 0, sizeof *made);
    for (size_t i = 0; i < n_models; i++)
        made->n_draws += forecast_sets(models[i])->n;
    ordered_draw *list = malloc(made->n_draws * sizeof *list);
    made->order = malloc(made->n_draws * sizeof *made->order);
    equant_status status = list && made->order
                               ? group(n_models, models, target, probabilities, list, made)
                               : status_out_of_memory();
    free(list);
    if (status != EQUANT_SUCCESS)
        plan_groups_free(made);
    return status;
}

void plan_groups_free(plan_groups *groups)
{
    free(groups->order);
    groups->order = NULL;
}

void plan_groups_heaviest(const plan_groups *groups, size_t pair[2])
{
    pair[0] = 0;
    for (size_t g = 1; g < groups->n; g++)
        if (groups->weights[g] > groups->weights[pair[0]])
            pair[0] = g;
    pair[1] = pair[0] == 0 ? 1 : 0;
    for (size_t g = 0; g < groups->n; g++)
        if (g != pair[0] && groups->weights[g] > groups->weights[pair[1]])
            pair[1] = g;
}
