/* What the draws of a run must be for it to be called converged, and what they lack most. */
#ifndef EQUANT_INFERENCE_SAMPLE_DRAWS_CONVERGENCE_H
#define EQUANT_INFERENCE_SAMPLE_DRAWS_CONVERGENCE_H

#include "inference/sample/draws/diagnostics.h"

/* How often each walker must have forgotten where it was, by the effective sizes for the median and
 * for the quantiles: with less nobody can tell how slow a quantity is. */
#define CONVERGENCE_TURNOVER 10.0
#define CONVERGENCE_TAIL_TURNOVER 5.0

/* R-hat says less of a quantity whose walkers began no wider than the posterior: so many times as
 * much is asked of such a one. */
#define CONVERGENCE_NARROW 3.0

/* Starts count as wide from here on: where the prior leaves no room for more they are as wide as
 * the posterior, but for the noise of a few hundred numbers. */
#define CONVERGENCE_WIDE 0.9

/* The burn-in in autocorrelation times of the slowest quantile: what is left of the starts is then
 * small beside the errors of a few thousand draws. Bent ridges are left more slowly than
 * autocorrelation times tell. */
#define CONVERGENCE_BURN_IN 8.0

/* Standard errors by which the shares below quantiles may differ, of which hundreds are looked at:
 * a run at equilibrium hardly ever has one. */
#define CONVERGENCE_DRIFT 4.0

typedef struct convergence_goals {
    double max_rhat, min_ess;
    double n_steps, n_burn_in; /* of the sampler, while draws were kept and before */
} convergence_goals;

/* What is missed by most, relative to what is asked for. */
typedef struct convergence_verdict {
    equant_sample_criterion lacks; /* EQUANT_CRITERION_NONE: nothing                        */
    size_t row;                    /* of which quantity                                     */
    double found, wanted;
    double excess;  /* above 1: by which factor it is missed; 0 before */
    double burn_in; /* the longest that any quantity needs; NaN where nobody knows */
} convergence_verdict;

/* Of rows whose values vary and are numbers. */
convergence_verdict convergence_judge(const convergence_goals *goals, size_t n_rows,
                                      const diagnostics *rows);
/* Whether this row is worse than what is known. */
void convergence_add(const convergence_goals *goals, size_t row, const diagnostics *quality,
                     convergence_verdict *verdict);

/* How many steps a row needs in all; NaN where nobody knows. */
double convergence_steps(const convergence_goals *goals, const diagnostics *quality);

#endif
