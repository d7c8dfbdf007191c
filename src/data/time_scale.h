/* Whether files that are read together count their days from the same zero point. */
#ifndef EQUANT_DATA_TIME_SCALE_H
#define EQUANT_DATA_TIME_SCALE_H

#include "data/file_observations.h"

/* Warns, once for the whole list, of the two files whose times lie furthest
 * apart where that is too far for one star's observations. The warning joins
 * those of the file that was given later. */
equant_status time_scale_check(file_list *list);

#endif
