#include "inference/priors/prior_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal_text.h"

/* Members of a prior_density that a text gives. */
typedef enum prior_member { FIRST, SECOND, LOWER, UPPER, N_MEMBERS } prior_member;

typedef struct prior_argument {
    const char *name; /* NULL: there is none */
    prior_member member;
} prior_argument;

enum { MOST_ARGUMENTS = 3, MOST_NUMBERS = MOST_ARGUMENTS + 2 };

/* How a kind of prior is written. */
typedef struct prior_form {
    const char *name;
    prior_argument arguments[MOST_ARGUMENTS];
    bool takes_bounds;      /* lower and upper may follow */
    double lowest, highest; /* bounds that nobody asked for do not reach beyond */
} prior_form;

static const prior_form forms[] = {
    [PRIOR_FIXED] = {"fixed", {{"value", FIRST}}, false, -INFINITY, INFINITY},
    [PRIOR_UNIFORM] = {"uniform", {{"lower", LOWER}, {"upper", UPPER}}, false, -INFINITY, INFINITY},
    [PRIOR_LOG_UNIFORM] = {"log-uniform", {{"lower", LOWER}, {"upper", UPPER}}, false, 0, INFINITY},
    [PRIOR_MODIFIED_LOG_UNIFORM] =
        {"modified-log-uniform", {{"knee", FIRST}, {"upper", UPPER}}, false, 0, INFINITY},
    [PRIOR_FALLING_LIMIT] = {"ford-gregory",
                             {{"knee", FIRST}, {"upper", UPPER}, {"period", SECOND}},
                             false,
                             0,
                             INFINITY},
    [PRIOR_NORMAL] = {"normal", {{"mean", FIRST}, {"sigma", SECOND}}, true, -INFINITY, INFINITY},
    [PRIOR_BETA] = {"beta", {{"alpha", FIRST}, {"beta", SECOND}}, true, 0, 1},
    [PRIOR_RAYLEIGH] = {"rayleigh", {{"scale", FIRST}}, true, 0, INFINITY},
    [PRIOR_TURNS] = {"turns", {{"lower", LOWER}, {"upper", UPPER}}, false, 0, INFINITY},
    [PRIOR_LOG_NORMAL] = {"log-normal", {{"mu", FIRST}, {"sigma", SECOND}}, true, 0, INFINITY},
};

enum { N_FORMS = sizeof forms / sizeof *forms };

static size_t n_arguments(const prior_form *form)
{
    size_t n = 0;
    while (n < MOST_ARGUMENTS && form->arguments[n].name)
        n++;
    return n;
}

/* ---- what is wrong -------------------------------------------------------- */

/* Adds to a complaint as far as there is room. */
__attribute__((format(printf, 2, 3))) static void add(char complaint[PRIOR_COMPLAINT_SIZE],
                                                      const char *format, ...)
{
    size_t length = strlen(complaint);
    va_list values;
    va_start(values, format);
    vsnprintf(complaint + length, PRIOR_COMPLAINT_SIZE - length, format, values);
    va_end(values);
}

static void name_all(char complaint[PRIOR_COMPLAINT_SIZE])
{
    add(complaint, "is no prior: there are ");
    for (size_t i = 0; i < N_FORMS; i++)
        add(complaint, "%s%s", i == 0 ? "" : i + 1 < N_FORMS ? ", " : " and ", forms[i].name);
}

static void spell(char complaint[PRIOR_COMPLAINT_SIZE], const prior_form *form, const char *bounds)
{
    add(complaint, "%s(", form->name);
    for (size_t i = 0; i < n_arguments(form); i++)
        add(complaint, "%s%s", i > 0 ? ", " : "", form->arguments[i].name);
    add(complaint, "%s)", bounds);
}

static void explain(char complaint[PRIOR_COMPLAINT_SIZE], const prior_form *form)
{
    add(complaint, "should read ");
    spell(complaint, form, "");
    if (!form->takes_bounds)
        return;
    add(complaint, " or ");
    spell(complaint, form, ", lower, upper");
}

/* ---- reading --------------------------------------------------------------- */

