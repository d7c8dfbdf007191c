/* Dates of the Gregorian calendar in UTC, and Julian dates. */
#ifndef EQUANT_OBSERVING_UTC_DATE_H
#define EQUANT_OBSERVING_UTC_DATE_H

#include <stdbool.h>

#include "data/text_table.h"
#include "equant.h"

typedef struct utc_date {
    int year, month, day, hour, minute, second;
} utc_date;

/* To the nearest second. */
utc_date utc_date_of(double jd);

/* "2026-11-16", "20261116", and with a time "T23:30", " 23:30:15Z", "T233015Z"; seconds may have
 * decimals. `has_time`: there was one. False for anything else. */
bool utc_date_read(text_slice text, double *jd, bool *has_time);

#endif
