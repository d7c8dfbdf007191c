/* What an experienced eye would notice about a fit. */
#ifndef EQUANT_APP_STARS_FIT_HINTS_H
#define EQUANT_APP_STARS_FIT_HINTS_H

#include "terminal/text_list.h"

struct star_result;

/* Adds one sentence for each thing noticed; often there is none. */
void fit_hints_collect(const struct star_result *star, struct text_list *hints);

/* Says so where the usual range of periods was widened. */
void fit_hints_range(const struct star_result *star, struct text_list *hints);

#endif
