#include "figures/star_notes.h"

#include <string.h>

#include "figures/long_planets.h"
#include "stars/instrument_name.h"
#include "stars/noise_words.h"
#include "stars/star_curve.h"
#include "terminal/measured_value.h"
#include "terminal/spoken_number.h"
#include "terminal/text_line.h"

#define ADD(notes, ...) text_line_append((notes)->text, sizeof(notes)->text, __VA_ARGS__)

/* What short names of the key are short for, where a reader could not tell. */
static void add_names(struct star_notes *notes, const struct star_result *star)
{
    bool is_first = true;
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        const char *name = equant_dataset_instrument_name(star->dataset, i);
        struct instrument_name short_name = instrument_name_short(star->dataset, i);
        if (strcmp(name, short_name.text) == 0)
            continue;
        ADD(notes, "%s%s: %s", is_first ? " " : "; ", short_name.text, name);
        is_first = false;
    }
    if (!is_first)
        ADD(notes, ".");
}

static size_t count_hidden(const struct star_result *star, double period_min_days)
{
    size_t n = 0;
    for (size_t i = 0; i < star->n_planets; i++)
        n += star->planets[i].values[EQUANT_ELEMENT_PERIOD] < period_min_days;
    return n;
}

/* With a true minus sign. */
static void add_value(struct star_notes *notes, struct star_parameter parameter)
{
    struct measured_value value = measured_value_of(parameter.value, parameter.uncertainty);
    ADD(notes, "%s%s", value.text[0] == '-' ? "−" : "", value.text + (value.text[0] == '-'));
}

/* " and a trend of −0.0012 ± 0.0003 m/s/d". */
static void add_trend(struct star_notes *notes, const struct star_result *star)
{
    struct star_parameter linear, quadratic;
    if (!star_result_parameter(star, "trend_m_s_day", &linear)) {
        ADD(notes, ", no trend");
        return;
    }
    ADD(notes, " and a trend of ");
    add_value(notes, linear);
    ADD(notes, " m/s/d");
    if (star_result_parameter(star, "trend_m_s_day2", &quadratic)) {
        ADD(notes, " and ");
        add_value(notes, quadratic);
        ADD(notes, " m/s/d²");
    }
}

static void add_planets(struct star_notes *notes, size_t n)
{
    if (n == 0)
        ADD(notes, "a constant");
    else
        ADD(notes, "%s planet%s", spoken_number_words(n).text, n == 1 ? "" : "s");
}

static void add_line(struct star_notes *notes, const struct star_result *star,
                     double period_min_days)
{
    char title[64];
    size_t n_hidden = count_hidden(star, period_min_days);
    star_curve_title(star, period_min_days, title, sizeof title);
    ADD(notes, "Model: ");
    add_planets(notes, star->n_planets);
    add_trend(notes, star);
    ADD(notes, ". ");
    if (n_hidden > 0 && title[0] == '\0')
        ADD(notes,
            "Not drawn over time: the model, whose turns of less than %s days would melt into a "
            "band. ",
            spoken_number_digits(period_min_days, 2).text);
    else if (n_hidden > 0)
        ADD(notes,
            "Not drawn over time: %s planet%s of less than %s days, whose turns would melt into a "
            "band. ",
            spoken_number_words(n_hidden).text, n_hidden == 1 ? "" : "s",
            spoken_number_digits(period_min_days, 2).text);
}

/* Which planets have panels of their own. */
static void add_long_planets(struct star_notes *notes, const struct star_result *star,
                             double period_min_days)
{
    struct long_planets found = long_planets_of(star, period_min_days);
    for (size_t i = 0; i < found.n; i++)
        ADD(notes, "%s%s",
            i == 0             ? (found.n == 1 ? "Panel of planet " : "Panels of planets ")
            : i + 1 == found.n ? " and "
                               : ", ",
            planet_name_short(&star->letters, found.index[i]).text);
    if (found.n > 0)
        ADD(notes, ": velocities less all else. ");
}

/* " (2.0, 2.4 m/s)", where it does not take too much room. */
static void add_jitters(struct star_notes *notes, const struct star_result *star)
{
    const size_t most = 4;
    size_t n = equant_dataset_n_instruments(star->dataset);
    if (n > most)
        return;
    for (size_t i = 0; i < n; i++) {
        double jitter = star_result_jitter(star, i).value;
        ADD(notes, "%s%s", i == 0 ? " (" : ", ",
            jitter > 0.0 ? spoken_number_digits(jitter, 2).text : "0");
    }
    ADD(notes, " m/s)");
}

static bool has_jitter(const struct star_result *star)
{
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++)
        if (star_result_jitter(star, i).value > 0.0)
            return true;
    return false;
}

/* "Noise: rotation (amplitude 3.2 ± 0.7 m/s, ...); its line ... " */
static void add_terms(struct star_notes *notes, const struct star_result *star)
{
    char text[NOISE_WORDS_SIZE];
    noise_words_all(star, text);
    bool has_nights = star_noise_find(&star->noise, "night", "amplitude") != NULL;
    ADD(notes, "Noise: %s", text);
    if (star->noise.n_parameters > 0)
        ADD(notes,
            "; drawn over the residuals%s, with a band of one standard deviation, and taken off "
            "the last panel and the folded velocities",
            has_nights ? " without its nights" : "");
    ADD(notes, ". ");
}

static void add_noise(struct star_notes *notes, const struct star_result *star)
{
    if (star_noise_is_white(&star->noise))
        ADD(notes, "Noise: white. ");
    else
        add_terms(notes, star);
    if (has_jitter(star)) {
        ADD(notes, "Coloured bars: stated uncertainties; pale bars: with jitter");
        add_jitters(notes, star);
        ADD(notes, ".");
    } else {
        ADD(notes, "Bars: stated uncertainties; no jitter.");
    }
}

struct star_notes star_notes_of(const struct star_result *star, double period_min_days)
{
    struct star_notes notes = {.text = "Velocities less the offset of each instrument. "};
    add_line(&notes, star, period_min_days);
    add_long_planets(&notes, star, period_min_days);
    add_noise(&notes, star);
    add_names(&notes, star);
    return notes;
}
