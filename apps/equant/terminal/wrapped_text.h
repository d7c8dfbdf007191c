/* Text in lines that a terminal has room for. */
#ifndef EQUANT_APP_TERMINAL_WRAPPED_TEXT_H
#define EQUANT_APP_TERMINAL_WRAPPED_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* What printf prints, on standard output, with control characters escaped; no style of the
 * terminal. A line that is too long for a terminal goes on in the next one, below its first word,
 * or below the text beside a heading: what follows two blanks or more. In files and pipes lines
 * stay whole. */
__attribute__((format(printf, 1, 2))) void wrapped_text_print(const char *format, ...);

/* The same of a text on any stream; the first line begins behind `column` characters. */
void wrapped_text_write(FILE *stream, const char *text, int column);

/* A sentence, two characters from the left, in lines of at most 80 characters everywhere. */
void wrapped_text_say(const char *sentence);

/* At most `columns` characters of a text, the last of which is an ellipsis where there are more.
 * Returns how many. */
int wrapped_text_cut(FILE *stream, const char *text, int columns);

#endif
