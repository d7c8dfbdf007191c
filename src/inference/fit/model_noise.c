/* Models beside an adopted one that differ in a term of their noise. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inference/fit/model_choice.h"
#include "inference/likelihood/noise_menu.h"

/* The next term of a text of noise, "night@HARPS(amplitude=1:3)", between commas that stand in no
 * bracket; NULL at the end. `n` is its length. */
static const char *next_term(const char *text, size_t *n)
{
    while (*text == ' ' || *text == ',')
        text++;
    int depth = 0;
    for (*n = 0; text[*n] != '\0' && (depth > 0 || text[*n] != ','); ++*n)
        depth += (text[*n] == '(') - (text[*n] == ')');
    return *n > 0 ? text : NULL;
}

/* The terms of the adopted model: as they were asked for, or as they were chosen. */
void model_noise_name(model_comparison *c)
{
    const char *asked = c->options.noise;
    size_t n = 0;
    if (equant_fit_n_noise_parameters(c->fit) == 0)
        return;
    if (asked && strcmp(asked, "auto") != 0) {
        snprintf(c->noise, sizeof c->noise, "%s", asked);
        return;
    }
    for (size_t i = 0; i < equant_fit_n_noise_parameters(c->fit); i++) {
        equant_fitted_noise_parameter own = {.struct_size = sizeof own}, last = own;
        if (equant_fit_noise_parameter(c->fit, i, &own) != EQUANT_SUCCESS)
            return;
        bool is_new =
            i == 0 || (equant_fit_noise_parameter(c->fit, i - 1, &last) == EQUANT_SUCCESS &&
                       strcmp(own.term, last.term) != 0);
        if (is_new && n + strlen(own.term) + 2 < sizeof c->noise)
            n += (size_t)snprintf(c->noise + n, sizeof c->noise - n, "%s%s", n > 0 ? "," : "",
                                  own.term);
    }
}

/* The adopted noise without each of its terms, and white noise. */
equant_status model_noise_without_terms(model_comparison *c)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n, n_terms = 0;
    for (const char *at = c->noise; (at = next_term(at, &n)) != NULL; at += n)
        n_terms++;
    for (const char *at = c->noise;
         status == EQUANT_SUCCESS && n_terms > 1 && (at = next_term(at, &n)) != NULL; at += n) {
        char rest[MODEL_NOISE_SIZE];
        const char *after = at + n + (at[n] == ',');
        size_t before = (size_t)(at - c->noise);
        while (*after == '\0' && before > 0 && strchr(", ", c->noise[before - 1]))
            before--;
        model_choice own = model_choice_named("noise without its terms", '\0');
        snprintf(own.name, sizeof own.name, "without %.*s", (int)strcspn(at, "(, "), at);
        snprintf(rest, sizeof rest, "%.*s%s", (int)before, c->noise, after);
        own.noise = rest;
        status = model_choice_fit(c, &own);
    }
    model_choice white = model_choice_named("white noise", '\0');
    white.noise = "";
    return status == EQUANT_SUCCESS && n_terms > 0 ? model_choice_fit(c, &white) : status;
}

/* Whether the data can carry noise of these terms: nights, for one, need several observations of
 * one. */
static equant_status find_room(const model_comparison *c, const char *terms, bool *has_room)
{
    noise_menu menu;
    equant_status status = noise_menu_create(c->dataset, &menu);
    if (status == EQUANT_SUCCESS) {
        status = noise_menu_take(c->dataset, terms, &menu);
        *has_room = status == EQUANT_SUCCESS;
    }
    noise_menu_free(&menu);
    return status == EQUANT_ERROR_INVALID_ARGUMENT ? EQUANT_SUCCESS : status;
}

/* Terms that `auto` offers, each beside the adopted noise where that has none of its kind. */
equant_status model_noise_with_terms(model_comparison *c)
{
    static const char *const offered[] = {"night", "rotation", "slow"};
    equant_status status = EQUANT_SUCCESS;
    double turns = equant_fit_rotation_days(c->fit, NULL);
    for (size_t i = 0; i < sizeof offered / sizeof *offered && status == EQUANT_SUCCESS; i++) {
        char all[MODEL_NOISE_SIZE];
        model_choice own = model_choice_named("", '\0');
        bool has_room = false;
        bool is_there = strstr(c->noise, offered[i]) != NULL ||
                        (strcmp(offered[i], "rotation") == 0 && !isnan(turns));
        if (is_there || strlen(c->noise) + strlen(offered[i]) + 2 > sizeof all)
            continue;
        snprintf(own.name, sizeof own.name, "with %.40s", offered[i]);
        snprintf(all, sizeof all, "%s%s%s", c->noise, c->noise[0] ? "," : "", offered[i]);
        own.noise = all;
        status = find_room(c, all, &has_room);
        if (status == EQUANT_SUCCESS && has_room)
            status = model_choice_fit(c, &own);
    }
    return status;
}
