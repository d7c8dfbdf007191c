/* Text that may come from anywhere, and must go out as UTF-8. */
#ifndef EQUANT_TEXT_UTF8_H
#define EQUANT_TEXT_UTF8_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 character that starts here, 0 when none does. Overlong forms and
 * surrogates are no characters. `at` is part of a string that ends with a zero byte. */
size_t utf8_length(const char *at);

/* The text between two of the quotes, with those inside it doubled: what CSV and YAML
 * understand. Control characters become blanks, what is not UTF-8 becomes "?". */
void utf8_write_quoted(FILE *stream, const char *text, char quote);

#endif