static const char *skip_blanks(const char *c)
{
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

static const prior_form *find_form(const char *name, size_t n_bytes)
{
    for (size_t i = 0; i < N_FORMS; i++)
        if (strlen(forms[i].name) == n_bytes && memcmp(forms[i].name, name, n_bytes) == 0)
            return &forms[i];
    return NULL;
}

/* Reads "1, 2, 3)" and the end of the text; returns the count, or MOST_NUMBERS + 1 where it is
 * something else. */
static size_t read_numbers(const char *c, double numbers[MOST_NUMBERS])
{
    for (size_t n = 0; n < MOST_NUMBERS; n++) {
        char *end;
        numbers[n] = decimal_text_read(c, &end);
        if (end == c)
            break;
        c = skip_blanks(end);
        if (*c == ')')
            return *skip_blanks(c + 1) == '\0' ? n + 1 : MOST_NUMBERS + 1;
        if (*c++ != ',')
            break;
    }
    return MOST_NUMBERS + 1;
}

/* A number without a name is a fixed value. */
static bool read_bare_number(const char *text, prior_density *made)
{
    char *end;
    double value = decimal_text_read(text, &end);
    if (end == text || *skip_blanks(end) != '\0')
        return false;
    *made = prior_density_fixed(value);
    return true;
}

static bool read_form(const char *text, double lower, double upper, prior_density *made,
                      char complaint[PRIOR_COMPLAINT_SIZE])
{
    size_t length = strcspn(text, " \t(");
    const prior_form *form = find_form(text, length);
    if (!form) {
        name_all(complaint);
        return false;
    }
    double numbers[MOST_NUMBERS] = {0.0}, members[N_MEMBERS] = {0.0};
    const char *open = skip_blanks(text + length);
    size_t n = *open == '(' ? read_numbers(open + 1, numbers) : MOST_NUMBERS + 1;
    bool with_bounds = form->takes_bounds && n == n_arguments(form) + 2;
    if (n != n_arguments(form) && !with_bounds) {
        explain(complaint, form);
        return false;
    }
    members[LOWER] = with_bounds ? numbers[n - 2] : fmax(lower, form->lowest);
    members[UPPER] = with_bounds ? numbers[n - 1] : fmin(upper, form->highest);
    for (size_t i = 0; i < n_arguments(form); i++)
        members[form->arguments[i].member] = numbers[i];
    /* Of such a density only the tail would be left, which hardly anybody means. */
    if (form == &forms[PRIOR_NORMAL] && !with_bounds &&
        (members[FIRST] < lower || members[FIRST] > upper)) {
        add(complaint, "has its mean where the parameter cannot be; if its tail is meant, say so "
                       "with bounds: ");
        spell(complaint, form, ", lower, upper");
        return false;
    }
    *made = prior_density_make((prior_kind)(form - forms), members[FIRST], members[SECOND],
                               members[LOWER], members[UPPER]);
    return true;
}

bool prior_text_read(const char *text, double lower, double upper, prior_density *made,
                     char complaint[PRIOR_COMPLAINT_SIZE])
{
    prior_density read;
    complaint[0] = '\0';
    text = skip_blanks(text);
    bool is_read = read_bare_number(text, &read) || read_form(text, lower, upper, &read, complaint);
    if (is_read && !prior_density_is_proper(&read)) {
        add(complaint, "is no density: its numbers are not finite, a width is not positive, or "
                       "nothing lies between the bounds");
        is_read = false;
    }
    if (is_read)
        *made = read;
    return is_read;
}

/* ---- writing ---------------------------------------------------------------- */

/* The numbers that prior_text_read would ask for; returns how many. */
static size_t numbers_of(const prior_density *prior, double numbers[MOST_NUMBERS])
{
    const prior_form *form = &forms[prior->kind];
    const double members[N_MEMBERS] = {[FIRST] = prior->first,
                                       [SECOND] = prior->second,
                                       [LOWER] = prior->lower,
                                       [UPPER] = prior->upper};
    size_t n = 0;
    for (; n < n_arguments(form); n++)
        numbers[n] = members[form->arguments[n].member];
    if (form->takes_bounds) {
        numbers[n++] = prior->lower;
        numbers[n++] = prior->upper;
    }
    return n;
}

/* With as few digits as tell it from its neighbours. */
static void write_number(double number, char *text, size_t n_bytes)
{
    decimal_text_print(text, n_bytes, "%.15g", number);
    if (decimal_text_read(text, NULL) != number)
        decimal_text_print(text, n_bytes, "%.17g", number);
}

void prior_text_write(const prior_density *prior, char text[PRIOR_TEXT_SIZE])
{
    double numbers[MOST_NUMBERS];
    size_t n = numbers_of(prior, numbers), at = 0;
    at += (size_t)snprintf(text, PRIOR_TEXT_SIZE, "%s(", forms[prior->kind].name);
    for (size_t i = 0; i < n; i++) {
        char number[32];
        write_number(numbers[i], number, sizeof number);
        at += (size_t)snprintf(text + at, PRIOR_TEXT_SIZE - at, "%s%s", number,
                               i + 1 < n ? ", " : ")");
    }
}
