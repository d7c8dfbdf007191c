/* Models that differ from an adopted fit by one choice. Each is a fit with states: those of the
 * caller, periods held near the planets of the fit, and the choice. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/fit/fit_model.h"
#include "inference/fit/model_choice.h"

enum { SENTENCE_SIZE = 400, MOST_LETTERS = 20 };

typedef struct table_row {
    char name[MODEL_NAME_SIZE];
    equant_compared_model model;
} table_row;

struct equant_model_table {
    size_t n, capacity;
    table_row *rows;
};

/* ---- rows ------------------------------------------------------------------------------------ */

static double aicc_of(size_t n_obs, size_t n_fitted, double log_likelihood)
{
    double n = (double)n_obs, k = (double)n_fitted;
    return n > k + 1.0 ? 2.0 * (k - log_likelihood) + 2.0 * k * (k + 1.0) / (n - k - 1.0)
                       : INFINITY;
}

static equant_status model_choice_add(model_comparison *c, const char *name,
                                      equant_compared_model model)
{
    equant_model_table *table = c->table;
    if (table->n == table->capacity) {
        size_t capacity = 2 * table->capacity + 8;
        table_row *rows = realloc(table->rows, capacity * sizeof *rows);
        if (!rows)
            return status_out_of_memory();
        table->rows = rows;
        table->capacity = capacity;
    }
    table_row *row = &table->rows[table->n++];
    snprintf(row->name, sizeof row->name, "%s", name);
    row->model = model;
    row->model.aicc = aicc_of(c->adopted.n_obs, model.n_fitted, model.log_likelihood);
    return EQUANT_SUCCESS;
}

static const char *words_of(double delta_bic)
{
    return delta_bic == 0.0   ? "best"
           : delta_bic < 2.0  ? "no worse"
           : delta_bic < 6.0  ? "worse"
           : delta_bic < 10.0 ? "much worse"
                              : "ruled out";
}

static void put_into_words(equant_model_table *table)
{
    double lowest = INFINITY;
    for (size_t i = 0; i < table->n; i++)
        lowest = fmin(lowest, table->rows[i].model.bic);
    for (size_t i = 0; i < table->n; i++) {
        table->rows[i].model.name = table->rows[i].name;
        table->rows[i].model.words = words_of(table->rows[i].model.bic - lowest);
    }
}

/* ---- states of a model ----------------------------------------------------------------------- */

