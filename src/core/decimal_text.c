#define _GNU_SOURCE /* strtod_l */
#include "core/decimal_text.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int decimal_text_vprint(char *text, size_t n_bytes, const char *format, va_list values)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(locale); /* of this thread only; changes nothing without a locale */
    int n = vsnprintf(text, n_bytes, format, values);
    uselocale(before);
    if (locale != (locale_t)0)
        freelocale(locale);
    return n;
}

int decimal_text_print(char *text, size_t n_bytes, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int n = decimal_text_vprint(text, n_bytes, format, values);
    va_end(values);
    return n;
}

double decimal_text_read(const char *text, char **end)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0)
        return strtod(text, end);
    double value = strtod_l(text, end, locale);
    freelocale(locale);
    return value;
}
