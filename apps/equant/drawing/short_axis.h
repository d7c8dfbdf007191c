/* An axis whose numbers are short, however many digits they share: 4.23078 and 4.23080 become −2
 * and 0, and the name of the axis says "− 4.2308 (10⁻⁵ d)". */
#ifndef EQUANT_APP_DRAWING_SHORT_AXIS_H
#define EQUANT_APP_DRAWING_SHORT_AXIS_H

#include <stddef.h>

#include "drawing/ticks.h"

struct short_axis {
    double low, high;
    double base; /* numbers are (value - base) / 10^power */
    int power, base_decimals;
};

/* Plain numbers where two of them have room side by side in that width. */
struct short_axis short_axis_of(double low, double high, double width);

/* Ticks along a width, with as many small numbers as there is room for without touching each other
 * or what is beyond the ends. */
struct ticks short_axis_across(const struct short_axis *axis, double width);
/* The same along a height. */
struct ticks short_axis_upwards(const struct short_axis *axis, double height);

/* "P₁ − 4.2308" of a sign "P₁", and "(10⁻⁵ d)" of a unit "d"; nothing where there is none. */
void short_axis_sign(const struct short_axis *axis, const char *sign, char *text, size_t n);
void short_axis_unit(const struct short_axis *axis, const char *unit, char *text, size_t n);

#endif
