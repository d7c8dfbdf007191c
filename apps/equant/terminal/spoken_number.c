#include "terminal/spoken_number.h"

#include <math.h>
#include <stdio.h>

struct spoken_number spoken_number_of(double value)
{
    static const char *const scales[] = {"", " thousand", " million", " billion", " trillion"};
    struct spoken_number quantity;
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

struct spoken_number spoken_number_digits(double value, int n_digits)
{
    struct spoken_number quantity;
    if (!isfinite(value)) { /* it has no digits, and their number would be none either */
        snprintf(quantity.text, sizeof quantity.text, isnan(value) ? "–" : "%g", value);
        return quantity;
    }
    int before_point = value == 0.0 ? 1 : (int)floor(log10(fabs(value))) + 1;
    int decimals = n_digits - before_point;
    if (fabs(value) < 1e15 && decimals < 16)
        snprintf(quantity.text, sizeof quantity.text, "%.*f", decimals > 0 ? decimals : 0, value);
    else
        snprintf(quantity.text, sizeof quantity.text, "%.*g", n_digits, value);
    return quantity;
}

struct spoken_number spoken_number_probability(double probability)
{
    struct spoken_number quantity;
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

struct spoken_number spoken_number_words(size_t count)
{
    static const char *const words[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    struct spoken_number quantity;
    if (count < sizeof words / sizeof words[0])
        snprintf(quantity.text, sizeof quantity.text, "%s", words[count]);
    else
        snprintf(quantity.text, sizeof quantity.text, "%zu", count);
    return quantity;
}
