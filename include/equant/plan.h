/* equant/plan.h: plans. Which times to observe next: where an observation is expected to teach
 * most, by the draws of a posterior. */
#ifndef EQUANT_PLAN_H
#define EQUANT_PLAN_H

#include <stddef.h>

#include "equant/evaluate.h"
#include "equant/progress.h"
#include "equant/sample.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When observations could be made, in the order of their times, all after the data. */
typedef struct equant_candidates {
    size_t struct_size;
    size_t n;
    const double *time_days;         /* [n]                                                    */
    const int *instruments;          /* [n], from 0; NULL: that of the last observation        */
    const double *uncertainties_m_s; /* [n]; NULL: the median of the instrument                */
    const double *costs;             /* [n], above zero; NULL: 1. Gains are weighed by cost    */
    const double *weights;           /* [n], not negative: what an answer at that time is worth;
                                        NULL: 1                                                */
    const int *places;               /* [n]: telescopes, from 0; NULL: one                     */
    const double *clock_days;        /* [n]: the same times by one clock, where those of the data
                                        are barycentric; NULL: time_days                       */
    const double *before_days, *after_days; /* [n]: for how long an observation takes its place
                                        before and after its time; NULL: not at all. Two that
                                        would have one place at one time are not both chosen   */
} equant_candidates;

/* Zeros mean the defaults. */
typedef struct equant_plan_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                                     */
    const char *target;    /* what is to be learnt. NULL or "everything": all parameters; "modes":
                              which of the periods that the draws have is right; "models": which of
                              several posteriors; else the name of a quantity of the first posterior,
                              "k_m_s_2", "period_days_1"                                          */
    size_t n_observations; /* to choose; 0: 1                                            */
    double min_gap_days;   /* between two of them                                        */
    size_t max_draws;      /* of each posterior; 0: 1000                                 */
    const double *probabilities; /* [n_posteriors] of models; NULL: by their evidence where all
                                    have one that is sound, else equal                         */
    equant_progress progress;    /* may be NULL                                                */
    void *progress_context;
} equant_plan_options;

typedef struct equant_plan equant_plan;

/* Expected information of an observation at each candidate, and the n_observations that are best
 * one after the other, each given those before it: the draws are updated as a Kalman filter would,
 * group by group, correlated noise included, and groups are reweighed by outcomes that they
 * predict. Several posteriors are rival models of the same observations. Same arguments, same
 * plan, on any number of threads. Noise "qp", which has no state, is refused. */
EQUANT_API equant_status equant_plan_create(size_t n_posteriors,
                                            const equant_posterior *const *posteriors,
                                            const equant_candidates *candidates,
                                            const equant_plan_options *options, equant_plan **plan);
EQUANT_API void equant_plan_free(equant_plan *plan);

/* An observation that could be made. */
typedef struct equant_planned {
    size_t struct_size;
    size_t candidate; /* its place among the candidates, from 0                                */
    double time_days;
    int instrument; /* from 0                                                                  */
    double uncertainty_m_s;
    double gain;  /* expected information about the target, in nats, given those before it     */
    double total; /* of this one and all before it                                             */
    double value; /* gain times weight over cost: what the choice is by                        */
    double log_bayes_factor; /* by which the right one of the two heaviest groups is expected to
                                gain on the other, in nats, before any of the plan; NaN where
                                there is one group                                             */
    double mean_m_s, sd_m_s; /* what is expected to be seen, before any of the plan            */
    const char *reason;      /* in words, of those that are chosen; valid as long as the plan;
                                NULL of other candidates                                       */
    double probability;      /* that the right one of the groups is expected to have after this
                                one and all before it, of those that are chosen; NaN where there
                                is one group                                                   */
} equant_planned;

/* All candidates as the only observation, in their order, and those that are chosen, in the order
 * of choice. */
EQUANT_API size_t equant_plan_n_candidates(const equant_plan *plan);
EQUANT_API equant_status equant_plan_candidate(const equant_plan *plan, size_t index,
                                               equant_planned *planned);
EQUANT_API size_t equant_plan_n_chosen(const equant_plan *plan);
EQUANT_API equant_status equant_plan_chosen(const equant_plan *plan, size_t index,
                                            equant_planned *planned);

/* What the plan distinguishes: modes, models or ranges of a quantity, with their probabilities. */
EQUANT_API size_t equant_plan_n_groups(const equant_plan *plan);
EQUANT_API double equant_plan_group_probability(const equant_plan *plan, size_t index);
EQUANT_API const char *equant_plan_group_name(const equant_plan *plan, size_t index);
/* The most that can be learnt about them, in nats: the entropy of their probabilities. */
EQUANT_API double equant_plan_group_entropy(const equant_plan *plan);

/* A quantity of the run, and the standard deviation that it has, and is expected to have after all
 * that is chosen. Rival runs have none. */
typedef struct equant_expected {
    size_t struct_size;
    const char *name; /* valid as long as the plan */
    double sd_now, sd_after;
} equant_expected;
EQUANT_API size_t equant_plan_n_expected(const equant_plan *plan);
EQUANT_API equant_status equant_plan_expected(const equant_plan *plan, size_t index,
                                              equant_expected *expected);

/* A mixture of n normal distributions in one dimension, by quadrature in steps of a quarter of the
 * narrowest: its entropy, the mean of those of its components, and the mean of those of its groups.
 * weights NULL: equal; groups[n], from 0 to n_groups - 1, NULL: one. The difference of the first
 * and the last is what a value tells of its group. Any of the results may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_mixture_entropy(
    size_t n, const double *means, const double *variances, const double *weights, size_t n_groups,
    const size_t *groups, double *entropy, double *of_components, double *of_groups);

#ifdef __cplusplus
}
#endif
#endif
