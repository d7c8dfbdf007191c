/* Draws with gnuplot, run as a program of its own: the script goes to its standard
 * input, the picture comes from its standard output. No shell and no file name is ever
 * in between, so nothing needs quoting. */
#ifndef EQUANT_APP_PICTURES_GNUPLOT_H
#define EQUANT_APP_PICTURES_GNUPLOT_H

#include <stdio.h>

/* Runs the script, a stream that can be read from its beginning, and writes the picture
 * to FOLDER/NAME. Without gnuplot, or when it fails, a warning says so (the former only
 * once) and the answer is EXIT_CODE_OK all the same: results do not depend on pictures.
 * A picture that cannot be written is EXIT_CODE_FAILED, with a sentence. */
int gnuplot_draw(FILE *script, const char *folder, const char *name);

#endif
