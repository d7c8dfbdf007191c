/* Decimal numbers: a short way for few digits, the C library for the rest. */
#include "data/text_number.h"

#include <stdint.h>
#include <string.h>

#include "core/decimal_text.h"

enum { MAX_NUMBER_LENGTH = 200 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number taken apart: (-1)^is_negative * digits * 10^exponent. */
typedef struct decimal {
    bool is_negative;
    bool is_exact; /* all digits fit into `digits` */
    uint64_t digits;
    int exponent;
} decimal;

/* Reads digits, counting them in *n; digits behind the point lower the exponent. */
static const char *read_digits(const char *c, const char *end, bool behind_point, decimal *number,
                               size_t *n)
{
    for (; c < end && is_digit(*c); c++, (*n)++) {
        if (number->digits >= UINT64_MAX / 10 - 1) {
            number->is_exact = false;
            continue;
        }
        number->digits = 10 * number->digits + (uint64_t)(*c - '0');
        number->exponent -= behind_point;
    }
    return c;
}

/* NULL when what follows the exponent letter is no exponent. */
static const char *read_exponent(const char *c, const char *end, decimal *number)
{
    bool is_negative = c < end && *c == '-';
    if (c < end && (*c == '+' || *c == '-'))
        c++;
    if (c == end)
        return NULL;
    int exponent = 0;
    for (; c < end && is_digit(*c); c++)
        if (exponent < 100000)
            exponent = 10 * exponent + (*c - '0');
    number->exponent += is_negative ? -exponent : exponent;
    return c;
}

static bool parse(text_slice slice, decimal *number)
{
    const char *c = slice.start, *end = c + slice.n;
    *number = (decimal){.is_exact = true};
    if (slice.n > MAX_NUMBER_LENGTH)
        return false;
    if (c < end && (*c == '+' || *c == '-'))
        number->is_negative = *c++ == '-';
    size_t n_digits = 0;
    c = read_digits(c, end, false, number, &n_digits);
    if (c < end && *c == '.')
        c = read_digits(c + 1, end, true, number, &n_digits);
    if (n_digits == 0)
        return false;
    if (c < end && (*c == 'e' || *c == 'E' || *c == 'd' || *c == 'D'))
        c = read_exponent(c + 1, end, number);
    return c == end;
}

/* The general case, left to the C library in the C locale. */
static double convert_with_library(text_slice slice)
{
    char buffer[MAX_NUMBER_LENGTH + 1];
    for (size_t i = 0; i < slice.n; i++) {
        char c = slice.start[i];
        buffer[i] = c == 'd' || c == 'D' ? 'e' : c;
    }
    buffer[slice.n] = '\0';
    return decimal_text_read(buffer, NULL);
}

bool text_number_read(text_slice slice, double *value)
{
    static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal number;
    if (!parse(slice, &number))
        return false;
    /* Both factors are exact in double, so one operation rounds correctly. */
    if (number.is_exact && number.digits <= (UINT64_C(1) << 53) && number.exponent >= -22 &&
        number.exponent <= 22) {
        double magnitude = (double)number.digits;
        magnitude = number.exponent < 0 ? magnitude / powers_of_ten[-number.exponent]
                                        : magnitude * powers_of_ten[number.exponent];
        *value = number.is_negative ? -magnitude : magnitude;
        return true;
    }
    *value = convert_with_library(slice);
    return true;
}

bool text_number_is_not_finite(text_slice slice)
{
    if (slice.n > 0 && (slice.start[0] == '+' || slice.start[0] == '-'))
        slice = (text_slice){slice.start + 1, slice.n - 1};
    return text_is_word(slice, "nan") || text_is_word(slice, "inf") ||
           text_is_word(slice, "infinity");
}

bool text_number_read_small_integer(text_slice slice, int *value)
{
    bool is_negative = slice.n > 0 && slice.start[0] == '-';
    if (is_negative)
        slice = (text_slice){slice.start + 1, slice.n - 1};
    if (slice.n == 0 || slice.n > 4)
        return false;
    int magnitude = 0;
    for (size_t i = 0; i < slice.n; i++) {
        if (!is_digit(slice.start[i]))
            return false;
        magnitude = 10 * magnitude + (slice.start[i] - '0');
    }
    *value = is_negative ? -magnitude : magnitude;
    return true;
}
