/* Whether all times that are read together are counted from the same zero point. */
#ifndef EQUANT_DATA_TIME_SCALE_H
#define EQUANT_DATA_TIME_SCALE_H

#include "data/file_observations.h"

/* Warns of each file with a gap of a century, and once for the whole list of
 * the two files whose times lie furthest apart where that is too far for one
 * star's observations; the latter joins the warnings of the file that was
 * given later. */
equant_status time_scale_check(file_list *list);

#endif