static bool is_of(const char *name, char letter, const char *quantities)
{
    const char *own = name + 2;
    size_t n = strlen(own);
    if (letter == '\0' || name[0] != letter || name[1] != '.')
        return false;
    for (const char *at = quantities; (at = strstr(at, own)) != NULL; at++)
        if ((at == quantities || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

static bool is_circle_of(const model_choice *own, char letter)
{
    return own->are_circles || own->circle == letter;
}

/* Whether a state of the caller's has no place in a model. */
static bool is_dropped(const model_choice *own, const char *name)
{
    static const char shape[] = "eccentricity omega_rad omega_deg t_peri m0_rad m0_deg";
    bool is_of_planet = name[0] != '\0' && name[1] == '.';
    if (is_of_planet)
        return (is_circle_of(own, name[0]) && is_of(name, name[0], shape)) ||
               is_of(name, own->ellipse, "eccentricity");
    if (own->has_no_jitter && strncmp(name, "jitter", 6) == 0)
        return true;
    if (own->trend < 0 || strncmp(name, "trend", 5) != 0)
        return false;
    return strcmp(name, "trend_m_s_day2") == 0  ? own->trend < 2
           : strcmp(name, "trend_m_s_day") == 0 ? own->trend < 1
                                                : true;
}

static equant_status say(equant_states *states, const char *name, const char *value)
{
    char sentence[SENTENCE_SIZE];
    snprintf(sentence, sizeof sentence, "%.120s=%.250s", name, value);
    return equant_states_set(states, sentence, NULL);
}

static equant_status name_planets(const model_comparison *c, equant_states *states)
{
    char letters[2 * MOST_LETTERS + 1] = "";
    size_t n = 0;
    for (size_t p = 0; p < equant_fit_n_planets(c->fit) && p < MOST_LETTERS; p++) {
        char letter = equant_fit_letter(c->fit, p);
        if (n > 0)
            letters[n++] = ',';
        letters[n++] = letter;
    }
    letters[n] = '\0';
    return n > 0 ? equant_states_name_planets(states, letters, NULL) : EQUANT_SUCCESS;
}

static bool says(const equant_states *states, const char *name)
{
    for (size_t i = 0; i < equant_states_n(states); i++)
        if (strcmp(equant_states_name(states, i), name) == 0)
            return true;
    return false;
}

/* A period that no state has stays where no observation slips by half a turn. */
static equant_status hold_planet(const model_comparison *c, const model_choice *own, size_t index,
                                 equant_states *states)
{
    char name[32], value[80], letter = equant_fit_letter(c->fit, index);
    equant_planet planet = {.struct_size = sizeof planet};
    equant_status status = equant_fit_planet(c->fit, index, &planet);
    if (status != EQUANT_SUCCESS)
        return status;
    double days = planet.period_days, slip = fmin(0.5 * days / c->span_days, 0.5);
    snprintf(name, sizeof name, "%c.period_days", letter);
    decimal_text_print(value, sizeof value, "%.17g:%.17g", days / (1.0 + slip),
                       days / (1.0 - slip));
    if (!says(states, name))
        status = say(states, name, value);
    snprintf(name, sizeof name, "%c.eccentricity", letter);
    if (status == EQUANT_SUCCESS && is_circle_of(own, letter))
        status = say(states, name, "0");
    return status;
}

/* Whether a state is about noise: it goes with the terms of the adopted model. */
static bool is_of_noise(const char *name)
{
    char own[MODEL_NAME_SIZE];
    size_t index;
    equant_quantity_info kind = {.struct_size = sizeof kind};
    snprintf(own, sizeof own, "%.*s", (int)strcspn(name, "["), name);
    return equant_quantity_find(own, &index) == EQUANT_SUCCESS &&
           equant_quantity_at(index, &kind) == EQUANT_SUCCESS &&
           kind.role == EQUANT_QUANTITY_NOISE && kind.axis == EQUANT_QUANTITY_ALONE;
}

static equant_status make_states(const model_comparison *c, const model_choice *own,
                                 equant_states *states)
{
    static const char *const trends[] = {"none", "linear", "quadratic"};
    const equant_states *given = c->options.states;
    equant_status status = name_planets(c, states);
    for (size_t i = 0; i < equant_states_n(given) && status == EQUANT_SUCCESS; i++)
        if (!is_dropped(own, equant_states_name(given, i)) &&
            !(own->noise && is_of_noise(equant_states_name(given, i))))
            status = say(states, equant_states_name(given, i), equant_states_text(given, i));
    for (size_t p = 0; p < equant_fit_n_planets(c->fit) && status == EQUANT_SUCCESS; p++)
        status = hold_planet(c, own, p, states);
    int trend = own->trend >= 0 ? own->trend : trend_order_of(equant_fit_trend(c->fit));
    if (status == EQUANT_SUCCESS && !says(states, "trend"))
        status = say(states, "trend", trends[trend]);
    if (status == EQUANT_SUCCESS && own->has_no_jitter)
        status = say(states, "jitter", "0");
    return status;
}

/* ---- models ---------------------------------------------------------------------------------- */

equant_status model_choice_fit(model_comparison *c, const model_choice *own)
{
    equant_states *states = NULL;
    equant_fit *fit = NULL;
    equant_fit_summary found = {.struct_size = sizeof found};
    equant_fit_options options = c->options;
    equant_status status = equant_states_create(&states);
    if (status == EQUANT_SUCCESS)
        status = make_states(c, own, states);
    if (status == EQUANT_SUCCESS) {
        size_t n_planets = equant_states_n_planets(states);
        options.n_planets = n_planets > 0 ? (int)n_planets : -1;
        options.states = states;
        options.n_known = options.n_fixed = 0;
        options.known = NULL;
        options.method = EQUANT_FIT_SCAN;
        const char *noise = own->noise ? own->noise : c->noise;
        options.noise = noise[0] ? noise : "white";
        options.outliers = options.indicators = NULL;
        options.indicators_as_series = 0;
        options.budget_s = 0.0;
        status = fit_model(c->dataset, &options, true, &fit);
    }
    if (status == EQUANT_SUCCESS)
        status = equant_fit_summarize(fit, &found);
    if (status == EQUANT_SUCCESS)
        status = model_choice_add(c, own->name,
                                  (equant_compared_model){.n_planets = equant_fit_n_planets(fit),
                                                          .n_fitted = found.n_fitted,
                                                          .log_likelihood = found.log_likelihood,
                                                          .bic = found.bic,
                                                          .delta_log_evidence = NAN});
    equant_fit_free(fit);
    equant_states_free(states);
    return status;
}

model_choice model_choice_named(const char *form, char letter)
{
    model_choice made = {.trend = -1};
    snprintf(made.name, sizeof made.name, form, letter);
    return made;
}

static bool is_circle(const model_comparison *c, char letter)
{
    char name[32];
    snprintf(name, sizeof name, "%c.eccentricity", letter);
    for (size_t i = 0; i < equant_states_n(c->options.states); i++)
        if (strcmp(equant_states_name(c->options.states, i), name) == 0) {
            char *end = NULL;
            double e = decimal_text_read(equant_states_text(c->options.states, i), &end);
            return e == 0.0 && *end == '\0';
        }
    return false;
}

static equant_status fit_shapes(model_comparison *c)
{
    size_t n = equant_fit_n_planets(c->fit), n_ellipses = 0;
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = 0; p < n && status == EQUANT_SUCCESS; p++) {
        char letter = equant_fit_letter(c->fit, p);
        bool was_circle = is_circle(c, letter);
        model_choice own = model_choice_named(
            was_circle ? "planet %c on an ellipse" : "planet %c on a circle", letter);
        *(was_circle ? &own.ellipse : &own.circle) = letter;
        n_ellipses += !was_circle;
        status = model_choice_fit(c, &own);
    }
    model_choice all = model_choice_named("all planets on circles", '\0');
    all.are_circles = true;
    return status == EQUANT_SUCCESS && n_ellipses > 1 ? model_choice_fit(c, &all) : status;
}

static equant_status fit_trends(model_comparison *c)
{
    static const char *const names[] = {"no trend", "linear trend", "quadratic trend"};
    equant_status status = EQUANT_SUCCESS;
    for (int trend = 0; trend < 3 && status == EQUANT_SUCCESS; trend++) {
        model_choice own = model_choice_named(names[trend], '\0');
        own.trend = trend;
        if (trend != trend_order_of(equant_fit_trend(c->fit)))
            status = model_choice_fit(c, &own);
    }
    return status;
}

/* What the fit looked at last and refused. */
static equant_status add_candidate(model_comparison *c)
{
    equant_planet own = {.struct_size = sizeof own};
    if (equant_fit_candidate(c->fit, &own) != EQUANT_SUCCESS)
        return EQUANT_SUCCESS;
    double more = (2.0 * own.log_likelihood_gain + -own.delta_bic) / log((double)c->adopted.n_obs);
    char name[MODEL_NAME_SIZE];
    decimal_text_print(name, sizeof name, "with a planet of %.4g days", own.period_days);
    /* One that would have taken the place of a trend is not one more. */
    if (!(more > 2.5))
        return EQUANT_SUCCESS;
    return model_choice_add(
        c, name,
        (equant_compared_model){
            .n_planets = equant_fit_n_planets(c->fit) + 1,
            .n_fitted = c->adopted.n_fitted + (size_t)lround(more),
            .log_likelihood = c->adopted.log_likelihood + own.log_likelihood_gain,
            .bic = c->adopted.bic - own.delta_bic,
            .delta_log_evidence = log(own.probability) - log(own.false_inclusion)});
}

/* The models that lack one planet, as the fit itself has refitted them: the table of a fit has the
 * same rows. */
static equant_status add_without_planets(model_comparison *c)
{
    size_t n = equant_fit_n_planets(c->fit);
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = 0; p < n && status == EQUANT_SUCCESS; p++) {
        equant_planet own = {.struct_size = sizeof own};
        model_choice lost = model_choice_named(n > 1 ? "without planet %c" : "without planets",
                                               equant_fit_letter(c->fit, p));
        status = equant_fit_planet(c->fit, p, &own);
        /* BIC = k ln n - 2 ln L tells how many parameters a planet has. */
        double fewer =
            (2.0 * own.log_likelihood_gain - own.delta_bic) / log((double)c->adopted.n_obs);
        if (status == EQUANT_SUCCESS && isfinite(fewer))
            status = model_choice_add(
                c, lost.name,
                (equant_compared_model){
                    .n_planets = n - 1,
                    .n_fitted = c->adopted.n_fitted - (size_t)lround(fewer),
                    .log_likelihood = c->adopted.log_likelihood - own.log_likelihood_gain,
                    .bic = c->adopted.bic + own.delta_bic,
                    .delta_log_evidence = log(own.false_inclusion) - log(own.probability)});
    }
    return status;
}

/* Beside indicators and outliers, which a fit with states would choose anew: white noise. */
static equant_status compare_noise(model_comparison *c)
{
    model_choice white = model_choice_named("white noise", '\0');
    white.noise = "";
    return model_choice_fit(c, &white);
}

static equant_status compare_all(model_comparison *c)
{
    model_choice quiet = model_choice_named("no jitter", '\0');
    quiet.has_no_jitter = true;
    equant_status status =
        model_choice_add(c, "adopted",
                         (equant_compared_model){.is_adopted = 1,
                                                 .n_planets = equant_fit_n_planets(c->fit),
                                                 .n_fitted = c->adopted.n_fitted,
                                                 .log_likelihood = c->adopted.log_likelihood,
                                                 .bic = c->adopted.bic});
    if (status != EQUANT_SUCCESS)
        return status;
    status = add_without_planets(c);
    if (status != EQUANT_SUCCESS)
        return status;
    if (equant_fit_n_indicators(c->fit) > 0 || equant_fit_n_outliers(c->fit) > 0 ||
        equant_fit_n_series(c->fit) > 0)
        return compare_noise(c);
    model_noise_name(c);
    status = fit_shapes(c);
    if (status == EQUANT_SUCCESS)
        status = fit_trends(c);
    if (status == EQUANT_SUCCESS && !c->options.no_jitter)
        status = model_choice_fit(c, &quiet);
    if (status == EQUANT_SUCCESS)
        status = model_noise_without_terms(c);
    bool may_choose = c->options.noise && strcmp(c->options.noise, "white") != 0;
    if (status == EQUANT_SUCCESS && may_choose && !c->options.no_jitter)
        status = model_noise_with_terms(c);
    return status == EQUANT_SUCCESS ? add_candidate(c) : status;
}

equant_status equant_models_compare(const equant_dataset *dataset, const equant_fit *fit,
                                    const equant_fit_options *options, equant_model_table **table)
{
    if (!dataset || !fit || !table)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "models are compared of data and a fit, and need a place to be put");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    const double *times = equant_dataset_times_days(dataset);
    model_comparison c = {.dataset = dataset,
                          .fit = fit,
                          .adopted = {.struct_size = sizeof c.adopted},
                          .span_days = times[equant_dataset_n_obs(dataset) - 1] - times[0]};
    if (options) {
        size_t known = options->struct_size;
        memcpy(&c.options, options, known < sizeof c.options ? known : sizeof c.options);
    }
    c.options.struct_size = sizeof c.options;
    status = equant_fit_summarize(fit, &c.adopted);
    c.table = calloc(1, sizeof *c.table);
    if (status == EQUANT_SUCCESS && !c.table)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = compare_all(&c);
    if (status != EQUANT_SUCCESS) {
        equant_model_table_free(c.table);
        return status;
    }
    put_into_words(c.table);
    *table = c.table;
    return EQUANT_SUCCESS;
}

void equant_model_table_free(equant_model_table *table)
{
    if (table)
        free(table->rows);
    free(table);
}

size_t equant_model_table_n(const equant_model_table *table)
{
    return table ? table->n : 0;
}

equant_status equant_model_table_at(const equant_model_table *table, size_t index,
                                    equant_compared_model *model)
{
    if (index >= equant_model_table_n(table))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no model %zu", index);
    equant_status status = OPTIONS_CHECK(model);
    if (!model || status != EQUANT_SUCCESS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a model needs a place whose struct_size says how large it is");
    equant_compared_model known = table->rows[index].model;
    OPTIONS_FILL(known, model);
    return EQUANT_SUCCESS;
}
