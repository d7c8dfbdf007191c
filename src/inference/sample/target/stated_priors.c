#include "inference/sample/target/stated_priors.h"

#include <stdio.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/sample/target/noise_priors.h"
#include "inference/priors/basis_words.h"
#include "inference/priors/stated_orbit.h"

/* ---- priors ---------------------------------------------------------------------------------- */

static equant_status copy_priors(const equant_priors *from, const equant_dataset *dataset,
                                 equant_priors **made)
{
    const parameter_layout *layout = priors_layout(from->set);
    char noise[NOISE_PRIORS_WORDS_SIZE];
    noise_priors_words(&layout->noise, dataset, noise);
    equant_priors_options options = {.struct_size = sizeof options,
                                     .n_planets = layout->n_planets,
                                     .trend = trend_order_name(layout->trend_order),
                                     .noise = layout->noise.n > 0 ? noise : NULL};
    equant_status status = equant_priors_create(dataset, &options, made);
    for (size_t i = 0; i < equant_priors_n(from) && status == EQUANT_SUCCESS; i++)
        status =
            equant_priors_change(*made, equant_priors_name(from, i), equant_priors_text(from, i));
    return status;
}

/* Changes the prior of one column, with the state in front of what is wrong with it. */
static equant_status change(equant_priors *held, const parameter_state *said, const char *name,
                            size_t number, const char *text)
{
    char column[STATE_NAME_SIZE + 24], sentence[600];
    snprintf(column, sizeof column, number > 0 ? "%s_%zu" : "%s", name, number);
    equant_status status = equant_priors_change(held, column, text);
    if (status != EQUANT_ERROR_INVALID_ARGUMENT)
        return status;
    snprintf(sentence, sizeof sentence, "%s", equant_last_error());
    return parameter_state_fail(said, "%s", sentence);
}

static size_t number_of(const equant_states *states, char letter)
{
    size_t i = 0;
    while (equant_states_letter(states, i) != letter)
        i++;
    return i + 1;
}

static equant_status apply_to_planet(const equant_states *states, const parameter_state *said,
                                     equant_priors *held)
{
    size_t number = number_of(states, said->letter);
    char text[PRIOR_TEXT_SIZE];
    if (said->kind->term == N_TERMS)
        return said->form == STATE_FIXED ? change(held, said, "m0_rad", number, "0")
                                         : EQUANT_SUCCESS;
    prior_text_write(&said->density, text);
    equant_status status = change(held, said, said->kind->info.name, number, text);
    bool is_circle = said->form == STATE_FIXED && said->kind->place == ELEMENT_ECCENTRICITY &&
                     said->density.first == 0.0;
    if (status == EQUANT_SUCCESS && is_circle)
        status = change(held, said, "omega_rad", number, "0");
    return status;
}

static equant_status apply_to_columns(const equant_states *states, const parameter_state *said,
                                      const equant_dataset *dataset, equant_priors *held)
{
    char text[PRIOR_TEXT_SIZE];
    equant_status status = EQUANT_SUCCESS;
    prior_text_write(&said->density, text);
    if (said->kind->info.axis != EQUANT_QUANTITY_PER_INSTRUMENT)
        return change(held, said, said->kind->info.name, 0, text);
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset) && status == EQUANT_SUCCESS; i++)
        if (state_list_of_column(states, said->kind, equant_dataset_instrument_name(dataset, i)) ==
            said)
            status = change(held, said, said->kind->info.name, i + 1, text);
    return status;
}

/* The name of a parameter of a term of noise. */
static const char *noise_name(noise_kind kind, size_t place)
{
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *own = quantity_catalogue_at(i);
        if (own->term == TERM_NOISE && own->noise == kind && own->place == (int)place)
            return own->info.name;
    }
    return "";
}

