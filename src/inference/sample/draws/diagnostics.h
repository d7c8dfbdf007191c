/* Whether chains have converged and how many independent draws they are worth: rank-normalised
 * split R-hat and effective sample sizes of Vehtari, Gelman, Simpson, Carpenter & Buerkner
 * (2021, Bayesian Analysis 16, 667). */
#ifndef EQUANT_INFERENCE_SAMPLE_DRAWS_DIAGNOSTICS_H
#define EQUANT_INFERENCE_SAMPLE_DRAWS_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "inference/sample/draws/draws.h"

/* Which series is a chain? Walkers of one population are no independent chains: each proposal is
 * made of the places of others, and all of them begin alike. So R-hat takes populations, which
 * share nothing, and the halves of each. Effective sizes take each walker's series as a chain, so
 * that both correlation along the steps and walkers that are stuck count: while a population is at
 * equilibrium its density is the product of those of its walkers (Goodman & Weare 2010, Comm. App.
 * Math. Comp. Sci. 5, 65; ter Braak & Vrugt 2008, Stat. Comput. 18, 435), which makes walkers of
 * one step independent draws.
 *
 * R-hat allows for differences of a tenth of the width, which are many standard errors where
 * walkers are thousands, and sees nothing of what all populations do alike. So the shares of draws
 * below the 1, 5, 50, 95 and 99 % quantiles are compared in units of their own standard errors:
 * between the early and the late half of all populations (Geweke 1992, applied to shares), and
 * between populations.
 *
 * NaN where it cannot be said: with fewer than four steps, R-hat and discord of a single
 * population, or values that are not finite. */
typedef struct diagnostics {
    double rhat;      /* near 1 when populations and their halves agree, in place and in width */
    double ess_bulk;  /* for means and medians                                                 */
    double ess_tail;  /* for the 5 and 95 % quantiles, the worse of the two                    */
    double turnover;  /* ess_bulk per walker: how often a walker has forgotten where it was.
                         Thousands of walkers are many draws even while none of them moves;
                         of these only a turnover well above 2 tells                           */
    bool is_constant; /* all values are equal: a fixed parameter has nothing to converge; the
                         figures are NaN                                                       */
    bool has_gaps;    /* some values are no numbers, so that nothing can be said              */
    double tail_turnover; /* the same by the smallest size for the five quantiles             */
    double drift;         /* of the share below a quantile between halves, in standard errors: the
                             largest of the five                                                   */
    double discord;       /* of these shares between populations, as a standard normal deviate:
                             likewise                                                              */
    double start_width;   /* how much wider walkers began than draws are: the ratio of what holds
                             90 % of either; NaN: not known                                      */
} diagnostics;

diagnostics diagnostics_unknown(void);

typedef struct diagnostics_series {
    size_t n_populations, n_steps, n_walkers;
    const double *values; /* [n_populations][n_steps][n_walkers] */
    bool is_angle;        /* radians: judged by its cosine and its sine, the worse of the two */
    size_t n_starts;      /* where walkers began; 0: not known */
    const double *starts; /* [n_starts] */
} diagnostics_series;

/* The series of one quantity, no angle: `values` holds it in all draws of `kept`, and behind them
 * in those of `begin`, where walkers began; NULL: not known. */
diagnostics_series diagnostics_series_of(const draws *kept, const draws *begin,
                                         const double *values);

/* Of an odd number of steps the middle one is left out. */
equant_status diagnostics_compute(const diagnostics_series *series, diagnostics *found);

/* Of every column, found[n_parameters]; is_angle[n_parameters]. Walkers began as the draws of
 * `begin` are; NULL: not known. On n_threads threads, which change nothing but the time it takes;
 * 0: all. */
equant_status diagnostics_of_draws(const draws *kept, const draws *begin, const bool *is_angle,
                                   int n_threads, diagnostics *found);

/* The worst of each figure among the columns that vary; NaN where one of them is NaN; is_constant
 * when none varies. */
diagnostics diagnostics_worst(size_t n, const diagnostics *each);

#endif
