#include "stars/star_planet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "terminal/spoken_number.h"

struct star_planet star_planet_unknown(void)
{
    struct star_planet planet = {.false_alarm = NAN,
                                 .log_likelihood_gain = NAN,
                                 .delta_bic = NAN,
                                 .probability = NAN,
                                 .false_inclusion = NAN,
                                 .k_m_s_low = NAN,
                                 .k_m_s_high = NAN,
                                 .eccentricity_low = NAN,
                                 .eccentricity_high = NAN,
                                 .m_jupiter = NAN,
                                 .m_jupiter_err = NAN,
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

/* The interval of a planet that few observations share in. */
static bool find_interval(const struct star_planet *planet, size_t kind, double *low, double *high)
{
    bool is_k = kind == EQUANT_ELEMENT_K;
    if (!is_k && kind != EQUANT_ELEMENT_ECCENTRICITY)
        return false;
    *low = is_k ? planet->k_m_s_low : planet->eccentricity_low;
    *high = is_k ? planet->k_m_s_high : planet->eccentricity_high;
    *high = !is_k && *high >= 1.0 ? INFINITY : *high;
    return !isnan(*low);
}

/* "31.2 to 85.0", or "at least 31.2" where nothing ends it. */
static struct measured_value interval_text(double low, double high)
{
    struct measured_value text;
    if (!isfinite(high))
        return measured_value_bound(low, true);
    snprintf(text.text, sizeof text.text, "%s to %s", spoken_number_digits(low, 3).text,
             spoken_number_digits(high, 3).text);
    return text;
}

bool star_planet_has_bound(const struct star_planet *planet, size_t kind)
{
    double low, high;
    if (find_interval(planet, kind, &low, &high))
        return true;
    return planet->at_limit != EQUANT_LIMIT_NONE &&
           (kind == EQUANT_ELEMENT_PERIOD || kind == quantity_kind_index("a_au"));
}

/* Of the axis by Kepler's third law. */
struct measured_value star_planet_bound(const struct star_planet *planet, size_t kind)
{
    double low, high;
    if (find_interval(planet, kind, &low, &high))
        return interval_text(low, high);
    double period_ratio = planet->period_days_bound / planet->values[EQUANT_ELEMENT_PERIOD];
    double power = kind == EQUANT_ELEMENT_PERIOD ? 1.0 : 2.0 / 3.0;
    return measured_value_bound(planet->values[kind] * pow(period_ratio, power),
                                planet->at_limit == EQUANT_LIMIT_LONGEST);
}

struct star_separation star_planet_separation(const struct star_planet *planet, size_t alias)
{
    double apart = planet->log_likelihood_gain * (1.0 - planet->aliases[alias].overlap);
    return (struct star_separation){apart, sqrt(2.0 * fmax(apart, 0.0))};
}
