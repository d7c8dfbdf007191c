/* The C locale, for one thread: numbers have a point, whatever the caller's country writes. */
#ifndef EQUANT_PLATFORM_SYSTEM_LOCALE_H
#define EQUANT_PLATFORM_SYSTEM_LOCALE_H

typedef struct system_locale {
    void *own, *before;
} system_locale;

/* For all that this thread does until it leaves; changes nothing where there is no memory. */
system_locale system_locale_enter(void);
void system_locale_leave(system_locale *scope);

/* As strtod in the C locale. */
double system_locale_read(const char *text, char **end);

#endif
