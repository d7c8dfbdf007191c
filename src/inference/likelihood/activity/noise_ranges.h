/* The ranges within which parameters of noise are fitted unless a caller says otherwise: priors,
 * made of the data and of what stars do. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_NOISE_RANGES_H
#define EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_NOISE_RANGES_H

#include <stdbool.h>

#include "equant.h"
#include "model/prior_table.h"
#include "noise/noise_catalogue.h"

typedef struct noise_range {
    double lowest, highest, start;
    bool per_period;             /* the three are in units of the term's period */
    const log_normal_sum *prior; /* NULL: uniform in the logarithm */
} noise_range;

/* Of a fixed parameter both ends are its value. */
bool noise_range_is_open(const noise_range *range);

/* What ranges are made of. */
typedef struct noise_ranges {
    double span_days;
    double least_m_s, most_m_s, usual_m_s; /* that an amplitude may have, and where fits begin */
    star_class class;
} noise_ranges;

noise_ranges noise_ranges_of(const equant_dataset *dataset);

/* One for each parameter of a term. */
void noise_ranges_usual(const noise_ranges *ranges, const noise_term_kind *kind,
                        noise_range *parameters);

/* Periods in which stars turn, in days; and the shortest scale of a slow term. */
#define NOISE_RANGES_SHORTEST_ROTATION 5.0
#define NOISE_RANGES_SHORTEST_SLOW 200.0
/* The longest rotation that data of this span show. */
double noise_ranges_longest_rotation(const noise_ranges *ranges);

#endif
