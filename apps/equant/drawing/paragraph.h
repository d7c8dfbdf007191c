/* Lines of small print below a picture that stands alone. */
#ifndef EQUANT_APP_DRAWING_PARAGRAPH_H
#define EQUANT_APP_DRAWING_PARAGRAPH_H

#include <stdio.h>

/* How high a text is when it is broken to that width. */
double paragraph_height(const char *text, double width);

void paragraph_draw(FILE *page, const char *text, double left, double top, double width);

#endif
