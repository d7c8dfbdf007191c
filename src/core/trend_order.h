/* Trends in the words of the API and as the number of their terms, which the library counts with.
 */
#ifndef EQUANT_CORE_TREND_ORDER_H
#define EQUANT_CORE_TREND_ORDER_H

#include "equant.h"

/* Fails for a number that is no trend. */
equant_status trend_order_check(equant_trend trend);

/* 0, 1 or 2 terms; the default has none, where a call does not choose. */
int trend_order_of(equant_trend trend);
equant_trend trend_order_name(int order);

#endif
