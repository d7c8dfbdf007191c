#include "core/decimal_text.h"

#include <stdio.h>

#include "platform/system_locale.h"

decimal_text_scope decimal_text_begin(void)
{
    return system_locale_enter();
}

void decimal_text_end(decimal_text_scope *scope)
{
    system_locale_leave(scope);
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
    return system_locale_read(text, end);
}
