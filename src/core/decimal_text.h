/* Numbers as text, the same in every locale: what is written to a file or a sentence has a point
 * where the caller's country has a comma. */
#ifndef EQUANT_CORE_DECIMAL_TEXT_H
#define EQUANT_CORE_DECIMAL_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "platform/system_locale.h"

/* As snprintf, vsnprintf and strtod in the C locale; the locale of the caller stays as it is. */
__attribute__((format(printf, 3, 4))) int decimal_text_print(char *text, size_t n_bytes,
                                                             const char *format, ...);
__attribute__((format(printf, 3, 0))) int decimal_text_vprint(char *text, size_t n_bytes,
                                                              const char *format, va_list values);
double decimal_text_read(const char *text, char **end);

/* The C locale for all that this thread does until the end: for text whose functions know no
 * locale. */
typedef system_locale decimal_text_scope;

decimal_text_scope decimal_text_begin(void);
void decimal_text_end(decimal_text_scope *scope);

#endif
