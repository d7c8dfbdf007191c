#define _GNU_SOURCE /* strtod_l */
#include "platform/system_locale.h"

#include <locale.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

system_locale system_locale_enter(void)
{
    system_locale scope = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    scope.before = uselocale(scope.own); /* changes nothing without a locale */
    return scope;
}

void system_locale_leave(system_locale *scope)
{
    uselocale(scope->before);
    if (scope->own)
        freelocale(scope->own);
}

double system_locale_read(const char *text, char **end)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0)
        return strtod(text, end);
    double value = strtod_l(text, end, locale);
    freelocale(locale);
    return value;
}
