#include "drawing/short_axis.h"

#include <math.h>
#include <stdio.h>

#include "drawing/figure_style.h"
#include "drawing/text_width.h"
#include "terminal/bounded_number.h"
#include "terminal/text_line.h"

/* A number may reach so far beyond the ends: half the way to the next panel. */
static const double overhang = 2.0, least_gap = 4.0;

enum { MOST_ACROSS = 5, MOST_UPWARDS = 5 };

static struct ticks ticks_of(const struct short_axis *axis, int n_most)
{
    double unit = pow(10.0, axis->power);
    struct ticks ticks =
        ticks_linear((axis->low - axis->base) / unit, (axis->high - axis->base) / unit, n_most);
    for (size_t i = 0; i < ticks.n; i++)
        ticks.tick[i].at = axis->base + unit * ticks.tick[i].at;
    return ticks;
}

/* How long a number is along the axis. */
typedef double (*extent_of)(const char *text);

/* Takes away the numbers that reach beyond the ends, and those that touch the one before them;
 * tells how many are left, and how many touched. */
static size_t clear(const struct short_axis *axis, double length, extent_of extent,
                    struct ticks *ticks, size_t *n_touched)
{
    double free_from = -INFINITY;
    size_t n = 0;
    *n_touched = 0;
    for (size_t i = 0; i < ticks->n; i++) {
        struct tick *tick = &ticks->tick[i];
        double half = 0.5 * extent(tick->text);
        double at = length * (tick->at - axis->low) / (axis->high - axis->low);
        bool is_outside = at - half < -overhang || at + half > length + overhang;
        if (tick->text[0] == '\0')
            continue;
        if (is_outside || at - half < free_from + least_gap) {
            tick->text[0] = '\0';
            *n_touched += !is_outside;
            continue;
        }
        free_from = at + half;
        n++;
    }
    return n;
}

static double width_of(const char *text)
{
    return text_width_of(text, FIGURE_SMALL_SIZE);
}

static double height_of(const char *text)
{
    (void)text;
    return FIGURE_SMALL_SIZE;
}

/* About n_most numbers, or fewer. Where fewer than two would be left, which give no scale, the
 * coarsest of the finer steps of which two do not touch. */
static struct ticks fit(const struct short_axis *axis, double length, extent_of extent, int n_most,
                        size_t *n_numbers)
{
    size_t n_touched;
    for (int n = n_most; n > 1; n--) {
        struct ticks ticks = ticks_of(axis, n);
        *n_numbers = clear(axis, length, extent, &ticks, &n_touched);
        if (*n_numbers >= 2 && n_touched == 0)
            return ticks;
    }
    for (int n = n_most; n <= 2 * n_most; n++) {
        struct ticks ticks = ticks_of(axis, n);
        *n_numbers = clear(axis, length, extent, &ticks, &n_touched);
        if (*n_numbers >= 2)
            return ticks;
    }
    struct ticks ticks = ticks_of(axis, n_most);
    *n_numbers = clear(axis, length, extent, &ticks, &n_touched);
    return ticks;
}

static double widest_of(const struct ticks *ticks)
{
    double widest = 0.0;
    for (size_t i = 0; i < ticks->n; i++)
        widest = fmax(widest, width_of(ticks->tick[i].text));
    return widest;
}

struct short_axis short_axis_of(double low, double high, double width)
{
    const double widest = 44.0, narrow = 0.1;
    struct short_axis axis = {.low = low, .high = high};
    size_t n_numbers;
    struct ticks ticks = fit(&axis, width, width_of, MOST_ACROSS, &n_numbers);
    bool shares_digits = high > low && high - low < narrow * fmax(fabs(low), fabs(high));
    if (n_numbers >= 2 && (!shares_digits || widest_of(&ticks) <= widest))
        return axis;
    if (!(high > low))
        return axis;
    int decade = (int)bounded_number(floor(log10((high - low) / 4.0)), -308.0, 308.0);
    if (!shares_digits) { /* very small or large: their power of ten is enough */
        axis.power = decade;
        return axis;
    }
    /* Numbers between −100 and 100, in steps of a tenth to a half of the next power of ten. */
    double round_to = pow(10.0, decade + 1);
    axis.base = round_to * round(0.5 * (low + high) / round_to);
    axis.base_decimals = decade + 1 < 0 ? -(decade + 1) : 0;
    axis.power = decade < -2 || decade > 3 ? decade : 0;
    return axis;
}

struct ticks short_axis_across(const struct short_axis *axis, double width)
{
    size_t n_numbers;
    return fit(axis, width, width_of, MOST_ACROSS, &n_numbers);
}

struct ticks short_axis_upwards(const struct short_axis *axis, double height)
{
    size_t n_numbers;
    return fit(axis, height, height_of, MOST_UPWARDS, &n_numbers);
}

static void add_power(char *text, size_t n, int power)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int size = power < 0 ? -power : power;
    text_line_append(text, n, "10%s%s%s", power < 0 ? "⁻" : "",
                     size >= 10 ? digits[size / 10 % 10] : "", digits[size % 10]);
}

void short_axis_sign(const struct short_axis *axis, const char *sign, char *text, size_t n)
{
    snprintf(text, n, "%s", sign);
    if (axis->base != 0.0)
        text_line_append(text, n, " %s %.*f", axis->base < 0.0 ? "+" : "−", axis->base_decimals,
                         fabs(axis->base));
}

void short_axis_unit(const struct short_axis *axis, const char *unit, char *text, size_t n)
{
    text[0] = '\0';
    if (unit[0] == '\0' && axis->power == 0)
        return;
    text_line_append(text, n, "(");
    if (axis->power != 0)
        add_power(text, n, axis->power);
    text_line_append(text, n, "%s%s)", axis->power != 0 && unit[0] != '\0' ? " " : "", unit);
}
