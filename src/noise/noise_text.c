#include "noise/noise_text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"

/* The text, and how far it has been read. */
typedef struct cursor {
    const char *text, *at;
} cursor;

static void skip_blanks(cursor *c)
{
    while (isspace((unsigned char)*c->at))
        c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (*c->at != wanted)
        return false;
    c->at++;
    return true;
}

static size_t word_length(const cursor *c)
{
    size_t n = 0;
    while (isalnum((unsigned char)c->at[n]) || c->at[n] == '_')
        n++;
    return n;
}

static equant_status confused(const cursor *c, const char *wanted)
{
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "noise '%s': %s is wanted where it says '%.20s'", c->text, wanted,
                       *c->at ? c->at : "nothing more");
}

static equant_status read_kind(cursor *c, const noise_term_kind **kind)
{
    skip_blanks(c);
    size_t n = word_length(c);
    if (n == 0)
        return confused(c, "the name of a term");
    *kind = noise_catalogue_find(c->at, n);
    if (!*kind) {
        char names[256] = "";
        for (size_t i = 0; i < noise_catalogue_n(); i++) {
            strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
            strncat(names, noise_catalogue_at(i)->name, sizeof names - strlen(names) - 1);
        }
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': there is no term '%.*s'; there are %s", c->text,
                           (int)(n < 40 ? n : 40), c->at, names);
    }
    c->at += n;
    return EQUANT_SUCCESS;
}

/* "@HARPS-N": everything up to what can follow a term. */
static equant_status read_owner(cursor *c, noise_term *term)
{
    term->owner[0] = '\0';
    if (!take(c, '@'))
        return EQUANT_SUCCESS;
    size_t n = strcspn(c->at, "(),@ \t\n");
    if (n == 0)
        return confused(c, "the name of an instrument");
    if (n >= NOISE_TEXT_OWNER_SIZE)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': the name of an instrument has more than %d letters",
                           c->text, NOISE_TEXT_OWNER_SIZE - 1);
    memcpy(term->owner, c->at, n);
    term->owner[n] = '\0';
    c->at += n;
    return EQUANT_SUCCESS;
}

static size_t find_parameter(const noise_term_kind *kind, const char *name, size_t n)
{
    size_t index = 0;
    while (index < kind->n_parameters && !(strlen(kind->parameters[index].name) == n &&
                                           memcmp(kind->parameters[index].name, name, n) == 0))
        index++;
    return index;
}

/* Amplitude and period are the first parameters of both; nothing may be said yet of the others. */
static void turn_into_mep(noise_term *term, const char *name, size_t n)
{
    const noise_term_kind *rotation = noise_catalogue_at(NOISE_ROTATION),
                          *mep = noise_catalogue_at(NOISE_MEP);
    bool is_open = term->kind == rotation;
    for (size_t i = 2; i < rotation->n_parameters && is_open; i++)
        is_open = isnan(term->lowest[i]);
    if (is_open && find_parameter(rotation, name, n) == rotation->n_parameters &&
        find_parameter(mep, name, n) < mep->n_parameters)
        term->kind = mep;
}

static equant_status unknown_parameter(const cursor *c, const noise_term_kind *kind, size_t n)
{
    char names[160] = "";
    for (size_t i = 0; i < kind->n_parameters; i++) {
        strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, kind->parameters[i].name, sizeof names - strlen(names) - 1);
    }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "noise '%s': '%s' has no parameter '%.*s'; it has %s", c->text, kind->name,
                       (int)(n < 40 ? n : 40), c->at, names);
}

static equant_status read_number(cursor *c, double *value)
{
    char *end;
    skip_blanks(c);
    *value = decimal_text_read(c->at, &end);
    if (end == c->at)
        return confused(c, "a number");
    c->at = end;
    return EQUANT_SUCCESS;
}

