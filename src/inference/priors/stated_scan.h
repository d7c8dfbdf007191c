/* What states say to a search: planets that are known stand in its background, move there as far as
 * states let them, and one planet more is looked for, whose period and shape may be bounded. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_SCAN_H
#define EQUANT_INFERENCE_PRIORS_STATED_SCAN_H

#include "inference/priors/stated_star.h"

typedef struct stated_scan {
    equant_states *others, *all; /* without the planet that is looked for, and with it; NULL:
                                    nothing was said */
    stated_star star;            /* the planets that are known                      */
    char letter;                 /* of the one that is looked for                   */
    bool is_circle;
    double largest_e;                        /* 0: not said */
    double period_min_days, period_max_days; /* 0: not said */
    size_t n_columns;                        /* by which the known planets may move */
    double *columns;                         /* [n_columns][n_obs] */
} stated_scan;

/* Sorts states, which may be NULL and were checked against the star: those of planets whose period
 * is fixed or has a normal prior, and those of one that is looked for. Free it in any case. */
equant_status stated_scan_create(const equant_states *states, double star_mass, bool is_circle,
                                 stated_scan *made);
void stated_scan_free(stated_scan *own);

/* Puts the known planets into a background that has none. */
equant_status stated_scan_begin(study *star, stated_scan *own, solution *background);

/* The background at its best with all that was said, and the columns of the known planets. */
equant_status stated_scan_settle(study *star, stated_scan *own, solution *background);

/* The same of a solution that has the planet that was looked for behind those of the background. */
equant_status stated_scan_refine(study *star, stated_scan *own, solution *found);

#endif
