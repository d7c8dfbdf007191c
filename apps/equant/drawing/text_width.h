/* How wide a text will be. Fonts differ from machine to machine: this is DejaVu Sans, among the
 * widest of those that a figure may get, so that a text which fits by this measure fits. */
#ifndef EQUANT_APP_DRAWING_TEXT_WIDTH_H
#define EQUANT_APP_DRAWING_TEXT_WIDTH_H

#include <stddef.h>

/* In units of a figure, for type of that size. */
double text_width_of(const char *text, double size);

/* As much of the text as the width holds, with "…" where some is missing. */
void text_width_cut(const char *text, double size, double width, char *cut, size_t n);

/* Bytes of the first line when a text is broken at blanks to fit the width; a word that is wider
 * than that has a line of its own. */
size_t text_width_line(const char *text, double size, double width);

#endif
