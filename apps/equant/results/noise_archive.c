#include "results/noise_archive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "terminal/bounded_number.h"

#define COPY(into, from) snprintf(into, sizeof(into), "%s", from)

/* Where a path leads: a list of the noise, the index in it, and what follows. */
struct place {
    char list[STAR_NOISE_WORD_SIZE], rest[2 * STAR_NOISE_WORD_SIZE];
    size_t index;
};

static bool find_place(const char *path, struct place *found)
{
    *found = (struct place){0};
    return sscanf(path, "noise.%31[a-z][%zu].%63s", found->list, &found->index, found->rest) == 3;
}

static bool is_in(const struct place *place, const char *list, size_t most)
{
    return strcmp(place->list, list) == 0 && place->index < most;
}

/* The parameters of a term follow its name; the first of them already has it. */
static struct star_noise_parameter *find_parameter(struct star_noise *noise, const char *rest,
                                                   char member[STAR_NOISE_WORD_SIZE])
{
    char name[STAR_NOISE_WORD_SIZE];
    if (sscanf(rest, "parameters.%31[^.].%31s", name, member) != 2)
        return NULL;
    size_t n = noise->n_parameters;
    struct star_noise_parameter *last = n > 0 ? &noise->parameters[n - 1] : NULL;
    if (last != NULL && (last->name[0] == '\0' || strcmp(last->name, name) == 0)) {
        COPY(last->name, name);
        return last;
    }
    if (last == NULL || n == STAR_NOISE_MOST_PARAMETERS)
        return NULL;
    struct star_noise_parameter *next = &noise->parameters[noise->n_parameters++];
    *next = (struct star_noise_parameter){.value = NAN};
    memcpy(next->term, last->term, sizeof next->term);
    COPY(next->name, name);
    return next;
}

static void begin_term(struct star_noise *noise, const char *name)
{
    if (noise->n_parameters < STAR_NOISE_MOST_PARAMETERS) {
        struct star_noise_parameter *first = &noise->parameters[noise->n_parameters++];
        *first = (struct star_noise_parameter){.value = NAN};
        COPY(first->term, name);
    }
}

/* Terms come before those that were tried. */
static void find_choice(const struct star_noise *noise, struct star_noise_trial *trial)
{
    for (size_t i = 0; i < noise->n_parameters; i++)
        trial->is_chosen |= strcmp(noise->parameters[i].term, trial->term) == 0;
}

/* "mep" of HARPS becomes "mep@HARPS". */
static void add_owner(char term[STAR_NOISE_TERM_SIZE], const char *instrument)
{
    size_t n = strlen(term);
    snprintf(term + n, STAR_NOISE_TERM_SIZE - n, "@%s", instrument);
}

static void put_indicator(struct star_noise_indicator *own, const char *name, double value)
{
    double *place = strcmp(name, "slope_m_s") == 0        ? &own->slope_m_s
                    : strcmp(name, "slope_m_s_err") == 0  ? &own->slope_m_s_err
                    : strcmp(name, "mean") == 0           ? &own->mean
                    : strcmp(name, "deviation") == 0      ? &own->deviation
                    : strcmp(name, "smoothing_days") == 0 ? &own->smoothing_days
                                                          : NULL;
    if (place != NULL)
        *place = value;
}

static void put_series(struct star_noise_series *own, const char *name, double value)
{
    double *place = strcmp(name, "scale") == 0        ? &own->scale
                    : strcmp(name, "scale_err") == 0  ? &own->scale_err
                    : strcmp(name, "rate") == 0       ? &own->rate
                    : strcmp(name, "rate_err") == 0   ? &own->rate_err
                    : strcmp(name, "jitter") == 0     ? &own->jitter
                    : strcmp(name, "jitter_err") == 0 ? &own->jitter_err
                                                      : NULL;
    if (place != NULL)
        *place = value;
}

bool noise_archive_take_number(struct star_noise *noise, const char *path, double value)
{
    struct place place;
    char member[STAR_NOISE_WORD_SIZE];
    struct star_noise_parameter *parameter;
    if (strcmp(path, "noise.lead_days") == 0) {
        noise->has_series = true;
        noise->lead_days = value;
    }
    if (strcmp(path, "noise.lead_days_err") == 0)
        noise->lead_days_err = value;
    if (!find_place(path, &place))
        return strncmp(path, "noise.", strlen("noise.")) == 0;
    if (is_in(&place, "terms", STAR_NOISE_MOST_TERMS)) {
        parameter = find_parameter(noise, place.rest, member);
        if (parameter != NULL && strcmp(member, "value") == 0)
            parameter->value = value;
        else if (parameter != NULL && strcmp(member, "err") == 0)
            parameter->err = value;
    } else if (is_in(&place, "indicators", noise->n_indicators)) {
        put_indicator(&noise->indicators[place.index], place.rest, value);
    } else if (is_in(&place, "series", noise->n_series)) {
        put_series(&noise->series[place.index], place.rest, value);
    } else if (is_in(&place, "tried", noise->n_trials)) {
        struct star_noise_trial *trial = &noise->trials[place.index];
        if (strcmp(place.rest, "delta_lnl") == 0)
            trial->log_likelihood_gain = value;
        else if (strcmp(place.rest, "delta_bic") == 0)
            trial->delta_bic = value;
    }
    return true;
}

