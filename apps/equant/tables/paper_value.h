/* A number of a paper: with errors as large as the data make them, or a limit. */
#ifndef EQUANT_APP_TABLES_PAPER_VALUE_H
#define EQUANT_APP_TABLES_PAPER_VALUE_H

#include <stdbool.h>
#include <stddef.h>

enum paper_limit {
    PAPER_MEASURED,
    PAPER_FIXED,   /* it was not free                          */
    PAPER_AT_END,  /* it is at an end of its range, so that it has no error */
    PAPER_AT_MOST, /* 95 % of the posterior are below `value`  */
    PAPER_AT_LEAST,
    PAPER_UNKNOWN
};

struct paper_value {
    enum paper_limit limit;
    double value, plus, minus; /* errors of measured ones alone; NaN: unknown */
};

struct paper_text {
    char text[128];
};

/* Of a fit: a standard error, 0 where the value was kept. */
struct paper_value paper_value_of(double value, double error);

/* Of a posterior: a median with 68.3 % around it. */
struct paper_value paper_value_between(double median, double low, double high);

/* Whether draws of something that cannot be negative are densest at zero, so that they set no more
 * than an upper limit: the shortest interval that holds 95 % of them begins at the lowest ones.
 * Sorts them. The limit is the value below which 95 % of them are. */
bool paper_value_is_limit(size_t n, double *draws, double *limit);

struct paper_value paper_value_scaled(struct paper_value value, double factor);

/* Errors to two significant digits, the value to the same decimal: "0.071 +0.032 -0.029" in plain
 * text, "$0.071^{+0.032}_{-0.029}$" in LaTeX; "" where it is unknown. */
struct paper_text paper_value_text(struct paper_value value, bool is_latex);

/* The same digits as three texts, for columns of their own; "" where there is none. */
struct paper_digits {
    char value[40], plus[40], minus[40];
};
struct paper_digits paper_value_digits(struct paper_value value);

/* "", "<", ">", "fixed", "at limit". */
const char *paper_value_limit_word(enum paper_limit limit);

#endif
