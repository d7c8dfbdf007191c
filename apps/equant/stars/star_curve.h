/* The fitted model as curves over the time that the data span. */
#ifndef EQUANT_APP_STARS_STAR_CURVE_H
#define EQUANT_APP_STARS_STAR_CURVE_H

#include <stddef.h>

#include "stars/star_result.h"

struct star_curve {
    size_t n, n_planets;
    double *time_days;   /* [n], ascending; closer where a planet is fast  */
    double *total_m_s;   /* [n]: the planets shown and the trend           */
    double *planets_m_s; /* [n_planets][n]; zero for those that are not    */
};

/* Curves from a little before the first observation to a little after the last, with at
 * most n_max points (2000 or more); planets with periods below period_min_days are left
 * out. Returns an exit code, with a sentence on failure; free it in any case. */
int star_curve_create(const struct star_result *star, double period_min_days, size_t n_max,
                      struct star_curve *curve);
void star_curve_free(struct star_curve *curve);

/* What a curve of planets from that period on shows, for the key: "model", "model, P > 70 d";
 * empty when the better part of the model is left out, for then the rest would look like a bad
 * fit. */
void star_curve_title(const struct star_result *star, double period_min_days, char *title,
                      size_t n);

#endif
