#include "tables/paper_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/measured_value.h"
#include "terminal/spoken_number.h"

struct paper_value paper_value_of(double value, double error)
{
    struct paper_value made = {PAPER_MEASURED, value, error, error};
    if (!isfinite(value))
        made.limit = PAPER_UNKNOWN;
    else if (error == 0.0)
        made.limit = PAPER_FIXED;
    return made;
}

struct paper_value paper_value_between(double median, double low, double high)
{
    if (low == high) /* a prior fixes it */
        return paper_value_of(median, 0.0);
    return (struct paper_value){isfinite(median) ? PAPER_MEASURED : PAPER_UNKNOWN, median,
                                high - median, median - low};
}

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

bool paper_value_is_limit(size_t n, double *draws, double *limit)
{
    const double share = 0.95, edge = 0.005;
    qsort(draws, n, sizeof *draws, by_number);
    size_t n_inside = (size_t)ceil(share * (double)n), best = 0;
    for (size_t i = 0; i + n_inside <= n; i++)
        if (draws[i + n_inside - 1] - draws[i] < draws[best + n_inside - 1] - draws[best])
            best = i;
    *limit = n_inside > 0 ? draws[n_inside - 1] : NAN;
    /* Zero must be where they begin: a constant far from it has a lowest draw as well. */
    return n_inside > 0 && best <= (size_t)(edge * (double)n) && draws[0] < 0.05 * *limit;
}

struct paper_value paper_value_scaled(struct paper_value value, double factor)
{
    value.value *= factor;
    value.plus *= factor;
    value.minus *= factor;
    return value;
}

const char *paper_value_limit_word(enum paper_limit limit)
{
    static const char *const words[] = {
        [PAPER_MEASURED] = "", [PAPER_FIXED] = "fixed", [PAPER_AT_END] = "at limit",
        [PAPER_AT_MOST] = "<", [PAPER_AT_LEAST] = ">",  [PAPER_UNKNOWN] = ""};
    return words[limit];
}

/* The three numbers of "V +A -B", of which two may be the same, or the two of "V ± A". */
static struct paper_text written(const char *measured, bool is_latex)
{
    char value[40], plus[40], minus[40];
    struct paper_text made;
    bool has_sides = sscanf(measured, "%39s +%39s -%39s", value, plus, minus) == 3;
    bool is_even =
        has_sides ? strcmp(plus, minus) == 0 : sscanf(measured, "%39s ± %39s", value, plus) == 2;
    const char *form = is_even     ? (is_latex ? "$%s \\pm %s$" : "%s ± %s")
                       : has_sides ? (is_latex ? "$%s^{+%s}_{-%s}$" : "%s +%s -%s")
                                   : (is_latex ? "$%s$" : "%s");
    snprintf(made.text, sizeof made.text, form, has_sides || is_even ? value : measured, plus,
             minus);
    return made;
}

struct paper_text paper_value_text(struct paper_value value, bool is_latex)
{
    struct paper_text made = {""};
    const char *dollar = is_latex ? "$" : "", *word = paper_value_limit_word(value.limit);
    switch (value.limit) {
    case PAPER_UNKNOWN:
        break;
    case PAPER_FIXED:
        snprintf(made.text, sizeof made.text, "%s%.10g%s (fixed)", dollar, value.value, dollar);
        break;
    case PAPER_AT_END:
        snprintf(made.text, sizeof made.text, "%s%s%s (at limit)", dollar,
                 spoken_number_digits(value.value, 3).text, dollar);
        break;
    case PAPER_AT_MOST:
    case PAPER_AT_LEAST:
        snprintf(made.text, sizeof made.text, "%s%s%s%s", dollar, word,
                 spoken_number_digits(value.value, 2).text, dollar);
        break;
    case PAPER_MEASURED: {
        struct measured_value measured =
            value.plus == value.minus
                ? measured_value_of(value.value, value.plus)
                : measured_value_between(value.value, value.value - value.minus,
                                         value.value + value.plus);
        made = written(measured.text, is_latex);
        break;
    }
    }
    return made;
}

struct paper_digits paper_value_digits(struct paper_value value)
{
    struct paper_digits made = {"", "", ""};
    const struct paper_text whole = paper_value_text(value, false);
    const char *text = whole.text;
    if (value.limit == PAPER_AT_MOST || value.limit == PAPER_AT_LEAST)
        text += strlen(paper_value_limit_word(value.limit));
    if (sscanf(text, "%39s ± %39s", made.value, made.plus) == 2)
        snprintf(made.minus, sizeof made.minus, "%s", made.plus);
    else
        sscanf(text, "%39s +%39s -%39s", made.value, made.plus, made.minus);
    return made;
}
