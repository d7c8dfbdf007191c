/* Names and failures of Windows in the words of C. */
#ifndef EQUANT_PLATFORM_WINDOWS_NAME_H
#define EQUANT_PLATFORM_WINDOWS_NAME_H

#include <wchar.h>

/* UTF-8 as UTF-16 and back, for the caller to free; NULL, with errno, where there is no memory or
 * the text is none. */
wchar_t *windows_name_widen(const char *text);
char *windows_name_narrow(const wchar_t *text);

/* Sets errno by the last failure of the system. */
void windows_name_fail(void);

#endif
