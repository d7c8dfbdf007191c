#include "stars/fit_hints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "terminal/spoken_number.h"
#include "stars/star_result.h"

/* "41.74 days (85 %), 0.974 days (15 %)": the periods of a family that have more than one per cent
 * of the probability. */
static void write_family(const struct star_planet *planet, size_t size, char *text)
{
    const double mentioned = 0.01;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < planet->n_aliases && used < size; i++)
        if (planet->aliases[i].probability > mentioned)
            used += (size_t)snprintf(text + used, size - used, "%s%s days (%.0f %%)",
                                     used > 0 ? ", " : "",
                                     spoken_number_digits(planet->aliases[i].period_days, 4).text,
                                     100.0 * planet->aliases[i].probability);
}

/* The other periods at which observations that repeat would show the same signal. */
static void judge_aliases(const struct star_result *star, size_t index, struct text_list *hints)
{
    const double near = 0.1;
    const struct star_planet *planet = &star->planets[index];
    double frequency = 1.0 / planet->values[EQUANT_ELEMENT_PERIOD];
    char family[256];
    if (!star_planet_is_certain_of_period(planet)) {
        struct star_separation apart = star_planet_separation(planet, 1);
        write_family(planet, sizeof family, family);
        text_list_add(hints,
                      "The signal of %s has one of several periods: %s. Observations that "
                      "repeat with the day, the month or the year show one as the other; the two "
                      "likeliest share %.0f %% of their signals. The right one of them is expected "
                      "to be ahead by %.1f +- %.1f in ln L; the first is %s by %.1f.",
                      planet_name_of(&star->letters, index).text, family,
                      100.0 * planet->aliases[1].overlap, apart.expected, apart.deviation,
                      planet->aliases[1].delta_lnl > 0.0 ? "behind" : "ahead",
                      fabs(planet->aliases[1].delta_lnl));
    }
    if (fabs(frequency - 1.0) < near)
        text_list_add(hints,
                      "The period of %s is near a day: the nights alone can make such a "
                      "signal.",
                      planet_name_of(&star->letters, index).text);
}

/* What noise would hardly do may still be improbable. */
static void judge_probability(const struct star_result *star, size_t index, struct text_list *hints)
{
    const double even = 0.5, probability = star->planets[index].probability;
    if (probability < even)
        text_list_add(hints,
                      "P%s is less probable than not, %.0f %%, by the evidence of the model "
                      "with it: it may be an orbit that takes the place of other noise. "
                      "--probability 0.5 would list it as a candidate.",
                      planet_name_of(&star->letters, index).text + 1, 100.0 * probability);
}

static void judge_period(const struct star_result *star, size_t index, struct text_list *hints)
{
    /* As data tell periods apart: src/model/period_resolution.h. */
    const double days_of_year = 365.2422, same = 0.5;
    double period = star->planets[index].values[EQUANT_ELEMENT_PERIOD],
           span = star_result_span_days(star);
    bool is_open = star->planets[index].at_limit != EQUANT_LIMIT_NONE;
    judge_probability(star, index, hints);
    judge_aliases(star, index, hints);
    if (is_open)
        text_list_add(hints,
                      "The period of %s lies at the end of the range that was searched, %s "
                      "days, and the likelihood still grows there: it is %s days (ln L is lower by "
                      "1/2 there), and what hangs on it, K, e and the mass, is as open.",
                      planet_name_of(&star->letters, index).text,
                      spoken_number_digits(period, 5).text,
                      star_planet_bound(&star->planets[index], EQUANT_ELEMENT_PERIOD).text);
    else if (period > span)
        text_list_add(hints,
                      "The period of %s is longer than the data: what lies beyond them "
                      "is open.",
                      planet_name_of(&star->letters, index).text);
    if (!is_open && fabs(1.0 / period - 1.0 / days_of_year) < same / span)
        text_list_add(hints,
                      "The period of %s is near a year: the seasons alone can make such "
                      "a signal.",
                      planet_name_of(&star->letters, index).text);
}

