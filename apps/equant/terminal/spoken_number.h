/* Numbers the way people say them: "450 million", not 4.5e+08. */
#ifndef EQUANT_APP_QUANTITY_H
#define EQUANT_APP_QUANTITY_H

#include <stddef.h>

struct quantity {
    char text[32];
};

/* Three digits and, from ten thousand on, thousand, million, billion or
 * trillion. */
struct quantity quantity_of(double value);

/* So many significant digits, and all before the point, never with an exponent: "1200.4". */
struct quantity quantity_digits(double value, int n_digits);

/* A probability to two digits: "0.034", "2.1e-12", "<1e-99"; "-" for NaN. */
struct quantity quantity_probability(double probability);

/* A count in words up to twelve, in digits beyond: "two", "401". */
struct quantity quantity_words(size_t count);

#endif
