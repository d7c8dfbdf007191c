#include "quantity.h"

#include <stdio.h>

struct quantity quantity_of(double value)
{
    static const char *const scales[] = {"", " thousand", " million", " billion", " trillion"};
    struct quantity quantity;
    size_t scale = 0;
    if (value >= 1e4) {
        while (value >= 999.5 && scale < sizeof scales / sizeof scales[0] - 1) {
            value /= 1000.0;
            scale++;
        }
    }
    int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(quantity.text, sizeof quantity.text, "%.*f%s", digits, value, scales[scale]);
    return quantity;
}
