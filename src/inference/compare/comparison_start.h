/* Where a comparison starts: the star with the model of a fit, priors, and the planets and the
 * noise that the fit found. */
#ifndef EQUANT_INFERENCE_COMPARE_COMPARISON_START_H
#define EQUANT_INFERENCE_COMPARE_COMPARISON_START_H

#include "inference/compare/population.h"
#include "inference/sample/target/noise_priors.h"

typedef struct comparison_start {
    count_star star;
    count_priors priors;
    slot_space space;
    size_t n_planets;
    count_orbit *planets; /* of the fit, by how much they gain, the weakest first */
    double *place;        /* of its noise */
    double *columns;      /* of its indicators, [n_indicators][n_obs] */
    char words[NOISE_PRIORS_WORDS_SIZE];
} comparison_start;

/* Whether there is anything in the options that no fit of the data could mend. */
equant_status comparison_start_check(const equant_dataset *dataset,
                                     const equant_compare_options *options);

/* Options have been checked. Free it in any case; it must stay where it is. */
equant_status comparison_start_create(const equant_dataset *dataset, const equant_fit *fit,
                                      const equant_compare_options *options,
                                      comparison_start *made);
void comparison_start_free(comparison_start *start);

/* Lets population 0 begin with the planets of the fit, 1 with none, 2 without the weakest, 3
 * without the next, and so on. */
equant_status comparison_start_population(const comparison_start *start, size_t index,
                                          population *chain);

#endif
