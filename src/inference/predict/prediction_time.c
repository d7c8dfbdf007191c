#include "inference/predict/prediction_time.h"

#include <math.h>

#include "core/status_fail.h"

#define MOST_DAYS 1e8

equant_status prediction_time_check(const char *noun, size_t number, double time_days)
{
    if (!isfinite(time_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%s %zu is no number", noun, number);
    if (fabs(time_days) > MOST_DAYS)
        return status_fail(
            EQUANT_ERROR_INVALID_ARGUMENT,
            "%s %zu is %g days, more than 270,000 years away: nothing can be said of "
            "it",
            noun, number, time_days);
    return EQUANT_SUCCESS;
}
