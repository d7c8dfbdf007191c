/* A planet of a star with everything that is known of it: of a fit, of a folder, or of a
 * posterior. */
#ifndef EQUANT_APP_STARS_STAR_PLANET_H
#define EQUANT_APP_STARS_STAR_PLANET_H

#include "equant.h"
#include "files/quantity_kind.h"
#include "terminal/measured_value.h"

/* As many as equant_fit_n_aliases gives, at most. */
#define STAR_PLANET_MOST_ALIASES 8

struct star_planet {
    /* By the index of the catalogue, so that the elements come first; NaN: unknown. */
    double values[QUANTITY_KIND_MOST], errors[QUANTITY_KIND_MOST];
    double false_alarm, log_likelihood_gain, delta_bic, probability,
        false_inclusion;      /* as equant_planet has them; NaN: unknown */
    equant_limit at_limit;    /* its period is at an end of the range    */
    double period_days_bound; /* then; NaN: none                         */
    /* Where few observations share in its signal: from low to high, NaN else; infinite, and 1: no
     * upper end. */
    double k_m_s_low, k_m_s_high, eccentricity_low, eccentricity_high;
    double m_jupiter, m_jupiter_err; /* where states know its inclination; NaN else */
    /* The periods that its signal may have, the most probable first. */
    size_t n_aliases;
    equant_alias aliases[STAR_PLANET_MOST_ALIASES];
};

/* A planet of which nothing is known. */
struct star_planet star_planet_unknown(void);

/* The value of a quantity by its name, such as "t_conj". */
double star_planet_value(const struct star_planet *planet, const char *name);

/* Whether its period is named without others beside it: where it has more than 95 % of the
 * probability. */
bool star_planet_is_certain_of_period(const struct star_planet *planet);

/* By how much ln L of the right one of two periods is expected to be ahead, where the signal is
 * what the fit says and the two share what they share, with its standard deviation: where that is
 * below two or three, data like these cannot decide. */
struct star_separation {
    double expected, deviation;
};
struct star_separation star_planet_separation(const struct star_planet *planet, size_t alias);

/* "longest" or "shortest", as files have it; NULL without a limit. */
const char *star_planet_limit_word(equant_limit at_limit);

/* Whether a quantity of this kind follows from a period at a limit alone, so that it has a bound
 * and no error, or is one that few observations tell, with an interval; and these in words. */
bool star_planet_has_bound(const struct star_planet *planet, size_t kind);
struct measured_value star_planet_bound(const struct star_planet *planet, size_t kind);

#endif
