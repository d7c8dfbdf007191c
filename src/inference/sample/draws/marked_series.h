/* Series of yes and no, one of each walker: whether each draw is marked, such as being below a
 * quantile. Kept as bits, so that an autocovariance costs a few per cent of that of numbers. */
#ifndef EQUANT_INFERENCE_SAMPLE_DRAWS_MARKED_SERIES_H
#define EQUANT_INFERENCE_SAMPLE_DRAWS_MARKED_SERIES_H

#include <stdint.h>

#include "equant.h"

typedef struct marked_series {
    size_t n_groups, n_steps, n_walkers; /* [n_groups][n_steps][n_walkers] marks            */
    size_t n_words;                      /* of one step of a group                          */
    uint64_t *bits;                      /* [n_groups][n_steps][n_words]                    */
    uint32_t *count;                     /* [n_groups][n_walkers] marks of each series      */
    double cross, squares;               /* sums over the series that autocovariances need  */
    size_t next_lag;
} marked_series;

equant_status marked_series_create(size_t n_groups, size_t n_steps, size_t n_walkers,
                                   marked_series *made);
void marked_series_free(marked_series *series);

/* Forgets all marks. */
void marked_series_clear(marked_series *series);
/* Marks the draw at this place of [n_groups][n_steps][n_walkers], once. */
void marked_series_mark(marked_series *series, size_t place);
/* To be called when all marks are set. */
void marked_series_finish(marked_series *series);

/* The mean over all draws of the product of a mark and that of the same walker `lag` steps later,
 * each less the mean of its series. Lags are asked for in their order from 0. */
double marked_series_autocovariance(marked_series *series, size_t lag);

/* Share of the marks in a series, and in a group. */
double marked_series_share(const marked_series *series, size_t group, size_t walker);
double marked_series_share_of_group(const marked_series *series, size_t group);

#endif
