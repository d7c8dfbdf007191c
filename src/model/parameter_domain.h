/* Which parameter sets mean something, decided alike on every machine: finite numbers, closed
 * orbits whose phase can be followed, noise that is no less than none. */
#ifndef EQUANT_MODEL_PARAMETER_DOMAIN_H
#define EQUANT_MODEL_PARAMETER_DOMAIN_H

#include <math.h>

#include "model/parameter_layout.h"

SHARED_FUNCTION bool parameter_domain_has_orbit(const double *elements, double period_floor_days)
{
    bool finite = isfinite(elements[ELEMENT_PERIOD]) && isfinite(elements[ELEMENT_K]) &&
                  isfinite(elements[ELEMENT_OMEGA]) && isfinite(elements[ELEMENT_M0]);
    return finite && elements[ELEMENT_PERIOD] > period_floor_days &&
           elements[ELEMENT_ECCENTRICITY] >= 0.0 && elements[ELEMENT_ECCENTRICITY] < 1.0;
}

/* A jitter whose square is a number, too. */
SHARED_FUNCTION bool parameter_domain_has_jitter(double jitter)
{
    return jitter >= 0.0 && isfinite(jitter * jitter);
}

/* The columns behind the orbits. */
SHARED_FUNCTION bool parameter_domain_has_rest(const parameter_layout *layout, const double *set)
{
    bool inside = true;
    for (size_t i = parameter_layout_end(layout, TERM_ORBITS); i < layout->n_parameters; i++)
        inside = inside && isfinite(set[i]);
    const double *jitters = parameter_layout_values(layout, TERM_JITTERS, set);
    for (size_t i = 0; i < layout->columns[TERM_JITTERS].n; i++)
        inside = inside && parameter_domain_has_jitter(jitters[i]);
    inside = inside && noise_kinds_allow(&layout->noise, set + layout->columns[TERM_NOISE].first);
    return inside;
}

SHARED_FUNCTION bool parameter_domain_has(const parameter_layout *layout, double period_floor_days,
                                          const double *set)
{
    bool inside = true;
    for (size_t p = 0; p < layout->n_planets; p++)
        inside = inside && parameter_domain_has_orbit(set + parameter_layout_orbit(layout, p),
                                                      period_floor_days);
    return inside && parameter_domain_has_rest(layout, set);
}

#endif
