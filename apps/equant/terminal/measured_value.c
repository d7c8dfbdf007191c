#include "terminal/measured_value.h"

#include <math.h>
#include <stdio.h>

#include "terminal/bounded_number.h"
#include "terminal/spoken_number.h"

/* Decimals behind the point that keep two significant digits; negative for tens and
 * more. Rounding may carry: 0.0996 becomes 0.10, which has two digits at one decimal
 * less than its logarithm says. */
static int decimals_of(double uncertainty)
{
    int decimals = 1 - (int)bounded_number(floor(log10(uncertainty)), -300.0, 308.0);
    double scaled = uncertainty * pow(10.0, decimals);
    return scaled >= 99.5 ? decimals - 1 : decimals;
}

static double round_to(double value, int decimals)
{
    double unit = pow(10.0, -decimals);
    return round(value / unit) * unit;
}

struct measured_value measured_value_of(double value, double uncertainty)
{
    const int most_decimals = 12;
    struct measured_value measured;
    if (!isfinite(value)) {
        snprintf(measured.text, sizeof measured.text, "unknown");
    } else if (uncertainty == 0.0) {
        snprintf(measured.text, sizeof measured.text, "%.10g fixed", value);
    } else if (!(uncertainty > 0.0) || isinf(uncertainty)) {
        snprintf(measured.text, sizeof measured.text, "%.6g ± ?", value);
    } else {
        int decimals = decimals_of(uncertainty);
        if (decimals > most_decimals)
            decimals = most_decimals;
        if (decimals < 0) {
            value = round_to(value, decimals);
            uncertainty = round_to(uncertainty, decimals);
            decimals = 0;
        }
        snprintf(measured.text, sizeof measured.text, "%.*f ± %.*f", decimals, value, decimals,
                 uncertainty);
    }
    return measured;
}

struct measured_value measured_value_between(double median, double low, double high)
{
    const int most_decimals = 12;
    struct measured_value measured;
    double above = high - median, below = median - low;
    double smaller = fmin(above, below) > 0.0 ? fmin(above, below) : fmax(above, below);
    if (!isfinite(median) || !isfinite(smaller) || smaller <= 0.0)
        return measured_value_of(median, smaller);
    int decimals = decimals_of(smaller);
    if (decimals > most_decimals)
        decimals = most_decimals;
    if (decimals < 0) {
        median = round_to(median, decimals);
        above = round_to(above, decimals);
        below = round_to(below, decimals);
        decimals = 0;
    }
    snprintf(measured.text, sizeof measured.text, "%.*f +%.*f -%.*f", decimals, median, decimals,
             above, decimals, below);
    return measured;
}

struct measured_value measured_value_bound(double bound, bool is_least)
{
    const int n_digits = 3;
    struct measured_value measured;
    if (isfinite(bound))
        snprintf(measured.text, sizeof measured.text, "%s %s", is_least ? "at least" : "at most",
                 spoken_number_digits(bound, n_digits).text);
    else
        snprintf(measured.text, sizeof measured.text, "undetermined");
    return measured;
}
