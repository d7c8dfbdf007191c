#include "observing/utc_date.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "data/text_number.h"

/* Days from 1 January 1970, whose Julian date at 0 h this is: eras of 400 years from 1 March, in
 * which leap days come last. */
static const double unix_epoch_jd = 2440587.5;
/* 1 January of the years 1 and 9999; no date lies outside of them. */
static const double first_jd = 1721425.5, last_jd = 5373119.5;
static const long days_of_era = 146097, days_to_1970 = 719468;

static long days_of(const utc_date *date)
{
    long year = date->month > 2 ? date->year : date->year - 1;
    long era = year / 400, year_of_era = year % 400;
    long month = date->month > 2 ? date->month - 3 : date->month + 9;
    long day_of_year = (153 * month + 2) / 5 + date->day - 1;
    return era * days_of_era + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
           day_of_year - days_to_1970;
}

static utc_date date_of_days(long days)
{
    long z = days + days_to_1970;
    long era = z / days_of_era, day = z % days_of_era;
    long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    long day_of_year = day - (365 * year + year / 4 - year / 100);
    long month = (5 * day_of_year + 2) / 153;
    utc_date date = {.day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
                     .month = (int)(month < 10 ? month + 3 : month - 9)};
    date.year = (int)(year + era * 400 + (date.month <= 2));
    return date;
}

/* False where there is no such date. */
static bool find_jd(const utc_date *date, double *jd)
{
    bool is_time = date->hour >= 0 && date->hour <= 24 && date->minute >= 0 && date->minute < 60 &&
                   date->second >= 0 && date->second <= 60;
    if (date->year < 1 || date->year > 9999 || !is_time)
        return false;
    long days = days_of(date);
    utc_date same = date_of_days(days);
    if (same.year != date->year || same.month != date->month || same.day != date->day)
        return false;
    *jd = unix_epoch_jd + (double)days +
          (date->hour * 3600.0 + date->minute * 60.0 + date->second) / 86400.0;
    return true;
}

utc_date utc_date_of(double jd)
{
    double within = jd > first_jd ? fmin(jd, last_jd) : first_jd;
    double seconds = rint((within - unix_epoch_jd) * 86400.0);
    double days = floor(seconds / 86400.0);
    int rest = (int)(seconds - days * 86400.0);
    utc_date date = date_of_days((long)days);
    date.hour = rest / 3600;
    date.minute = rest / 60 % 60;
    date.second = rest % 60;
    return date;
}

/* A number of n digits at the beginning of what is left, and a separator behind it, which may be
 * missing. */
static bool take_digits(text_slice *rest, size_t n, char separator, int *value)
{
    if (rest->n < n)
        return false;
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isdigit((unsigned char)rest->start[i]))
            return false;
        *value = *value * 10 + (rest->start[i] - '0');
    }
    rest->start += n;
    rest->n -= n;
    if (rest->n > 0 && rest->start[0] == separator) {
        rest->start++;
        rest->n--;
    }
    return true;
}

static bool take_fraction(text_slice *rest, double *fraction)
{
    size_t n = 0;
    *fraction = 0.0;
    if (rest->n == 0 || rest->start[0] != '.')
        return true;
    while (n + 1 < rest->n && isdigit((unsigned char)rest->start[n + 1]))
        n++;
    text_slice digits = {rest->start, n + 1};
    rest->start += n + 1;
    rest->n -= n + 1;
    return n > 0 && text_number_read(digits, fraction);
}

bool utc_date_read(text_slice text, double *jd, bool *has_time)
{
    utc_date date = {0};
    double fraction = 0.0;
    text_slice rest = text_trim(text);
    if (!take_digits(&rest, 4, '-', &date.year) || !take_digits(&rest, 2, '-', &date.month) ||
        !take_digits(&rest, 2, '\0', &date.day))
        return false;
    *has_time = rest.n > 0;
    if (*has_time) {
        if (strchr("Tt ", rest.start[0]) == NULL)
            return false;
        rest.start++;
        rest.n--;
        if (!take_digits(&rest, 2, ':', &date.hour) || !take_digits(&rest, 2, ':', &date.minute))
            return false;
        if (rest.n > 0 && isdigit((unsigned char)rest.start[0]) &&
            (!take_digits(&rest, 2, '\0', &date.second) || !take_fraction(&rest, &fraction)))
            return false;
        if (text_is_word(rest, "z") || text_is_word(rest, "+00:00") || text_is_word(rest, " utc"))
            rest.n = 0;
    }
    if (rest.n != 0 || !find_jd(&date, jd))
        return false;
    *jd += fraction / 86400.0;
    return true;
}

equant_status equant_utc_read(const char *text, double *jd_utc)
{
    bool has_time;
    double jd;
    char shown[64];
    if (text == NULL || jd_utc == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a time is missing");
    text_slice typed = {text, strlen(text)};
    bool is_date = utc_date_read(typed, &jd, &has_time);
    if (!is_date && (!text_number_read(text_trim(typed), &jd) || !(jd > 2e6 && jd < 3e6)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "'%s' is no time; write 2026-11-16, 2026-11-16T23:30 (UTC) or a Julian "
                           "date",
                           text_show(typed, shown, sizeof shown));
    *jd_utc = jd;
    return EQUANT_SUCCESS;
}

equant_status equant_utc_text(double jd_utc, char *text, size_t n_bytes)
{
    if (text == NULL || n_bytes < EQUANT_UTC_TEXT_BYTES || !(jd_utc > 2e6 && jd_utc < 3e6))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a date needs room for %d bytes, and a Julian date that is one",
                           (int)EQUANT_UTC_TEXT_BYTES);
    utc_date date = utc_date_of(jd_utc);
    decimal_text_print(text, n_bytes, "%04d-%02d-%02dT%02d:%02d:%02d", date.year, date.month,
                       date.day, date.hour, date.minute, date.second);
    return EQUANT_SUCCESS;
}
