/* Numbers the way people say them: "450 million", not 4.5e+08. */
#ifndef EQUANT_APP_TERMINAL_SPOKEN_NUMBER_H
#define EQUANT_APP_TERMINAL_SPOKEN_NUMBER_H

#include <stddef.h>

struct spoken_number {
    char text[32];
};

/* Three digits and, from ten thousand on, thousand, million, billion or
 * trillion. */
struct spoken_number spoken_number_of(double value);

/* So many significant digits, and all before the point, never with an exponent: "1200.4";
 * "–" for NaN. */
struct spoken_number spoken_number_digits(double value, int n_digits);

/* A probability to two digits: "0.034", "2.1e-12", "<1e-99"; "-" for NaN. */
struct spoken_number spoken_number_probability(double probability);

/* A count in words up to twelve, in digits beyond: "two", "401". */
struct spoken_number spoken_number_words(size_t count);

#endif
