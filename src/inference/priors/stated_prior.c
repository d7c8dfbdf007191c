#include "inference/priors/stated_prior.h"

#include <math.h>
#include <string.h>

#include "model/circle.h"
#include "model/model_quantities.h"

double stated_prior_log_density(const prior_density *density, double x)
{
    bool is_range = density->kind == PRIOR_UNIFORM || density->kind == PRIOR_LOG_UNIFORM;
    if (is_range)
        return x >= density->lower && x <= density->upper ? 0.0 : -INFINITY;
    return prior_density_log(density, x);
}

double stated_prior_value(const parameter_state *said, double reference_time_days, double star_mass,
                          const double elements[N_ELEMENTS])
{
    const quantity_kind *kind = said->kind;
    const prior_density *density = &said->density;
    bool is_about = density->kind == PRIOR_NORMAL || density->kind == PRIOR_FIXED;
    double middle = is_about ? density->first : 0.5 * (density->lower + density->upper);
    if (kind->term == TERM_ORBITS && !kind->info.is_angle)
        return elements[kind->place];
    const star_values star = {.mass = star_mass > 0.0 ? star_mass : NAN, .luminosity = NAN};
    keplerian_orbit orbit = quantities_orbit(elements, star);
    double value = kind->term == TERM_ORBITS ? elements[kind->place] : kind->formula(&orbit);
    double turn = kind->is_event ? elements[ELEMENT_PERIOD] : TWO_PI;
    if (!kind->is_event && !kind->info.is_angle)
        return value;
    double away = value - (kind->is_event ? middle - reference_time_days : middle);
    return middle + away - turn * floor(away / turn + 0.5);
}

bool stated_prior_is_of(const parameter_state *said, char letter)
{
    return letter != '\0' && said->form == STATE_PRIOR && said->letter == letter;
}

double stated_prior_log(const equant_states *states, char letter, double reference_time_days,
                        double star_mass, bool derived_only, const double elements[N_ELEMENTS])
{
    double sum = 0.0;
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *said = &states->list[i];
        if (stated_prior_is_of(said, letter) && (!derived_only || said->kind->term == N_TERMS))
            sum += stated_prior_log_density(
                &said->density, stated_prior_value(said, reference_time_days, star_mass, elements));
    }
    return sum;
}

bool stated_prior_cross(const double *one, const double *other)
{
    const double *inner = one[ELEMENT_PERIOD] < other[ELEMENT_PERIOD] ? one : other,
                 *outer = inner == one ? other : one;
    double ratio = cbrt(outer[ELEMENT_PERIOD] / inner[ELEMENT_PERIOD]);
    return !(1.0 + inner[ELEMENT_ECCENTRICITY] <
             ratio * ratio * (1.0 - outer[ELEMENT_ECCENTRICITY]));
}

double stated_prior_log_apart(const equant_states *states, size_t n_planets, const double *elements)
{
    if (!state_list_keeps_apart(states))
        return 0.0;
    for (size_t i = 0; i < n_planets; i++)
        for (size_t j = 0; j < i; j++)
            if (stated_prior_cross(elements + N_ELEMENTS * i, elements + N_ELEMENTS * j))
                return -INFINITY;
    return 0.0;
}

double stated_prior_log_derived(const equant_states *states, char letter,
                                double reference_time_days, double star_mass,
                                const double elements[N_ELEMENTS])
{
    return stated_prior_log(states, letter, reference_time_days, star_mass, true, elements);
}

double stated_prior_slope(const parameter_state *said, const stated_orbit *own,
                          const double at[N_STATED], size_t place, double reference_time_days,
                          double star_mass)
{
    double moved[N_STATED], elements[N_ELEMENTS], values[2],
        step = stated_orbit_small_step(own, at, place);
    for (int side = 0; side < 2; side++) {
        memcpy(moved, at, sizeof moved);
        moved[place] += side == 0 ? -step : step;
        stated_orbit_elements(own, moved, elements);
        values[side] = stated_prior_value(said, reference_time_days, star_mass, elements);
    }
    return (values[1] - values[0]) / (2.0 * step);
}

void stated_prior_add_precision(const equant_states *states, char letter,
                                double reference_time_days, double star_mass,
                                const double elements[N_ELEMENTS], size_t n, double *precision)
{
    /* Nothing is known to it: its coordinates are regular, but for K in place of ln K. */
    const stated_orbit own = stated_orbit_of(NULL, letter, reference_time_days);
    double at[N_STATED], slope[N_STATED];
    stated_orbit_coordinates(&own, elements, at);
    for (size_t s = 0; s < equant_states_n(states); s++) {
        const parameter_state *said = &states->list[s];
        if (!stated_prior_is_of(said, letter) || said->density.kind != PRIOR_NORMAL)
            continue;
        for (size_t i = 0; i < N_STATED; i++)
            slope[i] = stated_prior_slope(said, &own, at, i, reference_time_days, star_mass);
        slope[STATED_K] *= at[STATED_K];
        for (size_t i = 0; i < N_STATED; i++)
            for (size_t j = 0; j < N_STATED; j++)
                precision[i * n + j] +=
                    slope[i] * slope[j] / (said->density.second * said->density.second);
    }
}
