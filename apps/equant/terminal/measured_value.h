/* A measured value with its uncertainty as papers print it: "75.765 ± 0.024". */
#ifndef EQUANT_APP_TERMINAL_MEASURED_VALUE_H
#define EQUANT_APP_TERMINAL_MEASURED_VALUE_H

#include <stdbool.h>

struct measured_value {
    char text[80];
};

/* The uncertainty to two significant digits, the value to the same decimal. An
 * uncertainty of zero means that the value was kept as it is, and one that is not
 * finite that nobody knows it. */
struct measured_value measured_value_of(double value, double uncertainty);

/* A median with the ends of an interval around it: "0.071 +0.032 -0.029". The smaller side to
 * two significant digits, the rest to the same decimal. */
struct measured_value measured_value_between(double median, double low, double high);

/* What lies on one side of a bound: "at least 138", "at most 0.612"; "undetermined" where there is
 * none. */
struct measured_value measured_value_bound(double bound, bool is_least);

#endif
