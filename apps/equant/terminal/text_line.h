/* A line of text that is put together piece by piece. */
#ifndef EQUANT_APP_TERMINAL_TEXT_LINE_H
#define EQUANT_APP_TERMINAL_TEXT_LINE_H

#include <stddef.h>

/* Adds to a line of n bytes; what does not fit is cut off. */
__attribute__((format(printf, 3, 4))) void text_line_append(char *line, size_t n,
                                                            const char *format, ...);

#endif
