/* The states of a star: the public equant_states. */
#ifndef EQUANT_INFERENCE_PRIORS_STATE_LIST_H
#define EQUANT_INFERENCE_PRIORS_STATE_LIST_H

#include "inference/likelihood/remarks.h"
#include "inference/priors/parameter_state.h"

enum { STATE_LIST_MOST_PLANETS = 20 };

struct equant_states {
    size_t n;
    parameter_state *list;
    size_t n_letters; /* as they were named; 0: not */
    char letters[STATE_LIST_MOST_PLANETS];
};

/* A copy without what is said of one planet, '\0': of none; free it. */
equant_status state_list_copy(const equant_states *from, char without, equant_states **made);

/* What is said of a planet's quantity, by the name of the catalogue; NULL: nothing. Free is
 * nothing. `states` may be NULL. */
const parameter_state *state_list_of_planet(const equant_states *states, char letter,
                                            const char *name);

/* The same of a column that is of an instrument, or of none (NULL): what is said of that one
 * instrument wins. */
const parameter_state *state_list_of_column(const equant_states *states, const quantity_kind *kind,
                                            const char *instrument);

/* The same of a parameter of a term of noise, of one instrument or of none (NULL): what is said of
 * that term and of that instrument wins over what is said of a rotation, and of all. */
const parameter_state *state_list_of_noise(const equant_states *states, noise_kind noise, int place,
                                           const char *instrument);

/* Fails: the state is about a term of noise that the model has not. */
equant_status state_list_refuse_noise(const parameter_state *said);

/* Whether orbits are not to cross. */
bool state_list_keeps_apart(const equant_states *states);

/* The order of the trend that they ask for; -1: they do not say. */
int state_list_trend(const equant_states *states);

/* Whether something is said that is counted from the reference time: a phase, an offset, a term of
 * the trend. */
bool state_list_needs_reference_time(const equant_states *states);

/* Whether the instruments and terms that they name are those of a star; which parameters it has
 * besides its planets. */
equant_status state_list_check_star(const equant_states *states, const equant_dataset *dataset,
                                    bool has_star_mass);

/* Remarks on events that lie years away from the observations of a star. */
void state_list_remark_clock(const equant_states *states, const equant_dataset *dataset,
                             remarks *made);

#endif
