/* Writes the few elements of SVG that figures need. How they look is the business of a style sheet
 * (figure_style.h): elements have classes, not colours. */
#ifndef EQUANT_APP_DRAWING_SVG_H
#define EQUANT_APP_DRAWING_SVG_H

#include <stddef.h>
#include <stdio.h>

/* A picture of that size in its own units, as wide as the page allows; `label` is read out in its
 * place. */
void svg_begin(FILE *page, const char *class, double width, double height, const char *label);

/* A picture that stands alone, with its style in it and white paper behind it; a unit is a 96th of
 * an inch. */
void svg_begin_picture(FILE *page, double width, double height, const char *label);

/* A part of it with an origin of its own, beyond whose edges nothing is drawn. */
void svg_begin_part(FILE *page, double left, double top, double width, double height);

/* Ends each of them. */
void svg_end(FILE *page);

/* Elements that share a class. */
void svg_group_begin(FILE *page, const char *class);
void svg_group_end(FILE *page);

/* A number with a tenth of a unit, and a blank where the next would touch it. */
void svg_number(FILE *page, double value);

void svg_line(FILE *page, const char *class, double x1, double y1, double x2, double y2);
void svg_rectangle(FILE *page, const char *class, double left, double top, double width,
                   double height);

/* In a text: the character behind it is an index, smaller and lower. */
#define SVG_SUBSCRIPT "\xEE\x80\x80" /* U+E000, which is nobody's */

/* `class` also says how it is aligned. */
void svg_text(FILE *page, const char *class, double x, double y, const char *text);
/* The same, reading upwards. */
void svg_text_upwards(FILE *page, const char *class, double x, double y, const char *text);

/* A path, point by point. */
void svg_path_begin(FILE *page, const char *class);
void svg_path_move(FILE *page, double x, double y);
void svg_path_line(FILE *page, double x, double y);
void svg_path_close(FILE *page);
void svg_path_end(FILE *page);

/* A path through n points, without those that nobody could see. */
void svg_curve(FILE *page, const char *class, size_t n, const double *x, const double *y);

/* The outline of the n-th kind of point around (x, y), as part of a path: disc, square, triangle,
 * diamond, inverted triangle. */
void svg_path_symbol(FILE *page, size_t kind, double x, double y, double radius);

#endif
