#include "stars/star_planet.h"

#include <math.h>
#include <string.h>

struct star_planet star_planet_unknown(void)
{
    struct star_planet planet = {.false_alarm = NAN,
                                 .log_likelihood_gain = NAN,
                                 .delta_bic = NAN,
                                 .probability = NAN,
                                 .false_inclusion = NAN,
                                 .period_days_bound = NAN};
    for (size_t i = 0; i < QUANTITY_KIND_MOST; i++)
        planet.values[i] = planet.errors[i] = NAN;
    return planet;
}

double star_planet_value(const struct star_planet *planet, const char *name)
{
    return planet->values[quantity_kind_index(name)];
}

bool star_planet_is_certain_of_period(const struct star_planet *planet)
{
    const double certain = 0.95;
    return planet->n_aliases < 2 || planet->aliases[0].probability > certain;
}

const char *star_planet_limit_word(equant_limit at_limit)
{
    return at_limit == EQUANT_LIMIT_LONGEST    ? "longest"
           : at_limit == EQUANT_LIMIT_SHORTEST ? "shortest"
                                               : NULL;
}

equant_limit star_planet_limit_of(const char *word)
{
    return strcmp(word, "longest") == 0    ? EQUANT_LIMIT_LONGEST
           : strcmp(word, "shortest") == 0 ? EQUANT_LIMIT_SHORTEST
                                           : EQUANT_LIMIT_NONE;
}

bool star_planet_has_bound(const struct star_planet *planet, size_t kind)
{
    return planet->at_limit != EQUANT_LIMIT_NONE &&
           (kind == EQUANT_ELEMENT_PERIOD || kind == quantity_kind_index("a_au"));
}

/* Of the axis by Kepler's third law. */
struct measured_value star_planet_bound(const struct star_planet *planet, size_t kind)
{
    double period_ratio = planet->period_days_bound / planet->values[EQUANT_ELEMENT_PERIOD];
    double power = kind == EQUANT_ELEMENT_PERIOD ? 1.0 : 2.0 / 3.0;
    return measured_value_bound(planet->values[kind] * pow(period_ratio, power),
                                planet->at_limit == EQUANT_LIMIT_LONGEST);
}
