#include "inference/sample/draws/convergence.h"

#include <math.h>

/* How many steps of burn-in a row needs; NaN where nobody knows. */
static double burn_in_of(const convergence_goals *goals, const diagnostics *quality)
{
    return CONVERGENCE_BURN_IN * goals->n_steps / fmin(quality->turnover, quality->tail_turnover);
}

/* Differences between populations and errors of effective sizes fall with the length. */
double convergence_steps(const convergence_goals *goals, const diagnostics *quality)
{
    double factor = goals->min_ess / fmin(quality->ess_bulk, quality->ess_tail);
    factor = fmax(factor, CONVERGENCE_TURNOVER / quality->turnover);
    factor = fmax(factor, CONVERGENCE_TAIL_TURNOVER / quality->tail_turnover);
    factor = fmax(factor, (quality->rhat - 1.0) / (goals->max_rhat - 1.0));
    return fmax(burn_in_of(goals, quality), goals->n_burn_in) + factor * goals->n_steps;
}

/* What cannot be told is missed by more than anything else. */
static void add(equant_sample_criterion criterion, size_t row, double found, double wanted,
                double excess, convergence_verdict *verdict)
{
    double missed = isnan(excess) ? INFINITY : excess;
    if (missed > 1.0 && missed > verdict->excess)
        *verdict = (convergence_verdict){criterion, row, found, wanted, missed, verdict->burn_in};
}

void convergence_add(const convergence_goals *goals, size_t row, const diagnostics *quality,
                     convergence_verdict *verdict)
{
    if (quality->is_constant || quality->has_gaps)
        return;
    double rhat = quality->rhat, ess = fmin(quality->ess_bulk, quality->ess_tail);
    double times = quality->start_width >= CONVERGENCE_WIDE ? 1.0 : CONVERGENCE_NARROW;
    double turnover = times * CONVERGENCE_TURNOVER, of_tail = times * CONVERGENCE_TAIL_TURNOVER;
    double burn_in = burn_in_of(goals, quality);
    if (!(burn_in <= verdict->burn_in) && !isnan(verdict->burn_in))
        verdict->burn_in = burn_in;
    add(EQUANT_CRITERION_RHAT, row, rhat, goals->max_rhat, (rhat - 1.0) / (goals->max_rhat - 1.0),
        verdict);
    add(EQUANT_CRITERION_ESS, row, ess, goals->min_ess, goals->min_ess / ess, verdict);
    add(EQUANT_CRITERION_TURNOVER, row, quality->turnover, turnover, turnover / quality->turnover,
        verdict);
    add(EQUANT_CRITERION_TURNOVER, row, quality->tail_turnover, of_tail,
        of_tail / quality->tail_turnover, verdict);
    add(EQUANT_CRITERION_BURN_IN, row, goals->n_burn_in, burn_in, burn_in / goals->n_burn_in,
        verdict);
    add(EQUANT_CRITERION_DRIFT, row, quality->drift, CONVERGENCE_DRIFT,
        quality->drift / CONVERGENCE_DRIFT, verdict);
    add(EQUANT_CRITERION_POPULATIONS, row, quality->discord, CONVERGENCE_DRIFT,
        quality->discord / CONVERGENCE_DRIFT, verdict);
}

convergence_verdict convergence_judge(const convergence_goals *goals, size_t n_rows,
                                      const diagnostics *rows)
{
    convergence_verdict verdict = {.lacks = EQUANT_CRITERION_NONE};
    for (size_t i = 0; i < n_rows; i++)
        convergence_add(goals, i, &rows[i], &verdict);
    return verdict;
}
