#define _GNU_SOURCE /* strtod_l */
#include "core/decimal_text.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

decimal_text_scope decimal_text_begin(void)
{
    decimal_text_scope scope = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    scope.before = uselocale(scope.own); /* changes nothing without a locale */
    return scope;
}

void decimal_text_end(decimal_text_scope *scope)
{
    uselocale(scope->before);
    if (scope->own)
        freelocale(scope->own);
}

int decimal_text_vprint(char *text, size_t n_bytes, const char *format, va_list values)
{
    decimal_text_scope scope = decimal_text_begin();
    int n = vsnprintf(text, n_bytes, format, values);
    decimal_text_end(&scope);
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
