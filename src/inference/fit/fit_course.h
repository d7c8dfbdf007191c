/* How far a fit has come as a whole. It goes through stages that begin anew for each planet, so
 * that none of them says when it ends; but the shares of its time at which stages begin differ
 * little from star to star. */
#ifndef EQUANT_INFERENCE_FIT_FIT_COURSE_H
#define EQUANT_INFERENCE_FIT_FIT_COURSE_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"

typedef struct fit_course {
    bool chooses_noise;    /* planets are searched for twice, with white noise first */
    size_t n_planets;      /* that are asked for; 0: as many as the data ask for */
    double begun_s, end_s; /* of wall_clock_s; INFINITY: no budget ends it */
    /* What began last: the share of their time that fits usually need until then and until the
     * next. */
    double share, next_share;
    double reached_s;    /* when it began */
    size_t n_searches;   /* for planets, from the first on */
    size_t n_looked_for; /* the planet that is searched for */
    bool has_compared;   /* aliases have been compared */
} fit_course;

/* For the options of a fit, which begins now. */
fit_course fit_course_begin(const equant_fit_options *options, double now_s);

/* A stage is told at a time. Gives the share of the fit that is done, 0 to 1, which never falls,
 * and the seconds that are left; NaN before anything is known. */
void fit_course_reach(fit_course *course, const char *stage, double now_s, double *done,
                      double *seconds_left);

#endif
