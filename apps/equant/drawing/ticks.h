/* Round numbers along an axis. */
#ifndef EQUANT_APP_DRAWING_TICKS_H
#define EQUANT_APP_DRAWING_TICKS_H

#include <stdbool.h>
#include <stddef.h>

enum { TICKS_MOST = 128, TICKS_TEXT = 32 };

struct tick {
    double at;
    char text[TICKS_TEXT]; /* empty between the numbers */
};

struct ticks {
    size_t n;
    struct tick tick[TICKS_MOST];
};

/* From low to high about n_most numbers, 1, 2 or 5 times a power of ten apart. */
struct ticks ticks_linear(double low, double high, int n_most);

/* Powers of ten with their multiples between them; over less than two decades also twice and
 * five times them have numbers. */
struct ticks ticks_logarithmic(double low, double high);

/* What times are, as far as their size tells. */
enum ticks_calendar { TICKS_NO_DATE, TICKS_JULIAN_DATE, TICKS_SHORTENED_DATE };
enum ticks_calendar ticks_calendar_of(double time_days);

/* Calendar years along an axis of Julian dates, about n_most of them; none where the times are
 * no Julian dates, nor modified ones. */
struct ticks ticks_years(double low, double high, int n_most);

/* The decimal year of a Julian date, also a modified or shortened one; NaN for other times. */
double ticks_year_of(double time_days);

#endif
