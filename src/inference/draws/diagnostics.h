/* Whether chains have converged and how many independent draws they are worth: rank-normalised
 * split R-hat and effective sample sizes of Vehtari, Gelman, Simpson, Carpenter & Buerkner
 * (2021, Bayesian Analysis 16, 667). */
#ifndef EQUANT_INFERENCE_DRAWS_DIAGNOSTICS_H
#define EQUANT_INFERENCE_DRAWS_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "inference/draws/draws.h"

/* R-hat compares populations, which are independent; the walkers of one population feed on
 * each other and would agree too easily. The sizes take each walker's series as a chain, so
 * that correlation along the steps and walkers that are stuck both count.
 *
 * NaN where it cannot be said: with fewer than four steps, R-hat of a single population, or
 * values that are not finite. */
typedef struct diagnostics {
    double rhat;      /* near 1 when populations and their halves agree, in place and in width */
    double ess_bulk;  /* for means and medians                                                 */
    double ess_tail;  /* for the 5 and 95 % quantiles, the worse of the two                    */
    double turnover;  /* ess_bulk per walker: how often a walker has forgotten where it was.
                         Thousands of walkers are many draws even while none of them moves;
                         of these only a turnover well above 2 tells                           */
    bool is_constant; /* all values are equal: a fixed parameter has nothing to converge; the
                         figures are NaN                                                       */
} diagnostics;

/* Of values[n_populations][n_steps][n_walkers]. An angle (radians) is judged by its cosine and
 * its sine, the worse of the two. Of an odd number of steps the middle one is left out. */
equant_status diagnostics_compute(size_t n_populations, size_t n_steps, size_t n_walkers,
                                  const double *values, bool is_angle, diagnostics *found);

/* Of every column, found[n_parameters]; is_angle[n_parameters]. On n_threads threads, which
 * change nothing but the time it takes; 0: all. */
equant_status diagnostics_of_draws(const draws *kept, const bool *is_angle, int n_threads,
                                   diagnostics *found);

/* The largest R-hat and the smallest sizes of the columns that vary; NaN where one of them is
 * NaN; is_constant when none varies. */
diagnostics diagnostics_worst(size_t n, const diagnostics *each);

#endif
