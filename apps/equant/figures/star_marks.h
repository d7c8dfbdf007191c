/* The observations of a star as points with error bars in a figure, a colour and a
 * symbol for each instrument. */
#ifndef EQUANT_APP_FIGURES_STAR_MARKS_H
#define EQUANT_APP_FIGURES_STAR_MARKS_H

#include "drawing/key.h"
#include "drawing/plot.h"
#include "stars/star_result.h"

/* Colours of the style sheet, i1 to i7, are used again from the eighth instrument on. */
enum { STAR_MARKS_COLOURS = 7 };

/* Draws x[n_obs], y[n_obs] inside a plot: a pale bar with the jitter in it, one without, and
 * the point, open where it is an outlier. `scale` is 1 for a figure as wide as a page. */
void star_marks_draw(const struct plot *plot, const struct star_result *star, const double *x,
                     const double *y, double scale);

/* The key to them, as a list of the page; `wide` and `narrow` say what the line shows on wide and
 * narrow pages, "" where there is none. */
void star_marks_list(FILE *page, const struct star_result *star, const char *wide,
                     const char *narrow);

/* The same as entries of the key of a picture. */
void star_marks_key(struct key *key, const struct star_result *star);

#endif
