/* What is said of the noise beside jitters: "rotation_period_days=normal(25, 1)". A state is about
 * every term of the menu that has the parameter, and one of a rotation about whichever shape the
 * rotation of a star has in a model: amplitude and period mean the same in all of them. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_NOISE_H
#define EQUANT_INFERENCE_PRIORS_STATED_NOISE_H

#include "inference/priors/state_list.h"
#include "inference/likelihood/study.h"

/* Ranges of the menu become what the states leave of them. Fails where a state is about a term that
 * no model of this star has, or about what the words of the noise have said already. */
equant_status stated_noise_narrow(const equant_states *states, study *star);

/* Remarks about states of terms that a choice has not. */
void stated_noise_remark(const equant_states *states, noise_choice chosen, study *star);

/* What is said of a parameter of a term of the menu; NULL: nothing. */
const parameter_state *stated_noise_said(const equant_states *states, const study *star,
                                         size_t term, size_t parameter);

/* A parameter of noise that a fit moves: itself, its logarithm, or that of its share of another. */
typedef struct stated_noise_place {
    size_t column;  /* of the set                                      */
    size_t divisor; /* the column it is measured in; SIZE_MAX: none     */
    double lower, upper;
    const parameter_state *said; /* NULL: nothing                      */
} stated_noise_place;

/* Those of the terms that a shape has chosen, as logarithms: how many there are, and each. What is
 * fixed is left out. */
size_t stated_noise_list(const equant_states *states, const study *star, const study_shape *shape,
                         stated_noise_place places[NOISE_MENU_MOST_PARAMETERS]);

#endif
