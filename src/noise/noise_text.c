#include "noise/noise_text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status.h"

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

static equant_status read_parameter(cursor *c, noise_term *term)
{
    const noise_term_kind *kind = term->kind;
    skip_blanks(c);
    size_t n = word_length(c), index = 0;
    while (index < kind->n_parameters && !(strlen(kind->parameters[index].name) == n &&
                                           memcmp(kind->parameters[index].name, c->at, n) == 0))
        index++;
    if (index == kind->n_parameters)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': '%s' has no parameter '%.*s'", c->text, kind->name,
                           (int)(n < 40 ? n : 40), c->at);
    if (!isnan(term->values[index]))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "noise '%s': %s of '%s' is given twice",
                           c->text, kind->parameters[index].name, kind->name);
    c->at += n;
    if (!take(c, '='))
        return confused(c, "'='");
    char *end;
    skip_blanks(c);
    double value = decimal_text_read(c->at, &end);
    if (end == c->at)
        return confused(c, "a number");
    c->at = end;
    if (!(value > kind->parameters[index].least && isfinite(value)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "noise '%s': %s of '%s' must be above %g",
                           c->text, kind->parameters[index].name, kind->name,
                           kind->parameters[index].least);
    term->values[index] = value;
    return EQUANT_SUCCESS;
}

static equant_status read_parameters(cursor *c, noise_term *term)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < NOISE_CATALOGUE_MOST_PARAMETERS; i++)
        term->values[i] = NAN;
    if (take(c, '(')) {
        do
            status = read_parameter(c, term);
        while (status == EQUANT_SUCCESS && take(c, ','));
        if (status == EQUANT_SUCCESS && !take(c, ')'))
            status = confused(c, "',' or ')'");
    }
    for (size_t i = 0; i < term->kind->n_parameters && status == EQUANT_SUCCESS; i++)
        if (isnan(term->values[i]))
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "noise '%s': '%s' lacks %s (%s)",
                                 c->text, term->kind->name, term->kind->parameters[i].name,
                                 term->kind->parameters[i].about);
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
            status = read_parameters(&c, term);
        ++*n_terms;
    } while (status == EQUANT_SUCCESS && take(&c, ','));
    if (status == EQUANT_SUCCESS && *c.at)
        status = confused(&c, "',' or the end");
    return status;
}

bool noise_text_has_sense(const noise_term_kind *kind, const double *values)
{
    for (size_t i = 0; i < kind->n_parameters; i++)
        if (!(values[i] > kind->parameters[i].least && isfinite(values[i])))
            return false;
    return true;
}
