#include "inference/plan/plan_reason.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/plan/plan_words.h"

static size_t from_of(const plan_groups *groups, size_t group)
{
    return group > 0 ? groups->ends[group - 1] : 0;
}

/* Mean and variance of what a group predicts. */
typedef struct plan_moments {
    double mean, variance;
} plan_moments;

static plan_moments moments_of(const plan_groups *groups, size_t group, const double *means,
                               const double *variances)
{
    size_t from = from_of(groups, group), to = groups->ends[group];
    double n = (double)(to - from);
    plan_moments made = {0.0, 0.0};
    for (size_t i = from; i < to; i++)
        made.mean += means[i] / n;
    for (size_t i = from; i < to; i++)
        made.variance += (variances[i] + pow(means[i] - made.mean, 2.0)) / n;
    return made;
}

/* KL of two normal distributions. */
static double divergence(plan_moments right, plan_moments wrong)
{
    double away = right.mean - wrong.mean;
    return 0.5 * (log(wrong.variance / right.variance) +
                  (right.variance + away * away) / wrong.variance - 1.0);
}

double plan_reason_log_bayes_factor(const plan_groups *groups, const size_t pair[2],
                                    const double *means, const double *variances)
{
    plan_moments first = moments_of(groups, pair[0], means, variances),
                 second = moments_of(groups, pair[1], means, variances);
    double a = groups->weights[pair[0]], b = groups->weights[pair[1]];
    return (a * divergence(first, second) + b * divergence(second, first)) / (a + b);
}

/* The two groups that a value of this time tells apart best, by their weights; how far their means
 * are from each other, and how well they are told apart. */
typedef struct told_apart {
    size_t first, second;
    double away_m_s, worth;
} told_apart;

static told_apart best_pair(const plan_groups *groups, const double *means, const double *variances)
{
    told_apart best = {0, 0, 0.0, -1.0};
    for (size_t a = 0; a < groups->n; a++)
        for (size_t b = a + 1; b < groups->n; b++) {
            plan_moments one = moments_of(groups, a, means, variances),
                         other = moments_of(groups, b, means, variances);
            double away = one.mean - other.mean;
            double worth = groups->weights[a] * groups->weights[b] * away * away /
                           (one.variance + other.variance);
            if (worth > best.worth)
                best = (told_apart){a, b, fabs(away), worth};
        }
    return best;
}

/* Squared correlation of what draws predict with a quantity of theirs. */
static double correlation(size_t n, const size_t *order, const size_t *index, const double *means,
                          const double *values)
{
    double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (size_t i = 0; i < n; i++) {
        x += means[i] / (double)n;
        y += values[index[order[i]]] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double dx = means[i] - x, dy = values[index[order[i]]] - y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return xx > 0.0 && yy > 0.0 ? xy * xy / (xx * yy) : 0.0;
}

bool plan_reason_is_told(const equant_sampled_quantity *own)
{
    return !own->is_angle && (!own->is_derived || strncmp(own->name, "t_conj", 6) == 0);
}

static equant_status write_quantity(const plan_groups *groups, const forecast *model,
                                    const double *means, char text[PLAN_REASON_SIZE])
{
    const draw_sets *sets = forecast_sets(model);
    double *values = malloc(draws_n(posterior_draws(sets->posterior)) * sizeof *values);
    equant_status status = values ? EQUANT_SUCCESS : status_out_of_memory();
    double highest = 0.0;
    snprintf(text, PLAN_REASON_SIZE, "the draws disagree most");
    for (size_t q = 0;
         q < equant_posterior_n_quantities(sets->posterior) && status == EQUANT_SUCCESS; q++) {
        equant_sampled_quantity own = {.struct_size = sizeof own};
        status = equant_posterior_quantity(sets->posterior, q, &own);
        if (status != EQUANT_SUCCESS || !plan_reason_is_told(&own))
            continue;
        status = equant_posterior_values(sets->posterior, q, values);
        double share = correlation(sets->n, groups->order, sets->index, means, values);
        if (status == EQUANT_SUCCESS && share > highest) {
            highest = share;
            char words[96];
            plan_words_quantity(sets->posterior, &own, words, sizeof words);
            snprintf(text, PLAN_REASON_SIZE, "most informative on %s (correlation %.2f)", words,
                     sqrt(share));
        }
    }
    free(values);
    return status;
}

/* Modes by the periods that differ, other groups by their names. */
static void write_pair(const plan_groups *groups, const forecast *model, const told_apart *pair,
                       char text[PLAN_REASON_SIZE])
{
    const modes *found = posterior_modes(forecast_sets(model)->posterior);
    char words[200];
    if (!groups->are_modes || !plan_words_modes(found, groups->modes[pair->first],
                                                groups->modes[pair->second], words, sizeof words))
        snprintf(words, sizeof words, "%s from %s", groups->names[pair->first],
                 groups->names[pair->second]);
    snprintf(text, PLAN_REASON_SIZE, "separates %s (%.2g m/s)", words, pair->away_m_s);
}

equant_status plan_reason_write(const plan_groups *groups, const forecast *model,
                                const double *means, const double *variances,
                                char text[PLAN_REASON_SIZE])
{
    /* Groups that are worth less than this are not why a time is chosen for everything. */
    const double least = 0.05;
    told_apart pair =
        groups->n > 1 ? best_pair(groups, means, variances) : (told_apart){.worth = 0};
    if (groups->is_of_quantity) {
        size_t last = groups->n - 1;
        plan_moments low = moments_of(groups, 0, means, variances),
                     high = moments_of(groups, last, means, variances);
        snprintf(text, PLAN_REASON_SIZE, "%.2g m/s between %s and %s", high.mean - low.mean,
                 groups->names[0], groups->names[last]);
        return EQUANT_SUCCESS;
    }
    if (groups->n > 1 && (groups->is_target || pair.worth > least)) {
        write_pair(groups, model, &pair, text);
        return EQUANT_SUCCESS;
    }
    if (groups->n_draws != forecast_sets(model)->n) {
        snprintf(text, PLAN_REASON_SIZE, "the draws disagree most");
        return EQUANT_SUCCESS;
    }
    return write_quantity(groups, model, means, text);
}