bool noise_archive_take_boolean(struct star_noise *noise, const char *path, bool value)
{
    struct place place;
    char member[STAR_NOISE_WORD_SIZE];
    if (!find_place(path, &place) || !is_in(&place, "terms", STAR_NOISE_MOST_TERMS))
        return false;
    struct star_noise_parameter *parameter = find_parameter(noise, place.rest, member);
    if (parameter != NULL && strcmp(member, "fixed") == 0)
        parameter->is_fixed = value;
    return true;
}

bool noise_archive_take_outlier(struct star_outliers *outliers, const char *path, double value)
{
    size_t i, j;
    char name[STAR_NOISE_WORD_SIZE];
    if (sscanf(path, "outliers[%zu].%31s", &i, name) != 2)
        return false;
    if (i >= outliers->n && star_outliers_add(outliers) == NULL)
        return true;
    struct star_outlier *own = &outliers->list[outliers->n - 1];
    if (sscanf(name, "rows[%zu]", &j) == 1)
        star_outliers_add_row(own, (size_t)bounded_count(value));
    else if (strcmp(name, "deviation_m_s") == 0)
        own->deviation_m_s = value;
    else if (strcmp(name, "expected_m_s") == 0)
        own->expected_m_s = value;
    else if (strcmp(name, "widening_m_s") == 0)
        own->widening_m_s = value;
    own->is_night = own->n_rows > 1;
    return true;
}

bool noise_archive_take_string(struct star_noise *noise, const char *path, const char *value)
{
    struct place place;
    char member[STAR_NOISE_WORD_SIZE];
    struct star_noise_parameter *parameter;
    if (!find_place(path, &place))
        return false;
    bool is_name = strcmp(place.rest, "name") == 0;
    bool is_instrument = strcmp(place.rest, "instrument") == 0;
    if (is_in(&place, "terms", STAR_NOISE_MOST_TERMS) && is_name) {
        begin_term(noise, value);
    } else if (is_in(&place, "terms", STAR_NOISE_MOST_TERMS) && is_instrument) {
        if (noise->n_parameters > 0)
            add_owner(noise->parameters[noise->n_parameters - 1].term, value);
    } else if (is_in(&place, "tried", noise->n_trials) && is_instrument) {
        add_owner(noise->trials[place.index].term, value);
        find_choice(noise, &noise->trials[place.index]);
    } else if (is_in(&place, "terms", STAR_NOISE_MOST_TERMS)) {
        parameter = find_parameter(noise, place.rest, member);
        if (parameter != NULL && strcmp(member, "unit") == 0)
            COPY(parameter->unit, value);
    } else if (is_in(&place, "indicators", STAR_NOISE_MOST_INDICATORS) && is_name &&
               place.index == noise->n_indicators) {
        struct star_noise_indicator *own = &noise->indicators[noise->n_indicators++];
        *own = (struct star_noise_indicator){.deviation = 1.0};
        COPY(own->name, value);
    } else if (is_in(&place, "series", STAR_NOISE_MOST_TERMS) && is_name &&
               place.index == noise->n_series) {
        struct star_noise_series *own = &noise->series[noise->n_series++];
        *own = (struct star_noise_series){0};
        COPY(own->name, value);
    } else if (is_in(&place, "tried", STAR_NOISE_MOST_TERMS) && is_name &&
               place.index == noise->n_trials) {
        struct star_noise_trial *trial = &noise->trials[noise->n_trials++];
        *trial = (struct star_noise_trial){0};
        COPY(trial->term, value);
        find_choice(noise, trial);
    }
    return true;
}

struct star_noise_indicator *noise_archive_instrument(struct star_noise *noise, const char *path)
{
    struct place place;
    return find_place(path, &place) && is_in(&place, "indicators", noise->n_indicators) &&
                   strcmp(place.rest, "instrument") == 0
               ? &noise->indicators[place.index]
               : NULL;
}