/* A state of noise is one of all terms that it is about. */
static equant_status apply_to_noise(const equant_states *states, const parameter_state *said,
                                    const equant_dataset *dataset, equant_priors *held)
{
    const noise_kinds *terms = &priors_layout(held->set)->noise;
    char text[PRIOR_TEXT_SIZE];
    equant_status status = EQUANT_SUCCESS;
    bool is_met = false;
    prior_text_write(&said->density, text);
    for (int t = 0; t < terms->n; t++) {
        size_t owner = (size_t)terms->owner[t];
        const char *instrument =
            owner > 0 ? equant_dataset_instrument_name(dataset, owner - 1) : NULL;
        for (size_t i = 0; i < noise_kind_parameters(terms->kind[t]); i++)
            if (status == EQUANT_SUCCESS &&
                state_list_of_noise(states, terms->kind[t], (int)i, instrument) == said) {
                status = change(held, said, noise_name(terms->kind[t], i), owner, text);
                is_met = true;
            }
    }
    return is_met ? status : state_list_refuse_noise(said);
}

equant_status stated_priors_create(const equant_states *states, const equant_dataset *dataset,
                                   const equant_priors *from, equant_priors **made)
{
    equant_priors *held = NULL;
    equant_status status = copy_priors(from, dataset, &held);
    for (size_t i = 0; i < equant_states_n(states) && status == EQUANT_SUCCESS; i++) {
        const parameter_state *said = &states->list[i];
        if (said->form != STATE_FIXED && said->form != STATE_PRIOR)
            continue;
        if (said->letter)
            status = apply_to_planet(states, said, held);
        else if (said->kind->term == TERM_NOISE)
            status = apply_to_noise(states, said, dataset, held);
        else
            status = apply_to_columns(states, said, dataset, held);
    }
    if (status == EQUANT_SUCCESS)
        *made = held;
    else
        equant_priors_free(held);
    return status;
}

/* ---- coordinates ------------------------------------------------------------------------------
 */

/* How well the time of the event is known that the phase is counted from. */
static double width_of(const equant_states *states, const stated_orbit *own)
{
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *said = &states->list[i];
        if (said->letter == own->letter && said->kind && said->kind->is_event &&
            said->density.kind == PRIOR_NORMAL && said->form == STATE_PRIOR)
            return said->density.second;
    }
    return 0.0;
}

equant_status stated_priors_basis(const equant_states *states, const char *words, size_t n_planets,
                                  double reference_time_days, orbit_basis *basis, bool *is_usual)
{
    basis_words wanted;
    equant_status status = basis_words_read(words, &wanted);
    *is_usual = true;
    for (size_t p = 0; p < n_planets && status == EQUANT_SUCCESS; p++) {
        char letter = equant_states_letter(states, p);
        stated_orbit own = stated_orbit_of(states, letter, reference_time_days);
        bool has_event = letter && orbit_basis_has_event(own.phase);
        bool is_fixed = letter && !own.is_free[STATED_PHASE] && own.phase != PHASE_M0;
        basis[p] = (orbit_basis){.has_linear_period = wanted.has_linear_period,
                                 .has_linear_k = wanted.has_linear_k,
                                 .shape = wanted.has_shape ? wanted.shape : SHAPE_ROOTS,
                                 .phase = wanted.has_phase ? wanted.phase : PHASE_LONGITUDE,
                                 .phase_is_fixed = is_fixed};
        if (has_event && (is_fixed || !wanted.has_phase)) {
            basis[p].phase = own.phase;
            basis[p].anchor = own.anchor_days;
            basis[p].width_days = width_of(states, &own);
        } else if (is_fixed) {
            basis[p].phase = PHASE_LONGITUDE;
            basis[p].anchor = own.fixed[STATED_PHASE];
        }
        const orbit_basis *made = &basis[p];
        *is_usual = *is_usual && !made->has_linear_period && !made->has_linear_k &&
                    made->shape == SHAPE_ROOTS && made->phase == PHASE_LONGITUDE && !is_fixed;
    }
    return status;
}
