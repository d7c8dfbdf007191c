#include "stars/noise_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stars/star_result.h"
#include "terminal/measured_value.h"
#include "terminal/text_line.h"

struct noise_words_text noise_words_term(const char *term)
{
    struct noise_words_text made;
    size_t n = strcspn(term, "@");
    const char *word = n == 3 && strncmp(term, "mep", n) == 0    ? "rotation"
                       : n == 4 && strncmp(term, "esp3", n) == 0 ? "rotation (esp3)"
                       : n == 4 && strncmp(term, "mep4", n) == 0 ? "rotation (mep4)"
                                                                 : NULL;
    snprintf(made.text, sizeof made.text, "%s%s", word ? word : term, word ? term + n : "");
    return made;
}

const char *noise_words_unit(const struct star_noise_parameter *parameter)
{
    return strcmp(parameter->unit, "d") == 0 ? "days" : parameter->unit;
}

void noise_words_indicator(const struct star_result *star, size_t index,
                           char text[NOISE_WORDS_SIZE])
{
    const struct star_noise_indicator *own = &star->noise.indicators[index];
    bool is_one_of_many = equant_dataset_n_instruments(star->dataset) > 1;
    snprintf(text, NOISE_WORDS_SIZE, "the velocities%s%s follow %s", is_one_of_many ? " of " : "",
             is_one_of_many ? equant_dataset_instrument_name(star->dataset, own->instrument) : "",
             own->name);
    if (own->smoothing_days > 0.0)
        text_line_append(text, NOISE_WORDS_SIZE, " averaged over %.0f days", own->smoothing_days);
    text_line_append(text, NOISE_WORDS_SIZE, ": %s m/s per standard deviation",
                     measured_value_of(own->slope_m_s, own->slope_m_s_err).text);
}

void noise_words_tried(const struct star_result *star, size_t index, char text[NOISE_WORDS_SIZE])
{
    const struct star_noise_indicator_trial *own = &star->noise.indicator_trials[index];
    snprintf(text, NOISE_WORDS_SIZE, "%s", own->name);
    if (own->smoothing_days > 0.0)
        text_line_append(text, NOISE_WORDS_SIZE, " averaged over %.0f days", own->smoothing_days);
    if (equant_dataset_n_instruments(star->dataset) > 1)
        text_line_append(text, NOISE_WORDS_SIZE, " of %s",
                         equant_dataset_instrument_name(star->dataset, own->instrument));
}

void noise_words_series(const struct star_result *star, char text[NOISE_WORDS_SIZE])
{
    const struct star_noise *noise = &star->noise;
    text[0] = '\0';
    if (noise->n_series == 0)
        return;
    text_line_append(text, NOISE_WORDS_SIZE, "velocities and ");
    for (size_t i = 0; i < noise->n_series; i++) {
        bool is_last = i + 1 == noise->n_series;
        text_line_append(text, NOISE_WORDS_SIZE, "%s%s", noise->series[i].name,
                         is_last ? "" : ", ");
        if (equant_dataset_n_instruments(star->dataset) > 1)
            text_line_append(
                text, NOISE_WORDS_SIZE, " of %s",
                equant_dataset_instrument_name(star->dataset, noise->series[i].instrument));
    }
    text_line_append(text, NOISE_WORDS_SIZE,
                     " are series of one process, which velocities are %s by %s days",
                     noise->lead_days < 0.0 ? "behind" : "ahead of",
                     measured_value_of(fabs(noise->lead_days), noise->lead_days_err).text);
}

void noise_words_all(const struct star_result *star, char text[NOISE_WORDS_SIZE])
{
    const struct star_noise *noise = &star->noise;
    char indicator[NOISE_WORDS_SIZE];
    text[0] = '\0';
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const struct star_noise_parameter *own = &noise->parameters[i];
        if (star_noise_begins_term(noise, i))
            text_line_append(text, NOISE_WORDS_SIZE, "%s%s (", i == 0 ? "" : "), ",
                             noise_words_term(own->term).text);
        text_line_append(text, NOISE_WORDS_SIZE, "%s%s %s%s%s",
                         star_noise_begins_term(noise, i) ? "" : ", ", own->name,
                         measured_value_of(own->value, own->err).text,
                         own->unit[0] != '\0' ? " " : "", noise_words_unit(own));
    }
    if (noise->n_parameters > 0)
        text_line_append(text, NOISE_WORDS_SIZE, ")");
    for (size_t i = 0; i < noise->n_indicators; i++) {
        noise_words_indicator(star, i, indicator);
        text_line_append(text, NOISE_WORDS_SIZE, "%s%s", text[0] == '\0' ? "" : "; ", indicator);
    }
    noise_words_series(star, indicator);
    if (indicator[0] != '\0')
        text_line_append(text, NOISE_WORDS_SIZE, "; %s", indicator);
}
