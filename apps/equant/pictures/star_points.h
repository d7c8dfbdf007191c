/* The observations of a star as points with error bars in a picture, a colour and a symbol
 * for each instrument. */
#ifndef EQUANT_APP_PICTURES_STAR_POINTS_H
#define EQUANT_APP_PICTURES_STAR_POINTS_H

#include <stdio.h>

#include "stars/star_result.h"

/* Writes x[n_obs] and y[n_obs] as data blocks $NAME_1, $NAME_2, ..., one an instrument. */
void star_points_write(FILE *script, const struct star_result *star, const char *name,
                       const double *x, const double *y);

/* What `plot` wants for their error bars, a thin one with the jitter in it and a thicker one
 * without; ends with a comma. */
void star_points_plot_bars(FILE *script, const struct star_result *star, const char *name);

/* The same for the points; ends without a comma. With titles they appear in the key. */
enum star_points_titles { STAR_POINTS_UNTITLED, STAR_POINTS_TITLED };
void star_points_plot(FILE *script, const struct star_result *star, const char *name,
                      enum star_points_titles titles);

/* The vertical axis around all y[n_obs] and, where given (n > 0), the curve[n]; with about
 * n_tics numbers. */
void star_points_axis(FILE *script, const struct star_result *star, const double *y, size_t n,
                      const double *curve, int n_tics);

#endif
