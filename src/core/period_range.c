#include "core/period_range.h"

#include <math.h>

#include "core/status_fail.h"

equant_status period_range_check_turns(double period_min_days, double span_days, double most_turns)
{
    if (span_days / period_min_days < most_turns)
        return EQUANT_SUCCESS;
    /* Rounded up to one digit, so that the advice can be followed. */
    double least = span_days / most_turns, digit = pow(10.0, floor(log10(least)));
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "a period of %g days repeats too often in %g days of data: search from "
                       "%g days on",
                       period_min_days, span_days, digit * (floor(least / digit) + 1.0));
}
