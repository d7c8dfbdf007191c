/* Greedy experimental design: the most informative times, one after the other (Lindley 1956;
 * Loredo 2004).
 *
 * Draws s, in groups g of probability P_g, predict v_t ~ N(m_s(t), V_s(t)). The gain of a time is
 *
 *   about all parameters   H[p(v_t)] - E_s H[p(v_t | s)]
 *   about the group        H[p(v_t)] - sum_g P_g H[p(v_t | g)],
 *
 * entropies of mixtures by quadrature (mixture.h). When a time j is chosen, the draws of each group
 * are conditioned on it as an ensemble (the square root filter of Potter; Whitaker & Hamill 2002):
 * with d = m(j) less its mean, B(t) = cov(m(t), m(j)), B = B(j), V the mean of V_s(j) and
 * kappa(t) = B(t) / (B + V),
 *
 *   m_s(t) <- m_s(t) - alpha kappa(t) d_s - rho_s(t) (1 - alpha kappa(j)) d_s,
 *   V_s(t) <- V_s(t) - c_s(t)^2 / V_s(j),   alpha = 1 / (1 + sqrt(V / (B + V))),
 *
 * where c_s(t) is the covariance of the noise at t and j and rho = c / V_s(j). Where draws of a
 * group are normal this is exact, and the gains of a batch sum up to 1/2 ln |I + Sigma / sigma^2|;
 * importance weights would degenerate instead. The outcome at j changes the weights of the groups:
 * the gain is averaged over outcomes of the mixture, each of which reweighs the groups and shifts
 * them by kappa + (1 - kappa(j)) mean rho times its distance from the mean. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_SEARCH_H
#define EQUANT_INFERENCE_PLAN_PLAN_SEARCH_H

#include <stdbool.h>

#include "equant.h"
#include "inference/predict/mixture.h"

/* Covariances of the noise at time j with that at all times, [n_times][n_draws], given the data. */
typedef equant_status plan_covariances(void *context, size_t j, double *covariances);

typedef struct plan_problem {
    size_t n_times, n_draws, n_groups;
    const size_t *ends;            /* [n_groups]: one behind the last draw of each                */
    const double *group_weights;   /* [n_groups], of sum 1                                        */
    const double *weights;         /* [n_draws]; NULL: equal, and draws are taken for random: what
                                      their finite number adds to gains is taken away             */
    double *means, *variances;     /* [n_times][n_draws]; conditioned as times are chosen         */
    plan_covariances *covariances; /* NULL: white noise                                          */
    void *context;
    const double *time_days; /* [n_times], ascending                                             */
    const double *worth;     /* [n_times]: what a gain is multiplied by                          */
    double min_gap_days;
    const int *places; /* [n_times], and when an observation takes its place:  */
    const double *starts_days, *ends_days; /* [n_times]; NULL: not at all */
    size_t n_quantities;
    double *quantities; /* [n_quantities][n_draws]: what else is known of the draws; conditioned  */
    bool about_groups;
    int n_threads;
    equant_progress progress; /* may be NULL                                                     */
    void *progress_context;
} plan_problem;

typedef struct plan_choice {
    size_t time;
    double gain;
    double probability; /* that the right group is expected to have then */
} plan_choice;

/* Step by step; the problem must outlive it. */
typedef struct plan_search plan_search;
equant_status plan_search_create(const plan_problem *problem, size_t n_most, plan_search **made);
void plan_search_free(plan_search *search);

/* Gains of all times that are left, given what is chosen; facts [n_times] may be NULL. Progress is
 * told from `done` to `until`. */
equant_status plan_search_find_gains(plan_search *search, double done, double until,
                                     mixture_facts *facts);
double plan_search_gain(const plan_search *search, size_t time);
size_t plan_search_n_left(const plan_search *search);

/* The time that is left and worth most, and what it is worth; false where none is left. */
bool plan_search_best(const plan_search *search, size_t *best, double *value);

/* A place is taken from start to end: times that need it then are left no longer. */
void plan_search_block(plan_search *search, int place, double start_days, double end_days);

/* Chooses a time. What is too near to it is left no longer. The last need not change what all
 * times predict. */
equant_status plan_search_choose(plan_search *search, size_t time, bool is_last,
                                 plan_choice *chosen);

/* The spread that is expected of a quantity given what is chosen. */
double plan_search_deviation(const plan_search *search, size_t quantity);

/* first_gains[n_times] and facts[n_times] of the first observation; the n best, one after the
 * other, of which *n_chosen are found: fewer where no time is left. */
equant_status plan_search_run(plan_search *search, size_t n, double *first_gains,
                              mixture_facts *facts, plan_choice *chosen, size_t *n_chosen);

#endif
