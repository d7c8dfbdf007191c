/* Text from outside on its way to a terminal. Names of files and instruments, headers and comments
 * may hold anything, also sequences that a terminal obeys: all of it is printed through here. */
#ifndef EQUANT_APP_TERMINAL_PLAIN_TEXT_H
#define EQUANT_APP_TERMINAL_PLAIN_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes the text with control characters (C0, DEL and C1, line ends among them), marks that turn
 * the direction of writing, and bytes that are not UTF-8 as "\x1b". Returns the number of
 * characters written. */
int plain_text_write(FILE *stream, const char *text);
/* The first n bytes of it. */
int plain_text_write_n(FILE *stream, const char *text, size_t n);
/* The characters that it would write. */
int plain_text_width_n(const char *text, size_t n);

/* Whole lines: their ends and tabs stay as they are. */
void plain_text_write_lines(FILE *stream, const char *text);

/* The same as a string, to be freed; NULL without memory. */
char *plain_text_copy(const char *text);

#endif
