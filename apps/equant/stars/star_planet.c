#include "stars/star_planet.h"

#include <math.h>

struct star_planet star_planet_unknown(void)
{
    struct star_planet planet = {.false_alarm = NAN, .log_likelihood_gain = NAN, .delta_bic = NAN};
    for (size_t i = 0; i < QUANTITY_KIND_MOST; i++)
        planet.values[i] = planet.errors[i] = NAN;
    return planet;
}

double star_planet_value(const struct star_planet *planet, const char *name)
{
    return planet->values[quantity_kind_index(name)];
}
