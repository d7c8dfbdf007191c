#include "drawing/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "terminal/bounded_number.h"

/* ---- numbers ------------------------------------------------------------------------- */

#define MOST_DECIMALS 300.0

/* A number for an axis: true minus, thin spaces in long ones. */
static void write_number(char text[TICKS_TEXT], double value, int decimals)
{
    double size = fabs(value);
    const char *minus = value < 0.0 && size > 0.0 ? "−" : "";
    if (size >= 1e4 && size < 1e9 && decimals == 0) {
        long whole = lround(size);
        if (whole >= 1000000)
            snprintf(text, TICKS_TEXT, "%s%ld %03ld %03ld", minus, whole / 1000000,
                     whole / 1000 % 1000, whole % 1000);
        else
            snprintf(text, TICKS_TEXT, "%s%ld %03ld", minus, whole / 1000, whole % 1000);
    } else {
        snprintf(text, TICKS_TEXT, "%s%.*f", minus, decimals, size);
    }
}

static double round_step(double smallest)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    double decade = pow(10.0, floor(log10(smallest)));
    size_t i = 0;
    while (steps[i] * decade < smallest * (1.0 - 1e-9) && i + 1 < sizeof steps / sizeof steps[0])
        i++;
    return steps[i] * decade;
}

static void add(struct ticks *ticks, double at)
{
    if (ticks->n < TICKS_MOST)
        ticks->tick[ticks->n++] = (struct tick){.at = at};
}

/* A fifth of a step lies between two numbers, or a quarter where steps are twos. */
static int parts_of(double step)
{
    double digit = step / pow(10.0, floor(log10(step) + 1e-9));
    return digit > 1.5 && digit < 2.5 ? 4 : 5;
}

struct ticks ticks_linear(double low, double high, int n_most)
{
    struct ticks ticks = {0};
    if (!(high > low) || isinf(low) || isinf(high))
        return ticks;
    double step = round_step((high - low) / n_most);
    int parts = parts_of(step),
        decimals = (int)bounded_number(-floor(log10(step) + 1e-9), 0.0, MOST_DECIMALS);
    double fine = step / parts, slack = 1e-6 * fine;
    /* Numbers that differ in no digit of a double have no steps between them. */
    if (!(fine > 1e-15 * fmax(fabs(low), fabs(high))) || isinf(fine))
        return ticks;
    for (double k = ceil((low - slack) / fine); k * fine <= high + slack; k += 1.0) {
        add(&ticks, k * fine);
        if (fmod(k, parts) == 0.0 && ticks.n > 0)
            write_number(ticks.tick[ticks.n - 1].text, k * fine, decimals);
    }
    return ticks;
}

struct ticks ticks_logarithmic(double low, double high)
{
    struct ticks ticks = {0};
    if (!(low > 0.0) || !(high > low) || isinf(high))
        return ticks;
    bool is_short = high / low < 100.0;
    for (double decade = floor(log10(low)); decade <= ceil(log10(high)); decade += 1.0) {
        for (int digit = 1; digit < 10; digit++) {
            double at = digit * pow(10.0, decade);
            if (at < low * (1.0 - 1e-9) || at > high * (1.0 + 1e-9))
                continue;
            add(&ticks, at);
            if (digit == 1 || (is_short && (digit == 2 || digit == 5)))
                write_number(ticks.tick[ticks.n - 1].text, at,
                             (int)bounded_number(-decade, 0.0, MOST_DECIMALS));
        }
    }
    return ticks;
}

/* ---- years ---------------------------------------------------------------------------- */

static const double days_per_year = 365.25, year_2000_jd = 2451544.5;

enum ticks_calendar ticks_calendar_of(double time_days)
{
    if (time_days > 2.4e6 && time_days < 2.5e6)
        return TICKS_JULIAN_DATE;
    return time_days > 3e4 && time_days < 7e4 ? TICKS_SHORTENED_DATE : TICKS_NO_DATE;
}

/* What a time lacks to be a Julian date; NaN when it is none. Modified dates differ from those
 * that are merely shortened by half a day, which nobody sees on an axis of years. */
static double zero_of(double time_days)
{
    static const double zeros[] = {
        [TICKS_NO_DATE] = NAN, [TICKS_JULIAN_DATE] = 0.0, [TICKS_SHORTENED_DATE] = 2400000.5};
    return zeros[ticks_calendar_of(time_days)];
}

double ticks_year_of(double time_days)
{
    return 2000.0 + (time_days + zero_of(time_days) - year_2000_jd) / days_per_year;
}

struct ticks ticks_years(double low, double high, int n_most)
{
    struct ticks ticks = {0};
    double zero = zero_of(low), from = ticks_year_of(low), to = ticks_year_of(high);
    if (isnan(from) || isnan(to) || zero != zero_of(high) || to - from < 2.0)
        return ticks;
    double step = fmax(1.0, round_step((to - from) / n_most));
    for (double year = ceil(from); year <= to; year += 1.0) {
        if (step > 5.0 && fmod(year, step / 5.0) != 0.0)
            continue;
        add(&ticks, year_2000_jd + days_per_year * (year - 2000.0) - zero);
        if (fmod(year, step) == 0.0 && ticks.n > 0)
            snprintf(ticks.tick[ticks.n - 1].text, TICKS_TEXT, "%.0f", year);
    }
    return ticks;
}
