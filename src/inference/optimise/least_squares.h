/* Levenberg-Marquardt from many starts, with the linear parameters projected out
 * (Golub & Pereyra 1973, in the variant of Kaufman 1975). */
#ifndef EQUANT_INFERENCE_OPTIMISE_LEAST_SQUARES_H
#define EQUANT_INFERENCE_OPTIMISE_LEAST_SQUARES_H

#include "inference/likelihood/study.h"

typedef struct least_squares_problem {
    size_t n_planets;
    int trend_order;
    noise_choice noise;
    size_t n_fixed;    /* the first planets, whose columns are not touched */
    size_t n_circular; /* the last planets, whose eccentricities are not */
    int max_iterations;
    double gain_enough;     /* of chi-square: what falls by less is done; 0: to rounding */
    double foreseen_enough; /* what should fall by less in the next step is, too; 0: that step,
                               which makes a good fit a very good one, is made */
} least_squares_problem;

/* What its models have. */
study_shape least_squares_shape(const least_squares_problem *problem);

/* Which columns before the jitters are fitted, [number of these]. */
void least_squares_free_columns(const study *star, const least_squares_problem *problem,
                                bool *is_free);

/* Improves n_starts parameter sets, [n_starts][columns of the model], in place; jitters
 * and other noise stay as they are. The amplitudes, offsets and trend of a start need not be good:
 * they are solved for first. chi_square is [n_starts]; +inf for a start outside the domain. */
equant_status least_squares_refine(study *star, const least_squares_problem *problem,
                                   size_t n_starts, double *sets, double *chi_square);

#endif