static equant_status read_parameter(cursor *c, noise_term *term)
{
    skip_blanks(c);
    size_t n = word_length(c);
    turn_into_mep(term, c->at, n);
    const noise_term_kind *kind = term->kind;
    size_t index = find_parameter(kind, c->at, n);
    if (index == kind->n_parameters)
        return unknown_parameter(c, kind, n);
    const noise_parameter_kind *parameter = &kind->parameters[index];
    if (!isnan(term->lowest[index]))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "noise '%s': %s of '%s' is given twice",
                           c->text, parameter->name, kind->name);
    c->at += n;
    if (!take(c, '='))
        return confused(c, "'='");
    double lowest, highest;
    equant_status status = read_number(c, &lowest);
    highest = lowest;
    if (status == EQUANT_SUCCESS && take(c, ':'))
        status = read_number(c, &highest);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!(lowest > parameter->least && isfinite(lowest) && isfinite(highest)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "noise '%s': %s of '%s' must be above %g",
                           c->text, parameter->name, kind->name, parameter->least);
    if (!(lowest <= highest))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': %s of '%s' runs from %g to %g; the lower end comes first",
                           c->text, parameter->name, kind->name, lowest, highest);
    term->lowest[index] = lowest;
    term->highest[index] = highest;
    return EQUANT_SUCCESS;
}

static equant_status read_parameters(cursor *c, noise_term *term)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < NOISE_CATALOGUE_MOST_PARAMETERS; i++)
        term->lowest[i] = term->highest[i] = NAN;
    if (!take(c, '('))
        return status;
    do
        status = read_parameter(c, term);
    while (status == EQUANT_SUCCESS && take(c, ','));
    if (status == EQUANT_SUCCESS && !take(c, ')'))
        status = confused(c, "',' or ')'");
    return status;
}

equant_status noise_text_read(const char *text, noise_term *terms, size_t *n_terms)
{
    cursor c = {text, text};
    equant_status status = EQUANT_SUCCESS;
    *n_terms = 0;
    do {
        if (*n_terms == NOISE_TEXT_MOST_TERMS)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "noise '%s': more than %d terms",
                               text, NOISE_TEXT_MOST_TERMS);
        noise_term *term = &terms[*n_terms];
        status = read_kind(&c, &term->kind);
        if (status == EQUANT_SUCCESS)
            status = read_owner(&c, term);
        if (status == EQUANT_SUCCESS)
            status = read_parameters(&c, term);
        ++*n_terms;
    } while (status == EQUANT_SUCCESS && take(&c, ','));
    if (status == EQUANT_SUCCESS && *c.at)
        status = confused(&c, "',' or the end");
    return status;
}

static equant_status check_value(const char *text, const noise_term *term, size_t index)
{
    const noise_parameter_kind *parameter = &term->kind->parameters[index];
    if (isnan(term->lowest[index]))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "noise '%s': '%s' lacks %s (%s)", text,
                           term->kind->name, parameter->name, parameter->about);
    if (term->lowest[index] < term->highest[index])
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': %s of '%s' is a range; only a fit chooses from one, here "
                           "it needs a value",
                           text, parameter->name, term->kind->name);
    return EQUANT_SUCCESS;
}

equant_status noise_text_read_values(const char *text, noise_term *terms, size_t *n_terms)
{
    *n_terms = 0;
    equant_status status =
        strcmp(text, "white") == 0 ? EQUANT_SUCCESS : noise_text_read(text, terms, n_terms);
    for (size_t t = 0; t < *n_terms && status == EQUANT_SUCCESS; t++)
        for (size_t i = 0; i < terms[t].kind->n_parameters && status == EQUANT_SUCCESS; i++)
            status = check_value(text, &terms[t], i);
    return status;
}

bool noise_text_has_sense(const noise_term_kind *kind, const double *values)
{
    for (size_t i = 0; i < kind->n_parameters; i++)
        if (!(values[i] > kind->parameters[i].least && isfinite(values[i])))
            return false;
    return true;
}
