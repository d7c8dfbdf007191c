/* How figures look, for pages and for pictures that stand alone: one set of rules and one table of
 * colours. Elements have classes (svg.h), and the rules give them colours and widths. */
#ifndef EQUANT_APP_DRAWING_FIGURE_STYLE_H
#define EQUANT_APP_DRAWING_FIGURE_STYLE_H

#include <stdio.h>

enum figure_colours { FIGURE_DAY, FIGURE_NIGHT };

/* The colours as custom properties of CSS, "--ink:#1c2024;...". */
void figure_style_properties(FILE *page, enum figure_colours colours);

/* The rules of a page, whose colours are its custom properties. */
void figure_style_of_page(FILE *page);

/* The rules of a picture that stands alone, with the colours of the day as they are: programs
 * other than browsers know no custom properties. */
void figure_style_of_picture(FILE *page);

/* Size of type, as in the rules. */
#define FIGURE_TEXT_SIZE 12.0
#define FIGURE_LABEL_SIZE 12.5
#define FIGURE_SMALL_SIZE 10.5

#endif
