/* How equant's pictures look: size, type, colours, symbols, and the pieces of gnuplot's
 * language that they share. Measures are those of a column of a journal. */
#ifndef EQUANT_APP_PICTURES_PICTURE_H
#define EQUANT_APP_PICTURES_PICTURE_H

#include <stddef.h>
#include <stdio.h>

#include "options/picture_options.h"

/* A script that begins with the terminal for a picture of that size in inches, and with
 * the common style. NULL, with a sentence, when there is no temporary file. */
FILE *picture_start(enum picture_format format, double width, double height);

/* Places the next plot: its axes' corners, as fractions of the picture from the lower
 * left. */
struct picture_frame {
    double left, right, bottom, top;
};
void picture_place(FILE *script, struct picture_frame frame);

/* `set yrange` from lowest to highest, with about n_most round numbers along the axis. */
void picture_vertical_axis(FILE *script, double lowest, double highest, int n_most);

/* A text in gnuplot's quotes: shown as it is, whatever is in it. */
void picture_text(FILE *script, const char *text);

/* A colour that can be told apart without seeing all of them (Okabe and Ito 2008), as
 * "#rrggbb", and a point type; both for the n-th instrument. */
const char *picture_colour(size_t n);
int picture_symbol(size_t n);

/* For what is not an instrument. */
#define PICTURE_INK "#000000"
#define PICTURE_GREY "#8c8c8c"
#define PICTURE_PALE "#bdbdbd"

#endif
