/* A star under study of which something is known: where to begin with planets whose periods are,
 * and what becomes of a solution when everything that was said counts. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_STAR_H
#define EQUANT_INFERENCE_PRIORS_STATED_STAR_H

#include "inference/priors/stated_fit.h"
#include "inference/optimise/uncertainty.h"

typedef struct stated_star {
    const equant_states *states; /* NULL: nothing is known */
    double star_mass;            /* 0: unknown */
    basis_words basis;           /* coordinates of the optimisation */
    size_t n_located;            /* planets whose periods are known, which come first */
    double located[STATE_LIST_MOST_PLANETS * N_ELEMENTS];
    char letters[STATE_LIST_MOST_PLANETS]; /* of all planets of the solution  */
    stated_result found;                   /* of the solution                 */
    double bic_without_planets;            /* of the model without planets    */
    bool is_alone;                         /* models without a planet are not asked for */
    bool is_hurried;                       /* one optimisation has to do */
} stated_star;

/* The planets whose periods are known, each at its best beside those before it. The states have
 * been checked against the star. */
equant_status stated_star_begin(study *star, const equant_states *states, double star_mass,
                                const basis_words *basis, int trend_order, stated_star *made);

/* Gives letters to the planets of a solution, the located ones first: the others get those that are
 * left, in the order of periods. */
void stated_star_name(const solution *best, stated_star *own);

/* Optimises with all that was said, and says what the model loses in ln L without each planet, all
 * else at its best again, and by how much the BIC grows; gain and gain_bic are [n_planets]. The
 * model without planets, found without what was said, is fitted with it. */
equant_status stated_star_finish(study *star, stated_star *own, solution *best,
                                 solution *no_planets, double *gain, double *gain_bic);

/* Optimises a solution with all that was said, noise included; nothing else is tried. */
equant_status stated_star_optimise(study *star, const stated_star *own, solution *fitted);

/* How well the solution is known; letters are in the order of its planets. */
equant_status stated_star_uncertainty(study *star, const stated_star *own, const solution *best,
                                      uncertainty *made);

/* k ln N - 2 ln L, k as many as were fitted, and twice what outliers cost. */
double stated_star_bic(const study *star, const solution *best, const stated_result *found);

#endif
