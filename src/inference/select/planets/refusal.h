/* Why a planet was not taken: the conditions that one more has to meet, and the sentence about the
 * first that it does not. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_REFUSAL_H
#define EQUANT_INFERENCE_SELECT_PLANETS_REFUSAL_H

#include "inference/optimise/uncertainty.h"

/* What a model with one planet more was judged by. */
typedef struct verdict {
    double false_alarm, false_alarm_max;
    double probability, probability_min; /* that it is there; NaN: not known */
    const char *cycle; /* of observing whose period it has, with an amplitude of the size of the
                          noise; NULL: none */
    double delta_bic;  /* by how much the BIC grows without the planet; of a planet that takes the
                         place of a trend, by how much it grows with the trend instead */
    bool replaces_trend;
    measurement measured;
    double few_probability; /* of a planet that few observations share in, beside their being wrong;
                               0: not asked */
    double period_days;     /* of the planet in the model that is no measurement */
    bool is_new;            /* that planet is the new one */
} verdict;

enum { REFUSAL_SENTENCE_SIZE = 256 };

/* EQUANT_REFUSED_NOT where all conditions are met. */
equant_refusal refusal_of(const verdict *judged);

/* One sentence without a full stop that follows "it was refused: "; "" where it was not. */
void refusal_describe(const verdict *judged, char sentence[REFUSAL_SENTENCE_SIZE]);

#endif
