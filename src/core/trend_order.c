#include "core/trend_order.h"

#include "core/status_fail.h"

equant_status trend_order_check(equant_trend trend)
{
    if ((int)trend < EQUANT_TREND_DEFAULT || (int)trend > EQUANT_TREND_QUADRATIC)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no trend number %d",
                           (int)trend);
    return EQUANT_SUCCESS;
}

int trend_order_of(equant_trend trend)
{
    return trend == EQUANT_TREND_DEFAULT ? 0 : (int)trend - EQUANT_TREND_NONE;
}

equant_trend trend_order_name(int order)
{
    return (equant_trend)(EQUANT_TREND_NONE + order);
}
