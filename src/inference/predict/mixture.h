/* Mixtures of normal distributions in one dimension, on a grid of steps of a quarter of the
 * narrowest of them: their entropy, how much a value tells of the group that it comes from,
 * quantiles and modes.
 *
 * The trapezoidal rule on such a grid errs by e^-316 where densities are those of normal
 * distributions; entropies are good to some 1e-12. */
#ifndef EQUANT_INFERENCE_PREDICT_MIXTURE_H
#define EQUANT_INFERENCE_PREDICT_MIXTURE_H

#include "equant.h"

/* Components, by groups that stand one behind the other. */
typedef struct mixture {
    size_t n;                        /* components                                           */
    const double *means, *variances; /* [n]                                                  */
    const double *weights;           /* [n], above or at zero, of any sum; NULL: equal       */
    size_t n_groups;                 /* 0: one of all                                        */
    const size_t *ends;              /* [n_groups]: one behind the last component of each    */
    const double *group_weights;     /* [n_groups], of any sum; NULL: those of components    */
    const double *group_shifts;      /* [n_groups], added to all means; NULL: none           */
} mixture;

/* In nats. */
typedef struct mixture_facts {
    double mean, deviation;
    double entropy;        /* of the whole                                                     */
    double within_draws;   /* mean entropy of the components                                   */
    double within_groups;  /* mean entropy of the groups                                       */
    double bias_of_draws;  /* by which entropy - within_draws is too small because components
                              are draws, to the first order of their number (Miller 1955)      */
    double bias_of_groups; /* by which entropy - within_groups is too large                    */
} mixture_facts;

/* Room for the densities of mixtures, which grows as they need it. Set to zero to begin. */
typedef struct mixture_grid {
    double first, step;
    size_t n, room;
    double *density, *square; /* of the whole: the sum of w phi, and of w^2 phi^2              */
    double *own, *own_square; /* of a group                                                    */
} mixture_grid;

void mixture_grid_free(mixture_grid *grid);

/* Lays the grid and fills the density of the whole; what the mixture is. Fails without memory
 * or where a component has no finite mean and variance, without a sentence: it is called by
 * threads. Weights must not all be zero. */
equant_status mixture_describe(const mixture *of, mixture_grid *grid, mixture_facts *facts);

/* The sentence for a failure of it. */
equant_status mixture_fail(equant_status status);

/* Of the mixture that was described last: the values below which shares [n], ascending, of it
 * lie. */
void mixture_quantiles(const mixture_grid *grid, size_t n, const double *shares, double *values);

/* Its maxima, at most n_most, the heaviest first, each with what lies between the minima beside
 * it. Returns how many there are. */
typedef struct mixture_mode {
    double value, weight;
} mixture_mode;
size_t mixture_modes(const mixture_grid *grid, size_t n_most, mixture_mode *modes);

#endif
