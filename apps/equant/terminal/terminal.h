/* Where a stream ends: at a person's terminal, or in a file or pipe that wants
 * neither colours nor progress. */
#ifndef EQUANT_APP_TERMINAL_TERMINAL_H
#define EQUANT_APP_TERMINAL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum terminal_style {
    TERMINAL_PLAIN, /* back to normal */
    TERMINAL_BOLD,
    TERMINAL_DIM,
    TERMINAL_RED,
    TERMINAL_GREEN,
    TERMINAL_YELLOW,
    TERMINAL_CYAN
};

bool terminal_is(FILE *stream);

/* Width in characters; 80 when nobody knows. */
int terminal_columns(FILE *stream);

/* The escape sequence that switches to a style, for "%s"; "" when the stream
 * is no terminal or the person set NO_COLOR. */
const char *terminal_style(FILE *stream, enum terminal_style style);

#endif
