/* The star of each draw: what is known of it with errors is drawn with the posterior, the same star
 * for all quantities of a draw. */
#ifndef EQUANT_INFERENCE_SAMPLE_DRAWS_STAR_DRAW_H
#define EQUANT_INFERENCE_SAMPLE_DRAWS_STAR_DRAW_H

#include <stddef.h>

#include "model/host_star.h"

/* Of draw number `index` among those that are kept; a function of that number alone, so that
 * tables, files and whoever opens them again have the same star. */
star_values star_draw_at(const host_star *star, size_t index);

#endif
