#include "terminal/spoken_number.h"

#include <math.h>
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

struct quantity quantity_digits(double value, int n_digits)
{
    struct quantity quantity;
    int before_point = value == 0.0 ? 1 : (int)floor(log10(fabs(value))) + 1;
    int decimals = n_digits - before_point;
    if (isfinite(value) && fabs(value) < 1e15 && decimals < 16)
        snprintf(quantity.text, sizeof quantity.text, "%.*f", decimals > 0 ? decimals : 0, value);
    else
        snprintf(quantity.text, sizeof quantity.text, "%.*g", n_digits, value);
    return quantity;
}

struct quantity quantity_probability(double probability)
{
    struct quantity quantity;
    if (isnan(probability))
        snprintf(quantity.text, sizeof quantity.text, "-");
    else if (probability < 1e-99)
        snprintf(quantity.text, sizeof quantity.text, "<1e-99");
    else if (probability < 0.001)
        snprintf(quantity.text, sizeof quantity.text, "%.1e", probability);
    else
        snprintf(quantity.text, sizeof quantity.text, "%.2g", probability);
    return quantity;
}

struct quantity quantity_words(size_t count)
{
    static const char *const words[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    struct quantity quantity;
    if (count < sizeof words / sizeof words[0])
        snprintf(quantity.text, sizeof quantity.text, "%s", words[count]);
    else
        snprintf(quantity.text, sizeof quantity.text, "%zu", count);
    return quantity;
}
