#include "terminal/text_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_line_append(char *line, size_t n, const char *format, ...)
{
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, n - used, format, arguments);
    va_end(arguments);
}
