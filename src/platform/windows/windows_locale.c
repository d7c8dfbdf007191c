#include "platform/system_locale.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* own: the name of the locale before; before: whether threads had locales of their own. */
system_locale system_locale_enter(void)
{
    int mode = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    const char *name = setlocale(LC_ALL, NULL);
    system_locale scope = {name ? _strdup(name) : NULL, (void *)(intptr_t)mode};
    setlocale(LC_ALL, "C");
    return scope;
}

void system_locale_leave(system_locale *scope)
{
    if (scope->own)
        setlocale(LC_ALL, scope->own);
    free(scope->own);
    if ((intptr_t)scope->before > 0)
        _configthreadlocale((int)(intptr_t)scope->before);
}

double system_locale_read(const char *text, char **end)
{
    system_locale scope = system_locale_enter();
    double value = strtod(text, end);
    system_locale_leave(&scope);
    return value;
}
