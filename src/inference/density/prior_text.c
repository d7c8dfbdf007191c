#define _GNU_SOURCE /* strtod_l */
#include "inference/density/prior_text.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBERS = 4 };

/* How a kind of prior is written. */
typedef struct prior_form {
    prior_kind kind;
    const char *name;
    size_t n_numbers;
    bool takes_bounds; /* two numbers more, or none */
    const char *complaint;
} prior_form;

/* In the order of prior_kind. */
static const prior_form forms[N_PRIOR_KINDS] = {
    {PRIOR_FIXED, "fixed", 1, false, "should read fixed(value)"},
    {PRIOR_UNIFORM, "uniform", 2, false, "should read uniform(lower, upper)"},
    {PRIOR_LOG_UNIFORM, "log-uniform", 2, false, "should read log-uniform(lower, upper)"},
    {PRIOR_MODIFIED_LOG_UNIFORM, "modified-log-uniform", 2, false,
     "should read modified-log-uniform(knee, upper)"},
    {PRIOR_FALLING_LIMIT, "ford-gregory", 3, false,
     "should read ford-gregory(knee, upper, period)"},
    {PRIOR_NORMAL, "normal", 2, true,
     "should read normal(mean, sigma) or normal(mean, sigma, lower, upper)"},
    {PRIOR_BETA, "beta", 2, true,
     "should read beta(alpha, beta) or beta(alpha, beta, lower, upper)"},
    {PRIOR_RAYLEIGH, "rayleigh", 1, true,
     "should read rayleigh(scale) or rayleigh(scale, lower, upper)"},
};

static const char *skip_blanks(const char *c)
{
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

static const prior_form *find_form(const char *name, size_t n_bytes)
{
    for (size_t i = 0; i < N_PRIOR_KINDS; i++)
        if (strlen(forms[i].name) == n_bytes && memcmp(forms[i].name, name, n_bytes) == 0)
            return &forms[i];
    return NULL;
}

/* Reads "1, 2, 3)" and the end of the text; returns the count, or MAX_NUMBERS + 1 where it is
 * something else. */
static size_t read_numbers(const char *c, locale_t locale, double numbers[MAX_NUMBERS])
{
    for (size_t n = 0; n < MAX_NUMBERS; n++) {
        char *end;
        numbers[n] = strtod_l(c, &end, locale);
        if (end == c)
            break;
        c = skip_blanks(end);
        if (*c == ')')
            return *skip_blanks(c + 1) == '\0' ? n + 1 : MAX_NUMBERS + 1;
        if (*c++ != ',')
            break;
    }
    return MAX_NUMBERS + 1;
}

static prior_density make(const prior_form *form, const double n[MAX_NUMBERS], double lower,
                          double upper)
{
    switch (form->kind) {
    case PRIOR_UNIFORM:
        return prior_density_uniform(n[0], n[1]);
    case PRIOR_LOG_UNIFORM:
        return prior_density_log_uniform(n[0], n[1]);
    case PRIOR_MODIFIED_LOG_UNIFORM:
        return prior_density_modified_log_uniform(n[0], 0.0, n[1]);
    case PRIOR_FALLING_LIMIT:
        return prior_density_falling_limit(n[0], n[1], n[2]);
    case PRIOR_NORMAL:
        return prior_density_normal(n[0], n[1], lower, upper);
    case PRIOR_BETA:
        return prior_density_beta(n[0], n[1], lower, upper);
    case PRIOR_RAYLEIGH:
        return prior_density_rayleigh(n[0], lower, upper);
    default:
        return prior_density_fixed(n[0]);
    }
}

/* Bounds that nobody asked for do not reach beyond what the density is made for. */
static void limit_to_kind(prior_kind kind, double *lower, double *upper)
{
    if (kind == PRIOR_BETA || kind == PRIOR_RAYLEIGH)
        *lower = fmax(*lower, 0.0);
    if (kind == PRIOR_BETA)
        *upper = fmin(*upper, 1.0);
}

/* A number without a name is a fixed value. */
static bool read_bare_number(const char *text, locale_t locale, prior_density *made)
{
    char *end;
    double value = strtod_l(text, &end, locale);
    if (end == text || *skip_blanks(end) != '\0')
        return false;
    *made = prior_density_fixed(value);
    return true;
}

static const char *read_in_locale(const char *text, locale_t locale, double lower, double upper,
                                  prior_density *made)
{
    double numbers[MAX_NUMBERS] = {0.0};
    text = skip_blanks(text);
    prior_density read;
    if (!read_bare_number(text, locale, &read)) {
        size_t length = strcspn(text, " \t(");
        const prior_form *form = find_form(text, length);
        if (!form)
            return "is no prior: there are fixed, uniform, log-uniform, modified-log-uniform, "
                   "ford-gregory, normal, beta and rayleigh";
        const char *open = skip_blanks(text + length);
        size_t n = *open == '(' ? read_numbers(open + 1, locale, numbers) : MAX_NUMBERS + 1;
        bool with_bounds = form->takes_bounds && n == form->n_numbers + 2;
        if (n != form->n_numbers && !with_bounds)
            return form->complaint;
        if (with_bounds) {
            lower = numbers[n - 2];
            upper = numbers[n - 1];
        } else {
            limit_to_kind(form->kind, &lower, &upper);
        }
        read = make(form, numbers, lower, upper);
    }
    if (!prior_density_is_proper(&read))
        return "is no density: its numbers are not finite, a width is not positive, or nothing "
               "lies between the bounds";
    *made = read;
    return NULL;
}

const char *prior_text_read(const char *text, double lower, double upper, prior_density *made)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0)
        return "cannot be read: the C locale is missing";
    const char *complaint = read_in_locale(text, locale, lower, upper, made);
    freelocale(locale);
    return complaint;
}

/* The numbers that prior_text_read would ask for; returns how many. */
static size_t numbers_of(const prior_density *prior, double numbers[MAX_NUMBERS])
{
    size_t n = 0;
    if (prior->kind != PRIOR_UNIFORM && prior->kind != PRIOR_LOG_UNIFORM)
        numbers[n++] = prior->first;
    if (prior->kind == PRIOR_NORMAL || prior->kind == PRIOR_BETA)
        numbers[n++] = prior->second;
    if (prior->kind == PRIOR_FIXED)
        return n;
    if (prior->kind != PRIOR_MODIFIED_LOG_UNIFORM && prior->kind != PRIOR_FALLING_LIMIT)
        numbers[n++] = prior->lower;
    numbers[n++] = prior->upper;
    if (prior->kind == PRIOR_FALLING_LIMIT)
        numbers[n++] = prior->second;
    return n;
}

/* With as few digits as tell it from its neighbours. */
static void write_number(double number, char *text, size_t n_bytes)
{
    snprintf(text, n_bytes, "%.15g", number);
    if (strtod(text, NULL) != number)
        snprintf(text, n_bytes, "%.17g", number);
}

void prior_text_write(const prior_density *prior, char text[PRIOR_TEXT_SIZE])
{
    double numbers[MAX_NUMBERS];
    size_t n = numbers_of(prior, numbers), at = 0;
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(locale); /* where it is missing, the caller's stays */
    at += (size_t)snprintf(text, PRIOR_TEXT_SIZE, "%s(", forms[prior->kind].name);
    for (size_t i = 0; i < n; i++) {
        char number[32];
        write_number(numbers[i], number, sizeof number);
        at += (size_t)snprintf(text + at, PRIOR_TEXT_SIZE - at, "%s%s", number,
                               i + 1 < n ? ", " : ")");
    }
    uselocale(before);
    if (locale != (locale_t)0)
        freelocale(locale);
}
