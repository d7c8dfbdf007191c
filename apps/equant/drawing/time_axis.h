/* The axis of time of a figure: what it counts from, and what it is called. */
#ifndef EQUANT_APP_DRAWING_TIME_AXIS_H
#define EQUANT_APP_DRAWING_TIME_AXIS_H

#include "equant.h"
#include "drawing/plot.h"

struct time_axis {
    double zero;    /* what is taken from all times: a round number, or 0 */
    char label[80]; /* "BJD − 2450000 (days)" */
};

/* Julian dates are known by their size, and called what the heading of their column calls them. Of
 * shorter ones whose heading says nothing nobody can tell whether they are modified dates or merely
 * shortened: they are called times. */
struct time_axis time_axis_of(const equant_dataset *dataset);

/* The same of times from `first` to `last`, which the data set counts as its own. */
struct time_axis time_axis_of_range(const equant_dataset *dataset, double first, double last);

/* Of Julian dates of astrometry from `first` on. */
struct time_axis time_axis_of_date(double first_jd);

/* Calendar years above a frame whose horizontal axis this is, about n_most of them; nothing where
 * times are no dates. */
void time_axis_years(const struct time_axis *axis, const struct plot *plot, int n_most);

#endif