/* Kepler's third law gives the ratio of the axes without the star's mass. */
static void judge_neighbours(const struct star_result *star, size_t inner, struct text_list *hints)
{
    const struct star_planet *a = &star->planets[inner], *b = &star->planets[inner + 1];
    double axis_ratio =
        pow(b->values[EQUANT_ELEMENT_PERIOD] / a->values[EQUANT_ELEMENT_PERIOD], 2.0 / 3.0);
    if (axis_ratio * (1.0 - b->values[EQUANT_ELEMENT_ECCENTRICITY]) <
        1.0 + a->values[EQUANT_ELEMENT_ECCENTRICITY])
        text_list_add(hints,
                      "The orbits of planets %s and %s cross: one of them may be an alias, or "
                      "the two pull at each other.",
                      planet_name_short(&star->letters, inner).text,
                      planet_name_short(&star->letters, inner + 1).text);
}

/* Periods of two planets that swap together, where that is not negligible. */
static void judge_pairs(const struct star_result *star, struct text_list *hints)
{
    const double mentioned = 0.01;
    for (size_t i = 0; i < star->n_pairs; i++) {
        const equant_alias_pair *own = &star->pairs[i];
        if (own->probability > mentioned)
            text_list_add(hints,
                          "Planets %s and %s may have %s and %s days together (%.0f %%): their "
                          "aliases take each other's place.",
                          planet_name_short(&star->letters, own->first).text,
                          planet_name_short(&star->letters, own->second).text,
                          spoken_number_digits(own->first_period_days, 4).text,
                          spoken_number_digits(own->second_period_days, 4).text,
                          100.0 * own->probability);
    }
}

void fit_hints_range(const struct star_result *star, struct text_list *hints)
{
    const double usual = 2.0, rounding = 1e-9;
    double spans = star->summary.period_max_days / star_result_span_days(star);
    if (spans > usual + rounding)
        text_list_add(hints,
                      "A planet lay at the end of the usual range of periods: it was widened to %s "
                      "days, %.0f times the span of the data.",
                      spoken_number_digits(star->summary.period_max_days, 5).text, spans);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* NaN where the instrument has no observations or there is no memory. */
static double median_uncertainty(const equant_dataset *dataset, size_t instrument)
{
    size_t n = 0, n_obs = equant_dataset_n_obs(dataset);
    double *own = calloc(n_obs, sizeof *own), median = NAN;
    for (size_t k = 0; own != NULL && k < n_obs; k++)
        if ((size_t)equant_dataset_instruments(dataset)[k] == instrument)
            own[n++] = equant_dataset_uncertainties_m_s(dataset)[k];
    if (n > 0) {
        qsort(own, n, sizeof *own, compare_numbers);
        median = own[n / 2];
    }
    free(own);
    return median;
}

static void judge_instrument(const struct star_result *star, size_t instrument,
                             struct text_list *hints)
{
    const double suspicious = 4.0;
    double ratio =
        star_result_jitter(star, instrument).value / median_uncertainty(star->dataset, instrument);
    const char *name = equant_dataset_instrument_name(star->dataset, instrument);
    if (equant_dataset_instrument_n_obs(star->dataset, instrument) == 1)
        text_list_add(hints, "%s has one observation, which its own offset takes up.", name);
    else if (ratio > suspicious)
        text_list_add(hints,
                      "The jitter of %s is %.0f times its typical uncertainty: a star that is "
                      "active, errors stated too small, or more planets.",
                      name, ratio);
}

void fit_hints_collect(const struct star_result *star, struct text_list *hints)
{
    const double promising = 0.01;
    for (size_t i = 0; i < star->n_planets; i++)
        judge_period(star, i, hints);
    judge_pairs(star, hints);
    for (size_t i = 0; i + 1 < star->n_planets; i++)
        judge_neighbours(star, i, hints);
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++)
        judge_instrument(star, i, hints);
    if (star->has_candidate && star->candidate.false_alarm < promising)
        text_list_add(hints,
                      "The candidate at %s days may become a planet with more observations; "
                      "--planets %zu takes it in.",
                      spoken_number_digits(star->candidate.values[EQUANT_ELEMENT_PERIOD], 5).text,
                      star->n_planets + 1);
    if (star->summary.n_obs < star->summary.n_fitted + star->summary.n_fitted / 2)
        text_list_add(hints,
                      "There are %zu observations for %zu parameters: uncertainties may be too "
                      "small.",
                      star->summary.n_obs, star->summary.n_fitted);
}
